// SPDX-License-Identifier: GPL-2.0-or-later
// The recording: what the analyzer wrote, by row, to draw and search it.
import { Value } from "./attrs";
import { Category, Head, Type } from "./head";
import { Arranged, Gap, LINK, MERGED, SAMPLE, SPAN, Track } from "./items";
import { duration } from "./time";
import { Calls } from "./worker";

export * from "./head";
export * from "./items";
export type { Value } from "./attrs";

/** Ends of links: of each item that is one, row and lane of its to-end; its from-end is on its track. */
export class LinkEnds {
	constructor(private readonly first: number, private readonly row: Uint32Array, private readonly lane: Uint16Array, readonly byEnd: Uint32Array) {}

	get size(): number {
		return this.row.length;
	}
	get(link: number): { row: number; lane: number } {
		return { row: this.row[link - this.first], lane: this.lane[link - this.first] };
	}
	rowOf(link: number): number {
		return this.row[link - this.first];
	}
	*keys(): Generator<number> {
		for (let link = this.first; link < this.first + this.size; link++)
			yield link;
	}
	*[Symbol.iterator](): Generator<[number, { row: number; lane: number }]> {
		for (const link of this.keys())
			yield [link, this.get(link)];
	}
}

function namingTypes(head: Head, nodes: Set<string>): boolean[] {
	const isMachine = (name: string) => nodes.has(name) || /^node \d+$/.test(name);

	return head.types.map((type, number) => {
		const cats = type.kind === "span" ? head.cats.filter((cat, i) => i && cat.type === number && !cat.role) : [];

		return cats.some(({ name }) => isMachine(name)) && cats.every(({ name }) => isMachine(name) || name === "unknown") &&
			head.cats.every((cat, i) => !i || cat.type !== number || !cat.role);
	});
}

export class Recording {
	readonly head: Head;
	/* as in Arranged */
	t0 = new Float64Array(0);
	t1 = new Float64Array(0);
	/** What each item is drawn as: its category, or the value by which it is painted; then `own` has its category. */
	cat = new Uint16Array(0);
	own: Uint16Array | null = null;
	ownKinds = 0;
	flags = new Uint16Array(0);
	stands: Uint32Array | null = null;
	order = new Uint32Array(0);
	tracks: Track[] = [];
	present: number[] = [];
	linkTo = new LinkEnds(0, new Uint32Array(0), new Uint16Array(0), new Uint32Array(0));
	tracksOf: number[][] = [];
	children: number[][] = [];
	gaps: Gap[] = [];
	/** The names of the machines. */
	readonly nodes: Set<string>;
	/** By type: its values are names of machines, such as the master of a lock: they are text on a line, not a state. */
	readonly naming: boolean[];
	private byPath: Map<string, number> | null = null;
	/** Answers questions about the items. */
	store!: Calls;

	constructor(head: Head) {
		this.head = head;
		this.nodes = new Set(head.rows.name.filter((_name, row) => row && this.rowType(row).role === "node"));
		this.naming = namingTypes(head, this.nodes);
		this.children = head.rows.name.map(() => []);
		for (let row = 1; row < head.rows.name.length; row++)
			this.children[head.rows.parent[row]].push(row);
		for (const list of this.children)
			list.sort((a, b) => head.rows.type[a] - head.rows.type[b] || head.rows.rank[a] - head.rows.rank[b]);
	}

	get length(): number {
		return this.head.to - this.head.from;
	}
	name(row: number): string {
		return this.head.rows.name[row];
	}
	path(row: number, separator = "/"): string {
		const names = [];

		for (; row; row = this.head.rows.parent[row])
			names.unshift(this.name(row));
		return names.join(separator);
	}
	/** The machines of the recording, or the files without any, and how long it lasts. */
	title(): string {
		const { inputs } = this.head, MOST = 4;
		const nodes = [...this.nodes].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
		const names = nodes.length ? nodes : inputs.map(({ path }) => path.replace(/.*\//, ""));

		return [...names.slice(0, MOST), ...(names.length > MOST ? [`${names.length - MOST} more`] : []), duration(this.length)].join(", ");
	}
	/** The row of a path; 0: there is none. */
	rowOf(path: string): number {
		this.byPath = this.byPath || new Map(this.head.rows.name.map((_name, row) => [this.path(row), row] as [string, number]).reverse());
		return this.byPath.get(path) || 0;
	}
	/** What the resource of a row is about, such as the file of a lock; "" if that is not known. */
	about(row: number): string {
		const { about, rows } = this.head;

		return about && row ? about[row] || about[rows.parent[row]] || "" : "";
	}
	/**
	 * The thing, such as a lock, of which the row of a node is a part; 0: the row is no such
	 * one.
	 */
	thingOf(row: number): number
	{
		const parent = this.head.rows.parent[row];

		return this.rowType(row).role === "node" && parent && !this.rowType(parent).above
			       ? parent
			       : 0;
	}
	rowType(row: number): Type {
		return this.head.types[this.head.rows.type[row]];
	}
	/** The number of an item's category, however it is painted. */
	ownCat(item: number): number {
		return (this.own || this.cat)[item];
	}
	/** The category of an item, however it is painted. */
	category(item: number): Category {
		return this.head.cats[this.ownCat(item)];
	}
	/** Whether it is a span or a link, not an instant. */
	hasLength(item: number): boolean {
		const { kind } = this.trackAt(item);

		return kind === SPAN || kind === LINK;
	}
	rowAt(item: number): number {
		return this.trackAt(item).row;
	}
	trackAt(item: number): Track {
		let low = 0, high = this.tracks.length - 1;

		while (low < high) {
			const middle = (low + high + 1) >> 1;

			if (this.tracks[middle].from <= item)
				low = middle;
			else
				high = middle - 1;
		}
		return this.tracks[low];
	}
	/** The first item of the track that ends after `t`. */
	after(track: Track, t: number): number {
		let low = track.from, high = track.to;
		const ends = track.kind === SPAN || track.kind === LINK ? this.t1 : this.t0;

		while (low < high) {
			const middle = (low + high) >> 1;

			if (ends[middle] > t)
				high = middle;
			else
				low = middle + 1;
		}
		return low;
	}
	/** The first item of the track that begins at `t` or later. */
	from(track: Track, t: number): number {
		let low = track.from, high = track.to;

		while (low < high) {
			const middle = (low + high) >> 1;

			if (this.t0[middle] >= t)
				high = middle;
			else
				low = middle + 1;
		}
		return low;
	}

	/** Reads all items. */
	async load(store: Calls): Promise<void> {
		this.store = store;
		this.arrange(await store.load());
	}
	arrange(all: Arranged): void {
		const { t0, t1, cat, flags, stands, order, tracks, gaps, present } = all;

		Object.assign(this, { t0, t1, cat, flags, stands, order, tracks, gaps, present,
			linkTo: new LinkEnds(t0.length - all.toRow.length, all.toRow, all.toLane, all.byEnd), tracksOf: this.head.rows.name.map(() => []) });
		tracks.forEach((track, i) => this.tracksOf[track.row].push(i));
	}

	/** Attributes of an item; those without a value are left out. */
	async attributes(item: number): Promise<Value[]> {
		const track = this.trackAt(item);

		return !this.head.types[track.type].attrs.length || track.kind === SAMPLE || this.flags[item] & MERGED ? [] :
			this.store.attributes(this.order[item]);
	}
	/** The times between @from and @to in which the machine that a row is on was not observed. */
	unobserved(row: number, from: number, to: number): Gap[] {
		const node = this.gaps.length ? this.nodeOf(row) : "";

		return node ? this.gaps.filter((gap) => gap.node === node && gap.t1 > from && gap.t0 < to) : [];
	}
	/** The machine that a row is on: itself or a row above it; "" if there is none. */
	nodeOf(row: number): string {
		for (; row; row = this.head.rows.parent[row])
			if (this.rowType(row).role === "node")
				return this.name(row);
		return "";
	}
	/**
	 * The next item in the order of ends, or with @by -1 the one before, of the same type that has
	 * this value of an attribute too, and fits; -1 if there is none.
	 */
	async alike(item: number, attr: string, wanted: string, by: number, fits: (other: number) => boolean): Promise<number> {
		const { type } = this.trackAt(item);

		for (let at = this.order[item] + by; at >= 0;) {
			const { items, next } = await this.store.alike(at, type, attr, wanted, by), found = items.find(fits);

			if (found !== undefined)
				return found;
			at = next;
		}
		return -1;
	}
}
