// SPDX-License-Identifier: GPL-2.0-or-later
// The drawer: tables beside the picture. A table is shown by the kinds of its columns, whatever it is about.
import { App } from "./app";
import { byId, copy, make } from "./dom";
import { details } from "./details";
import { Recording, Table } from "./model";
import { count, duration, instant } from "./time";

type Cell = string | number | null;

interface Tab { name: string; title: string; n: number; fill: (panel: HTMLElement) => void }

function plural(title: string): string {
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
			},
		};
	});
}

export function drawer(app: App): void {
	const { recording } = app;
	const { head } = recording;
	const tabs: Tab[] = [];
	const sorted = new Map<string, { column: number; down: boolean }>();
	const panel = byId("panel"), box = byId("tabs");

	const text = (cell: Cell, kind: string): string => cell === null ? (kind === "row" ? "others" : "") : kind === "ns" ? (cell ? duration(cell as number) : "–") :
		kind === "instant" ? instant(cell as number, 1000) + " s" : kind === "row" ? recording.path(cell as number, " / ") :
		kind === "count" ? (cell ? count(cell as number) : "–") : kind === "category" ? head.cats[cell as number].name :
		kind === "share" ? ((cell as number) * 100).toFixed(1) + " %" : String(cell);
	const go = (table: Table, row: Cell[]) => {
		const at = (kind: string) => table.columns.findIndex((column) => column.kind === kind);
		const place = at("row"), when = at("instant"), length = at("ns");

		if (place >= 0 && row[place] === null)
			return;
		if (place >= 0)
			goTo(app, row[place] as number, when < 0 ? null : row[when] as number, length < 0 ? 0 : row[length] as number);
		else if (when >= 0)
			app.glide((row[when] as number) - (row[length] as number || 1e6), (row[when] as number) + 2 * (row[length] as number || 1e6));
	};
	const most = Math.max(1, ...head.rows.wait.filter((_wait, row) => head.rows.unit[row]));
	const cellOf = (cell: Cell, kind: string): (Node | string)[] => {
		if (kind === "parts") {
			const shades = ["var(--wait)", "var(--wait-2)", "var(--wait-3)"];

			return [make("span", { class: "sum" }, ...recording.children[cell as number].map((child, i) =>
				make("i", {
					title: `${recording.name(child)}: ${duration(head.rows.wait[child])}`,
					style: { width: head.rows.wait[child] / most * 200 + "px", background: shades[i % 3] },
				})))];
		}
		if (kind === "pin")
			return [make("input", {
				type: "checkbox", checked: app.tree.pinned.has(cell as number), "aria-label": "Pin to the top of the picture",
				onclick: (event: Event) => {
					event.stopPropagation();
					if (!app.tree.pinned.delete(cell as number))
						app.tree.pinned.add(cell as number);
					app.update(true);
				},
			})];
		return [text(cell, kind)];
	};
	const show = (table: Table, into: HTMLElement) => {
		const isNumber = (kind: string) => ["ns", "count", "instant", "share"].includes(kind);
		const goes = table.columns.some((column) => column.kind === "row" || column.kind === "instant");
		const order = sorted.get(table.name);
		const place = table.columns.findIndex((column) => column.kind === "row");
		let rows = table.rows;

		if (place >= 0 && app.tree.rowsOn)
			rows = rows.filter((row) => row[place] === null || app.tree.rowsOn![row[place] as number] > 0);
		if (order) {
			const { kind } = table.columns[order.column];
			const value = (row: Cell[]): any => isNumber(kind) ? row[order.column] || 0 : text(row[order.column], kind);

			rows = rows.slice().sort((a, b) => {
				const x = value(a), y = value(b);
				const by = typeof x === "number" ? x - y : x.localeCompare(y, undefined, { numeric: true });

				return order.down ? -by : by;
			});
		}
		const heads = table.columns.map((column, i) => make("th", { class: isNumber(column.kind) ? "number" : "" }, make("button", {
			type: "button", title: column.help || "", onclick: () => {
				sorted.set(table.name, { column: i, down: order && order.column === i ? !order.down : isNumber(column.kind) });
				refresh();
			},
		}, column.title + (order && order.column === i ? (order.down ? " ▾" : " ▴") : ""))));
		const shown = rows.slice(0, 500);
		const body = shown.map((row) => make("tr", {
			class: goes ? "go" : "", tabindex: goes ? 0 : undefined, onclick: () => goes && go(table, row),
			onkeydown: (event: KeyboardEvent) => event.key === "Enter" && goes && go(table, row),
		}, ...row.map((cell, i) => make("td", {
			class: isNumber(table.columns[i].kind) ? "number" : table.columns[i].kind === "severity" ? String(cell) : "",
		}, ...cellOf(cell, table.columns[i].kind)))));
		const tsv = () => [table.columns.map((column) => column.name), ...rows.map((row) => row.map((cell, i) =>
			cell === null ? text(cell, table.columns[i].kind) : table.columns[i].kind === "row" ? recording.path(cell as number) :
			table.columns[i].kind === "category" ? head.cats[cell as number].name : String(cell)))]
			.map((row) => row.map((cell) => cell.replace(/[\t\n]/g, " ")).join("\t")).join("\n") + "\n";

		into.append(make("div", { class: "tools" }, make("button", { type: "button", onclick: () => copy(tsv()) }, "Copy as TSV")),
			...(table.help ? [make("p", {}, table.help)] : []),
			make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...body)));
		if (rows.length > shown.length)
			into.append(make("p", {}, `${count(rows.length - shown.length)} more; the filter finds them`));
		if (!rows.length)
			into.append(make("p", {}, "nothing"));
	};

	tabs.push({ name: "selection", title: "Selection", n: 0, fill: (into) => details(app, into) });
	for (const { table, rows } of unitTables(app))
		tabs.push({ name: table.name, title: table.title, n: rows.length, fill: (into) => show(table, into) });
	for (const table of head.tables)
		if (table.rows.length)
			tabs.push({ name: table.name, title: table.title, n: table.rows.length, fill: (into) => show(table, into) });
	app.tab = app.tab || (tabs.length > 1 ? tabs[1].name : "selection");

	const refresh = () => {
		const tab = tabs.find((at) => at.name === app.tab) || tabs[0];

		box.replaceChildren(...tabs.map((at) => make("button", {
			type: "button", role: "tab", "aria-selected": at === tab, onclick: () => {
				app.tab = at.name;
				refresh();
			},
		}, at.title, make("em", {}, at.n ? count(at.n) : ""))));
		panel.replaceChildren();
		tab.fill(panel);
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
	const { recording } = app;

	if (t !== null)
		for (const at of recording.tracksOf[row]) {
			const track = recording.tracks[at];
			const i = recording.from(track, t);

			if (i < track.to && recording.t0[i] === t && (!length || recording.t1[i] - t === length)) {
				app.select(i, true);
				return;
			}
		}
	app.tree.reveal(row);
	app.update(true);
	app.draw();
	app.showRow(row);
	if (t !== null)
		app.glide(t - length, t + 2 * length);
}
