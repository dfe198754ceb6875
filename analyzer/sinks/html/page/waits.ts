// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a process waited for while it was in a call: waits on the same machine whose attribute "pid" is
 * that of the call, and that overlap it. A call that is drawn on the thread's row has no such attribute; it is that of
 * the span with the same begin and end on the file's row.
 */
import { Recording, SPAN } from "./model";

const MOST = 3000;

export interface Wait { item: number; wants: string; ns: number }

async function attr(recording: Recording, item: number, name: string): Promise<string> {
	const value = (await recording.attributes(item)).find((each) => each.name === name);

	return value ? value.text : "";
}

/** Spans of the machine, of types with an attribute "pid", that overlap [from, to). */
function* candidates(recording: Recording, node: string, from: number, to: number, role: string): Generator<number> {
	const { head, t0, cat, tracks } = recording;

	for (const track of tracks) {
		if (track.kind !== SPAN || !head.types[track.type].attrs.some((each) => each.name === "pid") || recording.nodeOf(track.row) !== node)
			continue;
		for (let i = recording.after(track, from); i < track.to && t0[i] < to; i++)
			if (head.cats[cat[i]].role === role)
				yield i;
	}
}

/** The waits during an item that is a call; null if it is none, or its process is not known. */
export async function waitsOf(recording: Recording, item: number): Promise<Wait[] | null> {
	const { head, t0, t1, cat } = recording;
	const track = recording.trackAt(item), node = recording.nodeOf(track.row);
	const from = t0[item], to = t1[item];
	const waits: Wait[] = [];

	if (track.kind !== SPAN || head.cats[cat[item]].role !== "call" || !node || !head.cats.some((kind) => kind.role === "wait"))
		return null;
	let pid = await attr(recording, item, "pid");

	if (!pid)
		for (const other of candidates(recording, node, from, to, "call"))
			if (t0[other] === from && t1[other] === to && !pid)
				pid = await attr(recording, other, "pid");
	if (!pid)
		return null;
	let n = 0;

	for (const other of candidates(recording, node, from, to, "wait")) {
		if (++n > MOST)
			break;
		if (await attr(recording, other, "pid") !== pid)
			continue;
		waits.push({ item: other, wants: await attr(recording, other, "to"), ns: Math.min(t1[other], to) - Math.max(t0[other], from) });
	}
	return waits.sort((a, b) => t0[a.item] - t0[b.item] || a.item - b.item);
}

/** Time in [from, to) that at least one of the waits covers, as pieces. */
export function covered(recording: Recording, waits: Wait[], from: number, to: number): { from: number; to: number }[] {
	const pieces: { from: number; to: number }[] = [];

	for (const { item } of waits) {
		const begin = Math.max(recording.t0[item], from), end = Math.min(recording.t1[item], to);
		const last = pieces[pieces.length - 1];

		if (last && begin <= last.to)
			last.to = Math.max(last.to, end);
		else
			pieces.push({ from: begin, to: end });
	}
	return pieces;
}
