// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a process waited for while it was in a call: waits on the same machine whose attribute "pid" is
 * that of the call, and that overlap it. A call that is drawn on the thread's row has no such attribute; it is that of
 * the span with the same begin and end on the file's row. While it waits by way of a lock of its machine, the waits of other
 * processes for that lock count, too: a worker asks the DLM for a glock of GFS2.
 */
import { Recording, SPAN } from "./model";

const MOST = 3000;

/** A hold on another lock of the resource that excludes the mode that is asked for. undecided: events are missing that could show others. */
export interface Hold { item: number; ns: number; undecided: boolean }
/** from, to: its part of the call. rest: nobody on the machine had asked for the lock. */
export interface Wait { item: number; wants: string; ns: number; holds: Hold[]; from: number; to: number; rest?: boolean }

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
	const begin = Math.max(t0[item], from), end = Math.min(t1[item], to), twin = head.twins && head.twins[recording.trackAt(item).row] || 0;
	const parts: Wait[] = [];

	for (const at of tracksOf[twin] || [])
		for (let i = recording.after(tracks[at], begin); i < tracks[at].to && t0[i] < end; i++) {
			const part = { from: Math.max(t0[i], begin), to: Math.min(t1[i], end) };

			if (tracks[at].kind !== SPAN || head.cats[cat[i]].role !== "wait" || part.to <= part.from || own.some((wait) => wait.item === i))
				continue;
			const wants = await attr(recording, i, "to");

			parts.push({ item: i, wants, ns: part.to - part.from, holds: holdsOf(recording, i, wants), ...part });
		}
	const ns = end - begin - covered([...own, ...parts].sort((a, b) => a.from - b.from), begin, end)
		.reduce((sum, piece) => sum + piece.to - piece.from, 0);

	return [...parts, { item, wants: await attr(recording, item, "mode"), ns, holds: [], from: begin, to: end, rest: twin > 0 }];
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

		const part = { from: Math.max(t0[other], from), to: Math.min(t1[other], to) };

		waits.push({ item: other, wants, ns: part.to - part.from, holds: holdsOf(recording, other, wants), ...part });
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

/** The item itself, if it waits for a mode that others exclude; else null. */
export async function waitItself(recording: Recording, item: number): Promise<Wait | null> {
	const { head, t0, t1, cat } = recording;
	const { kind, type } = recording.trackAt(item);

	if (kind !== SPAN || head.cats[cat[item]].role !== "wait" || !head.cats.some((each) => each.type === type && each.excludes && each.excludes.length))
		return null;
	const wants = await attr(recording, item, "to");

	return { item, wants, ns: t1[item] - t0[item], holds: holdsOf(recording, item, wants), from: t0[item], to: t1[item] };
}

/** The holds in the way of a wait, the longest in its way first. */
function holdsOf(recording: Recording, wait: number, wants: string): Hold[] {
	const { head, t0, t1, cat, tracks, tracksOf } = recording;
	const own = recording.trackAt(wait);
	const mode = head.cats.find((each) => each.type === own.type && each.name === wants);
	const excludes = new Set(mode && mode.excludes || []), holds: Hold[] = [];

	for (const row of recording.children[head.rows.parent[own.row]] || [])
		for (const at of tracksOf[row]) {
			const track = tracks[at];

			/* its own lock is not in its way */
			if (track.kind !== SPAN || row === own.row && track.lane === own.lane)
				continue;
			for (let i = recording.after(track, t0[wait]); i < track.to && t0[i] < t1[wait]; i++) {
				const ns = Math.min(t1[i], t1[wait]) - Math.max(t0[i], t0[wait]);

				if (ns > 0 && excludes.has(cat[i]))
					holds.push({ item: i, ns, undecided: Math.min(t1[i], t1[wait]) > (head.unseen ?? Infinity) });
			}
		}
	return holds.sort((a, b) => b.ns - a.ns || a.item - b.item);
}

/** Time in [from, to) that at least one of the waits covers, as pieces. */
export function covered(waits: Wait[], from: number, to: number): { from: number; to: number }[] {
	const pieces: { from: number; to: number }[] = [];

	for (const wait of waits) {
		const begin = Math.max(wait.from, from), end = Math.min(wait.to, to);
		const last = pieces[pieces.length - 1];

		if (begin > end)
			continue;
		if (last && begin <= last.to)
			last.to = Math.max(last.to, end);
		else
			pieces.push({ from: begin, to: end });
	}
	return pieces;
}

/** Rows of other models with the name of a resource, and the rows below: the glock of a lock. */
export function twins(recording: Recording, resources: number[]): number[] {
	const { head } = recording, names = new Set(resources.map((row) => head.rows.name[row]));
	const types = new Set(resources.map((row) => head.rows.type[row]));
	const same = head.rows.name.map((_name, row) => row).filter((row) => row && names.has(head.rows.name[row]) &&
		!types.has(head.rows.type[row]) && recording.children[row].some((child) => recording.rowType(child).role === "node"));

	return same.flatMap((row) => [row, ...recording.children[row]]);
}
