// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The recording as the file has it: what takes long with millions of items, reading them all and searching their attributes,
 * happens here, in a worker (worker.ts), so that the picture never stands still.
 */
import { Account, accountsOf } from "./accounts";
import { Chunk, Value, pairsOf, textOf, valueOf } from "./attrs";
import { Head } from "./head";
import { Arranged, CHUNK, Items, SAMPLE, SPAN } from "./items";
import { floor, max, min } from "./maths";
import { Block, Reader, unpack } from "./wire";

/** Words of a filter about items; @rows: by row, 1 if its items may fit; null: all. */
export interface Wanted {
	rows: Uint8Array | null;
	attrs: { no: boolean; name: string; value: string }[];
	lengths: { least: number; most: number }[];
}
/** What fits: by item, as list in the order of begins, and rows with at least one. */
export interface Found { mask: Uint8Array; hits: Uint32Array; rows: Uint8Array }

/** Blocks that are kept unpacked, and that are read ahead. */
const KEPT = 64, AHEAD = 4;
/** So many items alike are sent at once. */
const MOST_ALIKE = 64;

export class Store {
	private readonly texts: Record<string, string[]> = { head: [], items: [], attrs: [], strings: [], parts: [], names: [] };
	private head!: Head;
	private readonly chunks = new Map<number, Promise<Chunk>>();
	private items!: Items;
	private words: Promise<string[]> | null = null;
	private finding = 0;
	private accounts: ReturnType<typeof accountsOf> | null = null;

	private readonly reading: Promise<void>;
	private complete = false;
	private come = () => {};

	constructor(private readonly progress: (share: number) => void) {
		this.reading = this.read();
		/* load() says it */
		this.reading.catch(() => 0);
	}

	/** More blocks, in the order of the file. */
	add(blocks: Block[]): void {
		for (const [part, text] of blocks)
			this.texts[part].push(text);
		this.come();
	}
	/** Reads the head, which is the first block, and items as they come. */
	private async read(): Promise<void> {
		const { items: texts } = this.texts, ahead: Promise<Uint8Array>[] = [];

		for (let next = 0; ;) {
			if (!this.head && this.texts.head.length) {
				this.head = JSON.parse(textOf(await unpack(this.texts.head[0])));
				this.items = new Items(this.head);
			}
			for (; this.head && ahead.length < AHEAD && next < texts.length; texts[next++] = "")
				ahead.push(unpack(texts[next]));
			if (ahead.length) {
				this.items.add(await ahead.shift()!);
				if (next % 8 === 0)
					this.progress(this.items.n / this.head.n);
			} else if (this.complete) {
				return;
			} else {
				await new Promise<void>((come) => this.come = come);
			}
		}
	}
	/** The items, once all blocks are there. */
	async load(): Promise<Arranged> {
		this.complete = true;
		this.come();
		await this.reading;
		return this.items.arrange();
	}

	private chunk(number: number): Promise<Chunk> {
		let chunk = this.chunks.get(number);

		if (!chunk) {
			const first = number * CHUNK;

			chunk = unpack(this.texts.attrs[number]).then((bytes) => new Chunk(this.items, first, min(CHUNK, this.items.n - first), bytes));
			this.chunks.set(number, chunk);
			if (this.chunks.size > KEPT)
				this.chunks.delete(this.chunks.keys().next().value as number);
		}
		return chunk;
	}
	private strings(): Promise<string[]> {
		return this.words = this.words || (async () => {
			const words = [""];

			for (const block of this.texts.strings)
				for (const reader = new Reader(await unpack(block)); !reader.ended;)
					words.push(textOf(reader.column()));
			return words;
		})();
	}
	/** All items that have an attribute, block by block: @call is told the block, a type and the place of the attribute in it; false ends it. */
	private async each(name: string, call: (chunk: Chunk, type: number, k: number) => boolean): Promise<boolean> {
		const at = this.head.types.map((type) => (type.attrs || []).findIndex((attr) => attr.name === name));

		for (let number = 0; number < this.texts.attrs.length; number++) {
			const chunk = await this.chunk(number);

			for (let type = 0; type < at.length; type++)
				if (at[type] >= 0 && chunk.of(type).length && !call(chunk, type, at[type]))
					return false;
		}
		return true;
	}

	/** Attributes of an item; those without a value are left out. @number: in the order of the file. */
	async attributes(number: number): Promise<Value[]> {
		const track = this.items.trackOf(number), { attrs } = this.head.types[track ? track.type : 0];

		if (!track || !attrs.length)
			return [];
		const chunk = await this.chunk(floor(number / CHUNK)), texts = await this.strings(), i = chunk.of(track.type).indexOf(number);

		return i < 0 ? [] : attrs.map((attr, k) => {
			const { low, high } = chunk.values(track.type, k);

			return valueOf(attr, low[i], high[i], texts);
		}).filter((value) => value) as Value[];
	}
	/** The account of a span; @number: in the order of the file, @took: its length. */
	async account(number: number, took: number): Promise<Account> {
		this.accounts = this.accounts || accountsOf(this.texts.parts, this.texts.names);
		return (await this.accounts)(number, took);
	}
	/** The items that fit all words; null: it was asked for others meanwhile. */
	async find({ rows, attrs, lengths }: Wanted): Promise<Found | null> {
		const run = ++this.finding, { t0, t1, track, tracks, place, n } = this.items, texts = await this.strings();
		const least = max(-Infinity, ...lengths.map((each) => each.least)), most = min(Infinity, ...lengths.map((each) => each.most));
		const usable = tracks.map(({ kind, row }) => kind !== SAMPLE && (!lengths.length || kind === SPAN) && (!rows || rows[row] === 1));
		const fits = new Uint8Array(n);

		for (let i = 0; i < n; i++)
			fits[i] = usable[track[i]] && (!lengths.length || t1[i] - t0[i] >= least && t1[i] - t0[i] <= most) ? 1 : 0;
		for (const { no, name, value } of attrs) {
			const wanted = this.head.types.map((type) => (type.attrs || []).filter((attr) => attr.name === name).flatMap((attr) => pairsOf(attr, value, texts)));
			const equal = new Uint8Array(n);

			if (!await this.each(name, (chunk, type, k) => {
				const { low, high } = wanted[type].length ? chunk.values(type, k) : { low: [], high: [] }, members = chunk.of(type);

				for (const [l, h] of wanted[type])
					for (let i = 0; i < low.length; i++)
						if (low[i] === l && high[i] === h)
							equal[members[i]] = 1;
				return run === this.finding;
			}))
				return null;
			for (let i = 0; i < n; i++)
				fits[i] &= no ? 1 - equal[i] : equal[i];
		}
		return this.found(fits, place, t0);
	}
	private found(fits: Uint8Array, place: Uint32Array, t0: Float64Array): Found {
		const { items } = this, numbers = [];
		const mask = new Uint8Array(items.n), rows = new Uint8Array(this.head.rows.name.length);

		for (let i = 0; i < fits.length; i++) {
			if (!fits[i])
				continue;
			mask[place[i]] = 1;
			rows[items.trackOf(i)!.row] = 1;
			numbers.push(i);
		}
		numbers.sort((a, b) => t0[a] - t0[b] || place[a] - place[b]);
		return { mask, hits: Uint32Array.from(numbers, (number) => place[number]), rows };
	}
	/** How many spans of some categories, marked with 1, there are at a time, in each of so many columns of the whole recording. */
	async busy(cats: Uint8Array, columns: number): Promise<{ values: Float64Array }> {
		const { t0, t1, cat, track, tracks, n } = this.items, { from, to } = this.head, scale = columns / max(to - from, 1);
		const values = new Float64Array(columns), changes = new Float64Array(columns + 1);

		for (let i = 0; i < n; i++) {
			if (!cats[cat[i]] || !tracks[track[i]] || tracks[track[i]].kind !== SPAN)
				continue;
			const x0 = max((t0[i] - from) * scale, 0), x1 = min((t1[i] - from) * scale, columns);
			const c0 = min(floor(x0), columns - 1), c1 = min(floor(x1), columns - 1);

			if (c0 === c1) {
				values[c0] += x1 - x0;
				continue;
			}
			/* whole columns between the first one and the last one */
			values[c0] += c0 + 1 - x0;
			values[c1] += x1 - c1;
			changes[c0 + 1]++;
			changes[c1]--;
		}
		for (let x = 0, open = 0; x < columns; x++)
			values[x] += open += changes[x];
		return { values };
	}
	/**
	 * Items of a type with a value of an attribute, from @number on, with @by -1 from there back: some of them, and the number
	 * from which to go on; -1: these are all.
	 */
	async alike(number: number, type: number, name: string, text: string, by: number): Promise<{ items: number[]; next: number }> {
		const { attrs } = this.head.types[type], k = attrs.findIndex((attr) => attr.name === name);
		const pairs = pairsOf(attrs[k], text, await this.strings()), found: number[] = [];

		for (let block = floor(number / CHUNK); number >= 0 && number < this.items.n; block += by) {
			const chunk = await this.chunk(block), members = chunk.of(type), { low, high } = members.length ? chunk.values(type, k) : { low: [], high: [] };

			for (let i = by > 0 ? 0 : members.length - 1; i >= 0 && i < members.length; i += by) {
				if ((members[i] - number) * by < 0 || !pairs.some(([l, h]) => low[i] === l && high[i] === h))
					continue;
				found.push(this.items.place[members[i]]);
				if (found.length === MOST_ALIKE)
					return { items: found, next: members[i] + by };
			}
			number = by > 0 ? (block + 1) * CHUNK : block * CHUNK - 1;
		}
		return { items: found, next: -1 };
	}
	/** Values of an attribute, the most frequent ones first. */
	async frequent(name: string, most: number): Promise<string[]> {
		const words = await this.strings(), counts = new Map<string, number>();

		await this.each(name, (chunk, type, k) => {
			const { low, high } = chunk.values(type, k), attr = this.head.types[type].attrs[k], own = new Map<number, number>();

			low.forEach((each, i) => high[i] < 0x200000 && own.set(high[i] * 4294967296 + each, (own.get(high[i] * 4294967296 + each) || 0) + 1));
			for (const [key, n] of own) {
				const value = valueOf(attr, key >>> 0, floor(key / 4294967296), words);

				if (value)
					counts.set(value.text, (counts.get(value.text) || 0) + n);
			}
			return true;
		});
		return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, most).map(([text]) => text);
	}
	/** The value of an attribute of each span, by item, as a number into @texts; 0 is none. */
	async values(name: string): Promise<{ texts: string[]; value: Uint32Array }> {
		const words = await this.strings(), texts = [""], numbers = new Map<string, number>(), value = new Uint32Array(this.items.n);
		const known = this.head.types.map(() => new Map<number, number>());

		await this.each(name, (chunk, type, k) => {
			const members = chunk.of(type), { low, high } = chunk.values(type, k), attr = this.head.types[type].attrs[k];

			for (let i = 0; this.head.types[type].kind === "span" && i < members.length; i++) {
				const key = high[i] * 4294967296 + low[i], exact = high[i] < 0x200000;
				let at = exact ? known[type].get(key) : undefined;

				if (at === undefined) {
					const found = valueOf(attr, low[i], high[i], words);

					at = found ? numbers.get(found.text) : 0;
					if (at === undefined) {
						numbers.set(found!.text, at = texts.length);
						texts.push(found!.text);
					}
					if (exact)
						known[type].set(key, at);
				}
				value[this.items.place[members[i]]] = at;
			}
			return true;
		});
		return { texts, value };
	}
}
