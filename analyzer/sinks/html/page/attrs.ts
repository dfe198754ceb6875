// SPDX-License-Identifier: GPL-2.0-or-later
// Attributes of the items of one block, decoded when somebody asks for them.
import { Attr } from "./head";
import { Items, MERGED, SAMPLE, slot } from "./items";
import {Reader, real} from "./wire";

export interface Value { name: string; format: string; text: string; number: number }
/** Values of one attribute, 32 bits each; both 0: there is none. */
export interface Pairs { low: Uint32Array; high: Uint32Array }

const SLOTS = 1024;

/** Bytes as text; bytes that are not UTF-8 become \xNN, as in the text output. */
export function textOf(bytes: Uint8Array): string {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		return Array.from(bytes, (byte) => byte < 0x20 || byte > 0x7e ? "\\x" + byte.toString(16).padStart(2, "0") :
			String.fromCharCode(byte)).join("");
	}
}

/** The value of an attribute that is written as @low and @high; null: there is none. */
export function valueOf(attr: Attr, low: number, high: number, texts: string[]): Value | null {
	const big = () => (BigInt(high) << 32n) | BigInt(low);
	const value = (text: string, number: number): Value => ({ name: attr.name, format: attr.format, text, number });

	if (!low && !high)
		return null;
	switch (attr.format) {
	case "hex":
		return value("0x" + big().toString(16), high < 0x200000 ? high * 4294967296 + low : 0);
	case "str":
		return low & 1 ? value((big() >> 1n).toString(), Number(big() >> 1n)) : value(texts[(high * 4294967296 + low) / 2], NaN);
	case "int": {
		const signed = low & 1 ? -((big() + 1n) / 2n) : big() / 2n;

		return value(signed.toString(), Number(signed));
	}
	case "real":
		return value(String(real(low, high)), real(low, high));
	default:
		return value(big().toString(), Number(big()));
	}
}

/** All pairs of @low and @high that are written as a text; the reverse of valueOf. */
export function pairsOf(attr: Attr, text: string, texts: string[]): [number, number][] {
	const found: [number, number][] = [];
	const add = (big: bigint) => {
		const low = Number(big & 0xffffffffn), high = Number(big >> 32n & 0xffffffffn), value = valueOf(attr, low, high, texts);

		if (value && value.text === text)
			found.push([low, high]);
	};

	if (attr.format === "real")
		add(new BigUint64Array(new Float64Array([ Number(text) ]).buffer)[0]);
	else if (attr.format === "str")
		texts.forEach((each, i) => i && each === text && add(BigInt(2 * i)));
	if (/^(0x[0-9a-f]{1,16}|-?\d{1,20})$/.test(text)) {
		const number = text[0] === "-" ? -BigInt(text.slice(1)) : BigInt(text);

		add(attr.format === "str" ? number * 2n + 1n : attr.format !== "int" ? number : number < 0n ? -number * 2n - 1n : number * 2n);
	}
	return found;
}

/** One block of attributes; its items are those from @first on. */
export class Chunk {
	/** By type: its items, and the bytes of each attribute, in the order of the type. */
	private readonly members = new Map<number, number[]>();
	private readonly columns = new Map<number, Uint8Array[]>();
	private readonly pairs = new Map<string, Pairs>();

	constructor(private readonly items: Items, readonly first: number, n: number, bytes: Uint8Array) {
		for (let number = first; number < first + n; number++) {
			const track = items.trackOf(number);

			if (!track || track.kind === SAMPLE || items.flags[number] & MERGED)
				continue;
			const list = this.members.get(track.type);

			if (list)
				list.push(number);
			else
				this.members.set(track.type, [number]);
		}
		for (const reader = new Reader(bytes); !reader.ended;) {
			const type = reader.number();

			this.columns.set(type, Array.from({ length: reader.number() }, () => reader.column()));
		}
	}

	/** Items of a type that have attributes, in the order of the file. */
	of(type: number): number[] {
		return this.columns.has(type) && this.members.get(type) || [];
	}
	/** Attribute @k of the items of a type, in their order. */
	values(type: number, k: number): Pairs {
		const key = `${type} ${k}`, before = this.pairs.get(key);

		if (before)
			return before;
		const list = this.of(type), column = new Reader(this.columns.get(type)![k]);
		const lastLow = new Uint32Array(SLOTS), lastHigh = new Uint32Array(SLOTS);
		const values: Pairs = { low: new Uint32Array(list.length), high: new Uint32Array(list.length) };

		/* each is written as what differs from the one before on its row and lane, or on another one with the same slot */
		list.forEach((number, i) => {
			const { row, lane } = this.items.trackOf(number)!, at = slot(row, lane) % SLOTS;

			column.pair();
			values.low[i] = lastLow[at] ^= column.low;
			values.high[i] = lastHigh[at] ^= column.high;
		});
		this.pairs.set(key, values);
		return values;
	}
}
