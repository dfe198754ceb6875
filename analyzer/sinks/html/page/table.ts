// SPDX-License-Identifier: GPL-2.0-or-later
// A table by the kinds of its columns, whatever it is about: every table that an analysis publishes shows by itself.
import { App } from "./app";
import { copy, make } from "./dom";
import { lookOf } from "./groups";
import { linked } from "./linked";
import { max, min } from "./maths";
import { Recording, Table } from "./model";
import { count, duration, percent, seconds } from "./time";

export type Cell = string | number | null;
/** A row with what is known of it and of its cells. */
export interface Row { cells: Cell[]; atLeast: Set<number>; unknown: Set<number>; others: number; level: number; strong: boolean }
/** The column by which a table is sorted. */
export interface Order { column: number; down: boolean }
/** What the user did with a table: its order, whether all columns are shown, the row that was clicked. */
export interface View { order?: Order; all: boolean; chosen?: Cell[] }

const SHOWN = 500, LONG = 300, TITLE = 4000;
/** Letters that make a column of texts a second line below its row. */
const WIDE = 48;

export function isNumber(kind: string): boolean {
	return [ "ns", "count", "instant", "share", "real" ].includes(kind);
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
		return bound + seconds(cell as number, 1000);
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
		return [make("span", { class: "share" }, make("i", { style: { width: max(0, min(cell, 1)) * 100 + "%" } })), text];
	if (text.length > LONG)
		return [make("span", { title: text.slice(0, TITLE) }, text.slice(0, LONG) + "…")];
	return kind === "text" ? named(app, text) : [text];
}

/** A text with the names in it; the row has the stop for Tab. */
export function named(app: App, text: string): (Node | string)[] {
	return linked(app, text).map((part) => {
		if (typeof part !== "string")
			(part as HTMLElement).tabIndex = -1;
		return part;
	});
}

/** Parts of a call, in the order of the bar. */
const REASONS: [string, string][] = [["lock", "waiting for locks"], ["device", "block device"], ["host", "stolen by the host"],
	["runnable", "waiting for a CPU"], ["own_work", "own work"], ["requests", "its requests"], ["rest", "not explained"]];

/** A part of a call. */
interface Reason { name: string; title: string; ns: number; atLeast: boolean }

/** The time of a call by reason, as a row of the table of the slowest calls has it. */
export function reasonsOf(table: Table, row: Row): Reason[] {
	return REASONS.flatMap(([name, title]) => {
		const at = columnOf(table, name), ns = Number(at >= 0 && row.cells[at]);

		return ns ? [{ name, title, ns, atLeast: row.atLeast.has(at) }] : [];
	});
}

/** The account of a call as a bar as wide as its time beside that of the longest one. */
export function account(table: Table, row: Row, longest: number): HTMLElement {
	const took = Number(row.cells[columnOf(table, "took")]);

	return make("span", { class: "parts", style: { width: took / longest * 100 + "%" } }, ...reasonsOf(table, row).map(({ name, title, ns, atLeast }) =>
		make("i", { class: name, title: `${title}: ${atLeast ? "≥ " : ""}${duration(ns)}, ${percent(ns / took)}`, style: { width: ns / took * 100 + "%" } })));
}

/** "read of FILE by PROCESS took 7 s: 96 % waited": what was called, and why it took so long. */
export function sentenceOf(text: string): { what: string; why: string } {
	const found = /^(.*?) took [^:]*: (.*)$/.exec(text);

	return found ? { what: found[1], why: found[2] } : { what: text, why: "" };
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

/** The columns that are shown, in their order; and those whose texts are a second line, as they are too wide. */
function shownColumns(table: Table, rows: Row[], all: boolean): { columns: number[]; wide: number[] } {
	const wanted = lookOf(table).columns;
	const columns = all || !wanted ? table.columns.map((_column, i) => i) : wanted.map((name) => columnOf(table, name)).filter((i) => i >= 0);
	const wide = columns.filter((i) => table.columns[i].kind === "text" && rows.some(({ cells }) => String(cells[i] ?? "").length > WIDE));
	const isSentence = (i: number) => table.name === "why" && table.columns[i].name === "why";

	return { columns: columns.length > wide.length ? columns.filter((i) => !wide.includes(i) || isSentence(i)) : columns, wide: columns.length > wide.length ? wide : [] };
}

/**
 * Appends a table to an element.
 * @view: what the user did with it; @changed is called after there is another order or are other columns; @action gives what a click on a row does
 */
export function showTable(app: App, table: Table, into: HTMLElement, view: View, changed: () => void, action: (row: Row) => (() => void) | null): void {
	const { recording } = app, { order } = view;
	const place = table.columns.findIndex((column) => column.kind === "row");
	const on = (row: Row) => place < 0 || row.cells[place] === null || !app.tree.rowsOn || app.tree.rowsOn[row.cells[place] as number] > 0;
	const rows = ordered(recording, table, rowsOf(table).filter(on), order), shown = rows.slice(0, SHOWN);
	const { columns, wide } = shownColumns(table, shown, view.all), isWhy = table.name === "why" && !view.all;
	const longest = max(...shown.map((row) => Number(row.cells[columnOf(table, "took")] || 1)));
	const sort = (i: number) => {
		view.order = { column: i, down: order && order.column === i ? !order.down : isNumber(table.columns[i].kind) };
		changed();
	};
	const heads = columns.map((i) => {
		const column = table.columns[i], title = isWhy && column.name === "why" ? "call, and why" : isWhy && column.name === "lock" ? "parts" : column.title;

		return make("th", {
			class: isNumber(column.kind) && title !== "parts" ? "number" : "", "aria-sort": order && order.column === i ? (order.down ? "descending" : "ascending") : undefined,
		}, title ? make("button", { title: column.help || "", onclick: () => sort(i) },
			title + (order && order.column === i ? (order.down ? " ▾" : " ▴") : "")) : make("span", { class: "unseen" }, "pin"));
	});
	const cell = (row: Row, i: number) => isWhy && table.columns[i].name === "why" ? make("td", { class: "what" }, ...named(app, sentenceOf(cellText(recording, table, row, i)).what)) :
		isWhy && table.columns[i].name === "lock" ? make("td", { class: "account" }, account(table, row, longest)) : bodyCell(app, table, row, i);
	const body = shown.flatMap((row) => {
		const run = action(row), chosen = view.chosen === row.cells ? "on" : "";
		const go = () => {
			view.chosen = row.cells;
			run!();
			if (app.tab === table.name)
				changed();
		};
		const said = wide.filter((i) => cellText(recording, table, row, i)).map((i) => {
			const text = cellText(recording, table, row, i), why = isWhy && table.columns[i].name === "why";
			const line = (why ? sentenceOf(text).why : text).slice(0, TITLE);

			return make("span", { class: "said" }, ...(why || wide.length < 2 ? [] : [make("small", {}, `${table.columns[i].title}: `)]), ...named(app, line));
		});
		const second = said.length ? [make("tr", { class: `second ${run ? "go" : ""} ${chosen}`, onclick: () => run && go() }, make("td", { colspan: columns.length }, ...said))] : [];

		return [make("tr", {
			class: [run ? "go" : "", row.strong ? "strong" : "", second.length ? "first" : "", chosen].join(" ").trim(), tabindex: run ? 0 : undefined, onclick: () => run && go(),
			onkeydown: (event: KeyboardEvent) => event.key === "Enter" && event.target === event.currentTarget && run && go(),
		}, ...columns.map((i) => cell(row, i))), ...second];
	});
	const more = lookOf(table).columns ? [make("button", { "aria-pressed": view.all, onclick: () => {
		view.all = !view.all;
		changed();
	} }, "All columns")] : [];

	into.append(make("div", { class: "tools" }, ...more, make("button", { onclick: () => copy(tsvOf(recording, table, rows)) }, "Copy as TSV")),
		...[table.remark, table.help].filter((text) => text).map((text) => make("p", { class: "remark" }, text!)),
		make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...body)),
		...(table.notes || []).map((text) => make("p", { class: "remark" }, text)));
	if (rows.length > shown.length)
		into.append(make("p", { class: "remark" }, `${count(rows.length - shown.length)} more; the filter finds them`));
	if (!rows.length)
		into.append(make("p", { class: "remark" }, "nothing"));
}
