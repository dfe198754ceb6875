// SPDX-License-Identifier: GPL-2.0-or-later
// The accounts of waits and calls: the parts of the time of a span, as the analyzer divided and named it (html-parts.h).
import { textOf } from "./attrs";
import { max } from "./maths";
import { Reader, numbers, unpack } from "./wire";

/** row: to look at, 0: there is none; cat: of what is there, 0: nothing in particular */
export interface Part { name: string; ns: number; row: number; cat: number; certain: string }
/** null: the span has none; least: those of shorter spans are not in the page */
export interface Account { parts: Part[] | null; least: number }

const CERTAIN = ["", "proved", "possible", "undecided"];

function columnsOf(bytes: Uint8Array): Float64Array[] {
	const reader = new Reader(bytes);

	return Array.from({ length: 7 }, () => {
		const column = reader.column(), out = new Float64Array(column.length);

		return out.subarray(0, numbers(column, out));
	});
}

/** Unpacks all accounts, and answers for the span with a number in the order of the file, of a length in ns. */
export async function accountsOf(blocks: string[], texts: string[]): Promise<(number: number, took: number) => Account> {
	const all: Float64Array[][] = [], names = [""];
	const kept = texts.length > 1, least = kept ? new Reader(await unpack(texts[1])).number() : Infinity;

	for (const block of blocks)
		all.push(columnsOf(await unpack(block)));
	for (const reader = new Reader(await unpack(kept ? texts[0] : "AwA=")); !reader.ended;)
		names.push(textOf(reader.column()));
	for (const [item] of all)
		item.forEach((_each, i) => item[i] += i && item[i - 1]);
	return (number, took) => {
		for (const [item, n, name, ns, row, cat, certain] of all) {
			/* numbers rise in a block */
			if (number < item[0] || number > item[item.length - 1])
				continue;
			const at = item.indexOf(number), first = n.subarray(0, max(at, 0)).reduce((sum, each) => sum + each, 0);
			let rest = took;

			if (at >= 0)
				return { parts: Array.from({ length: n[at] }, (_each, k) => {
					const i = first + k, part = k + 1 < n[at] ? ns[i - at] : rest;

					rest -= part;
					return { name: names[name[i]], ns: part, row: row[i], cat: cat[i], certain: CERTAIN[certain[i]] };
				}), least };
		}
		return { parts: null, least };
	};
}
