// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The filter field. Words apart by blanks; all must fit:
 *
 *	res07		the row's path contains it (upper or lower case alike)
 *	*\/res0?		a path pattern: names joined with /; * is no slash
 *	!word		not that
 *	pid=180		items with that attribute
 *	"inode 3346"	a name with blanks, in quotes; also pid="a b"
 *	duration>10ms	spans that are longer (also <, >=, <=)
 *	101.5 @143.08	an instant since the begin, or of the host's clock: goes there
 */
import { min } from "./maths";
import { parseDuration } from "./time";

export interface RowTest { no: boolean; word: string; fits: (path: string, name: string) => boolean }
export interface Filter {
	rows: RowTest[];
	attrs: { no: boolean; name: string; value: string }[];
	lengths: { least: number; most: number }[];
	/** ns since the zero, or on the host's clock */
	instant: number | null;
	host: string | null;
}

function pattern(text: string): RegExp {
	const body = text.replace(/[.+^${}()|\\]/g, "\\$&").replace(/\*\*/g, "\u0000").replace(/\*/g, "[^/]*")
		.replace(/\?/g, "[^/]").replace(/\u0000/g, ".*");

	try {
		return new RegExp(`^${body}$`, "i");
	} catch {
		return /^$/;
	}
}

function rowTest(word: string): (path: string, name: string) => boolean {
	if (!/[*?[]/.test(word)) {
		const small = word.toLowerCase();

		return (path) => path.toLowerCase().includes(small);
	}
	const regexp = pattern(word);

	return word.includes("/") ? (path) => regexp.test(path) : (_path, name) => regexp.test(name);
}

export function parseFilter(text: string): Filter {
	const filter: Filter = { rows: [], attrs: [], lengths: [], instant: null, host: null };

	for (let word of text.match(/(?:[^\s"]|"[^"]*"?)+/g) || []) {
		word = word.replace(/"/g, "");
		const no = word.startsWith("!");

		if (no)
			word = word.slice(1);
		if (!word)
			continue;
		const length = /^duration([<>])=?(.+)$/.exec(word);
		const attr = /^([A-Za-z_]\w*)=(.*)$/.exec(word);

		if (/^@\d+(\.\d+)?$/.test(word)) {
			filter.host = word.slice(1);
		} else if (/^\d+\.\d+s?$/.test(word)) {
			filter.instant = Number(word.replace("s", "")) * 1e9;
		} else if (length && !isNaN(parseDuration(length[2]))) {
			const ns = parseDuration(length[2]);

			filter.lengths.push((length[1] === ">") !== no ? { least: ns, most: Infinity } : { least: 0, most: ns });
		} else if (attr) {
			filter.attrs.push({ no, name: attr[1], value: attr[2] });
		} else {
			filter.rows.push({ no, word, fits: rowTest(word) });
		}
	}
	return filter;
}

/** How many letters to change, put in or leave out to make one word of another one. */
function distance(a: string, b: string): number {
	let row = Array.from({ length: b.length + 1 }, (_each, i) => i);

	for (let i = 1; i <= a.length; i++) {
		const next = [i];

		for (let k = 1; k <= b.length; k++)
			next.push(min(next[k - 1] + 1, row[k] + 1, row[k - 1] + Number(a[i - 1] !== b[k - 1])));
		row = next;
	}
	return row[b.length];
}

const NEAREST = 4, LOOKED_AT = 20000;

/** The names that are most like a word. */
export function nearest(word: string, names: string[]): string[] {
	const small = word.toLowerCase().replace(/[*?]/g, "").split("/").pop()!;

	return [...new Set(names)].slice(0, LOOKED_AT).filter((name) => name && name.length < 100)
		.map((name) => ({ name, by: distance(small, name.toLowerCase()) })).sort((a, b) => a.by - b.by).slice(0, NEAREST).map(({ name }) => name);
}
