// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a selection leads to, and what led to it. Forward: the links that leave the selected span while it lasts, the
 * spans that they lead to, the links that leave those after the arrival, and so on. Backward: the same against the
 * direction of time.
 */
import { max } from "./maths";
import { BACKWARDS, LINK, Recording, SPAN } from "./model";

/** Steps in each direction, and links of one chain. */
export const MOST_STEPS = 12, MOST_LINKS = 200;

/** @hidden: not on a row of the picture; @unseen: not in the recordings either */
export interface End { row: number; lane: number; t: number; hidden: boolean; unseen: boolean }
/** A link of a chain: after how many steps it is reached; below 0: it led to the selection. */
export interface Step { link: number; step: number }
export interface Chain { steps: Step[]; spans: Set<number>; /** There are more links than are followed. */ cut: boolean }

const FROM_HIDDEN = 1 << 8, TO_HIDDEN = 1 << 9, FROM_UNSEEN = 1 << 10, TO_UNSEEN = 1 << 11;

/** The from-end and the to-end of a link. A hidden or unseen end stands on the row of the other one. */
export function endsOf(recording: Recording, link: number): [End, End] {
	const { t0, t1, flags } = recording;
	const track = recording.trackAt(link), to = recording.linkTo.get(link)!, back = (flags[link] & BACKWARDS) > 0;

	return [{ row: track.row, lane: track.lane, t: back ? t1[link] : t0[link], hidden: (flags[link] & (FROM_HIDDEN | FROM_UNSEEN)) > 0,
		unseen: (flags[link] & FROM_UNSEEN) > 0 },
	{ row: to.row, lane: to.lane, t: back ? t0[link] : t1[link], hidden: (flags[link] & (TO_HIDDEN | TO_UNSEEN)) > 0,
		unseen: (flags[link] & TO_UNSEEN) > 0 }];
}

/** Where an end is that has no row in the picture. */
export function nowhere(end: { unseen: boolean }): string {
	return end.unseen ? "not in the recordings" : "a row outside the selection";
}

/** Ends of the links of a row, in order of time. */
interface RowEnds { t: Float64Array; link: Uint32Array; lane: Uint16Array }

/** Ends of all links by row; those of a row are sorted when somebody asks for them. */
export class Ends {
	/** Links that lead to a row: byRow from its place on to that of the next row, in the order of their ends. */
	private readonly byRow: Uint32Array;
	private readonly place: Uint32Array;
	private readonly sorted = new Map<number, RowEnds>();

	constructor(private readonly recording: Recording) {
		const { linkTo, head } = recording, place = this.place = new Uint32Array(head.rows.name.length + 2);

		this.byRow = new Uint32Array(linkTo.size);
		for (const link of linkTo.byEnd)
			place[linkTo.rowOf(link) + 2]++;
		for (let row = 2; row < place.length; row++)
			place[row] += place[row - 1];
		for (const link of linkTo.byEnd)
			this.byRow[place[linkTo.rowOf(link) + 1]++] = link;
	}
	/** Ends on a row; @leaving: the from-ends. */
	private of(row: number, leaving: boolean): RowEnds {
		const { recording, place } = this, key = 2 * row + Number(leaving);
		let found = this.sorted.get(key);

		if (!found) {
			const links: number[] = leaving ? [] : [...this.byRow.subarray(place[row], place[row + 1])];

			for (const at of leaving ? recording.tracksOf[row] : [])
				for (let i = recording.tracks[at].from; recording.tracks[at].kind === LINK && i < recording.tracks[at].to; i++)
					links.push(i);
			const ends = links.map((link) => endsOf(recording, link)[leaving ? 0 : 1]);
			const order = links.map((_link, i) => i).sort((a, b) => ends[a].t - ends[b].t || links[a] - links[b]);

			this.sorted.set(key, found = { t: Float64Array.from(order, (i) => ends[i].t), link: Uint32Array.from(order, (i) => links[i]),
				lane: Uint16Array.from(order, (i) => ends[i].lane) });
		}
		return found;
	}
	/** The first end of a list at @from or later. */
	private static first({ t }: RowEnds, from: number): number {
		let low = 0, high = t.length;

		while (low < high) {
			const middle = (low + high) >> 1;

			if (t[middle] < from)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}
	/** Whether a link arrives here and another one leaves: one event is the reason, such as the sending of a message. */
	passes({ row, lane, t }: { row: number; lane: number; t: number }): boolean {
		return [true, false].every((leaving) => {
			const ends = this.of(row, leaving);

			for (let i = Ends.first(ends, t); i < ends.t.length && ends.t[i] === t; i++)
				if (ends.lane[i] === lane)
					return true;
			return false;
		});
	}
	/** Links with an end on a lane in [from, to]; @leaving: their from-end. */
	at(row: number, lane: number, from: number, to: number, leaving: boolean): number[] {
		const ends = this.of(row, leaving), found: number[] = [];

		for (let i = Ends.first(ends, from); i < ends.t.length && ends.t[i] <= to; i++)
			if (ends.lane[i] === lane && !(from < ends.t[i] && ends.t[i] < to && this.passes({ row, lane, t: ends.t[i] })))
				found.push(ends.link[i]);
		return found;
	}
	/** The span that an end belongs to: the innermost one there, waits first; -1 if there is none. */
	spanAt({ row, lane, t }: End): number {
		const { head, tracks, tracksOf, t0, t1, cat } = this.recording;
		let best = -1;
		const weight = (i: number) => (t0[i] < t && t < t1[i] ? 2 : 0) + (head.cats[cat[i]].role === "wait" ? 1 : 0);
		const better = (i: number) => best < 0 || weight(i) > weight(best) || weight(i) === weight(best) && t1[i] - t0[i] < t1[best] - t0[best];

		for (const at of tracksOf[row]) {
			const track = tracks[at];

			if (track.kind !== SPAN || track.lane !== lane)
				continue;
			for (let i = this.recording.after(track, t - 1); i < track.to && t0[i] <= t; i++)
				if (t1[i] >= t && better(i))
					best = i;
		}
		return best;
	}
}

/** Part of a lane in which links leave, or arrive. */
interface Reach { row: number; lane: number; from: number; to: number }

/** The chain of a selected span, point or link. */
export function chainOf(recording: Recording, ends: Ends, item: number): Chain {
	const { t0, t1 } = recording;
	const track = recording.trackAt(item), isLink = track.kind === LINK;
	const chain: Chain = { steps: isLink ? [{ link: item, step: 0 }] : [], spans: new Set(), cut: false };
	const seen = new Set<number>(isLink ? [item] : []);
	const beyond = (link: number, by: number): Reach[] => {
		const other = endsOf(recording, link)[by > 0 ? 1 : 0];
		const span = other.hidden ? -1 : ends.spanAt(other);

		/* inside a span that has perhaps nothing to do with it, such as that of another lock */
		if (ends.passes(other) && !other.hidden && !(span >= 0 && (t0[span] === other.t || t1[span] === other.t)))
			return [{ row: other.row, lane: other.lane, from: other.t, to: other.t }];
		if (span < 0 || span === item)
			return [];
		chain.spans.add(span);
		return [{ row: other.row, lane: other.lane, from: by > 0 ? other.t : t0[span], to: by > 0 ? t1[span] : other.t }];
	};

	const own = { row: track.row, lane: track.lane, from: t0[item], to: track.kind === SPAN ? t1[item] : t0[item] };
	const reaches = new Map([1, -1].map((by) => [by, isLink ? beyond(item, by) : [own]]));

	/* both directions step by step, so that what touches the selection is one step away */
	for (let step = 1; [...reaches.values()].some((list) => list.length); step++)
		for (const [by, list] of reaches) {
			const links = [...new Set(list.flatMap(({ row, lane, from, to }) => ends.at(row, lane, from, to, by > 0)))]
				.filter((link) => !seen.has(link));
			const taken = links.slice(0, step > MOST_STEPS ? 0 : max(0, MOST_LINKS - seen.size));

			chain.cut = chain.cut || taken.length < links.length;
			reaches.set(by, taken.flatMap((link) => {
				seen.add(link);
				chain.steps.push({ link, step: step * by });
				return beyond(link, by);
			}));
		}
	return chain;
}
