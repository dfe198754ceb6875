// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How many points are in each pixel column. A track with few points in the window counts them; one with many reads
 * numbers that were counted once, in bins of equal width.
 */
import { ceil, floor, max, min } from "./maths";
import { FAILED, Recording, Track } from "./model";

const DIRECT = 5000, BINS_PER_COLUMN = 4, MOST_BINS = 1 << 17;

/** Points of each kind from the begin of the recording to the begin of each bin, and the failed ones among them. */
class Bins {
	readonly n: number;
	readonly width: number;
	readonly all = new Map<number, Uint32Array>();
	readonly failed = new Map<number, Uint32Array>();
	constructor(recording: Recording, track: Track) {
		const { t0, cat, flags, stands } = recording;

		this.n = min(MOST_BINS, 1 << ceil(Math.log2((track.to - track.from) / 4)));
		this.width = max(recording.head.to, 1) / this.n;
		const all: Uint32Array[] = [], failed: Uint32Array[] = [];
		const of = (list: Uint32Array[], kind: number) => list[kind] = list[kind] || new Uint32Array(this.n + 1);

		for (let i = track.from; i < track.to; i++) {
			const bin = min(floor(t0[i] / this.width), this.n - 1), kind = cat[i];

			(all[kind] || of(all, kind))[bin + 1] += stands ? stands[i] : 1;
			if (flags[i] & FAILED)
				of(failed, kind)[bin + 1]++;
		}
		for (const [list, map] of [[all, this.all], [failed, this.failed]] as [Uint32Array[], Map<number, Uint32Array>][])
			list.forEach((counts, kind) => {
				for (let bin = 0; bin < this.n; bin++)
					counts[bin + 1] += counts[bin];
				map.set(kind, counts);
			});
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
	private readonly bins = new Map<Track, Bins>();

	constructor(private readonly recording: Recording) {}

	/** Counts the points of [from, to) in so many columns; whether there are any. */
	fill(tracks: number[], from: number, to: number, columns: number, hidden: Set<number>, mask: Uint8Array | null): boolean {
		const { recording } = this;
		let any = false;

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
				any = this.fromBins(bins, from, to, hidden) || any;
			else
				any = this.direct(first, last, from, to, hidden, mask) || any;
		}
		return any;
	}
	private binsOf(track: Track): Bins {
		let bins = this.bins.get(track);

		if (!bins)
			this.bins.set(track, bins = new Bins(this.recording, track));
		return bins;
	}
	private fromBins(bins: Bins, from: number, to: number, hidden: Set<number>): boolean {
		const { counts, failed } = this;
		const width = (to - from) / counts.length;
		let any = false;

		const each = (map: Map<number, Uint32Array>, add: (x: number, n: number) => void) => {
			for (const [cat, of] of map)
				for (let x = 0, before = of[bins.at(from)]; !hidden.has(cat) && x < counts.length; x++) {
					const here = of[bins.at(from + (x + 1) * width)];

					if (here > before)
						add(x, here - before);
					before = here;
				}
		};

		each(bins.all, (x, n) => {
			counts[x] += n;
			any = true;
		});
		each(bins.failed, (x) => failed[x] = 1);
		return any;
	}
	private direct(first: number, last: number, from: number, to: number, hidden: Set<number>, mask: Uint8Array | null): boolean {
		const { counts, failed, recording: { t0, cat, flags, stands } } = this;
		const scale = counts.length / (to - from);
		let any = false;

		this.visited += last - first;
		for (let i = first; i < last; i++) {
			if (hidden.has(cat[i]) || mask && !mask[i])
				continue;
			const x = min(floor((t0[i] - from) * scale), counts.length - 1);

			any = true;
			counts[x] += stands ? stands[i] : 1;
			failed[x] |= flags[i] & FAILED;
		}
		return any;
	}
}
