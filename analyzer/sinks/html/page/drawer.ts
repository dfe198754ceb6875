// SPDX-License-Identifier: GPL-2.0-or-later
// The drawer: a tab for the selection, and one for each table.
import { App } from "./app";
import { goToCycle } from "./cards";
import { byId, make } from "./dom";
import { details } from "./details";
import { Recording, Table } from "./model";
import { Order, showTable } from "./table";
import { count } from "./time";

interface Tab { name: string; title: string; n: number; fill: (panel: HTMLElement) => void }

/** "resources", "recoveries": like the report. */
export function plural(title: string): string {
	if (/[^aeiou]y$/.test(title))
		return title.slice(0, -1) + "ies";
	return /(s|x|ch|sh)$/.test(title) ? title + "es" : title + "s";
}

/** Title of the rows one level below: "node". */
function below(recording: Recording, rows: number[]): string {
	const row = rows.find((at) => recording.children[at].length);

	return row === undefined ? "" : recording.rowType(recording.children[row][0]).title;
}

/** Tables of rows, made here as all their numbers are sums of rows. */
function unitTables(app: App): { table: Table; rows: number[] }[] {
	const { recording, recording: { head } } = app;
	const { rows } = head;
	const types = [...new Set(rows.type.filter((_type, row) => rows.unit[row]))].sort((a, b) => a - b);

	return types.map((type) => {
		const list = rows.type.map((_type, row) => row).filter((row) => rows.type[row] === type && rows.unit[row] &&
			!rows.hidden[row] && rows.items[row]);
		const title = head.types[type].title;
		const name = plural(title.charAt(0).toUpperCase() + title.slice(1));

		const parts = list.some((row) => recording.children[row].some((child) => rows.wait[child]));

		list.sort((a, b) => rows.wait[b] - rows.wait[a] || rows.items[b] - rows.items[a] || a - b);
		return {
			rows: list,
			table: {
				name: "rows-" + type, title: name,
				columns: [
					{ name: "pin", title: "", kind: "pin" },
					{ name: "row", title: title, kind: "row" }, { name: "wait", title: "waited", kind: "ns" },
					{ name: "worst", title: "longest", kind: "ns" }, { name: "calls", title: "calls", kind: "count" },
					{ name: "items", title: "items", kind: "count" },
					...(parts ? [{ name: "by", title: `waited, by ${below(recording, list)}`, kind: "parts" }] : []),
				],
				rows: list.map((row) => [row, row, rows.wait[row], rows.worst[row], rows.calls[row], rows.items[row], ...(parts ? [row] : [])]),
				at_least: list.flatMap((row, i) => rows.least[row] && rows.wait[row] ? [i, 3] : []),
			},
		};
	});
}

export function drawer(app: App): void {
	const { recording } = app;
	const { head } = recording;
	const tabs: Tab[] = [];
	const sorted = new Map<string, Order>();
	const panel = byId("panel"), box = byId("tabs");

	const show = (table: Table, into: HTMLElement) => showTable(app, table, into, sorted.get(table.name), (order) => {
		sorted.set(table.name, order);
		refresh();
	}, ({ row, t, ns, cycle }) => {
		if (cycle !== undefined && goToCycle(app, cycle))
			return;
		if (row !== null)
			goTo(app, row, t, ns);
		else
			app.glide(t! - (ns || 1e6), t! + 2 * (ns || 1e6));
	});

	tabs.push({ name: "selection", title: "Selection", n: 0, fill: (into) => details(app, into) });
	for (const { table, rows } of unitTables(app))
		tabs.push({ name: table.name, title: table.title, n: rows.length, fill: (into) => show(table, into) });
	for (const table of head.tables)
		if (table.rows.length && table.name !== "verdict" && table.name !== "cycle_members")
			tabs.push({ name: table.name, title: table.title, n: table.rows.length, fill: (into) => show(table, into) });
	app.tab = app.tab || (tabs.length > 1 ? tabs[1].name : "selection");

	const refresh = () => {
		const tab = tabs.find((at) => at.name === app.tab) || tabs[0];
		const focused = document.activeElement, header = focused ? focused.closest("th") : null;
		const inTabs = box.contains(focused), column = header && panel.contains(header) ? [...header.parentElement!.children].indexOf(header) : -1;

		box.replaceChildren(...tabs.map((at) => make("button", {
			type: "button", role: "tab", "aria-selected": at === tab, onclick: () => {
				app.tab = at.name;
				refresh();
			},
		}, at.title, make("em", {}, at.n ? count(at.n) : ""))));
		panel.replaceChildren();
		tab.fill(panel);
		/* the focus stays where it was */
		if (inTabs)
			box.querySelector<HTMLElement>("[aria-selected=true]")!.focus();
		if (column >= 0)
			panel.querySelectorAll("th")[column]?.querySelector("button")?.focus();
	};

	app.onSelect.push(refresh);
	let filter = app.filterText;

	app.onWindow.push(() => {
		if (filter !== app.filterText || app.tab === "selection" && app.mark)
			refresh();
		filter = app.filterText;
	});
	refresh();
}

/** Shows a row; with an instant, selects what begins there on it. */
export function goTo(app: App, row: number, t: number | null, length: number): void {
	const item = t === null ? -1 : app.itemAt(row, t, length);

	if (item >= 0) {
		app.select(item, true);
		return;
	}
	app.visit([row]);
	if (t !== null)
		app.glide(t - length, t + 2 * length);
}
