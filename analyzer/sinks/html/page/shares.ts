// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Share of time of each kind in each pixel column of a line. A line with few spans in the window
 * adds them up one by one; one with many reads sums that were made once, of its spans in bins of
 * equal width: their difference at both edges of a column is the time in it.
 */
import { ceil, floor, max, min } from "./maths";
import { Recording } from "./model";

const DIRECT = 20000, WIDE = 200000, BINS_PER_COLUMN = 4, MOST_BINS = 1 << 17;

/** Time of each kind from the begin of the recording to the begin of each bin. */
class Sums {
	readonly bins: number;
	readonly width: number;
	readonly of = new Map<number, Float64Array>();
	constructor(recording: Recording, tracks: number[], n: number) {
		const { t0, t1, cat } = recording;

		this.bins = 1 << min(17, max(10, ceil(Math.log2(n / 2))));
		this.width = max(recording.head.to, 1) / this.bins;
		/* by category; of spans that cover whole bins, how many begin and end */
		const sums: Float64Array[] = [], changes: Int32Array[] = [];

		for (const at of tracks) {
			const track = recording.tracks[at];

			for (let i = track.from; i < track.to; i++) {
				const kind = cat[i];

				if (!sums[kind]) {
					sums[kind] = new Float64Array(this.bins + 2);
					changes[kind] = new Int32Array(this.bins + 2);
				}
				this.add(sums[kind], changes[kind], t0[i], max(t1[i], t0[i] + 1));
			}
		}
		sums.forEach((own, kind) => {
			for (let bin = 0, sum = 0, open = 0; bin <= this.bins + 1; bin++) {
				open += changes[kind][bin];
				const here = own[bin] + open * this.width;

				own[bin] = sum;
				sum += here;
			}
			this.of.set(kind, own);
		});
	}
	private add(sums: Float64Array, changes: Int32Array, from: number, to: number): void {
		const first = min(floor(from / this.width), this.bins - 1);
		const last = min(floor(to / this.width), this.bins - 1);

		if (first === last) {
			sums[first] += to - from;
			return;
		}
		sums[first] += (first + 1) * this.width - from;
		changes[first + 1]++;
		changes[last]--;
		sums[last] += to - last * this.width;
	}
	until(sums: Float64Array, t: number): number {
		const at = min(max(t / this.width, 0), this.bins);
		const bin = floor(at);

		return sums[bin] + (at - bin) * (sums[bin + 1] - sums[bin]);
	}
}

export class Shares {
	/** Kinds that occur, in the order in which they are stacked; and the share of each in each column. */
	kinds: number[] = [];
	share: Float32Array = new Float32Array(0);
	columns = 0;
	private index: Int32Array;
	private readonly sums = new Map<string, { tracks: number[]; sums: Sums }>();
	private readonly peaks = new Map<string, number>();

	constructor(private readonly recording: Recording) {
		this.index = new Int32Array(recording.head.cats.length);
	}
	/** To be called when other kinds or other tracks are shown. */
	forgetPeaks(): void {
		this.peaks.clear();
	}
	/** To be called when items have become other kinds. */
	forget(): void {
		this.sums.clear();
		this.peaks.clear();
	}

	/** The kinds of the tracks in their order: holds first, as the model orders them, then waits. */
	private findKinds(tracks: number[], hidden: Set<number>): void {
		const { head, tracks: all } = this.recording;
		const types = new Set(tracks.map((at) => all[at].type));
		const waits = (cat: number) => head.cats[cat].role === "wait" ? 1 : 0;

		this.kinds = [];
		head.cats.forEach((cat, i) => {
			if (i && types.has(cat.type) && !hidden.has(i))
				this.kinds.push(i);
		});
		this.kinds.sort((a, b) => waits(a) - waits(b) || a - b);
		if (this.index.length < head.cats.length)
			this.index = new Int32Array(head.cats.length);
		this.index.fill(-1);
		this.kinds.forEach((cat, i) => this.index[cat] = i);
	}

	/** Spans of the last fill that are so wide that they are drawn as they are; not in `share`. */
	wide: number[] = [];

	/**
	 * Fills `share` for [from, to) in so many columns.
	 * @key names the tracks for sums that are kept
	 * @least spans of that many columns go to `wide`; 0: none
	 */
	fill(key: string, tracks: number[], from: number, to: number, columns: number, hidden: Set<number>,
		mask: Uint8Array | null, least = 0): void {
		this.findKinds(tracks, hidden);
		const { recording } = this;
		let n = 0, all = 0;
		const first = tracks.map((at) => {
			const track = recording.tracks[at];
			const i = recording.after(track, from);

			n += recording.from(track, to) - i;
			all += track.to - track.from;
			return i;
		});
		const most = least ? WIDE : DIRECT;
		const fine = (to - from) / columns < BINS_PER_COLUMN * recording.head.to / MOST_BINS;

		const sums = mask || n < most || fine ? null : this.sumsOf(key, tracks, all);

		if (sums)
			this.kinds = this.kinds.filter((cat) => sums.of.has(cat));
		const size = columns * this.kinds.length;

		if (this.share.length < size)
			this.share = new Float32Array(size);
		else
			this.share.fill(0, 0, size);
		this.columns = columns;
		this.wide = [];
		if (sums)
			this.fromSums(sums, from, to);
		else
			this.direct(tracks, first, from, to, mask, least);
	}
	private sumsOf(key: string, tracks: number[], n: number): Sums {
		/* a filter leaves other tracks of a line; without it the first ones are there again */
		const name = `${key} ${tracks.length}`, known = this.sums.get(name);

		if (known && known.tracks.every((at, i) => at === tracks[i]))
			return known.sums;
		const sums = new Sums(this.recording, tracks, n);

		this.sums.set(name, { tracks, sums });
		return sums;
	}
	private fromSums(sums: Sums, from: number, to: number): void {
		const width = (to - from) / this.columns, n = this.kinds.length;

		this.kinds.forEach((cat, k) => {
			const of = sums.of.get(cat)!;

			for (let x = 0, before = sums.until(of, from); x < this.columns; x++) {
				const here = sums.until(of, from + (x + 1) * width);

				this.share[x * n + k] = (here - before) / width;
				before = here;
			}
		});
	}
	private direct(tracks: number[], first: number[], from: number, to: number, mask: Uint8Array | null,
		least: number): void {
		const { t0, t1, cat, tracks: all } = this.recording;
		const { share, index, columns } = this;
		const n = this.kinds.length, scale = columns / (to - from);
		let long = false;
		const slope = new Float32Array((columns + 2) * n);

		tracks.forEach((at, k) => {
			for (let i = first[k]; i < all[at].to && t0[i] < to; i++) {
				const kind = index[cat[i]];

				if (kind < 0 || mask && !mask[i])
					continue;
				const x0 = max((t0[i] - from) * scale, 0), x1 = min((t1[i] - from) * scale, columns);
				if (least && x1 - x0 >= least) {
					this.wide.push(i);
					continue;
				}
				const c0 = min(floor(x0), columns - 1), c1 = min(floor(x1), columns - 1);

				if (c0 === c1) {
					share[c0 * n + kind] += max(x1 - x0, 1e-6);
					continue;
				}
				share[c0 * n + kind] += c0 + 1 - x0;
				share[c1 * n + kind] += x1 - c1;
				if (c1 > c0 + 1) {
					long = true;
					slope[(c0 + 1) * n + kind]++;
					slope[c1 * n + kind]--;
				}
			}
		});
		if (!long)
			return;
		for (let k = 0; k < n; k++)
			for (let x = 0, sum = 0; x < columns; x++) {
				sum += slope[x * n + k];
				share[x * n + k] += sum;
			}
	}

	/** The most objects of shown kinds at a time on these tracks: what fills the height of a line. */
	peak(key: string, tracks: number[], hidden: Set<number>): number {
		const known = this.peaks.get(key);
		const COLUMNS = 512;

		if (known)
			return known;
		this.fill(key, tracks, 0, this.recording.head.to, COLUMNS, hidden, null);
		let peak = 1;

		for (let x = 0; x < COLUMNS; x++) {
			let sum = 0;

			for (let k = 0; k < this.kinds.length; k++)
				sum += this.share[x * this.kinds.length + k];
			peak = max(peak, sum);
		}
		this.peaks.set(key, peak);
		return peak;
	}
}
