// SPDX-License-Identifier: GPL-2.0-or-later
// A table by the kinds of its columns, whatever it is about: every table that an analysis publishes shows by itself.
import { App } from "./app";
import { copy, make } from "./dom";
import { Recording, Table } from "./model";
import { count, duration, instant } from "./time";

export type Cell = string | number | null;
/** A row with what is known of it and of its cells. */
export interface Row { cells: Cell[]; atLeast: Set<number>; unknown: Set<number>; others: number; level: number; strong: boolean }
/** The column by which a table is sorted. */
export interface Order { column: number; down: boolean }

const SHOWN = 500, LONG = 300, TITLE = 4000;

export function isNumber(kind: string): boolean {
	return ["ns", "count", "instant", "share"].includes(kind);
}

/** The number of a column with a name; -1 if there is none. */
export function columnOf(table: Table, name: string): number {
	return table.columns.findIndex((each) => each.name === name);
}

/** Pairs of row and column as sets of columns. */
function pairs(list: number[] | undefined, row: number): Set<number> {
	const found = new Set<number>();

	for (let i = 0; list && i < list.length; i += 2)
		if (list[i] === row)
			found.add(list[i + 1]);
	return found;
}

export function rowsOf(table: Table): Row[] {
	return table.rows.map((cells, i) => {
		const mark = (table.marks || {})[i] || {};

		return { cells, atLeast: pairs(table.at_least, i), unknown: pairs(table.unknown, i), others: mark.others || 0, level: mark.level || 0, strong: !!mark.strong };
	});
}

/** A cell as text; of columns of a kind that a newer program made, the value itself. */
export function cellText(recording: Recording, table: Table, row: Row, i: number): string {
	const cell = row.cells[i], { kind } = table.columns[i], { head } = recording;
	const bound = row.atLeast.has(i) ? "≥ " : "";

	if (row.unknown.has(i))
		return "?";
	if (kind === "row" && (row.others || cell === null))
		return row.others ? `${count(row.others)} others` : "others";
	if (cell === null)
		return "";
	switch (kind) {
	case "ns":
		return cell ? bound + duration(cell as number) : bound ? bound + "0 s" : "–";
	case "instant":
		return bound + instant(cell as number, 1000) + " s";
	case "count":
		return cell ? bound + (typeof cell === "number" ? count(cell) : cell) : bound ? bound + "0" : "–";
	case "share":
		return bound + ((cell as number) * 100).toFixed(1) + " %";
	case "row":
		return recording.path(cell as number, " / ");
	case "category":
		return head.cats[cell as number] ? head.cats[cell as number].name : String(cell);
	default:
		return String(cell);
	}
}

/** Rows in an order; sums of others stay last. */
export function ordered(recording: Recording, table: Table, rows: Row[], order: Order | undefined): Row[] {
	if (!order)
		return rows;
	const number = isNumber(table.columns[order.column].kind);
	const value = (row: Row): any => number ? Number(row.cells[order.column] || 0) : cellText(recording, table, row, order.column);

	return rows.slice().sort((a, b) => {
		const x = value(a), y = value(b);
		const by = number ? x - y : x.localeCompare(y, undefined, { numeric: true });

		return Number(a.others > 0) - Number(b.others > 0) || (order.down ? -by : by);
	});
}

/** For spreadsheets and scripts: numbers in their own unit, paths with slashes. */
export function tsvOf(recording: Recording, table: Table, rows: Row[]): string {
	const cell = (row: Row, i: number) => {
		const value = row.cells[i], { kind } = table.columns[i];

		return value === null || row.unknown.has(i) ? cellText(recording, table, row, i) : kind === "row" ? recording.path(value as number) :
			kind === "category" ? cellText(recording, table, row, i) : (row.atLeast.has(i) ? ">=" : "") + String(value);
	};

	return [table.columns.map((column) => column.name || column.kind), ...rows.map((row) => row.cells.map((_cell, i) => cell(row, i)))]
		.map((cells) => cells.map((text) => text.replace(/[\t\r\n]/g, " ")).join("\t")).join("\n") + "\n";
}

/** What a click on a row of a table does: its place, its instant, and how long it takes there. */
export interface Target { row: number | null; t: number | null; ns: number; /** A circular wait. */ cycle?: number }

export function targetOf(table: Table, row: Row): Target | null {
	const at = (kind: string) => table.columns.findIndex((column) => column.kind === kind);
	const place = at("row"), when = at("instant"), length = at("ns");
	const value = (i: number) => i < 0 || row.cells[i] === null || row.unknown.has(i) ? null : row.cells[i] as number;

	if (table.name === "cycles")
		return { row: null, t: value(when), ns: value(length) || 0, cycle: Number(row.cells[columnOf(table, "cycle")]) };
	if (value(place) === null && (place >= 0 || value(when) === null))
		return null;
	return { row: value(place), t: value(when), ns: value(length) || 0 };
}

/** Elements of a cell: bars for shares, and what the row tables of the page have. */
function elements(app: App, table: Table, row: Row, i: number): (Node | string)[] {
	const { recording } = app, { kind } = table.columns[i];
	const cell = row.cells[i], text = cellText(recording, table, row, i);

	if (kind === "parts")
		return [parts(app, cell as number)];
	if (kind === "pin")
		return [make("input", {
			type: "checkbox", checked: app.tree.pinned.has(cell as number), "aria-label": `Pin ${recording.name(cell as number)} to the top of the picture`,
			onclick: (event: Event) => {
				event.stopPropagation();
				if (!app.tree.pinned.delete(cell as number))
					app.tree.pinned.add(cell as number);
				app.update(true);
			},
		})];
	if (kind === "share" && typeof cell === "number" && !row.unknown.has(i))
		return [make("span", { class: "share" }, make("i", { style: { width: Math.max(0, Math.min(cell, 1)) * 100 + "%" } })), text];
	if (text.length > LONG)
		return [make("span", { title: text.slice(0, TITLE) }, text.slice(0, LONG) + "…")];
	return [text];
}

/** The waiting time of the rows below a row, one after the other. */
function parts({ recording }: App, row: number): HTMLElement {
	const { head } = recording;
	const most = head.rows.wait.reduce((least, wait, at) => head.rows.unit[at] && wait > least ? wait : least, 1);
	const shades = ["var(--wait)", "var(--wait-2)", "var(--wait-3)"];

	return make("span", { class: "sum" }, ...recording.children[row].map((child, i) => make("i", {
		title: `${recording.name(child)}: ${duration(head.rows.wait[child])}`,
		style: { width: head.rows.wait[child] / most * 200 + "px", background: shades[i % 3] },
	})));
}

function bodyCell(app: App, table: Table, row: Row, i: number): HTMLElement {
	const { kind } = table.columns[i], cell = row.cells[i];
	const bad = (table.alarm || []).includes(i) && (row.unknown.has(i) || cell !== null && cell !== 0 && cell !== "");
	const share = table.range && (table.of_range || []).includes(i) && typeof cell === "number" && cell ?
		`${(cell / table.range * 100).toFixed(1)} % of the time that is shown` : "";
	const names = [isNumber(kind) ? "number" : "", kind === "severity" ? String(cell) : "", bad ? "alarm" : "", kind === "pin" ? "pinning" : kind === "row" ? "place" : ""];

	return make("td", {
		class: names.filter((name) => name).join(" "), title: row.atLeast.has(i) ? "at least: the true value is greater by an unknown amount" : share || undefined,
		style: row.level && i === table.columns.findIndex((column) => !["pin"].includes(column.kind)) ? { paddingLeft: 12 + 14 * row.level + "px" } : {},
	}, ...elements(app, table, row, i));
}

/**
 * Appends a table to an element.
 * @order: as the user sorted it; @sort is called with a new one; @go with the place of a row that was clicked
 */
export function showTable(app: App, table: Table, into: HTMLElement, order: Order | undefined, sort: (order: Order) => void, go: (target: Target) => void): void {
	const { recording } = app;
	const place = table.columns.findIndex((column) => column.kind === "row");
	const on = (row: Row) => place < 0 || row.cells[place] === null || !app.tree.rowsOn || app.tree.rowsOn[row.cells[place] as number] > 0;
	const rows = ordered(recording, table, rowsOf(table).filter(on), order), shown = rows.slice(0, SHOWN);
	const heads = table.columns.map((column, i) => make("th", {
		class: isNumber(column.kind) ? "number" : "", "aria-sort": order && order.column === i ? (order.down ? "descending" : "ascending") : undefined,
	}, column.title ? make("button", {
		type: "button", title: column.help || "", onclick: () => sort({ column: i, down: order && order.column === i ? !order.down : isNumber(column.kind) }),
	}, column.title + (order && order.column === i ? (order.down ? " ▾" : " ▴") : "")) : ""));
	const body = shown.map((row) => {
		const target = targetOf(table, row);

		return make("tr", {
			class: [target ? "go" : "", row.strong ? "strong" : ""].join(" ").trim(), tabindex: target ? 0 : undefined, onclick: () => target && go(target),
			onkeydown: (event: KeyboardEvent) => event.key === "Enter" && event.target === event.currentTarget && target && go(target),
		}, ...row.cells.map((_cell, i) => bodyCell(app, table, row, i)));
	});

	into.append(make("div", { class: "tools" }, make("button", { type: "button", onclick: () => copy(tsvOf(recording, table, rows)) }, "Copy as TSV")),
		...[table.remark, table.help].filter((text) => text).map((text) => make("p", { class: "remark" }, text!)),
		make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...body)),
		...(table.notes || []).map((text) => make("p", { class: "remark" }, text)));
	if (rows.length > shown.length)
		into.append(make("p", { class: "remark" }, `${count(rows.length - shown.length)} more; the filter finds them`));
	if (!rows.length)
		into.append(make("p", { class: "remark" }, "nothing"));
}
