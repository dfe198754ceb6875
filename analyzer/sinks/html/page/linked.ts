// SPDX-License-Identifier: GPL-2.0-or-later
// Names in sentences: rows that a sentence names are bold, and a click on one goes there.
import { App } from "./app";
import { make } from "./dom";
import { Recording } from "./model";

/** Words of the longest name that is looked for. */
const WORDS = 4;

/** Rows by their names: whole paths, machines, and ranked rows whose name is no common word. */
export class Names {
	private readonly rows = new Map<string, number[]>();

	constructor(recording: Recording) {
		const { rows } = recording.head;
		const add = (name: string, row: number) => {
			const list = this.rows.get(name);

			if (list)
				list.push(row);
			else
				this.rows.set(name, [row]);
		};

		rows.name.forEach((name, row) => {
			const above = rows.parent[row], isNode = row > 0 && recording.rowType(row).role === "node";

			if (!row || rows.hidden[row])
				return;
			if (isNode || rows.unit[row] && /[\d/]/.test(name))
				add(name, row);
			if (above) {
				add(recording.path(row), row);
				add(recording.path(row, " "), row);
			}
		});
	}
	/** The rows of a name; empty: it is none. */
	of(name: string): number[] {
		return this.rows.get(name) || [];
	}
}

/** Cuts a sentence into what names rows and what does not. */
export function nameParts(names: Pick<Names, "of">, text: string): { text: string; rows: number[] }[] {
	const words = text.split(/( )/), parts: { text: string; rows: number[] }[] = [];
	const plain = (piece: string) => {
		const last = parts[parts.length - 1];

		if (last && !last.rows.length)
			last.text += piece;
		else if (piece)
			parts.push({ text: piece, rows: [] });
	};

	for (let at = 0; at < words.length;) {
		let taken = 0;

		for (let n = WORDS; n && !taken; n--) {
			const piece = words.slice(at, at + 2 * n - 1).join("");
			const [, before, name, after] = /^([("]*)(.*?)([)",.;:]*)$/.exec(piece)!;
			const rows = name ? names.of(name) : [];

			if (!rows.length || at + 2 * n - 1 > words.length)
				continue;
			plain(before);
			parts.push({ text: name, rows });
			plain(after);
			taken = 2 * n - 1;
		}
		if (!taken) {
			plain(words[at]);
			taken = 1;
		}
		at += taken;
	}
	return parts;
}

/** A sentence whose names are bold and lead to their rows; a name of several rows filters. */
export function linked(app: App, text: string): (Node | string)[] {
	return nameParts(app.names, text).map(({ text: name, rows }) => !rows.length ? name : make("button", {
		type: "button", class: "name", title: rows.length > 1 ? `Show the ${rows.length} rows of ${name} alone` : `Go to ${name}`,
		onclick: (event: Event) => {
			event.stopPropagation();
			if (rows.length > 1)
				app.setFilter(`"${name}"`);
			else
				app.visit(rows);
		},
	}, name));
}
