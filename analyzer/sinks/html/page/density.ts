// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How many points are in each pixel column. A track with few points in the window counts them; one with many reads
 * numbers that were counted once, in bins of equal width.
 */
import { ceil, floor, max, min } from "./maths";
import { FAILED, Recording, Track } from "./model";

const DIRECT = 5000, BINS_PER_COLUMN = 4, MOST_BINS = 1 << 17;

/** Points of shown kinds from the begin of the recording to the begin of each bin, and the failed ones among them. */
class Bins {
	readonly n: number;
	readonly width: number;
	readonly all: Uint32Array;
	readonly failed: Uint32Array;
	constructor({ t0, cat, flags, stands, head }: Recording, track: Track, shown: Uint8Array) {
		const n = this.n = min(MOST_BINS, 1 << ceil(Math.log2(track.to - track.from)));
		const width = this.width = max(head.to, 1) / n;
		const all = this.all = new Uint32Array(n + 1), failed = this.failed = new Uint32Array(n + 1);

		for (let i = track.from; i < track.to; i++) {
			const bin = min(floor(t0[i] / width), n - 1) + 1;

			all[bin] += shown[cat[i]] && (stands ? stands[i] : 1);
			failed[bin] += shown[cat[i]] && (flags[i] & FAILED) / FAILED;
		}
		for (let bin = 0; bin < n; bin++) {
			all[bin + 1] += all[bin];
			failed[bin + 1] += failed[bin];
		}
	}
	/** The bin in which an instant is; of the end of a window, the one after. */
	at(t: number): number {
		return min(max(floor(t / this.width), 0), this.n);
	}
}

export class Density {
	/** Of the last fill: points in each column, and whether one of them failed. */
	counts = new Uint32Array(0);
	failed = new Uint8Array(0);
	/** For tests: points that the last fill looked at one by one. */
	visited = 0;
	/** Of points of shown kinds. */
	private readonly bins = new Map<Track, Bins>();
	private readonly shown: Uint8Array;
	private hidden = "";

	constructor(private readonly recording: Recording) {
		this.shown = new Uint8Array(recording.head.cats.length).fill(1);
	}

	/** Counts the points of [from, to) in so many columns; whether there are any. */
	fill(tracks: number[], from: number, to: number, columns: number, hidden: Set<number>, mask: Uint8Array | null): boolean {
		const { recording } = this, kinds = String([...hidden]);
		let any = false;

		if (kinds !== this.hidden) {
			this.hidden = kinds;
			this.bins.clear();
			this.shown.forEach((_on, kind) => this.shown[kind] = hidden.has(kind) ? 0 : 1);
		}

		this.visited = 0;
		this.counts = new Uint32Array(columns);
		this.failed = new Uint8Array(columns);
		for (const at of tracks) {
			const track = recording.tracks[at];
			const first = recording.from(track, from), last = recording.from(track, to);

			if (first === last)
				continue;
			const bins = mask || last - first < DIRECT ? null : this.binsOf(track);

			if (bins && bins.width * columns * BINS_PER_COLUMN <= to - from)
				any = this.fromBins(bins, from, to) || any;
			else
				any = this.direct(first, last, from, to, mask) || any;
		}
		return any;
	}
	private binsOf(track: Track): Bins {
		let bins = this.bins.get(track);

		if (!bins)
			this.bins.set(track, bins = new Bins(this.recording, track, this.shown));
		return bins;
	}
	private fromBins(bins: Bins, from: number, to: number): boolean {
		const { counts, failed } = this, { all, failed: bad } = bins;
		const width = (to - from) / counts.length, first = bins.at(from);
		let before = first;

		for (let x = 0; x < counts.length; x++) {
			const here = bins.at(from + (x + 1) * width);

			counts[x] += all[here] - all[before];
			failed[x] |= bad[here] > bad[before] ? 1 : 0;
			before = here;
		}
		return all[before] > all[first];
	}
	private direct(first: number, last: number, from: number, to: number, mask: Uint8Array | null): boolean {
		const { counts, failed, shown, recording: { t0, cat, flags, stands } } = this;
		const scale = counts.length / (to - from);
		let any = false;

		this.visited += last - first;
		for (let i = first; i < last; i++) {
			if (!shown[cat[i]] || mask && !mask[i])
				continue;
			const x = min(floor((t0[i] - from) * scale), counts.length - 1);

			any = true;
			counts[x] += stands ? stands[i] : 1;
			failed[x] |= flags[i] & FAILED;
		}
		return any;
	}
}
