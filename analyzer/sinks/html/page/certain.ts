// SPDX-License-Identifier: GPL-2.0-or-later
// How certain times are between machines: the bounds of their clocks, and soft edges of states.
import { blend } from "./colour";
import { abs, floor, max, min } from "./maths";
import { BEFORE, CUT_LEFT, CUT_RIGHT, Recording, SUSPECT, UNFINISHED } from "./model";
import { Surface } from "./surface";
import { duration } from "./time";

/** Of the state's colour at its edge, where before and after are equally likely. */
const HALF = 0.5;

export class Bounds {
	/** By name of the machine: those of its recordings. */
	private readonly knots = new Map<string, number[][]>();

	constructor(private readonly recording: Recording) {
		const { inputs } = recording.head;

		/* one machine has one clock */
		if (new Set(inputs.map((input) => input.node)).size < 2)
			return;
		for (const { node, bound } of inputs)
			this.knots.set(node, [...this.knots.get(node) || [], bound || []]);
	}
	/** The greatest error of an instant on a row, in ns; 0 if none is known. */
	at(row: number, t: number): number {
		const all = this.knots.get(this.recording.nodeOf(row));

		return all ? max(...all.map((knots) => between(knots, t))) : 0;
	}
	/** The same in words: " ± 115 us"; "" if none is known. */
	within(row: number, t: number): string {
		const bound = this.at(row, t);

		return bound ? ` ± ${duration(bound)}` : "";
	}
	/** The edges of a state whose errors are those of its clock. */
	edges(item: number): number[] {
		const { t0, t1, flags } = this.recording;

		return [...flags[item] & (BEFORE | CUT_LEFT) ? [] : [t0[item]], ...flags[item] & (UNFINISHED | CUT_RIGHT | SUSPECT) ? [] : [t1[item]]];
	}
}

/** @knots: time and bound in pairs, linear between them, constant outside. */
function between(knots: number[], t: number): number {
	let i = 0;

	while (i < knots.length && knots[i] <= t)
		i += 2;
	if (!i || i === knots.length)
		return knots.length ? knots[i ? i - 1 : 1] : 0;
	const [from, a, to, b] = knots.slice(i - 2, i + 2);

	return a + (b - a) * (t - from) / (to - from);
}

/** A light band around the edge at @x: the state fades where it may not have been, and begins where it may. */
export function soften(surface: Surface, x: number, half: number, span: { x0: number; x1: number; y0: number; y1: number; colour: number },
	page: number): void {
	for (let at = max(floor(x - half), 0); at < min(x + half, surface.width); at++) {
		const share = HALF * (1 - abs(at + 0.5 - x) / half);
		const inside = at + 0.5 > span.x0 && at + 0.5 < span.x1;

		if (share > 0)
			surface.tick(at, span.y0, span.y1, inside ? page : blend(page, span.colour, HALF), share);
	}
}
