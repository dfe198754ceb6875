// SPDX-License-Identifier: GPL-2.0-or-later
// The recording: what the analyzer wrote, and indexes to draw and search it.
import { Attr, Category, Head, Type } from "./head";
import { Reader, blocks, numbers, unpack, unzigzag } from "./wire";

export * from "./head";

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
export interface Value { name: string; format: string; text: string; number: number }

const CHUNK = 16384, ENDS = 16384, SLOTS = 1024;

function slot(row: number, n: number): number {
	return row * 61 + n;
}

/** Whether a name is that of a machine, as row or as value. */
function machines(head: Head): (name: string) => boolean {
	const names = new Set(head.rows.name.filter((_name, row) => row && head.types[head.rows.type[row]].role === "node"));

	return (name) => names.has(name) || /^node \d+$/.test(name);
}

function namingTypes(head: Head): boolean[] {
	const isMachine = machines(head);

	return head.types.map((type, number) => {
		const cats = type.kind === "span" ? head.cats.filter((cat, i) => i && cat.type === number && !cat.role) : [];

		return cats.some(({ name }) => isMachine(name)) && cats.every(({ name }) => isMachine(name) || name === "unknown") &&
			head.cats.every((cat, i) => !i || cat.type !== number || !cat.role);
	});
}

export class Recording {
	readonly head: Head;
	/** Begin and end of each item, in ns; of a sample, the instant and the value. */
	t0 = new Float64Array(0);
	t1 = new Float64Array(0);
	/** What each item is drawn as: its category, or the value by which it is painted; then `own` has its category. */
	cat = new Uint16Array(0);
	own: Uint16Array | null = null;
	ownKinds = 0;
	flags = new Uint16Array(0);
	/** How many items each one stands for, in a page that was made smaller; else null: one. */
	stands: Uint32Array | null = null;
	/** Number of the item in the order of the file, which leads to its attributes. */
	order = new Uint32Array(0);
	tracks: Track[] = [];
	/** Of a link: row and lane of its to-end; its from-end is on its track. */
	readonly linkTo = new Map<number, { row: number; lane: number }>();
	tracksOf: number[][] = [];
	children: number[][] = [];
	gaps: Gap[] = [];
	kindOf: Uint8Array;
	/** By type: its values are names of machines, such as the master of a lock: they are text on a line, not a state. */
	readonly naming: boolean[];
	private attrBlocks: Element[] = [];
	private itemBlocks: Element[] = [];
	private texts: string[] | null = null;
	private byNumber: Int32Array | null = null;
	private cache = new Map<number, ChunkAttrs>();

	constructor(head: Head) {
		this.head = head;
		this.kindOf = new Uint8Array(head.cats.length);
		head.cats.forEach((cat, i) => {
			if (i)
				this.kindOf[i] = { span: SPAN, point: POINT, counter: SAMPLE, link: LINK, row: 0 }[head.types[cat.type].kind];
		});
		this.naming = namingTypes(head);
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
	/** What the resource of a row is about, such as the file of a lock; "" if that is not known. */
	about(row: number): string {
		const { about, rows } = this.head;

		return about && row ? about[row] || about[rows.parent[row]] || "" : "";
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

	/** Reads all items. `progress` is told the share that was read. */
	async load(progress: (share: number) => void): Promise<void> {
		const items = new Items(this);

		this.itemBlocks = blocks("items");
		this.attrBlocks = blocks("attrs");
		for (let ahead: Promise<Uint8Array>[] = [], i = 0; i < this.itemBlocks.length; i++) {
			while (ahead.length < 4 && i + ahead.length < this.itemBlocks.length)
				ahead.push(unpack(this.itemBlocks[i + ahead.length]));
			items.add(await ahead.shift()!);
			if (i % 8 === 7)
				progress(i / this.itemBlocks.length);
		}
		items.arrange();
	}

	/** Attributes of an item; those without a value are left out. */
	async attributes(item: number): Promise<Value[]> {
		const track = this.trackAt(item);
		const attrs = this.head.types[track.type].attrs;
		const number = this.order[item];

		if (!attrs.length || track.kind === SAMPLE || this.flags[item] & MERGED)
			return [];
		const chunk = await this.chunk(Math.floor(number / CHUNK));
		const texts = await this.strings();

		return attrs.map((attr, i) => chunk.value(number % CHUNK, attr, i, texts)).filter((value) => value) as Value[];
	}
	/** The item of a number; -1 for gaps. */
	itemOf(number: number): number {
		if (!this.byNumber) {
			this.byNumber = new Int32Array(this.head.n).fill(-1);
			this.order.forEach((at, i) => this.byNumber![at] = i);
		}
		return this.byNumber[number];
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
		const texts = await this.strings();
		const k = this.head.types[this.trackAt(item).type].attrs.findIndex((each) => each.name === attr);
		const type = this.trackAt(item).type;
		let at = this.order[item] + by;

		while (at >= 0 && at < this.head.n) {
			const chunk = await this.chunk(Math.floor(at / CHUNK));

			for (const number = Math.floor(at / CHUNK); at >= 0 && Math.floor(at / CHUNK) === number && at < this.head.n; at += by) {
				if (chunk.type[at % CHUNK] !== type)
					continue;
				const value = chunk.value(at % CHUNK, this.head.types[type].attrs[k], k, texts);

				if (value && value.text === wanted && fits(this.itemOf(at)))
					return this.itemOf(at);
			}
		}
		return -1;
	}
	/** Attributes of all items of one chunk, unpacked when asked for; a few are kept. */
	async chunk(number: number): Promise<ChunkAttrs> {
		let chunk = this.cache.get(number);

		if (!chunk) {
			const [items, attrs] = await Promise.all([unpack(this.itemBlocks[number]), unpack(this.attrBlocks[number])]);

			chunk = new ChunkAttrs(this, items, attrs);
			this.cache.set(number, chunk);
			if (this.cache.size > 64)
				this.cache.delete(this.cache.keys().next().value as number);
		}
		return chunk;
	}
	async strings(): Promise<string[]> {
		if (this.texts)
			return this.texts;
		const texts = [""];

		for (const block of blocks("strings")) {
			const reader = new Reader(await unpack(block));

			while (!reader.ended)
				texts.push(text(reader.column()));
		}
		return this.texts = texts;
	}
}

/** Bytes as text; bytes that are not UTF-8 become \xNN, as in the text output. */
function text(bytes: Uint8Array): string {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		return Array.from(bytes, (byte) => byte < 0x20 || byte > 0x7e ? "\\x" + byte.toString(16).padStart(2, "0") :
			String.fromCharCode(byte)).join("");
	}
}

/** Items in the order of the file, while they are read. */
class Items {
	private n = 0;
	private readonly t0: Float64Array;
	private readonly t1: Float64Array;
	private readonly cat: Uint16Array;
	private readonly flags: Uint16Array;
	private readonly stands: Uint32Array | null;
	private readonly track: Uint32Array;
	private readonly first: Int32Array;
	private readonly next: number[] = [];
	private readonly last: number[] = [];
	private readonly count: number[] = [];
	private readonly linkTo = new Map<number, { row: number; lane: number }>();
	private readonly columns = Array.from({ length: 10 }, () => new Float64Array(CHUNK));
	private readonly ends = new Float64Array(ENDS);
	private readonly values = new Float64Array(ENDS);

	constructor(private readonly recording: Recording) {
		const n = recording.head.n;

		this.t0 = new Float64Array(n);
		this.t1 = new Float64Array(n);
		this.cat = new Uint16Array(n);
		this.flags = new Uint16Array(n);
		this.stands = recording.head.thinned ? new Uint32Array(n).fill(1) : null;
		this.track = new Uint32Array(n);
		this.first = new Int32Array(recording.head.rows.name.length).fill(-1);
	}

	private trackFor(row: number, lane: number, type: number, kind: number, t0: number): number {
		let depth = 0, before = -1, at = this.first[row];

		for (; at >= 0; before = at, at = this.next[at]) {
			const track = this.recording.tracks[at];

			if (track.lane !== lane || track.type !== type)
				continue;
			if (this.last[at] <= t0)
				return at;
			depth++;
		}
		at = this.recording.tracks.length;
		this.recording.tracks.push({ row, lane, type, kind, depth, from: 0, to: 0 });
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
		const { head, kindOf, gaps } = this.recording;
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
				gaps.push({ node: head.nodes[nodes[node++]], t0: t1 - (lengths[length++] - 1), t1 });
				this.track[this.n++] = 0xffffffff;
				continue;
			}
			if (kind === SPAN) {
				const at = slot(row, lane) % ENDS, coded = lengths[length++];

				t0 = coded ? t1 - (coded - 1) : this.ends[at];
				this.ends[at] = t1;
			} else if (kind === LINK) {
				t0 = t1 - (lengths[length++] - 1);
				this.linkTo.set(this.n, { row: rowsTo[link], lane: lanesTo[link++] });
			} else if (kind === SAMPLE) {
				const at = slot(row, cat) % ENDS;

				t1 = this.values[at] += unzigzag(values[value++]);
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

	/** Items by track. */
	arrange(): void {
		const recording = this.recording, { tracks } = recording;
		const place = new Uint32Array(tracks.length);
		let at = 0;

		tracks.forEach((track, i) => {
			place[i] = track.from = at;
			track.to = at += this.count[i];
		});
		recording.t0 = new Float64Array(at);
		recording.t1 = new Float64Array(at);
		recording.cat = new Uint16Array(at);
		recording.flags = new Uint16Array(at);
		recording.stands = this.stands && new Uint32Array(at);
		recording.order = new Uint32Array(at);
		for (let i = 0; i < this.n; i++) {
			if (this.track[i] === 0xffffffff)
				continue;
			const to = place[this.track[i]]++;

			recording.t0[to] = this.t0[i];
			recording.t1[to] = this.t1[i];
			recording.cat[to] = this.cat[i];
			recording.flags[to] = this.flags[i];
			recording.order[to] = i;
			if (this.linkTo.has(i))
				recording.linkTo.set(to, this.linkTo.get(i)!);
			if (this.stands)
				recording.stands![to] = this.stands[i];
		}
		recording.tracksOf = recording.head.rows.name.map(() => []);
		tracks.forEach((track, i) => recording.tracksOf[track.row].push(i));
	}
}

/** Attributes of the items of one chunk. */
export class ChunkAttrs {
	/** Position of the item among those of its type. */
	private readonly place = new Uint32Array(CHUNK);
	private readonly low = new Map<number, Uint32Array[]>();
	private readonly high = new Map<number, Uint32Array[]>();
	readonly type = new Uint16Array(CHUNK);
	readonly n: number;

	constructor(recording: Recording, items: Uint8Array, attrs: Uint8Array) {
		const { head } = recording;
		const reader = new Reader(items);
		const rows = new Float64Array(CHUNK), cats = new Float64Array(CHUNK), lanes = new Float64Array(CHUNK);
		const flags = new Float64Array(CHUNK);
		const slots = new Map<number, number[]>();

		this.n = reader.number();
		numbers(reader.column(), rows);
		numbers(reader.column(), cats);
		numbers(reader.column(), lanes);
		numbers(reader.column(), flags);
		for (let i = 0; i < this.n; i++) {
			const type = cats[i] ? head.cats[cats[i]].type : 0;
			let list = slots.get(type);

			if (!list)
				slots.set(type, list = []);
			this.type[i] = type;
			this.place[i] = list.length;
			if (flags[i] & MERGED) {
				this.type[i] = 0;
				continue;
			}
			list.push(slot(rows[i], lanes[i]) % SLOTS);
		}
		for (const all = new Reader(attrs); !all.ended;) {
			const type = all.number(), n = all.number(), list = slots.get(type)!;
			const low = [], high = [];

			for (let k = 0; k < n; k++) {
				const column = new Reader(all.column());
				const lastLow = new Uint32Array(SLOTS), lastHigh = new Uint32Array(SLOTS);
				const lows = new Uint32Array(list.length), highs = new Uint32Array(list.length);

				list.forEach((at, i) => {
					column.pair();
					lows[i] = lastLow[at] ^= column.low;
					highs[i] = lastHigh[at] ^= column.high;
				});
				low.push(lows);
				high.push(highs);
			}
			this.low.set(type, low);
			this.high.set(type, high);
		}
	}

	value(item: number, attr: Attr, number: number, texts: string[]): Value | null {
		const low = this.low.get(this.type[item])![number][this.place[item]];
		const high = this.high.get(this.type[item])![number][this.place[item]];

		if (!low && !high)
			return null;
		const small = high < 0x200000;
		const raw = small ? high * 4294967296 + low : 0;
		const big = () => (BigInt(high) << 32n) | BigInt(low);
		const value = (text: string, n: number): Value => ({ name: attr.name, format: attr.format, text, number: n });

		switch (attr.format) {
		case "hex":
			return value("0x" + big().toString(16), raw);
		case "str":
			return low & 1 ? value((big() >> 1n).toString(), Number(big() >> 1n)) : value(texts[raw / 2], NaN);
		case "int": {
			const signed = low & 1 ? -((big() + 1n) / 2n) : big() / 2n;

			return value(signed.toString(), Number(signed));
		}
		default:
			return value(big().toString(), Number(big()));
		}
	}
}
