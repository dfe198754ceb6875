// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The answers on top of the page: a card says one of them in a clause with its number, and a click on it takes the picture
 * there. All are rows of published tables. While one works in the picture they are one line.
 */
import { App } from "./app";
import { byId, make, on } from "./dom";
import { copiesOf } from "./explain";
import { linked } from "./linked";
import { max } from "./maths";
import { Table, UNKNOWN } from "./model";
import { Row, account, cellText, columnOf, reasonsOf, rowsOf, sentenceOf } from "./table";
import { count, duration, percent } from "./time";

/** Where a click goes: a span to select, others to frame, rows to pin. */
export interface Place { item: number; framed: { item: number; hold: number }[]; rows: number[]; /** A circular wait. */ cycle?: boolean }
interface Card { key: string; label: string; large: string; clause: (Node | string)[]; bar?: HTMLElement; go: () => void }

/** Parts of a wait that are named, and rows that are pinned. */
const MOST_PARTS = 3, MOST_PINNED = 6;

/** A table by the names of its columns. */
class Named {
	readonly rows: Row[];
	constructor(private readonly app: App, readonly table: Table) {
		this.rows = rowsOf(table);
	}
	static of(app: App, name: string): Named | null {
		const table = app.recording.head.tables.find((each) => each.name === name);

		return table && table.rows.length ? new Named(app, table) : null;
	}
	get columns(): Table["columns"] {
		return this.table.columns;
	}
	cell(row: Row, name: string): string | number | null {
		const at = columnOf(this.table, name);

		return at < 0 ? null : row.cells[at];
	}
	number(row: Row, name: string): number {
		return Number(this.cell(row, name) || 0);
	}
	text(row: Row, name: string): string {
		const at = columnOf(this.table, name);

		return at < 0 ? "" : cellText(this.app.recording, this.table, row, at);
	}
	/** A duration with its "≥". */
	long(row: Row, name: string): string {
		return (row.atLeast.has(columnOf(this.table, name)) ? "≥ " : "") + duration(this.number(row, name));
	}
}

function certainty(name: string): HTMLElement {
	return make("em", { class: "certainty " + name }, name);
}

/** Takes the picture to a place: its rows pinned and unfolded, its spans selected or framed, the window around them. */
export function show(app: App, { item, framed, rows, cycle }: Place): void {
	app.pinOnly(rows);
	if (item >= 0) {
		app.select(item, true, { framed, rows, cycle });
		app.surround([item, ...framed.map((each) => each.item)]);
		app.scrollTo(0);
	} else {
		app.visit(rows);
	}
}

/* ---- the cards */

function slowestCall(app: App): Card | null {
	const why = Named.of(app, "why"), slow = Named.of(app, "slow_calls"), table = why || slow;

	if (!table)
		return null;
	const row = table.rows[0], at = table.number(row, "row"), begin = table.number(row, "begin"), took = table.number(row, "took");
	const item = app.itemAt(at, begin, took);
	const reasons = why ? reasonsOf(why.table, row) : [];
	const [most] = reasons.slice().sort((a, b) => b.ns - a.ns);
	const waiting = slow && slow.rows.find((each) => slow.number(each, "begin") === begin && slow.number(each, "took") === took);
	/* "open of FILE by PROCESS on NODE" of the sentence of the table */
	const [what] = (table.text(row, "why") || `${table.text(row, "call")} of ${table.text(row, "row")}`).split(` took `);
	const clause: (Node | string)[] = [...linked(app, what), ": "];
	const requests = most && most.name === "requests";

	if (requests)
		clause.push(...linked(app, mainPart(sentenceOf(table.text(row, "why")).why)));
	else if (most && (most.name !== "lock" || !waiting))
		clause.push(`${percent(most.ns / took)} ${most.title}`);
	else if (waiting)
		clause.push(`${percent(slow!.number(waiting, "waited") / took)} waited, longest for `, ...linked(app, slow!.text(waiting, "resource").replace(" / ", "/")),
			...(slow!.cell(waiting, "held_by") ? [", held by ", ...linked(app, slow!.text(waiting, "held_by"))] : []));
	else
		clause.push("nothing recorded explains it");
	return {
		key: "call", label: "slowest call", large: duration(took), clause,
		bar: most && account(table.table, row, took),
		go: () => {
			const copies = item < 0 ? [] : copiesOf(app.recording, item);

			show(app, { item, framed: copies.map((each) => ({ item: each, hold: -1 })), rows: [at, ...copies.map((each) => app.recording.rowAt(each))] });
		},
	};
}

/** "94 % WRITE: file write on NODE", the greatest part of "94 % WRITE: file write on NODE, 3 % ..." */
function mainPart(why: string): string {
	return why.split(", ").reduce((most, part) => parseFloat(part) > parseFloat(most) ? part : most);
}

/** Causes of a wait, the greatest first: each with its part and the least certainty of its rows. */
function causes(holders: Named, rows: Row[]): { because: string; share: number; certainty: string }[] {
	const found = new Map<string, { because: string; share: number; certainty: string }>();

	for (const row of rows) {
		const because = holders.text(row, "because"), certain = holders.text(row, "certainty"), before = found.get(because);

		if (!before)
			found.set(because, { because, share: holders.number(row, "share"), certainty: certain });
		else
			Object.assign(before, { share: before.share + holders.number(row, "share"), certainty: before.certainty === "proved" ? certain : before.certainty });
	}
	return [...found.values()].sort((a, b) => b.share - a.share).filter(({ share }) => share >= 0.01);
}

/** The longest wait with its causes, or, without any, the longest one; @finished: of those that ended. */
function longestWait(app: App, finished: boolean): Card | null {
	const { recording } = app, waits = Named.of(app, "longest_waits"), holders = Named.of(app, "holders");
	const spanOf = (each: Row) => app.itemAt(waits!.number(each, "place"), waits!.number(each, "begin"), waits!.number(each, "waited"));
	/* missing events can make a call look like a wait */
	const surely = (each: Row) => spanOf(each) < 0 || !(recording.flags[spanOf(each)] & UNKNOWN);
	const list = waits ? waits.rows.filter((each) => !finished || !waits.cell(each, "cut")) : [];
	const row = list.find(surely) || list[0];

	if (!waits || !row)
		return null;
	const at = waits.number(row, "place"), begin = waits.number(row, "begin"), waited = waits.number(row, "waited");
	const because = holders ? holders.rows.filter((each) => holders.number(each, "waiter") === at && holders.number(each, "begin") === begin &&
		holders.number(each, "waited") === waited) : [];
	const item = spanOf(row), parent = recording.head.rows.parent[at],
	      thing = recording.thingOf(at);
	const clause: (Node | string)[] = [];

	if (because.length) {
		const who = `${recording.nodeOf(at)}${holders!.text(because[0], "waiting_process") && " " + holders!.text(because[0], "waiting_process")}`;

		clause.push(...linked(app, who), " for ", ...linked(app, recording.path(parent || at)), `, wants ${holders!.text(because[0], "asks")}; in the way: `,
			...causes(holders!, because).slice(0, MOST_PARTS).flatMap((cause, i) => [i ? ", " : "", ...linked(app, cause.because),
				` ${percent(cause.share)} `, certainty(cause.certainty)]));
	} else {
		const asked = waits.text(row, "asked");

		clause.push(...(thing ? [...linked(app, recording.name(at)), " for ", ...linked(app, recording.path(thing))] : linked(app, recording.path(at))),
			` in ${waits.text(row, "state")}`, asked ? `: ${asked}` : "");
	}
	if (!surely(row))
		clause.push("; perhaps no wait: events are missing");
	return {
		key: finished ? "finished" : "wait", label: finished ? "longest wait that ended" : "longest wait", large: waits.long(row, "waited"), clause,
		go: () => {
			const holds = because.filter((each) => holders!.cell(each, "place") !== null).map((each) => ({
				row: holders!.number(each, "place"), ns: holders!.number(each, "part"),
				/* what is held longer than its mode has no span of that length */
				hold: app.itemAt(holders!.number(each, "place"), holders!.number(each, "held_from"), 0),
			})).sort((a, b) => b.ns - a.ns).slice(0, MOST_PINNED);

			show(app, { item, framed: holds.map(({ hold }) => ({ item, hold })).filter(({ hold }) => hold >= 0), rows: [at, ...holds.map((each) => each.row)] });
		},
	};
}

/** The thread that waited most for a processor, in waits that ended, and who ran there. */
function processor(app: App, ran: Named): Card {
	const waiter = ran.number(ran.rows[0], "waiter"), runners = ran.rows.filter((row) => ran.number(row, "waiter") === waiter).slice(0, MOST_PARTS);

	return {
		key: "most", label: "most waiting for a processor", large: ran.long(ran.rows[0], "waited"),
		clause: [...linked(app, app.recording.path(waiter)), "; on it ran meanwhile: ", ...runners.flatMap((row, i) => [i ? ", " : "",
			...linked(app, ran.text(row, "ran")), ` ${percent(ran.number(row, "share"))}`, ran.cell(row, "possible") ? " possible" : ""])],
		go: () => {
			app.setWindow(app.recording.head.from, app.recording.head.to);
			show(app, { item: -1, framed: [], rows: [waiter, ...runners.map((row) => ran.number(row, "ran_row")).filter(Boolean)] });
		},
	};
}

/** The resource with the most waiting and its causes, or the row of the units with the most. */
function mostWaited(app: App): Card | null {
	const { recording, recording: { head: { rows } } } = app, table = Named.of(app, "blame_resources");
	let most = 0, waited = 0, isMore = false;
	const clause: (Node | string)[] = [];

	if (table) {
		const row = table.rows[0];

		most = table.number(row, "resource");
		waited = table.number(row, "waited");
		isMore = row.atLeast.has(table.columns.findIndex((column) => column.name === "waited"));
		clause.push(": ", ...table.columns.filter((column) => column.kind === "ns" && column.name !== "waited" && table.number(row, column.name) >= waited / 100)
			.sort((a, b) => table.number(row, b.name) - table.number(row, a.name)).slice(0, MOST_PARTS).flatMap((column, i) => [i ? ", " : "",
				`${percent(table.number(row, column.name) / waited)} ${column.title}`,
				...(column.name === "held" && table.cell(row, "held_by") ? [" (by ", ...linked(app, table.text(row, "held_by")), ")"] : [])]));
	} else {
		const better = (a: number, b: number) => {
			const nodes = (row: number) => Number(recording.children[row].some((child) => recording.rowType(child).role === "node"));

			return nodes(a) - nodes(b) || rows.wait[a] - rows.wait[b];
		};

		rows.unit.forEach((unit, row) => {
			if (unit && rows.wait[row] && !rows.hidden[row] && (!most || better(row, most) > 0))
				most = row;
		});
		if (!most)
			return recording.tracks.length && recording.head.cats.some((cat) => cat.role === "wait") ?
				{ key: "most", label: "waiting", large: "0 s", clause: ["nobody waited"], go: () => app.openTab("selection") } : null;
		waited = rows.wait[most];
		const ran = Named.of(app, "ran_meanwhile");

		if (ran && !recording.children[most].some((child) => recording.rowType(child).role === "node"))
			return processor(app, ran);
		const nodes = recording.children[most].filter((child) => recording.rowType(child).role === "node" && rows.wait[child])
			.sort((a, b) => rows.wait[b] - rows.wait[a]).slice(0, MOST_PARTS);

		clause.push(...nodes.flatMap((node, i) => [i ? ", " : ": by ", ...linked(app, recording.name(node)), ` ${percent(rows.wait[node] / waited)}`]));
		clause.push("; nothing recorded says who was in the way");
	}
	return {
		key: "most", label: table || recording.children[most].some((child) => recording.rowType(child).role === "node") ? "most waited for" : "most waiting",
		large: (isMore ? "≥ " : "") + duration(waited), clause: [...linked(app, recording.path(most)), ...clause],
		go: () => {
			app.setWindow(recording.head.from, recording.head.to);
			show(app, { item: -1, framed: [], rows: [most] });
		},
	};
}

/** Waits and holds of a cycle, with their rows. */
function cyclePlace(app: App, members: Named, rows: Row[]): Place {
	const framed = rows.map((row) => ({
		item: app.itemAt(members.number(row, "wait_row"), members.number(row, "since"), 0),
		hold: app.itemAt(members.number(row, "hold_row"), members.number(row, "held_since"), 0),
	})).filter(({ item }) => item >= 0);

	return {
		item: framed.length ? framed[0].item : -1, framed, cycle: true,
		rows: [...new Set(rows.flatMap((row) => [members.number(row, "wait_row"), members.number(row, "hold_row")]))],
	};
}

/** Shows the members of a circular wait; false: the page does not have them. */
export function goToCycle(app: App, number: number): boolean {
	const members = Named.of(app, "cycle_members");
	const rows = members ? members.rows.filter((row) => members.number(row, "cycle") === number) : [];

	if (rows.length)
		show(app, cyclePlace(app, members!, rows));
	return rows.length > 0;
}

function deadlocks(app: App): Card | null {
	const cycles = Named.of(app, "cycles"), members = Named.of(app, "cycle_members");

	if (!cycles || !members)
		return Named.of(app, "blame_resources") ? { key: "deadlocks", label: "deadlocks", large: "0", clause: ["no circular wait was seen"], go: () => app.openTab("blame_resources") } : null;
	const of = (grade: string) => new Set(members.rows.filter((row) => members.text(row, "deadlock") === grade).map((row) => members.number(row, "cycle")));
	const proved = of("proved"), possible = of("possible"), all = new Set(members.rows.map((row) => members.number(row, "cycle")));
	const first = [...proved, ...possible, ...all][0];
	const row = cycles.rows.find((each) => cycles.number(each, "cycle") === first);
	/* proved ones come first: others are left out only if all in the table are proved */
	const more = members.table.remark ? "≥ " : "", proves = proved.size === all.size ? more : "";

	return {
		key: "deadlocks", label: "deadlocks", large: `${proves}${count(proved.size)} proved`,
		clause: [possible.size ? `${count(possible.size)} possible; ` : "", ...(row && proved.size ? ["the first: ", ...linked(app, cycles.text(row, "ended"))] :
			[`${more}${count(all.size)} circular waits that ended`])],
		go: () => {
			goToCycle(app, first);
		},
	};
}

function recorded(app: App): Card {
	const { head } = app.recording, verdict = Named.of(app, "verdict"), inputs = Named.of(app, "inputs");
	const said = verdict ? verdict.text(verdict.rows[verdict.rows.length - 1], "sentence") : "";
	const lost = inputs ? inputs.rows.reduce((sum, row) => sum + inputs.number(row, "lost"), 0) : 0;
	const diagnostics = head.tables.find((table) => table.name === "diagnostics");
	const apart = diagnostics && diagnostics.rows.find((row) => row[columnOf(diagnostics, "counter")] === "clock_unsynchronised");
	const bound = max(0, ...head.inputs.flatMap((input) => (input.bound || []).filter((_each, i) => i % 2)));
	const nodes = new Set(head.inputs.map((input) => input.node)).size;
	const [first, ...rest] = said.split("; ");
	const whole = first === "No event was lost";
	const clause = apart ? ["clocks are not synchronised: times of two nodes cannot be compared", ...rest] : whole && !rest.length ?
		["no event was lost", ...(nodes > 1 && bound ? [`clocks within ${duration(bound)}`] : [])] : [...(whole ? ["no event was lost"] : [first]), ...rest];

	return {
		key: "recording", label: "recording", large: lost ? `${count(lost)} lost` : apart ? "no common clock" : whole && !rest.length ? "complete" : "in part",
		clause: linked(app, clause.join("; ")),
		go: () => {
			const [gap] = app.recording.gaps;

			app.openTab(lost || !apart ? "inputs" : "clocks");
			if (gap)
				app.glide(gap.t0 - (gap.t1 - gap.t0), gap.t1 + (gap.t1 - gap.t0));
		},
	};
}

/* ---- the strip */

/** Arrows go through the number and the names of an answer. */
function walk(event: KeyboardEvent): void {
	const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
	const all = [...(event.currentTarget as HTMLElement).querySelectorAll("button")];

	/* what the button does is no key of the picture */
	if (event.key === "Enter" || event.key === " ")
		event.stopPropagation();
	if (!by)
		return;
	event.preventDefault();
	event.stopPropagation();
	all[(all.indexOf(event.target as HTMLButtonElement) + by + all.length) % all.length].focus();
}

export function cards(app: App): void {
	const box = byId("cards"), folder = byId<HTMLButtonElement>("fold-cards");
	const waits = Named.of(app, "longest_waits"), waited = longestWait(app, false);
	/* nothing is said twice: the longest wait may be one that ended */
	const first = slowestCall(app) || (waits && waits.cell(waits.rows[0], "cut") ? longestWait(app, true) : null);
	const list = [first, waited, mostWaited(app), deadlocks(app), recorded(app)].filter((card) => card) as Card[];
	let timer = 0;
	const fold = (on: boolean) => {
		clearTimeout(timer);
		box.classList.toggle("folded", on);
		folder.setAttribute("aria-expanded", String(!on));
		folder.textContent = on ? "▸" : "▾";
	};

	box.prepend(...list.map((card) => make("div", {
		class: "card", "data-card": card.key, role: "group", "aria-label": card.label, onclick: card.go, onkeydown: (event: KeyboardEvent) => walk(event),
	}, make("small", {}, card.label), make("button", { class: "large", title: "Show it in the picture; arrows: names of this answer" }, card.large),
	make("span", { class: "clause" }, ...card.clause), ...(card.bar ? [card.bar] : []))));
	/* one stop for Tab in each answer */
	box.querySelectorAll<HTMLElement>(".name").forEach((name) => name.tabIndex = -1);
	on(folder, "click", () => fold(!box.classList.contains("folded")));
	fold(false);
	const work = () => {
		clearTimeout(timer);
		/* the second click of two must find what the first one did */
		timer = window.setTimeout(() => fold(true), app.went ? 0 : 500);
	};

	app.onSelect.push(() => (app.selected >= 0 || app.mark) && work());
	app.onWindow.push(() => (app.from > app.recording.head.from || app.to < app.recording.head.to) && work());
}
