// SPDX-License-Identifier: GPL-2.0-or-later
// Who waited because of whom, as a picture: a row for each machine that waited, a column for each that held or other cause.
import { App } from "./app";
import { going, make } from "./dom";
import { max, round } from "./maths";
import { Table } from "./model";
import { Row, columnOf, rowsOf } from "./table";
import { duration, percent } from "./time";

/** The deepest shade: names on it can still be read, in the light and in the dark. */
const DEEPEST = 50;

/** Whether a table says who waited because of whom. */
export function isMatrix(table: Table): boolean {
	return table.name === "blame" && ["waiter", "because", "blamed"].every((name) => columnOf(table, name) >= 0);
}

export function showMatrix(app: App, table: Table, into: HTMLElement, action: (row: Row) => (() => void) | null): void {
	const text = (row: Row, name: string) => String(row.cells[columnOf(table, name)] ?? "");
	const rows = rowsOf(table).filter((row) => !row.others), ns = (row: Row) => Number(row.cells[columnOf(table, "blamed")] || 0);
	const sum = (fits: (row: Row) => boolean) => rows.filter(fits).reduce((all, row) => all + ns(row), 0);
	const of = (name: string) => [...new Set(rows.map((row) => text(row, name)))].map((key) => ({ key, ns: sum((row) => text(row, name) === key) })).sort((a, b) => b.ns - a.ns);
	const isNode = (name: string) => app.isNode(name) || rows.some((row) => text(row, "waiter") === name);
	const waiters = of("waiter"), because = of("because").sort((a, b) => Number(isNode(b.key)) - Number(isNode(a.key)) || b.ns - a.ns);
	const most = max(1, ...rows.map(ns)), all = sum(() => true) || 1;
	const nodes = because.filter(({ key }) => isNode(key)).length;
	const head = (text: string, title: string) => make("th", { scope: "col", class: "number", title }, text);
	const cell = (waiter: string, cause: string) => {
		const row = rows.find((each) => text(each, "waiter") === waiter && text(each, "because") === cause), run = row && action(row);

		if (!row || !ns(row))
			return make("td", { class: "number none" }, "–");
		const proved = row.cells[columnOf(table, "proved")];

		return make("td", {
			...(run ? going(run) : {}), class: "number" + (run ? " go" : ""),
			title: `${waiter} waited ${duration(ns(row))} because of ${cause}, ${text(row, "waits")} waits${typeof proved === "number" ? `; ${percent(proved)} of it is proved` : ""}: shows the longest`,
			style: { background: `color-mix(in srgb, var(--wait) ${round(DEEPEST * ns(row) / most)}%, transparent)` },
		}, make("b", {}, duration(ns(row))), make("small", {}, percent(ns(row) / all)));
	};

	into.append(
		make("table", { class : "matrix" },
		     make("thead", {},
			  make("tr", {}, make("td", {}),
			       ...(nodes ? [ make("th", { colspan : nodes, scope : "colgroup" },
						  "held by") ]
					 : []),
			       ...(because.length > nodes ? [ make("th", {
				       colspan : because.length - nodes,
				       scope : "colgroup"
			       },
								   "other causes") ]
							  : []),
			       make("td", {})),
			  make("tr", {}, make("th", { scope : "col" }, "waited"),
			       ...because.map(({ key, ns : part }) =>
						      head(key, `${duration(part)} in all`)),
			       head("all", ""))),
		     make("tbody", {},
			  ...waiters.map(({ key, ns : part }) => make(
						 "tr", {}, make("th", { scope : "row" }, key),
						 ...because.map((cause) => cell(key, cause.key)),
						 make("td", { class : "number" },
						      make("b", {}, duration(part)),
						      make("small", {}, percent(part / all))))),
			  make("tr", { class : "sums" }, make("th", { scope : "row" }, "all"),
			       ...[...because.map((cause) => cause.ns), all].map(
				       (part) => make("td", { class : "number" },
						      make("b", {}, duration(part)),
						      make("small", {}, percent(part / all))))))),
		make("p", { class : "remark" }, "A click on a time shows its longest wait."),
		...[table.remark, table.help, ...(table.notes || [])]
			.filter((line) => line)
			.map((line) => make("p", { class : "remark" }, line!)));
}
