// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A place is a link: window, filter, selection, rows that are folded or pinned, and hidden kinds in
 * the fragment of the address. Numbers of rows and items are those of the file, which are the same
 * for every reader.
 */
import { App } from "./app";
import { paintable } from "./paint";

export function fragment(app: App): string {
	const { recording, tree } = app;
	const parts: string[] = [`w=${Math.round(app.from)}-${Math.round(app.to)}`];
	const folded = [...tree.opened].map(([key, open]) => (open ? "+" : "-") + key);

	if (app.filterText)
		parts.push("q=" + encodeURIComponent(app.filterText));
	if (app.selected >= 0)
		parts.push("s=" + recording.order[app.selected]);
	if (app.mark)
		parts.push(`m=${Math.round(app.mark.from)}-${Math.round(app.mark.to)}`);
	if (folded.length)
		parts.push("o=" + folded.join(","));
	if (tree.pinned.size)
		parts.push("p=" + [...tree.pinned].join(","));
	if (app.scroll)
		parts.push("y=" + Math.round(app.scroll));
	if (app.paintedBy)
		parts.push("c=" + encodeURIComponent(app.paintedBy));
	parts.push("h=" + [...app.hidden].sort((a, b) => a - b).join(","));
	if (tree.hideEmpty)
		parts.push("e=1");
	return "#" + parts.join("&");
}

export async function goToFragment(app: App, text: string): Promise<void> {
	const { recording, tree } = app;
	const values = new Map(text.replace(/^#/, "").split("&").map((part) => {
		const at = part.indexOf("=");

		return [part.slice(0, at), part.slice(at + 1)] as [string, string];
	}));
	const range = (value = "") => {
		const [from, to] = value.split("-").map(Number);

		return from >= 0 && to >= from ? { from, to } : null;
	};
	const window = range(values.get("w"));
	const numbers = (value = "") => value.split(",").filter((part) => /^\d+$/.test(part)).map(Number);

	tree.opened.clear();
	for (const part of (values.get("o") || "").split(",").filter((each) => each))
		tree.opened.set(part.slice(1), part[0] === "+");
	tree.pinned.clear();
	numbers(values.get("p")).filter((row) => row > 0 && row < recording.head.rows.name.length).forEach((row) => tree.pinned.add(row));
	const decoded = (value = "") => {
		try {
			return decodeURIComponent(value);
		} catch {
			return "";
		}
	};
	const attr = decoded(values.get("c"));

	if (attr !== app.paintedBy && (!attr || paintable(recording.head.types).includes(attr)))
		await app.setPaint(attr);
	if (values.has("h")) {
		app.hidden.clear();
		numbers(values.get("h")).forEach((cat) => app.hidden.add(cat));
	}
	tree.hideEmpty = values.get("e") === "1";
	app.mark = range(values.get("m"));
	const filter = decoded(values.get("q"));

	if (filter !== app.filterText)
		await app.setFilter(filter);
	if (window)
		app.setWindow(window.from, window.to);
	if (values.has("s")) {
		const item = recording.order.indexOf(Number(values.get("s")));

		if (item >= 0) {
			tree.reveal(recording.trackAt(item).row);
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
	addEventListener("popstate", () => {
		own = location.hash;
		goToFragment(app, location.hash);
	});
}
