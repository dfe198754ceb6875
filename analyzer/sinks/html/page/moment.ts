// SPDX-License-Identifier: GPL-2.0-or-later
// An instant: who holds and who waits then, as "iotrace-analyze at" lists it, and the events that are nearest to it.
import { App } from "./app";
import { here } from "./marks";
import { abs } from "./maths";
import { LINK, POINT, SPAN, Table } from "./model";
import { Cell } from "./table";
import { duration, seconds } from "./time";

/** States of which attributes are read; events that are listed; ns on each side of the instant that are looked at first. */
const MOST = 500, NEAREST = 100, FIRST = 1000;

function table(name: string, title: string, remark: string, columns: string, rows: Cell[][]): Table {
	return { name, title, remark, rows, columns: columns.split(", ").map((each) => {
		const [title, kind] = each.split(":");

		return { name: title, title, kind };
	}) };
}

/** Waits, and holds until they are given up, those of the things that are waited for most on top. */
async function statesAt({ recording, tree }: App, t: number): Promise<Cell[][]> {
	const { t0, t1, tracks, head: { rows } } = recording, states: number[] = [];

	for (const track of tracks)
		for (let i = track.kind === SPAN && tree.isOn(track.row) ? recording.after(track, t) : track.to; i < track.to && t0[i] <= t; i++)
			if (/hold|wait|leaving|keeping/.test(recording.category(i).role) && !recording.category(i).faint)
				states.push(i);
	const place = (i: number) => recording.rowAt(i), waited = (i: number) => rows.wait[rows.parent[place(i)]];

	states.sort((a, b) => waited(b) - waited(a) || place(a) - place(b));
	return Promise.all(states.slice(0, MOST).map(async (i) => {
		const values = await recording.attributes(i), text = (name: string) => (values.find((each) => each.name === name) || { text: "" }).text;

		return [place(i), recording.ownCat(i), recording.category(i).role === "wait" ? text("to") : "", `${text("command") || "pid"} ${text("pid")}`, t0[i], t1[i] - t0[i]];
	}));
}

/** Begins and ends of states, events, and arrivals of links, in order of time. */
function eventsNear({ recording, tree }: App, t: number): Cell[][] {
	const { t0, t1 } = recording, tracks = recording.tracks.filter(({ row, kind }) => [SPAN, POINT, LINK].includes(kind) && tree.isOn(row));
	const found: { at: number; item: number; what: string }[] = [];
	let within = FIRST;

	while (within < recording.length && tracks.reduce((n, track) => n + recording.after(track, t + within) - recording.after(track, t - within), 0) < NEAREST)
		within *= 4;
	for (const track of tracks) {
		for (let item = recording.after(track, t - within - 1); track.kind !== POINT && item < track.to && t1[item] <= t + within; item++)
			found.push({ at: t1[item], item, what: track.kind === LINK ? "arrives" : "ends" });
		for (let item = track.kind === LINK ? track.to : recording.from(track, t - within); item < track.to && t0[item] <= t + within; item++)
			found.push({ at: t0[item], item, what: track.kind === SPAN ? "begins" : "" });
	}
	return found.sort((a, b) => abs(a.at - t) - abs(b.at - t) || a.item - b.item).slice(0, NEAREST).sort((a, b) => a.at - b.at || a.item - b.item)
		.map(({ at, item, what }) => [at, (at < t ? "−" : "+") + duration(abs(at - t)), recording.rowAt(item), recording.ownCat(item), what]);
}

/** Makes both tables of the instant of the pointer, the selection or the middle of the window, and shows one. */
export async function showMoment(app: App): Promise<void> {
	const { t } = here(app), { gaps } = app.recording, name = `At ${seconds(t, 1000)}`;
	const unseen = gaps.filter((gap) => gap.t0 <= t && t < gap.t1).map(({ node }) => node);
	const states = await statesAt(app, t);

	app.moment = [table("moment", name, unseen.length ? `not observed then: ${unseen.join(", ")}` : "", "where:row, state:category, wants:text, by:text, since:instant, lasts:ns", states),
		table("nearby", name, "", "at:instant, from there:text, where:row, kind:category, what:text", eventsNear(app, t))];
	app.openTab(states.length ? "moment" : "nearby");
}
