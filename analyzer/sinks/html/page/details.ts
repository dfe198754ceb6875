// SPDX-License-Identifier: GPL-2.0-or-later
// The selection: a state or an event with all that is known of it, or a marked interval.
import { App } from "./app";
import { command } from "./command";
import { button, copy, dot, going, make, number, tableOf } from "./dom";
import { explain } from "./explain";
import { chainTable, endsList } from "./links";
import { max, min } from "./maths";
import { BACKWARDS, FLAG_NAMES, LINK, MERGED, POINT, Recording, SPAN, Value } from "./model";
import { kinds, sumsOf } from "./sums";
import { named } from "./table";
import { Wait, waitsOf } from "./waits";
import { absolute, count, duration, exact, percent, seconds } from "./time";

/** Letters of an attribute that are shown. */
const LONG = 4000;

export function details(app: App, panel: HTMLElement): void {
	if (app.selected >= 0)
		item(app, panel, app.selected);
	else if (app.mark && app.mark.to > app.mark.from)
		interval(app, panel, app.mark.from, app.mark.to);
	else
		panel.append(
			make("p", { style : { color : "var(--muted)", padding : "4px 8px" } },
			     "Click a state or an event; drag to measure an interval. ",
			     copyCommand(app, app.from, app.to)));
}

function copyCommand({ recording: { head } }: App, from: number, to: number): HTMLElement {
	return button("Copy the command for this window", () => copy(command(head, from, to)));
}

function copyTimes(zero: string, from: number, to: number): HTMLElement {
	return button("Copy the times for KernelShark", () => copy(`${exact(zero, from)} ${exact(zero, to)}\n`));
}

function list(pairs: [string, Node | string][]): HTMLElement {
	return make("dl", {}, ...pairs.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

function interval(app: App, panel: HTMLElement, from: number, to: number): void {
	const { zero } = app.recording.head;
	const sums = sumsOf(app, from, to);
	const rows = kinds(app).map((kind) => ({
		kind, n: kind.counted.reduce((sum, cat) => sum + sums[cat].n, 0), ns: kind.counted.reduce((sum, cat) => sum + sums[cat].ns, 0),
	})).filter((row) => row.n);

	panel.append(make("div", { id: "details" },
		make("div", {}, make("h2", {}, "Interval"), make("div", { class: "large" }, duration(to - from)),
			list([
				["from", `${seconds(from)} (host ${absolute(zero, from)})`], ["to", `${seconds(to)} (host ${absolute(zero, to)})`],
			]),
			make("p", {}, button("Zoom to it", () => app.glide(from, to)), " · ",
				copyCommand(app, from, to), " · ", copyTimes(zero, from, to))),
		tableOf("", ["kind", "#number", "#time in the interval", "#on average at a time"], rows.map((row) => make("tr", {},
				make("td", {}, dot(app.colours.css(row.kind.cats[0])),
					row.kind.name),
				number(count(row.n)), number(row.ns ? duration(row.ns) : ""),
				number(row.ns ? (row.ns / (to - from)).toFixed(2) : ""))))));
}

function item(app: App, panel: HTMLElement, at: number): void {
	const { recording, colours } = app;
	const { head, t0, t1, cat, flags } = recording;
	const track = recording.trackAt(at);
	const span = track.kind === SPAN || track.kind === LINK, kind = recording.category(at);
	const walk = make("span", {}, button("‹ previous", () => at > track.from && app.select(at - 1, true)), " · ",
		button("next ›", () => at + 1 < track.to && app.select(at + 1, true)));
	const alike = make("span", {}, button("‹ previous", () => sameKind(app, -1)), " · ", button("next ›", () => sameKind(app, 1)));
	const held = app.picture.heldBy(at);
	/* the ends of a link are on rows of two machines */
	const within = (t: number) => track.kind === LINK ? "" : app.picture.bounds.within(track.row, t);
	const left = make("div", {});
	const marks = FLAG_NAMES.filter((_name, i) => flags[at] & 1 << i);

	left.append(make("h2", {}, dot(colours.css(cat[at])), kind.name,
		make("span", { style: { fontWeight: "400", color: "var(--muted)" } }, "  " + recording.path(track.row, " / ")), about(recording, track.row)));
	left.append(make("div", { class: "large" }, span ? (flags[at] & BACKWARDS ? "−" : "") + duration(t1[at] - t0[at]) : seconds(t0[at], 1000)));
	const pairs: [string, Node | string][] = [
		[span ? "began" : "at", `${seconds(t0[at])}${within(t0[at])} (host ${absolute(head.zero, t0[at])})`],
	];

	if (span)
		pairs.push(["ended", `${seconds(t1[at])}${within(t1[at])} (host ${absolute(head.zero, t1[at])})`], ["exactly", `${count(t1[at] - t0[at])} ns`]);
	if (recording.stands && recording.stands[at] > 1 || flags[at] & MERGED)
		pairs.push(["stands for", `${count(recording.stands![at])} that are not in this page; together as long as this`]);
	if (held >= 0)
		pairs.push(["still held", recording.category(held).name]);
	if (track.kind === LINK)
		pairs.push(...endsList(app, at));
	if (track.lane)
		pairs.push(["lane", String(track.lane)]);
	if (marks.length)
		pairs.push(["marks", marks.join(", ")]);
	const known = list(pairs);

	left.append(known);
	left.append(list([["same row", walk], ["same kind", alike], ["", make("span", {}, button("Fit", () => fitNow(app, at)), " · ", copyTimes(head.zero, t0[at], span ? t1[at] : t0[at]))]]));
	const right = make("div", {}, ...[chainTable(app), meanwhile(app, at)].filter((table) => table) as HTMLElement[]);

	panel.append(make("div", { id: "details" }, left, right));
	inTheWay(app, at, right);
	explain(app, at, panel.querySelector("#details")!, right);
	recording.attributes(at).then((values) => {
		if (app.selected !== at)
			return;
		for (const value of values)
			known.append(make("dt", {}, value.name), make("dd", { class: "mono" }, value.format === "duration" ?
				`${duration(value.number)} (${value.text} ns)` : value.text.slice(0, LONG), ...(value.text.length > LONG ? [whole(value)] : []),
			...(isIdentity(value) ? [" ", button("‹", () => walkAlike(app, at, value, -1)), " ", button("›", () => walkAlike(app, at, value, 1)),
				" ", button("filter", () => setFilterText(app, `${value.name}=${value.text}`))] : [])));
	});
}

/** What is not shown of a long attribute. */
function whole({ name, text }: Value): HTMLElement {
	return make("span", { "data-whole": name }, `… ${count(text.length)} letters `, button("copy all", () => copy(text)));
}

/** Attributes that name something: a process, a lock. */
function isIdentity(value: Value): boolean {
	return /(^|_)(id|pid|tgid|tid|ino|fd|path)$/.test(value.name) || value.format === "hex";
}

/** The next or previous item of the same process on its machine, or of the same lock on its row. */
async function walkAlike(app: App, at: number, value: Value, by: number): Promise<void> {
	const { recording } = app;
	const { row } = recording.trackAt(at), node = recording.nodeOf(row);
	const here = value.format === "hex" || value.name === "fd" ? (other: number) => recording.rowAt(other) === row :
		(other: number) => recording.nodeOf(recording.rowAt(other)) === node;
	const found = await recording.alike(at, value.name, value.text, by, (other) => here(other) && (!app.mask || app.mask[other] > 0));

	if (found >= 0)
		app.select(found, true);
}

function setFilterText(app: App, text: string): void {
	const field = document.getElementById("filter") as HTMLInputElement;

	field.value = text;
	app.setFilter(text);
}

function fitNow(app: App, at: number): void {
	const { t0, t1 } = app.recording;
	const length = app.recording.trackAt(at).kind === POINT ? 0 : t1[at] - t0[at];
	const around = max(length, 1000) * 0.6;

	app.glide(t0[at] - around, t0[at] + length + around);
}

/** The next or previous item of the same category on any row that is shown. */
export function sameKind(app: App, by: number): void {
	const { recording, selected, tree } = app;
	const { t0, tracks } = recording;

	if (selected < 0) {
		app.selectFirst();
		return;
	}
	let best = -1;
	const after = (a: number, b: number) => (t0[a] - t0[b] || a - b) * by > 0;

	for (const track of tracks) {
		if (track.type !== recording.trackAt(selected).type || tree.rowsOn && tree.rowsOn[track.row] !== 1)
			continue;
		for (let i = by > 0 ? recording.from(track, t0[selected]) : min(recording.from(track, t0[selected] + 1), track.to) - 1;
			i >= track.from && i < track.to; i += by) {
			if (recording.ownCat(i) !== recording.ownCat(selected) || !after(i, selected) || app.mask && !app.mask[i])
				continue;
			if (best < 0 || after(best, i))
				best = i;
			break;
		}
	}
	if (best >= 0)
		app.select(best, true);
}

/** Of a call: what its process waited for, and which part of the call that was. */
async function inTheWay(app: App, at: number, right: HTMLElement): Promise<void> {
	const { recording } = app;
	const { head, t0, t1 } = recording;
	const waits = app.waits && app.waits.of === at ? app.waits.list : await waitsOf(recording, at);

	if (app.selected !== at || !waits)
		return;
	const begin = t0[at], length = max(t1[at] - begin, 1);
	if (!waits.length)
		return;
	if (!app.waits || app.waits.of !== at)
		app.setWaits(at, waits);
	const by = waits.slice().sort((a, b) => b.ns - a.ns || a.item - b.item);

	right.querySelector(".meanwhile")!.replaceWith(make("div", { class: "tools" }, make("button", { onclick: () => showRows(app, waits) }, "Show these rows")),
		tableOf("", ["waited for", "wants", "#wait", "#of the call", "in the way", "#began"], by.slice(0, 100).map((wait) => make("tr", going(() => app.select(wait.item, true)), make("td", {}, recording.path(head.rows.parent[recording.rowAt(wait.item)] || recording.rowAt(wait.item), " / "),
			about(recording, recording.rowAt(wait.item))),
		make("td", {}, wait.wants), number(duration(wait.ns)),
		number(percent(wait.ns / length)), make("td", { class: "holds" }, ...named(app, inItsWay(recording, wait))),
		number(seconds(t0[wait.item], 1000))))));
}

/** What the resource of a row is about, after its name. */
function about(recording: Recording, row: number): HTMLElement | string {
	const text = recording.about(row);

	return text && make("span", { class: "about", style: { fontWeight: "400", color: "var(--muted)" } }, `  ${text}`);
}

/** The longest parts of a wait with their share: "node 3 EX (fileload 199) 94 %, messages 6 %". */
export function inItsWay(recording: Recording, { item, parts, rest }: Wait): string {
	if (rest !== undefined)
		return rest ? "own node" : "not observed";
	const length = max(recording.t1[item] - recording.t0[item], 1);

	return parts.slice(0, 3).filter(({ ns }, i) => !i || ns >= length / 100).map(({ name, ns, certain }) =>
		`${name.replace("held by ", "")} ${percent(ns / length)}${certain === "undecided" ? " (undecided)" : ""}`).join(", ") || "not explained";
}

/** Unfolds the rows of the waits, and pins nothing. */
function showRows(app: App, waits: Wait[]): void {
	for (const wait of waits)
		app.tree.reveal(app.recording.rowAt(wait.item));
	app.update(true);
}

/** What all nodes of the resource did during the selection: who held it, who else waited. */
function meanwhile(app: App, at: number): HTMLElement {
	const { recording, colours } = app;
	const { head, t0, t1, cat, tracks } = recording;
	const own = recording.trackAt(at);
	const begin = t0[at], end = recording.hasLength(at) ? max(t1[at], t0[at] + 1) : begin + 1;
	const rows: { row: number; item: number; ns: number }[] = [];

	for (const row of app.relatedRows(own.row))
		for (const number of recording.tracksOf[row]) {
			const track = tracks[number];

			if (track.kind !== SPAN)
				continue;
			for (let i = recording.after(track, begin); i < track.to && t0[i] < end; i++)
				if (i !== at)
					rows.push({ row, item: i, ns: min(t1[i], end) - max(t0[i], begin) });
		}
	const weight = (i: number) => head.cats[cat[i]].faint ? 0 : 1;

	rows.sort((a, b) => weight(b.item) - weight(a.item) || b.ns - a.ns);
	if (!rows.length)
		return make("div", { class: "meanwhile" });
	return tableOf("meanwhile", ["meanwhile", "state", "#of it", "#share", "#began"],
		rows.slice(0, 100).map(({ row, item: i, ns }) => make("tr", going(() => app.select(i, true)), make("td", {}, recording.path(row, " / ")),
		make("td", {}, dot(colours.css(cat[i])), recording.category(i).name),
		number(duration(ns)), number(percent(ns / (end - begin))),
		number(seconds(t0[i], 1000)))));
}
