// SPDX-License-Identifier: GPL-2.0-or-later
// Items as the file has them, in the order of their ends, and the same by row for the picture.
import { Head } from "./head";
import {Reader, numbers, real, unzigzag} from "./wire";

export const UNFINISHED = 1, BEFORE = 2, SUSPECT = 4, FAILED = 8, CUT_LEFT = 16, CUT_RIGHT = 32, UNKNOWN = 64, BACKWARDS = 128, MERGED = 1 << 15;
export const FLAG_NAMES = ["unfinished", "before", "suspect", "failed", "cut-left", "cut-right", "unknown", "backwards",
	"from-hidden", "to-hidden", "from-unseen", "to-unseen", "leaving"];

export const SPAN = 1, POINT = 2, SAMPLE = 3, LINK = 4;

/**
 * Items of one type on one lane of one row that do not overlap, so both their begins and their ends
 * are in order: [from, to) of the arrays of items. Spans that nest get a track for each depth.
 */
export interface Track { row: number; lane: number; type: number; kind: number; depth: number; from: number; to: number }
export interface Gap { node: string; t0: number; t1: number }

/** Items by track, those of links last. */
export interface Arranged {
	/** Begin and end of each item, in ns; of a sample, the instant and the value. */
	t0: Float64Array;
	t1: Float64Array;
	cat: Uint16Array;
	flags: Uint16Array;
	/** How many items each one stands for, in a page that was made smaller; else null: one. */
	stands: Uint32Array | null;
	/** Number of the item in the order of the file, which leads to its attributes. */
	order: Uint32Array;
	tracks: Track[];
	gaps: Gap[];
	/** Categories that occur. */
	present: number[];
	/** Of each link, from the first one on: row and lane of its to-end. */
	toRow: Uint32Array;
	toLane: Uint16Array;
	/** All links in the order of their ends. */
	byEnd: Uint32Array;
}

/** Items of one block of the file. */
export const CHUNK = 16384;
const ENDS = 16384, NO_TRACK = 0xffffffff;

export function slot(row: number, n: number): number {
	return row * 61 + n;
}

/** What the items of each category are: SPAN, POINT, SAMPLE or LINK. */
function kindsOf(head: Head): Uint8Array {
	return Uint8Array.from(head.cats, (cat, i) => i ? { span: SPAN, point: POINT, counter: SAMPLE, link: LINK, row: 0 }[head.types[cat.type].kind] : 0);
}

/* One array after the other, and a function for each kind of array: three times as fast as all arrays in one loop. */
function ordered64(to: Float64Array, from: Float64Array, order: Uint32Array): void {
	for (let i = 0; i < order.length; i++)
		to[i] = from[order[i]];
}
function ordered16(to: Uint16Array, from: Uint16Array, order: Uint32Array): void {
	for (let i = 0; i < order.length; i++)
		to[i] = from[order[i]];
}

/** Items in the order of the file. */
export class Items {
	n = 0;
	readonly t0: Float64Array;
	readonly t1: Float64Array;
	readonly cat: Uint16Array;
	readonly flags: Uint16Array;
	/** By number of the item: its track; gaps have none. */
	readonly track: Uint32Array;
	/** By number: where it is among the arranged items. */
	place = new Uint32Array(0);
	readonly tracks: Track[] = [];
	private readonly gaps: Gap[] = [];
	private readonly stands: Uint32Array | null;
	private readonly kindOf: Uint8Array;
	/** By category: 1 for a counter of real numbers, which have 2 numbers each. */
	private readonly reals: number[];
	private readonly first: Int32Array;
	private readonly next: number[] = [];
	private readonly last: number[] = [];
	private readonly count: number[] = [];
	/** Number, row and lane of the to-end of each link. */
	private readonly links: number[] = [];
	private readonly columns = Array.from({ length : 10 }, () => new Float64Array(3 * CHUNK));
	private readonly ends = new Float64Array(ENDS);
	private readonly values = new Float64Array(ENDS);

	constructor(private readonly head: Head) {
		this.t0 = new Float64Array(head.n);
		this.t1 = new Float64Array(head.n);
		this.cat = new Uint16Array(head.n);
		this.flags = new Uint16Array(head.n);
		this.stands = head.thinned ? new Uint32Array(head.n).fill(1) : null;
		this.track = new Uint32Array(head.n);
		this.kindOf = kindsOf(head);
		this.reals = head.cats.map(
			(cat, i) => i && head.types[cat.type].attrs[0]?.format === "real" ? 1 : 0);
		this.first = new Int32Array(head.rows.name.length).fill(-1);
	}

	/** The track of an item; undefined: it is a gap. */
	trackOf(number: number): Track | undefined {
		return this.tracks[this.track[number]];
	}
	private trackFor(row: number, lane: number, type: number, kind: number, t0: number): number {
		let depth = 0, before = -1, at = this.first[row];

		for (; at >= 0; before = at, at = this.next[at]) {
			const track = this.tracks[at];

			if (track.lane !== lane || track.type !== type)
				continue;
			if (this.last[at] <= t0)
				return at;
			depth++;
		}
		at = this.tracks.length;
		this.tracks.push({ row, lane, type, kind, depth, from: 0, to: 0 });
		this.next.push(-1);
		this.last.push(-1);
		this.count.push(0);
		if (before < 0)
			this.first[row] = at;
		else
			this.next[before] = at;
		return at;
	}

	add(bytes: Uint8Array): void {
		const { head, kindOf } = this;
		const reader = new Reader(bytes);
		const n = reader.number();
		const [rows, cats, lanes, flags, ends, lengths, values, nodes, rowsTo, lanesTo] = this.columns;
		let end = 0, length = 0, value = 0, node = 0, link = 0;

		for (const column of this.columns)
			numbers(reader.column(), column);
		this.ends.fill(-1);
		this.values.fill(0);
		for (let i = 0; i < n; i++) {
			const row = rows[i], cat = cats[i], lane = lanes[i], kind = kindOf[cat];
			let t0 = end += ends[i], t1 = end;

			if (!cat) {
				this.gaps.push({ node: head.nodes[nodes[node++]], t0: t1 - (lengths[length++] - 1), t1 });
				this.track[this.n++] = NO_TRACK;
				continue;
			}
			if (kind === SPAN) {
				const at = slot(row, lane) % ENDS, coded = lengths[length++];

				t0 = coded ? t1 - (coded - 1) : this.ends[at];
				this.ends[at] = t1;
			} else if (kind === LINK) {
				t0 = t1 - (lengths[length++] - 1);
				this.links.push(this.n, rowsTo[link], lanesTo[link++]);
			} else if (kind === SAMPLE) {
				const at = slot(row, cat) % ENDS;

				t1 = this.reals[cat] ? real(values[value + 1], values[value])
						     : this.values[at] += unzigzag(values[value]);
				value += 1 + this.reals[cat];
			}
			if (flags[i] & MERGED)
				this.stands![this.n] = values[value++];
			const track = this.trackFor(row, kind === SAMPLE ? 0 : lane, head.cats[cat].type, kind, t0);

			this.last[track] = kind === SPAN || kind === LINK ? t1 : t0;
			this.count[track]++;
			this.t0[this.n] = t0;
			this.t1[this.n] = t1;
			this.cat[this.n] = cat;
			this.flags[this.n] = flags[i];
			this.track[this.n++] = track;
		}
	}

	/** The items by track. */
	arrange(): Arranged {
		const { tracks, links, stands } = this;
		/* tracks of links last */
		const sorted = tracks.map((_track, i) => i).sort((a, b) => Number(tracks[a].kind === LINK) - Number(tracks[b].kind === LINK) || a - b);
		const next = new Uint32Array(tracks.length), seen = new Uint8Array(this.head.cats.length);
		let at = 0, firstLink = 0;

		for (const i of sorted) {
			next[i] = tracks[i].from = at;
			tracks[i].to = at += this.count[i];
			firstLink = tracks[i].kind === LINK ? firstLink : at;
		}
		const all: Arranged = {
			t0: new Float64Array(at), t1: new Float64Array(at), cat: new Uint16Array(at), flags: new Uint16Array(at), stands: stands && new Uint32Array(at),
			order: new Uint32Array(at), tracks: sorted.map((i) => tracks[i]), gaps: this.gaps, present: [],
			toRow: new Uint32Array(links.length / 3), toLane: new Uint16Array(links.length / 3), byEnd: new Uint32Array(links.length / 3),
		};

		const place = this.place = new Uint32Array(this.n);

		for (let i = 0; i < this.n; i++) {
			if (this.track[i] === NO_TRACK)
				continue;
			place[i] = next[this.track[i]]++;
			all.order[place[i]] = i;
			seen[this.cat[i]] = 1;
		}
		ordered64(all.t0, this.t0, all.order);
		ordered64(all.t1, this.t1, all.order);
		ordered16(all.cat, this.cat, all.order);
		ordered16(all.flags, this.flags, all.order);
		stands && all.order.forEach((from, to) => all.stands![to] = stands[from]);
		for (let k = 0; k < all.byEnd.length; k++) {
			const to = all.byEnd[k] = this.place[links[3 * k]];

			all.toRow[to - firstLink] = links[3 * k + 1];
			all.toLane[to - firstLink] = links[3 * k + 2];
		}
		links.length = 0;
		seen.forEach((on, cat) => on && all.present.push(cat));
		return all;
	}
}
