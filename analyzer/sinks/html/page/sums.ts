// SPDX-License-Identifier: GPL-2.0-or-later
// Numbers and sums of kinds in an interval, exact.
import { App } from "./app";
import { pause } from "./dom";
import { max, min } from "./maths";
import { LINK, Recording, SPAN, SUSPECT, UNKNOWN } from "./model";

/** ms of work after which the page may answer. */
const PIECE_MS = 15;

export interface Sum { n: number; ns: number }

/** A wait whose length means nothing, because it began in a gap: sums leave it out, as those of the report do. */
export function isNoWait(recording: Recording, item: number): boolean {
	if ((recording.flags[item] & (SUSPECT | UNKNOWN)) !== (SUSPECT | UNKNOWN))
		return false;
	const { role } = recording.head.cats[recording.ownCat(item)];

	return (role === "wait" || role === "call") && recording.trackAt(item).kind === SPAN;
}

/** For each category: items in [from, to) and the time of its spans in there, of rows that the filter leaves. */
export function sumsOf(app: App, from: number, to: number, rows?: Set<number>): Sum[] {
	const work = summing(app, from, to, rows);

	for (;;) {
		const { done, value } = work.next();

		if (done)
			return value as Sum[];
	}
}

/** The same, in pieces between which the page answers; null: @wanted has said no meanwhile. */
export async function sumsInPieces(app: App, from: number, to: number, wanted: () => boolean): Promise<Sum[] | null> {
	const work = summing(app, from, to);

	for (let begun = performance.now(); ;) {
		const { done, value } = work.next();

		if (done)
			return value as Sum[];
		if (performance.now() - begun < PIECE_MS)
			continue;
		await pause();
		if (!wanted())
			return null;
		begun = performance.now();
	}
}

function* summing(app: App, from: number, to: number, rows?: Set<number>): Generator<void, Sum[]> {
	const { recording, mask, tree } = app;
	const { t0, t1, cat, tracks, stands } = recording;
	const n = new Float64Array(recording.head.cats.length), ns = new Float64Array(n.length);

	for (const track of tracks) {
		if (rows ? !rows.has(track.row) : tree.rowsOn && tree.rowsOn[track.row] !== 1)
			continue;
		const span = track.kind === SPAN || track.kind === LINK;

		for (let i = span ? recording.after(track, from) : recording.from(track, from); i < track.to && t0[i] < to; i++) {
			if (mask && !mask[i] || isNoWait(recording, i))
				continue;
			n[cat[i]] += stands ? stands[i] : 1;
			if (span)
				ns[cat[i]] += min(t1[i], to) - max(t0[i], from);
		}
		/* a span of 0 ns at the very begin, and items at the very end */
		if (to >= recording.head.to)
			for (let i = track.to - 1; i >= track.from && t0[i] === to; i--)
				if ((!mask || mask[i]) && !isNoWait(recording, i))
					n[cat[i]] += stands ? stands[i] : 1;
		yield;
	}
	return recording.head.cats.map((_cat, i) => ({ n: n[i], ns: ns[i] }));
}

/** Kinds that are shown as one: the same name and colour of types that draw the same calls. */
export interface Kind { name: string; cats: number[]; counted: number[]; what: "span" | "point" | "counter" | "link" }

export function kinds(app: App): Kind[] {
	const { head } = app.recording;
	const found = new Map<string, Kind>();
	const present = new Uint8Array(head.cats.length);

	(app.recording.own ? app.recording.cat : app.recording.present).forEach((cat) => present[cat] = 1);
	head.cats.forEach((cat, i) => {
		const type = head.types[cat.type];

		if (!i || !present[i])
			return;
		const what = type.kind as Kind["what"];
		const key = cat.painted ? `${what} ${cat.painted}` : `${what} ${cat.name} ${cat.rgb} ${cat.role === "call" ? "" : type.name}`;
		let kind = found.get(key);

		if (!kind)
			found.set(key, kind = { name: cat.name, cats: [], counted: [], what });
		kind.cats.push(i);
		if (!type.repeats)
			kind.counted.push(i);
	});
	const naming = ({ cats: [cat] }: Kind) => app.recording.naming[head.cats[cat].type];
	const order = (kind: Kind) => {
		const cat = head.cats[kind.cats[0]];

		if (cat.painted)
			return cat.painted - 100;
		return kind.what !== "span" ? (kind.what === "point" ? 4 : 5) : cat.role === "wait" ? 0 : cat.role === "hold" ? 1 : 2;
	};

	for (const kind of found.values())
		if (!kind.counted.length)
			kind.counted = kind.cats;
	const all = [...found.values()].sort((a, b) => order(a) - order(b) ||
		(order(a) === 1 ? head.cats[a.cats[0]].type - head.cats[b.cats[0]].type || b.cats[0] - a.cats[0] : a.cats[0] - b.cats[0]));
	/* those of types of one title stand together, where the first one stood */
	const titleOf = (kind: Kind) => `${kind.what} ${head.types[head.cats[kind.cats[0]].type].title}`;
	const titles = [...new Set(all.map(titleOf))];
	const place = (kind: Kind) => titles.indexOf(titleOf(kind));

	return all.map((kind, i) => ({ kind, i })).sort((a, b) => place(a.kind) - place(b.kind) ||
		(naming(a.kind) ? a.kind.name.localeCompare(b.kind.name, undefined, { numeric: true }) : a.i - b.i)).map(({ kind }) => kind);
}
