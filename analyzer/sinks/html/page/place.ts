// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A place is a link: window, filter, selection, marks, notes, rows that are folded or pinned, and hidden kinds in the fragment of
 * the address. Rows stand there by their paths, kinds by type and name and the selection by its row, begin and length, so that a
 * link fits another page of the same recordings, too.
 */
import { App } from "./app";
import { decoded, marksInLink, marksOfLink } from "./marks";
import { round } from "./maths";
import { Recording } from "./model";
import { paintable } from "./paint";
import { on } from "./dom";

/** Kinds by their types and names. */
function kindName({ head }: Recording, cat: number): string {
	return `${head.types[head.cats[cat].type].name}/${head.cats[cat].name}`;
}

/** The key of a line that is folded, by path where it is a row. */
function foldInLink(recording: Recording, key: string): string {
	return /^r\d+$/.test(key) ? "r" + recording.path(Number(key.slice(1))) : key;
}

export function fragment(app: App): string {
	const { recording, tree } = app;
	const parts: string[] = [`w=${round(app.from)}-${round(app.to)}`];
	const path = (row: number) => encodeURIComponent(recording.path(row));
	const folded = [...tree.opened].map(([key, open]) => (open ? "+" : "-") + encodeURIComponent(foldInLink(recording, key)));

	if (app.filterText)
		parts.push("q=" + encodeURIComponent(app.filterText));
	if (app.selected >= 0)
		parts.push(`s=${recording.t0[app.selected]},${recording.hasLength(app.selected) ? recording.t1[app.selected] - recording.t0[app.selected] : 0},` +
			path(recording.rowAt(app.selected)));
	if (app.mark)
		parts.push(`m=${round(app.mark.from)}-${round(app.mark.to)}`);
	if (folded.length)
		parts.push("o=" + folded.join(","));
	if (tree.pinned.size)
		parts.push("p=" + [...tree.pinned].map(path).join(","));
	parts.push(...marksInLink(app));
	if (app.scroll)
		parts.push("y=" + round(app.scroll));
	if (app.paintedBy)
		parts.push("c=" + encodeURIComponent(app.paintedBy));
	/* kinds of values of an attribute have no name of their own */
	parts.push("h=" + [...app.hidden].filter((cat) => !recording.head.cats[cat].painted).map((cat) => encodeURIComponent(kindName(recording, cat))).sort().join(","));
	if (tree.hideEmpty)
		parts.push("e=1");
	return "#" + parts.join("&");
}

export async function goToFragment(app: App, text: string): Promise<void> {
	const { recording, tree } = app;
	const all = text.replace(/^#/, "").split("&").map((part) => {
		const at = part.indexOf("=");

		return [part.slice(0, at), part.slice(at + 1)] as [string, string];
	});
	const values = new Map(all), words = (name: string) => (values.get(name) || "").split(",").map(decoded).filter((each) => each);
	const range = (value = "") => {
		const [from, to] = value.split("-").map(Number);

		return from >= 0 && to >= from ? { from, to } : null;
	};
	const window = range(values.get("w"));

	tree.opened.clear();
	for (const part of words("o")) {
		const row = part[1] === "r" ? recording.rowOf(part.slice(2)) : 0;

		if (row || part[1] !== "r")
			tree.opened.set(row ? `r${row}` : part.slice(1), part[0] === "+");
	}
	tree.pinned.clear();
	words("p").map((path) => recording.rowOf(path)).filter((row) => row).forEach((row) => tree.pinned.add(row));
	app.marks = marksOfLink(app, all);
	const attr = decoded(values.get("c"));

	if (attr !== app.paintedBy && (!attr || paintable(recording.head.types).includes(attr)))
		await app.setPaint(attr);
	if (values.has("h")) {
		const hidden = new Set(words("h"));

		app.hidden.clear();
		recording.head.cats.forEach((cat, i) => i && !cat.painted && hidden.has(kindName(recording, i)) && app.hidden.add(i));
	}
	tree.hideEmpty = values.get("e") === "1";
	app.mark = range(values.get("m"));
	const filter = decoded(values.get("q"));

	if (filter !== app.filterText)
		await app.setFilter(filter);
	if (window)
		app.setWindow(window.from, window.to);
	if (values.has("s")) {
		const [t0, length, path] = words("s"), row = recording.rowOf(path || "");
		const item = row ? app.itemAt(row, Number(t0), Number(length)) : -1;

		if (item >= 0) {
			tree.reveal(recording.rowAt(item));
			app.select(item);
		}
	} else if (app.selected >= 0) {
		app.select(-1);
	}
	app.update(true);
	app.draw();
	app.scrollTo(Number(values.get("y")) || 0);
}

/** Keeps the address up to date; back and forward of the browser go through places. */
export function places(app: App): void {
	let own = "";
	const keep = (step: boolean) => {
		const next = fragment(app);

		if (next === own)
			return;
		own = next;
		try {
			if (step)
				history.pushState(null, "", next);
			else
				history.replaceState(null, "", next);
		} catch {
			/* some browsers refuse too many in a short time */
		}
	};

	app.onWindow.push(() => keep(false));
	app.onSelect.push(() => keep(true));
	on(window, "popstate", () => {
		own = location.hash;
		goToFragment(app, location.hash);
	});
}
