// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a process waited for while it was in a call: waits on the same machine whose attribute "pid" is
 * that of the call, and that overlap it. A call that is drawn on the thread's row has no such attribute; it is that of
 * the span with the same begin and end on the file's row. While it waits by way of a lock of its machine, the waits of other
 * processes for that lock count, too: a worker asks the DLM for a glock of GFS2.
 */
import { Part } from "./accounts";
import { accountOf, merged, spanOf } from "./explain";
import { max, min } from "./maths";
import { Recording, SPAN } from "./model";

const MOST = 3000;

/** What a wait is made of, the longest part first, and the holds among it. */
interface Causes { parts: Part[]; holds: number[] }
/** from, to: its part of the call. rest: nobody on the machine had asked for the lock. */
export interface Wait extends Causes { item: number; wants: string; ns: number; from: number; to: number; rest?: boolean }

async function attr(recording: Recording, item: number, name: string): Promise<string> {
	const value = (await recording.attributes(item)).find((each) => each.name === name);

	return value ? value.text : "";
}

/** Spans of the machine, of types with an attribute "pid", that overlap [from, to). */
function* candidates(recording: Recording, node: string, from: number, to: number, role: string, through?: number): Generator<number> {
	const { head, t0, cat, tracks } = recording;

	for (const track of tracks) {
		if (track.kind !== SPAN || !head.types[track.type].attrs.some((each) => each.name === "pid") || recording.nodeOf(track.row) !== node)
			continue;
		for (let i = recording.after(track, from); i < track.to && t0[i] < to; i++)
			if (head.cats[cat[i]].role === role && head.types[track.type].through === through)
				yield i;
	}
}

/** The parts of a wait by way of a lock: waits of others for the lock, and the rest. */
async function partsOf(recording: Recording, item: number, own: Wait[], from: number, to: number): Promise<Wait[]> {
	const { head, t0, t1, cat, tracks, tracksOf } = recording;
	const begin = max(t0[item], from), end = min(t1[item], to), twin = head.twins && head.twins[recording.rowAt(item)] || 0;
	const parts: Wait[] = [];

	for (const at of tracksOf[twin] || [])
		for (let i = recording.after(tracks[at], begin); i < tracks[at].to && t0[i] < end; i++) {
			const part = { from: max(t0[i], begin), to: min(t1[i], end) };

			if (tracks[at].kind !== SPAN || head.cats[cat[i]].role !== "wait" || part.to <= part.from || own.some((wait) => wait.item === i))
				continue;
			const wants = await attr(recording, i, "to");

			parts.push({ item: i, wants, ns: part.to - part.from, ...await causesOf(recording, i), ...part });
		}
	const ns = end - begin - covered([...own, ...parts].sort((a, b) => a.from - b.from), begin, end)
		.reduce((sum, piece) => sum + piece.to - piece.from, 0);

	return [...parts, { item, wants: await attr(recording, item, "mode"), ns, parts: [], holds: [], from: begin, to: end, rest: twin > 0 }];
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
		const wants = await attr(recording, other, "to");

		const part = { from: max(t0[other], from), to: min(t1[other], to) };

		waits.push({ item: other, wants, ns: part.to - part.from, ...await causesOf(recording, other), ...part });
	}
	const own = waits.slice();

	for (const other of candidates(recording, node, from, to, "", 1)) {
		if (++n > MOST)
			break;
		if (await attr(recording, other, "pid") === pid)
			waits.push(...await partsOf(recording, other, own, from, to));
	}
	return waits.sort((a, b) => a.from - b.from || a.item - b.item);
}

/** What a wait is made of, as its account says. */
export async function causesOf(recording: Recording, item: number): Promise<Causes> {
	const parts = merged((await accountOf(recording, item)).parts || []);

	return { parts, holds: parts.filter(({ cat }) => cat).map((part) => spanOf(recording, part, item)).filter((hold) => hold >= 0) };
}

/** Time in [from, to) that at least one of the waits covers, as pieces. */
export function covered(waits: Wait[], from: number, to: number): { from: number; to: number }[] {
	const pieces: { from: number; to: number }[] = [];

	for (const wait of waits) {
		const begin = max(wait.from, from), end = min(wait.to, to);
		const last = pieces[pieces.length - 1];

		if (begin > end)
			continue;
		if (last && begin <= last.to)
			last.to = max(last.to, end);
		else
			pieces.push({ from: begin, to: end });
	}
	return pieces;
}
