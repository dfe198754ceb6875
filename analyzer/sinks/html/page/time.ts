// SPDX-License-Identifier: GPL-2.0-or-later
// Times as people read and write them.
import { abs, ceil, floor, max, min, round } from "./maths";

const UNITS: [number, string][] = [[1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"]];

/** Three significant digits and a unit, as the report writes them: "1.25 ms". */
export function duration(ns: number): string {
	if (!ns)
		return "0 s";
	const rounded = ns < 1e12 ? Number(ns.toPrecision(3)) : ns;
	const [size, unit] = UNITS.find(([size]) => abs(rounded) >= size) || UNITS[3];
	const value = rounded / size;
	const digits = unit === "ns" ? 0 : max(0, 2 - floor(Math.log10(abs(value)) + 1e-9));

	return `${value.toFixed(digits)} ${unit === "us" ? "µs" : unit}`;
}

/** Seconds with as many decimals as `step` needs; grouped by three. */
export function instant(ns: number, step = 1): string {
	const decimals = min(9, max(0, 9 - floor(Math.log10(max(step, 1)) + 1e-9)));
	const [whole, fraction = ""] = (ns / 1e9).toFixed(decimals).split(".");

	return fraction ? `${whole}.${fraction}` : whole;
}

/** An instant with its unit. */
export function seconds(ns: number, step = 1): string {
	return `${instant(ns, step)} s`;
}

/** A share of 0 to 1. */
export function percent(share: number): string {
	return share && share < 0.01 ? "<1 %" : `${(share * 100).toFixed(0)} %`;
}

/** Time on the host's clock as `trace-cmd report` prints it: microseconds. */
export function absolute(zero: string, ns: number): string {
	const us = (BigInt(zero) + BigInt(round(ns)) + 500n) / 1000n;

	return `${us / 1000000n}.${(us % 1000000n).toString().padStart(6, "0")}`;
}

/** The exact time on the host's clock. */
export function exact(zero: string, ns: number): string {
	const all = BigInt(zero) + BigInt(round(ns));

	return `${all / 1000000000n}.${(all % 1000000000n).toString().padStart(9, "0")}`;
}

/** A distance between ticks that is 1, 2 or 5 times a power of ten. */
export function step(least: number): number {
	const power = 10 ** floor(Math.log10(max(least, 1)));

	return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= least)!;
}

/** A distance between ticks at which their labels have room, with `width` the px of a text. */
export function spacing(from: number, to: number, px: number, width: (text: string) => number): number {
	const perPx = (to - from) / px;
	let distance = step(perPx * 62);

	while (width(tick(ceil(to / distance) * distance, distance)) + 12 > distance / perPx)
		distance = step(distance * 1.5);
	return distance;
}

/** The label of a tick. */
export function tick(ns: number, distance: number): string {
	if (!ns)
		return "0 s";
	const [size, unit] = distance >= 1e9 || ns >= 1e9 || !ns ? UNITS[0] : UNITS.find(([size]) => ns >= size) || UNITS[3];

	return size === 1e9 ? seconds(ns, distance) :
		`${(ns / size).toFixed(max(0, ceil(Math.log10(size / distance) - 1e-9)))} ${unit === "us" ? "µs" : unit}`;
}

/** "10ms", "1.5s", "20us"; NaN if it is none. */
export function parseDuration(text: string): number {
	const match = /^(\d+(?:\.\d+)?)(ns|us|µs|ms|s|min)?$/.exec(text);
	const sizes: { [unit: string]: number } = { ns: 1, us: 1e3, "µs": 1e3, ms: 1e6, s: 1e9, min: 6e10 };

	return match ? Number(match[1]) * sizes[match[2] || "s"] : NaN;
}

/** "12 345" */
export function count(n: number): string {
	return n.toString().replace(/\B(?=(\d{3})+$)/g, "\u2009");
}
