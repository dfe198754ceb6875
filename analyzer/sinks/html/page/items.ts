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

/** The place of a lane, or of a counter, among the last ends and values: html-chunk.h has the same. */
export function slot(row: number, n: number): number {
	/* not %, which is slow for numbers that were doubles */
	return row * 61 + n & ENDS - 1;
}

/** What the items of each category are: SPAN, POINT, SAMPLE or LINK. */
function kindsOf(head: Head): Uint8Array {
	return Uint8Array.from(head.cats, (cat, i) => i ? { span: SPAN, point: POINT, counter: SAMPLE, link: LINK, row: 0 }[head.types[cat.type].kind] : 0);
}

/*
 * One array after the other, and a function for each kind of array: three times as fast as all arrays in one loop. Reading in the order of the
 * file and writing to the end of each track keeps the cache: the other way takes twice as long.
 */
function placed64(to: Float64Array, from: Float64Array, place: Uint32Array): void {
	for (let i = 0; i < place.length; i++)
		to[place[i]] = from[i];
}
function placed16(to: Uint16Array, from: Uint16Array, place: Uint32Array): void {
	for (let i = 0; i < place.length; i++)
		to[place[i]] = from[i];
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
	private readonly typeOf: Uint16Array;
	/** By category: 1 for a counter of real numbers, which have 2 numbers each. */
	private readonly reals: number[];
	/** By track: its lane and type, the next one of its row, the end of its last item, and how many items it has. By row: its first track. */
	private readonly first: Int32Array;
	private readonly lanes: number[] = [];
	private readonly types: number[] = [];
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
		this.typeOf = Uint16Array.from(head.cats, (cat) => cat ? cat.type : 0);
		this.reals = head.cats.map(
			(cat, i) => i && head.types[cat.type].attrs[0]?.format === "real" ? 1 : 0);
		this.first = new Int32Array(head.rows.name.length).fill(-1);
	}

	/** The track of an item; undefined: it is a gap. */
	trackOf(number: number): Track | undefined {
		return this.tracks[this.track[number]];
	}
	/** The track on which an item that begins at t0 overlaps with nothing. */
	private trackFor(row: number, lane: number, type: number, kind: number, t0: number): number {
		const { lanes, types, last, next } = this;
		let depth = 0, before = -1, at = this.first[row];

		for (; at >= 0; before = at, at = next[at]) {
			if (lanes[at] !== lane || types[at] !== type)
				continue;
			if (last[at] <= t0)
				return at;
			depth++;
		}
		at = this.tracks.length;
		this.tracks.push({ row, lane, type, kind, depth, from: 0, to: 0 });
		lanes.push(lane);
		types.push(type);
		next.push(-1);
		last.push(-1);
		this.count.push(0);
		if (before < 0)
			this.first[row] = at;
		else
			next[before] = at;
		return at;
	}

	add(bytes: Uint8Array): void {
		const { head, kindOf, typeOf, last, count, ends: lastEnds, values: lastValues, t0: begins, t1: finals } = this;
		const reader = new Reader(bytes);
		const n = reader.number();
		const [rows, cats, lanes, flags, ends, lengths, values, nodes, rowsTo, lanesTo] = this.columns;
		let end = 0, length = 0, value = 0, node = 0, link = 0, at = this.n;

		for (const column of this.columns)
			numbers(reader.column(), column);
		lastEnds.fill(-1);
		lastValues.fill(0);
		for (let i = 0; i < n; i++, at++) {
			const row = rows[i] | 0, cat = cats[i] | 0, lane = lanes[i] | 0, kind = kindOf[cat];
			let t0 = end += ends[i], t1 = end;

			if (!cat) {
				this.gaps.push({ node: head.nodes[nodes[node++]], t0: t1 - (lengths[length++] - 1), t1 });
				this.track[at] = NO_TRACK;
				continue;
			}
			if (kind === SPAN) {
				const place = slot(row, lane), coded = lengths[length++];

				t0 = coded ? t1 - (coded - 1) : lastEnds[place];
				lastEnds[place] = t1;
			} else if (kind === LINK) {
				t0 = t1 - (lengths[length++] - 1);
				this.links.push(at, rowsTo[link], lanesTo[link++]);
			} else if (kind === SAMPLE) {
				const place = slot(row, cat);

				t1 = this.reals[cat] ? real(values[value + 1], values[value])
						     : lastValues[place] += unzigzag(values[value]);
				value += 1 + this.reals[cat];
			}
			if (flags[i] & MERGED)
				this.stands![at] = values[value++];
			const track = this.trackFor(row, kind === SAMPLE ? 0 : lane, typeOf[cat], kind, t0);

			last[track] = kind === SPAN || kind === LINK ? t1 : t0;
			count[track]++;
			begins[at] = t0;
			finals[at] = t1;
			this.cat[at] = cat;
			this.flags[at] = flags[i];
			this.track[at] = track;
		}
		this.n = at;
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

		const { track } = this, place = this.place = new Uint32Array(this.n);

		for (let i = 0; i < this.n; i++) {
			if (track[i] === NO_TRACK) {
				/* written nowhere */
				place[i] = NO_TRACK;
				continue;
			}
			place[i] = next[track[i]]++;
			all.order[place[i]] = i;
			seen[this.cat[i]] = 1;
		}
		placed64(all.t0, this.t0, place);
		placed64(all.t1, this.t1, place);
		placed16(all.cat, this.cat, place);
		placed16(all.flags, this.flags, place);
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
