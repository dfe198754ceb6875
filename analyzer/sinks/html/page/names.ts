// SPDX-License-Identifier: GPL-2.0-or-later
// The names of the rows at the left, as text of the document: only those in sight are elements.
import { App } from "./app";
import { byId, make } from "./dom";
import { max } from "./maths";
import { Line, nextLimit } from "./tree";
import { duration } from "./time";

/** What a click does, Enter and the blank do, too; p pins. */
function pressed(run: () => void, other?: () => void): { [name: string]: (event: any) => void } {
	return {
		onclick: run,
		onkeydown: (event: KeyboardEvent) => {
			if (event.key !== "Enter" && event.key !== " " && !(event.key === "p" && other))
				return;
			event.preventDefault();
			event.stopPropagation();
			if (event.key === "p")
				other!();
			else
				run();
		},
	};
}

export function names(app: App): void {
	const { recording, tree } = app;
	const { rows } = recording.head;
	const box = byId("names");
	let most = 1;

	rows.unit.forEach((unit, row) => {
		if (unit)
			most = max(most, rows.wait[row]);
	});

	const fold = (line: Line) => {
		tree.opened.set(line.key, !line.open);
		app.picture.shares.forgetPeaks();
		app.update(true);
	};
	const pin = (line: Line) => {
		if (!tree.pinned.delete(line.row))
			tree.pinned.add(line.row);
		app.update(true);
		app.windowChanged();
	};
	const element = (line: Line): HTMLElement => {
		const selected = app.selected >= 0 && recording.rowAt(app.selected) === line.row && line.kind === "row" ||
			line.kind === "row" && line.row > 0 && app.current === line.row;
		const style = { top: line.y - app.scroll + "px", height: line.height + "px", paddingLeft: 10 + line.depth * 14 + "px" };
		const marks = [line.kind, line.depth > 1 && !line.foldable ? "leaf" : "", selected ? "on" : "",
			tree.pinned.has(line.row) && line.kind === "row" ? "pinned" : ""].filter((mark) => mark).join(" ");

		if (line.kind === "more")
			return make("div", {
				class: "row more", style, role: "treeitem", tabindex: 0, ...pressed(() => {
					tree.limits.set(line.key, nextLimit(tree.limits.get(line.key), tree.extra));
					app.update(true);
				}),
			}, make("i", { class: "fold" }, "…"), make("span", {}, line.text));
		const row = make("div", {
			class: "row " + marks, style, role: "treeitem", "aria-expanded": line.foldable ? line.open : undefined,
			title: line.kind === "row" ? recording.path(line.row, " / ").slice(0, 2000) : undefined,
			tabindex: 0, "data-key": line.key + line.depth, ...pressed(() => line.foldable && fold(line), () => line.row && pin(line)),
		}, make("i", { class: "fold" }, line.foldable ? (line.open ? "▼" : "▶") : ""), make("span", {}, line.text.slice(0, 400)));

		if (line.kind === "row") {
			const wait = tree.isUnit(line.row) ? rows.wait[line.row] : 0;

			row.append(make("i", {
				class: "pin", title: "Pin to the top", onclick: (event: Event) => {
					event.stopPropagation();
					pin(line);
				},
			}, "✓"));
			if (wait)
				row.append(make("span", { class: "bar", title: `waited ${duration(wait)}`, style: { marginLeft: "0" } },
					make("i", { style: { width: wait / most * 60 + "px" } })));
			(row.children[1] as HTMLElement).style.flex = "1";
		}
		return row;
	};

	app.onLayout.push(() => {
		const seen = app.lines.filter((line) => line.y + line.height > app.scroll && line.y < app.scroll + app.height);

		/* the focus stays on its row */
		const focused = (document.activeElement as HTMLElement | null)?.dataset.key;

		box.replaceChildren(...seen.map(element));
		if (focused && !box.contains(document.activeElement))
			box.querySelector<HTMLElement>(`[data-key="${focused}"]`)?.focus();
	});
	app.onSelect.push(() => app.onLayout[0]());
}
