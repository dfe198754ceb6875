// SPDX-License-Identifier: GPL-2.0-or-later
// Why a selected wait or call lasted: its account as a bar, a sentence and a table whose rows lead to what they name.
import { Account, Part } from "./accounts";
import { App } from "./app";
import { going, make, number } from "./dom";
import { linked } from "./linked";
import { max, min } from "./maths";
import { Recording, SPAN } from "./model";
import { duration, percent } from "./time";

/** Parts that the sentence names. */
const MOST = 4;
/** Colours of parts that lead nowhere; see page.css. */
const CLASSES: { [name: string]: string } = { "waited for block devices": "device", "stolen by the host": "host", "waited for a CPU": "runnable",
	"own work": "own_work", "not explained": "rest" };

/** Where a call is drawn again, such as on the row of its file. */
export function copiesOf(recording: Recording, at: number): number[] {
	const { t0, t1, tracks } = recording, same = (i: number) => recording.category(i).name + recording.nodeOf(recording.rowAt(i)), found: number[] = [];

	for (const track of tracks)
		for (let i = track.kind === SPAN ? recording.from(track, t0[at]) : track.to; i < track.to && t0[i] === t0[at]; i++)
			if (i !== at && t1[i] === t1[at] && same(i) === same(at))
				found.push(i);
	return found;
}

/** The account of a span, or the one that a copy has. */
export async function accountOf(recording: Recording, at: number): Promise<Account> {
	const took = recording.t1[at] - recording.t0[at], ask = (i: number) => recording.store.account(recording.order[i], took);
	let account = await ask(at);

	for (const other of account.parts ? [] : copiesOf(recording, at))
		account = account.parts ? account : await ask(other);
	return account;
}

/** The span that a part of an item names: the one that covers most of its time; -1: there is none. */
export function spanOf(recording: Recording, { row, cat }: Part, at: number): number {
	const { t0, t1, tracks, tracksOf, head } = recording, from = t0[at], to = t1[at];
	let best = -1, most = 0;

	for (const track of (tracksOf[row] || []).map((at) => tracks[at]))
		for (let i = track.kind === SPAN ? recording.after(track, from) : track.to; i < track.to && t0[i] < to; i++) {
			const ns = min(t1[i], to) - max(t0[i], from);

			if (ns > most && (cat ? recording.ownCat(i) === cat : head.cats[recording.ownCat(i)].role === "wait")) {
				best = i;
				most = ns;
			}
		}
	return best;
}

/** Parts that say and name the same are one; the longest first. */
export function merged(parts: Part[]): Part[] {
	const sums = new Map<string, Part>();

	for (const { name, ns, row, cat, certain } of parts) {
		const key = [name, row, cat, certain].join(), before = sums.get(key);

		sums.set(key, { name, ns: ns + (before ? before.ns : 0), row, cat, certain });
	}
	return [...sums.values()].sort((a, b) => b.ns - a.ns);
}

/** Shows at the top of @box, and as a table in @right, why a wait or call lasted, and draws what its parts lead to. */
export async function explain(app: App, at: number, box: HTMLElement, right: HTMLElement): Promise<void> {
	const { recording, colours } = app, { t0, t1 } = recording, took = t1[at] - t0[at];

	if (!/^(wait|call)$/.test(recording.category(at).role))
		return;
	const { parts: all, least } = await accountOf(recording, at);

	if (app.selected !== at)
		return;
	if (!all) {
		if (took < least)
			box.prepend(make("p", { class: "account" }, "Not explained, to keep this page small"));
		return;
	}
	const parts = merged(all), spans = parts.map((part) => spanOf(recording, part, at));
	const share = ({ ns }: Part) => percent(ns / took);
	const go = (i: number) => () => spans[i] >= 0 ? app.select(spans[i], true) : app.visit([parts[i].row]);
	const leads = (i: number) => parts[i].row ? going(go(i)) : {};
	const colour = ({ name, row, cat }: Part) => cat ? { style: { background: colours.css(cat) } } : { class: CLASSES[name] || (row || /lock/.test(name) ? "lock" : "requests") };
	const piece = (part: Part, i: number) => {
		const { style, class: name } = colour(part) as { style?: object; class?: string };

		return make("i", { ...leads(i), tabindex: undefined, class: (name || "") + (part.row ? " go" : ""), title: `${share(part)} ${part.name}`, style: { ...style, width: part.ns / took * 100 + "%" } });
	};

	box.prepend(make("div", { class: "account" }, make("div", { class: "parts" }, ...parts.map(piece)),
		make("p", {}, ...parts.slice(0, MOST).filter(({ ns }, i) => !i || ns >= took / 100).flatMap((part, i) => [i ? ", " : "", make("b", {}, share(part)), " ", ...linked(app, part.name)]))));
	right.prepend(make("table", { class: "account" }, make("tbody", {}, ...parts.map((part, i) => make("tr", { "data-ns": part.ns, ...leads(i) },
		make("td", {}, make("i", { ...colour(part), class: "dot " + (colour(part).class || "") }), " ", part.name), number(duration(part.ns)),
		number(share(part)), make("td", {}, part.certain))))));
	app.frameParts(at, spans.filter((span) => span >= 0 && recording.rowAt(span) !== recording.rowAt(at)));
}
