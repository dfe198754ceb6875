// SPDX-License-Identifier: GPL-2.0-or-later
// How certain times are: bounds of clocks, soft edges, and times in which a machine was not observed.
import assert from "node:assert/strict";
import test from "node:test";
import { Bounds, soften } from "page/certain";
import { inItsWay } from "page/details";
import { reasonsOf, rowsOf } from "page/table";
import { causesOf } from "page/waits";
import { recordingOf } from "./html-sample.mjs";

const BEFORE = 2, SUSPECT = 4, UNFINISHED = 1;

function withBounds(inputs, spans = [[3, 0, 1, 0, 100]]) {
	const recording = recordingOf(spans);

	recording.head.inputs = inputs.map(([node, bound]) => ({ path: node, node, protocol: "ptp", bound }));
	return new Bounds(recording);
}

test("a bound is linear between its knots, and constant outside", () => {
	const bounds = withBounds([["node 1", [-100, 10, 100, 30, 300, 20]], ["node 2", [0, 5]], ["node 3", null]]);
	const at = [-500, -100, 0, 50, 100, 200, 300, 900].map((t) => bounds.at(3, t));

	assert.deepEqual(at, [10, 10, 20, 25, 30, 25, 20, 20]);
	assert.equal(bounds.at(4, 77), 5, "row 4 is on node 2");
	assert.equal(bounds.at(2, 77), 0, "a resource is on no machine");
	assert.equal(bounds.within(4, 77), " ± 5 ns");
	assert.equal(bounds.within(2, 77), "");
});

test("several recordings of a machine have the greatest of their bounds; a bound that is not known is none", () => {
	const bounds = withBounds([["node 1", [0, 10]], ["node 1", [0, 4, 100, 24]], ["node 2", null]]);

	assert.deepEqual([0, 50, 100].map((t) => bounds.at(3, t)), [10, 14, 24]);
	assert.equal(bounds.at(4, 0), 0);
	assert.equal(withBounds([["node 1", [0, 10]], ["node 1", [0, 20]]]).at(3, 0), 0, "one machine has one clock");
});

test("only edges that were seen are soft", () => {
	const bounds = withBounds([["node 1", [0, 1]], ["node 2", [0, 1]]],
		[[3, 0, 1, 10, 20], [3, 0, 1, 30, 40, null, BEFORE], [3, 0, 1, 50, 60, null, SUSPECT], [3, 0, 1, 70, 80, null, BEFORE | UNFINISHED]]);

	assert.deepEqual([0, 1, 2, 3].map((item) => bounds.edges(item)), [[10, 20], [40], [50], []]);
});

test("a band is lightest at its edge and ends at the bound", () => {
	const ticks = [];
	const surface = { width: 100, tick: (x, y0, y1, colour, share) => ticks.push([x, colour, share]) };

	soften(surface, 50, 4, { x0: 50, x1: 90, y0: 0, y1: 9, colour: 0xff000000 }, 0xffffffff);
	assert.deepEqual(ticks.map(([x]) => x), [46, 47, 48, 49, 50, 51, 52, 53]);
	/* the middle of a column is half a px from its side: 0.5 * (1 - 3.5 / 4) ... */
	assert.deepEqual(ticks.map(([, , share]) => share), [0.0625, 0.1875, 0.3125, 0.4375, 0.4375, 0.3125, 0.1875, 0.0625]);
	assert(ticks.slice(4).every(([, colour]) => colour === 0xffffffff), "the page shows through the state");
	assert(ticks.slice(0, 4).every(([, colour]) => colour !== 0xffffffff), "the state shows before it");
	ticks.length = 0;
	soften(surface, 1, 1e6, { x0: 1, x1: 2, y0: 0, y1: 9, colour: 0xff000000 }, 0xffffffff);
	assert.equal(ticks.length, 100, "a band wider than the picture ends with it");
});

test("a machine that was not observed is so on all its rows", () => {
	const recording = recordingOf([[3, 0, 1, 0, 100]]);
	const { rows, types } = recording.head;

	/* a thread below node 1 of the first resource */
	types.push({ kind: "row", name: "thread", title: "thread", on: 3, role: "", repeats: 0, attrs: [] });
	rows.name.push("thread 7");
	rows.type.push(types.length - 1);
	rows.parent.push(3);
	recording.gaps = [{ node: "node 1", t0: 10, t1: 20 }, { node: "node 2", t0: 15, t1: 30 }, { node: "node 1", t0: 40, t1: 50 }];
	const seen = (row, from, to) => recording.unobserved(row, from, to).map(({ t0 }) => t0);

	assert.deepEqual(seen(3, 0, 100), [10, 40]);
	assert.deepEqual(seen(rows.name.length - 1, 0, 45), [10, 40]);
	assert.deepEqual(seen(4, 0, 100), [15]);
	assert.deepEqual(seen(2, 0, 100), [], "a resource is on no machine");
	assert.deepEqual(seen(3, 20, 40), [], "a gap that only touches is outside");
});

test("what is in the way of a wait are the parts of its account", async () => {
	/* node 1 waits for EX from 10 to 90; node 2 holds PR up to 40, then EX */
	const recording = recordingOf([[3, 0, 3, 10, 90], [4, 0, 1, 0, 40], [4, 1, 2, 50, 100]]);
	const part = (name, ns, row, cat, certain) => ({ name, ns, row, cat, certain });
	const inTheWay = async (parts) => {
		recording.store = { account: async () => ({ parts, least: 0 }) };
		const causes = await causesOf(recording, 0);

		return [inItsWay(recording, { item: 0, wants: "EX", ns: 80, ...causes, from: 10, to: 90 }), causes.holds];
	};
	const pr = (ns, certain) => part("held by node 2 PR", ns, 4, 1, certain), ex = (ns) => part("held by node 2 EX (a 7)", ns, 4, 2, "proved");

	assert.deepEqual(await inTheWay([part("messages", 10, 0, 0, ""), pr(30, "undecided"), ex(40)]),
		["node 2 EX (a 7) 50 %, node 2 PR 38 % (undecided), messages 13 %", [2, 1]]);
	assert.deepEqual(await inTheWay([ex(20), ex(20)]), ["node 2 EX (a 7) 50 %", [2]]);
	assert.deepEqual(await inTheWay([part("messages", 80, 0, 0, "")]), ["messages 100 %", []], "nobody held it");
	assert.deepEqual(await inTheWay([part("messages", 79.5, 0, 0, ""), ex(0.5)]), ["messages 99 %", [2]], "less than a hundredth is not named");
	assert.deepEqual(await inTheWay(null), ["not explained", []]);
});

test("reasons of a call say which of them are the least", () => {
	const table = {
		name: "why", columns: ["begin", "took", "row", "lock", "device", "host", "runnable", "own_work", "rest"].map((name) => ({ name, kind: "ns" })),
		rows: [[60, 10, 3, 4, null, null, null, null, 6], [10, 40, 3, 30, null, 0, null, null, 10]], at_least: [1, 3],
	};
	const said = (row) => reasonsOf(table, rowsOf(table)[row]).map(({ name, ns, atLeast }) => [name, ns, atLeast]);

	assert.deepEqual(said(1), [["lock", 30, true], ["rest", 10, false]]);
	assert.deepEqual(said(0), [["lock", 4, false], ["rest", 6, false]]);
});
