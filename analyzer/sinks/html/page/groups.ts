// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tables of the drawer in five groups, by what they answer: which tables a group has, how they are called in it, which
 * columns lead, and by what they are sorted. A table that is not named here shows whole, in the order of its analysis.
 */
import { Table } from "./model";
import { Cell, columnOf } from "./table";

export interface Look {
	group: string;
	/** Its name in the group; else the table's own. */
	title?: string;
	/** Columns that are shown at first, in this order; else all. */
	columns?: string[];
	/** Columns that sort it, the first one first; "-" before a name: the greatest is on top. */
	by?: string[];
}

export const GROUPS: [string, string][] = [["why", "Why slow"], ["who", "Who blocked whom"], ["resources", "Resources"],
	["events", "Events and links"], ["recording", "Recording"]];

const LOOKS: { [table: string]: Look } = {
	why: { group: "why", title: "Calls", columns: ["took", "why", "lock", "begin"], by: ["-took"] },
	slow_calls: { group: "why", title: "Calls that waited for locks", columns: ["took", "call", "row", "share", "resource", "resource_waited", "mode", "held_by", "begin"], by: ["-took"] },
	longest_waits: { group: "why", title: "Longest waits", columns: ["waited", "place", "held_by", "asked", "result", "state", "begin"], by: ["-waited"] },
	holders: { group: "why", title: "In their way", by: ["wait", "-share"] },
	longest_for_processor: { group: "why" },
	operations: { group: "why", title: "Operations" },
	call_parts: { group: "why", title: "Parts of calls", columns: ["of", "part", "calls", "time", "share", "p50", "p99", "longest"] },
	handover: { group: "why" },
	advice: { group: "why", title: "Advice" },
	blame: { group: "who", title: "Matrix", by: ["-blamed"] },
	blame_processes: { group: "who", title: "Processes", by: ["-blamed"] },
	ran_meanwhile: { group: "who", title: "On the processor" },
	chains: { group: "who", by: ["-ns"] },
	cycles: { group: "who" },
	moment: { group: "resources" },
	"rows-all": { group: "resources" },
	blame_resources: { group: "resources", title: "Causes", by: ["-waited"] },
	contention: { group: "resources" },
	bounds: { group: "resources" },
	lock_statistics: { group: "resources", title: "Messages", by: ["-messages"] },
	master_moves: { group: "resources", by: ["-saved"] },
	hits: { group: "events" },
	notes: { group: "events" },
	nearby: { group: "events" },
	results: { group: "events", by: ["-failed", "-longest", "-count"] },
	link_ends: { group: "events", by: ["-linked"] },
	findings: { group: "events" },
	diagnostics: { group: "recording" },
	views: { group: "recording" },
};

/** Tables that the page uses, but does not list. */
const UNSEEN = ["verdict", "cycle_members"];
/** Worst first. */
const ORDERS: { [column: string]: string[] } = { severity: ["loss", "warning", "notice"], deadlock: ["proved", "possible"] };

export function lookOf(table: Table): Look {
	const known = LOOKS[table.name];

	if (known)
		return known;
	/* what is about rows is about resources; what is about instants alone, files or clocks is about the recording */
	return { group: /^(rows-|states_)/.test(table.name) || table.columns.some((column) => column.kind === "row") ? "resources" : "recording" };
}

/** Members of a ring without the place where it is cut open. */
function ring(text: string): string {
	const names = text.split(" > ");

	if (names.length < 3 || names[0] !== names[names.length - 1])
		return text;
	names.pop();
	return names.map((_name, i) => [...names.slice(i), ...names.slice(0, i)].join(" > ")).filter((_turn, i) => i % 2 === 0).sort()[0];
}

/** A table as it is shown: sorted by what matters, and each ring once, whoever it begins with. */
export function prepared(table: Table): Table {
	const order = Object.keys(ORDERS).map((name) => ({ at: columnOf(table, name), values: ORDERS[name] })).find(({ at }) => at >= 0);
	const by = (lookOf(table).by || []).map((name) => ({ at: columnOf(table, name.replace("-", "")), down: name.startsWith("-") })).filter(({ at }) => at >= 0);
	const chain = table.name === "chains" ? columnOf(table, "chain") : -1, seen = new Set<string>();
	const place = (cell: Cell, values: string[]) => (values.indexOf(String(cell)) + 1 || values.length + 1);
	const others = (row: number) => ((table.marks || {})[row] || {}).others ? 1 : 0;
	const rows = table.rows.map((_cells, i) => i).filter((i) => {
		const key = chain < 0 ? String(i) : ring(String(table.rows[i][chain]));

		return !seen.has(key) && seen.add(key);
	});

	if (!order && !by.length && rows.length === table.rows.length)
		return table;
	if (order || by.length)
		rows.sort((a, b) => {
			const of = (row: number, at: number) => table.rows[row][at];

			let least = others(a) - others(b) || (order ? place(of(a, order.at), order.values) - place(of(b, order.at), order.values) : 0);

			for (const { at, down } of by)
				least = least || (down ? -1 : 1) * (Number(of(a, at) || 0) - Number(of(b, at) || 0));
			return least || a - b;
		});
	const now = new Map(rows.map((row, i) => [row, i]));
	const moved = (pairs: number[] | undefined) => (pairs || []).flatMap((row, i) => i % 2 || !now.has(row) ? [] : [now.get(row)!, pairs![i + 1]]);

	return {
		...table, rows: rows.map((row) => table.rows[row]), at_least: moved(table.at_least), unknown: moved(table.unknown),
		marks: Object.fromEntries(Object.entries(table.marks || {}).filter(([row]) => now.has(Number(row))).map(([row, mark]) => [now.get(Number(row))!, mark])),
	};
}

export interface Listed { table: Table; title: string; group: string }

/** All tables with rows, those of a group in the order in which they are named above, others after them. */
export function listed(tables: Table[]): Listed[] {
	const known = Object.keys(LOOKS), groups = GROUPS.map(([name]) => name);
	const rank = ({ name }: Table) => known.indexOf(name.replace(/^rows-.*/, "rows-all")) + 1 || known.length + 1;

	return tables.filter((table) => table.rows.length && !UNSEEN.includes(table.name)).map((table) => ({ table: prepared(table), group: lookOf(table).group, title: lookOf(table).title || table.title }))
		.map((each, i) => ({ each, i })).sort((a, b) => groups.indexOf(a.each.group) - groups.indexOf(b.each.group) || rank(a.each.table) - rank(b.each.table) || a.i - b.i).map(({ each }) => each);
}
