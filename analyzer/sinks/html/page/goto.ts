// SPDX-License-Identifier: GPL-2.0-or-later
// Where a click on a row of a table goes: always to something that shows, a span, a row, or a marked time.
import { App } from "./app";
import { goToCycle, show } from "./cards";
import { SPAN, Table } from "./model";
import { Row, columnOf } from "./table";
import { goToView } from "./views";
import { accountOf, merged, spanOf } from "./explain";

/** Waits that are looked through for one that somebody made longer. */
const MOST_WAITS = 400;

/** Shows a row; with an instant, selects what begins there on it, or marks the time. */
export function goTo(app: App, row: number, t: number | null, length: number): void {
	const { rows } = app.recording.head;
	const item = t === null ? -1 : app.itemAt(row, t, length);

	if (item >= 0) {
		app.select(item, true);
		return;
	}
	/* a row that is not drawn is seen in that above it */
	while (row && rows.hidden[row])
		row = rows.parent[row];
	if (row)
		app.visit([row]);
	if (t !== null)
		app.markTime(t, t + length);
}

/** The longest part of a wait on a machine in which another machine held the lock; without one, the longest wait that nobody's hold explains. */
async function goToBlame(app: App, waiter: string, pid: string, because: string): Promise<void> {
	const { recording, recording: { head, t0, t1, cat, tracks } } = app;
	const items: number[] = [], isNode = app.isNode(because);
	let best = -1, hold = -1, most = 0;

	for (const track of tracks)
		if (track.kind === SPAN && recording.nodeOf(track.row) === waiter)
			for (let i = track.from; i < track.to; i++)
				if (head.cats[cat[i]].role === "wait")
					items.push(i);
	items.sort((a, b) => t1[b] - t0[b] - t1[a] + t0[a]);
	for (const item of items.slice(0, MOST_WAITS)) {
		const { parts } = t1[item] - t0[item] > most ? await accountOf(recording, item) : { parts: null };

		if (!parts || pid && !(await recording.attributes(item)).some(({ name, text }) => name === "pid" && text === pid))
			continue;
		const holds = merged(parts).filter(({ cat: held }) => held);
		const part = holds.find(({ row }) => recording.nodeOf(row) === because);
		const ns = isNode ? (part ? part.ns : 0) : holds.length ? 0 : t1[item] - t0[item];

		if (ns > most) {
			most = ns;
			best = item;
			hold = part ? spanOf(recording, part, item) : -1;
		}
	}
	if (best < 0) {
		app.setFilter(`"${waiter}"`);
		return;
	}
	const found = [best, ...(hold < 0 ? [] : [hold])];

	show(app, { item: best, framed: [{ item: best, hold }], rows: found.map((each) => recording.rowAt(each)) });
}

/** The waits of a chain at an instant, "node 1 a 7 > gfs/inode 5 > node 2 b 8", and the holds in their way; false: there are none. */
function goToChain(app: App, text: string, at: number): boolean {
	const { recording, recording: { head, t0, t1, cat, tracks } } = app;
	const words = text.split(" > "), framed: { item: number; hold: number }[] = [];
	const spanOf = (what: string, who: string, role: string) => {
		const rows = app.names.of(what).flatMap((row) => recording.children[row]).filter((row) => `${who} `.startsWith(recording.name(row) + " "));

		for (const row of rows)
			for (const number of recording.tracksOf[row])
				for (let i = recording.after(tracks[number], at); tracks[number].kind === SPAN && i < tracks[number].to && t0[i] <= at; i++)
					if (t1[i] > at && head.cats[cat[i]].role === role && !head.cats[cat[i]].faint)
						return i;
		return -1;
	};

	for (let i = 0; i + 2 < words.length; i += 2) {
		const item = spanOf(words[i + 1], words[i], "wait");

		if (item >= 0)
			framed.push({ item, hold: spanOf(words[i + 1], words[i + 2], "hold") });
	}
	if (framed.length)
		show(app, { item: framed[0].item, framed, rows: [...new Set(framed.flatMap(({ item, hold }) => [item, hold]).filter((item) => item >= 0).map((item) => recording.rowAt(item)))] });
	return framed.length > 0;
}

/** The longest span of kinds, or their first event. */
function longestOf({ recording }: App, cats: Set<number>): number {
	const { t0, t1 } = recording;
	let best = -1;

	for (const track of recording.tracks)
		for (let i = track.from; i < track.to; i++)
			if (cats.has(recording.ownCat(i)) && (best < 0 || t1[i] - t0[i] > t1[best] - t0[best]))
				best = i;
	return best;
}

/** What a click on a row of a table does; null: it has no place. */
export function actionOf(app: App, table: Table, row: Row): (() => void) | null {
	const { head } = app.recording;
	const first = (kind: string) => table.columns.findIndex((column) => column.kind === kind);
	const value = (i: number) => i < 0 || row.cells[i] === null || row.unknown.has(i) ? null : row.cells[i] as number;
	const text = (name: string) => String(row.cells[columnOf(table, name)] ?? "");
	const place = value(first("row")), when = value(first("instant")), length = value(first("ns")) || 0;
	const time = (ns: number) => () => app.markTime(when!, when! + ns);
	const kinds = (fits: (cat: number) => boolean) => {
		const cats = new Set(app.recording.present.filter(fits));

		return cats.size ? () => app.select(longestOf(app, cats), true) : null;
	};

	if (row.others)
		return null;
	switch (table.name) {
	case "cycles":
		return () => {
			if (!goToCycle(app, Number(row.cells[columnOf(table, "cycle")])))
				time(length)();
		};
	case "chains":
		return () => {
			if (!goToChain(app, text("chain"), when!))
				time(value(columnOf(table, "longest_ns")) || 0)();
		};
	case "blame":
		if (first("row") < 0)
			return () => goToBlame(app, text("waiter"), "", text("because"));
		break;
	case "blame_processes":
		return () => goToBlame(app, text("waiter"), text("waiting_process").split(" ").pop()!, text("holder"));
	case "views":
		return () => goToView(app, text("view"));
	case "ranges":
		return () => app.markTime(when!, value(columnOf(table, "end"))!);
	case "results":
		return kinds((cat) => cat === value(first("category")) || head.cats[cat].name === text("event") && head.types[head.cats[cat].type].kind !== "link");
	case "link_ends":
		return kinds((cat) => head.types[head.cats[cat].type].kind === "link" && [head.types[head.cats[cat].type].title,
			`${head.types[head.cats[cat].type].title}: ${head.cats[cat].name}`].includes(text("link")));
	}
	if (place !== null)
		return () => goTo(app, place, when, length);
	if (first("row") < 0 && when !== null)
		return time(length);
	const node = ["node", "waiter", "node_a"].map(text).find((name) => app.names.of(name).length);

	return node ? () => app.setFilter(`"${node}"`) : null;
}
