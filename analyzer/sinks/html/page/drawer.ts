// SPDX-License-Identifier: GPL-2.0-or-later
// The drawer: the selection, and the tables in five groups by what they answer.
import { App } from "./app";
import { byId, make } from "./dom";
import { details } from "./details";
import { actionOf } from "./goto";
import { GROUPS, Listed, listed } from "./groups";
import { notesTable } from "./marks";
import { isMatrix, showMatrix } from "./matrix";
import { Recording, Table } from "./model";
import { Row, View, showTable } from "./table";
import { count } from "./time";
import { viewsTable } from "./views";

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

/** Tables of rows, made here as all their numbers are sums of rows: one of all types, and one of each, the most waiting first. */
function unitTables(app: App): Table[] {
	const { recording, recording: { head } } = app;
	const { rows } = head;
	const units = rows.type.map((_type, row) => row).filter((row) => rows.unit[row] && !rows.hidden[row] && rows.items[row])
		.sort((a, b) => rows.wait[b] - rows.wait[a] || rows.items[b] - rows.items[a] || a - b);
	const waited = (type: number) => units.reduce((sum, row) => sum + (rows.type[row] === type ? rows.wait[row] : 0), 0);
	const types = [...new Set(units.map((row) => rows.type[row]))].map((type) => ({ type, ns: waited(type) })).sort((a, b) => b.ns - a.ns || a.type - b.type);
	const table = (name: string, title: string, what: string, list: number[], kinds: boolean): Table => {
		const parts = list.some((row) => recording.children[row].some((child) => rows.wait[child]));

		return {
			name, title, columns: [
				{ name: "pin", title: "", kind: "pin" },
				{ name: "row", title: what, kind: "row" }, ...(kinds ? [{ name: "kind", title: "kind", kind: "text" }] : []), { name: "wait", title: "waited", kind: "ns" },
				{ name: "worst", title: "longest", kind: "ns" }, { name: "calls", title: "calls", kind: "count" },
				{ name: "items", title: "items", kind: "count" },
				...(parts ? [{ name: "by", title: `waited, by ${kinds ? "what is below" : below(recording, list)}`, kind: "parts" }] : []),
			],
			rows: list.map((row) => [row, row, ...(kinds ? [head.types[rows.type[row]].title] : []), rows.wait[row], rows.worst[row], rows.calls[row], rows.items[row], ...(parts ? [row] : [])]),
			at_least: list.flatMap((row, i) => rows.least[row] && rows.wait[row] ? [i, kinds ? 4 : 3] : []),
		};
	};

	return [...(types.length > 1 ? [table("rows-all", "All", "resource", units, true)] : []), ...types.map(({ type }) => {
		const { title } = head.types[type];

		return table("rows-" + type, plural(title.charAt(0).toUpperCase() + title.slice(1)), title, units.filter((row) => rows.type[row] === type), false);
	})];
}

/** So many hits are listed. */
const MOST_HITS = 10000;

/** What a search found, as a table. */
function hitsTable(app: App): Table {
	const { recording } = app, hits = [...app.hits.subarray(0, MOST_HITS)];

	return {
		name: "hits", title: "Hits", remark: app.hits.length > MOST_HITS ? `the first ${count(MOST_HITS)} of ${count(app.hits.length)}` : undefined, columns: [{ name: "row", title: "row", kind: "row" }, { name: "kind", title: "kind", kind: "category" },
			{ name: "begin", title: "began", kind: "instant" }, { name: "took", title: "took", kind: "ns" }],
		rows: hits.map((item) => [recording.rowAt(item), recording.ownCat(item), recording.t0[item], recording.hasLength(item) ? recording.t1[item] - recording.t0[item] : 0]),
	};
}

export function drawer(app: App): void {
	const { recording } = app;
	const tables = listed([...unitTables(app), ...recording.head.tables]);
	const views = new Map<string, View>();
	/** The table that each group showed last, and how far each was scrolled. */
	const last = new Map<string, string>(), scrolled = new Map<string, number>();
	const panel = byId("panel"), box = byId("tabs");
	let shown = "", hits: Listed[] = [];
	const notes = () => listed([notesTable(app)].filter((table) => table) as Table[]);

	const all = () => [...tables, ...hits, ...notes(), ...listed([...app.moment, viewsTable(app)])].sort((a, b) => Number(b.table.name === "hits") - Number(a.table.name === "hits"));
	const fill = ({ table }: Listed) => {
		const view = views.get(table.name) || { all: false }, action = (row: Row) => actionOf(app, table, row);

		views.set(table.name, view);
		if (isMatrix(table))
			showMatrix(app, table, panel, action);
		else
			showTable(app, table, panel, view, refresh, action);
	};
	const open = (name: string) => {
		app.tab = name;
		refresh();
	};
	const button = (title: string, n: number, selected: boolean, run: () => void) => make("button", { role: "tab", "aria-selected": selected, onclick: run },
		title, make("em", {}, n ? count(n) : ""));

	const refresh = () => {
		const list = all(), now = list.find(({ table }) => table.name === app.tab);
		const focused = document.activeElement, header = focused ? focused.closest("th") : null;
		const inTabs = box.contains(focused), inTables = !!focused && !!focused.closest("#tables");
		const column = header && panel.contains(header) ? [...header.parentElement!.children].indexOf(header) : -1;
		const entry = focused && panel.contains(focused) && focused.matches("tr, td") ? [...panel.querySelectorAll("[tabindex]")].indexOf(focused) : -1;

		scrolled.set(shown, panel.scrollTop);
		if (now)
			last.set(now.group, app.tab);
		box.replaceChildren(button("Selection", 0, !now, () => open("selection")), ...GROUPS.filter(([name]) => list.some(({ group }) => group === name)).map(([name, title]) => {
			const own = list.filter(({ group }) => group === name);

			return button(title, name === "why" || name === "resources" ? own[0].table.rows.length : 0, !!now && now.group === name,
				() => open(own.find(({ table }) => table.name === last.get(name)) ? last.get(name)! : own[0].table.name));
		}));
		panel.replaceChildren();
		if (now) {
			const own = list.filter(({ group }) => group === now.group);

			if (own.length > 1)
				panel.append(make("div", { id: "tables", role: "tablist", "aria-label": "Tables of the group" }, ...own.map((each) =>
					button(each.title, isMatrix(each.table) ? 0 : each.table.rows.length, each === now, () => open(each.table.name)))));
			fill(now);
		} else
			details(app, panel);
		panel.scrollTop = shown === app.tab || now ? scrolled.get(app.tab) || 0 : 0;
		shown = app.tab;
		/* the focus stays where it was */
		if (inTabs || inTables)
			document.querySelector<HTMLElement>(inTabs ? "#tabs [aria-selected=true]" : "#tables [aria-selected=true]")?.focus();
		if (column >= 0)
			panel.querySelectorAll("th")[column]?.querySelector("button")?.focus();
		if (entry >= 0 && shown !== "selection")
			panel.querySelectorAll<HTMLElement>("[tabindex]")[entry]?.focus();
	};

	app.tab = app.tab || (tables.length ? tables[0].table.name : "selection");
	app.onSelect.push(refresh);
	let filter = app.filterText, found = app.hits, noted = app.marks.notes;

	app.onWindow.push(() => {
		const other = filter !== app.filterText;

		if (found !== app.hits || other) {
			hits = app.mask && app.hits.length ? listed([hitsTable(app)]) : [];
			found = app.hits;
			/* what a search finds is listed; a list that is empty leaves the drawer to the first table */
			if (hits.length && app.selected < 0)
				app.tab = "hits";
			else if (!hits.length && app.tab === "hits")
				app.tab = tables.length ? tables[0].table.name : "selection";
		}
		if (other || app.tab === "selection" && app.mark || noted !== app.marks.notes)
			refresh();
		noted = app.marks.notes;
		filter = app.filterText;
	});
	refresh();
}
