// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The filter field. Words apart by blanks; all must fit:
 *
 *	res07		the row's path contains it (upper or lower case alike)
 *	*\/res0?		a path pattern: names joined with /; * is no slash
 *	!word		not that
 *	pid=180		items with that attribute
 *	duration>10ms	spans that are longer (also <, >=, <=)
 *	101.5 @143.08	an instant since the begin, or of the host's clock: goes there
 */
import { parseDuration } from "./time";

export interface RowTest { no: boolean; fits: (path: string, name: string) => boolean }
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

	for (let word of text.trim().split(/\s+/)) {
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
			filter.rows.push({ no, fits: rowTest(word) });
		}
	}
	return filter;
}
