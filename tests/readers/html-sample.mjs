// SPDX-License-Identifier: GPL-2.0-or-later
// Recordings made by hand, for the tests of the page's modules.
import { LinkEnds, Recording } from "page/model";

/**
 * A recording of a lockspace with some resources of two nodes: row 1 is the lockspace, 2 the first resource, 3 and 4 its nodes.
 * Spans are [row, lane, cat, t0, t1], links [row, lane, begin, row to, lane to, end] with ends of any order.
 */
export function recordingOf(spans, resources = 3, links = []) {
	const rows = { name: [""], type: [0], parent: [0], rank: [0], unit: [0], hidden: [0], wait: [0], worst: [0], least: [0], calls: [0], items: [0] };
	const add = (name, type, parent, unit = 0) => {
		rows.name.push(name);
		rows.type.push(type);
		rows.parent.push(parent);
		rows.unit.push(unit);
		for (const column of ["rank", "hidden", "wait", "worst", "least", "calls", "items"])
			rows[column].push(0);
		return rows.name.length - 1;
	};
	const space = add("test", 1, 0);

	for (let i = 0; i < resources; i++) {
		const resource = add("res" + i, 2, space, 1);

		for (const node of ["node 1", "node 2"])
			add(node, 3, resource);
	}
	const type = (kind, name, on, role = "") => ({ kind, name, title: name, on, role, repeats: 0, attrs: [] });
	const cat = (name, role) => ({ type: 4, name, rgb: 0, dark: 0, role });
	const head = {
		version: 1, n: spans.length + links.length, zero: "0", origin: "0", from: 0, to: 1000000, nodes: [], inputs: [], repeated: [], tables: [], rows,
		types: [{}, type("row", "lockspace", 0), type("row", "resource", 1), type("row", "node", 2, "node"), type("span", "lock", 3), type("link", "message", 0)],
		cats: [{}, cat("PR", "hold"), cat("EX", "hold"), cat("PENDING", "wait"), { ...cat("grant", ""), type: 5 }], views: [{ title: "DLM", columns: [1, 2, 3] }],
	};

	head.types[0] = type("row", "", 0);
	head.cats[0] = cat("", "");
	for (const [row, , kind, t0, t1] of spans)
		for (let at = row; at; at = rows.parent[at]) {
			rows.items[at]++;
			rows.wait[at] += kind === 3 ? t1 - t0 : 0;
		}
	const recording = new Recording(head);
	const arrows = links.map(([row, lane, begin, rowTo, laneTo, end]) => [row, lane, 4, Math.min(begin, end), Math.max(begin, end),
		{ row: rowTo, lane: laneTo }, end < begin ? 128 : 0]);
	const sorted = [...spans, ...arrows].sort((a, b) => (a[5] ? 1 : 0) - (b[5] ? 1 : 0) || a[0] - b[0] || a[1] - b[1] || a[4] - b[4]);

	recording.t0 = Float64Array.from(sorted, (span) => span[3]);
	recording.t1 = Float64Array.from(sorted, (span) => span[4]);
	recording.cat = Uint16Array.from(sorted, (span) => span[2]);
	recording.flags = Uint16Array.from(sorted, (span) => span[6] || 0);
	recording.order = Uint32Array.from(sorted, (_span, i) => i);
	const ends = sorted.flatMap((span, i) => span[5] ? [[i, span[5]]] : []);

	recording.linkTo = new LinkEnds(spans.length, Uint32Array.from(ends, ([, to]) => to.row), Uint16Array.from(ends, ([, to]) => to.lane),
		Uint32Array.from(ends.sort(([a], [b]) => recording.t1[a] - recording.t1[b]), ([i]) => i));
	recording.tracksOf = rows.name.map(() => []);
	sorted.forEach(([row, lane, , t0, , to], i) => {
		const kind = to ? 4 : 1, last = recording.tracks[recording.tracks.length - 1];

		if (last && last.row === row && last.lane === lane && last.kind === kind && (!to || recording.t1[i - 1] <= t0)) {
			last.to = i + 1;
			return;
		}
		recording.tracksOf[row].push(recording.tracks.length);
		recording.tracks.push({ row, lane, type: to ? 5 : 4, kind, depth: 0, from: i, to: i + 1 });
	});
	return recording;
}
