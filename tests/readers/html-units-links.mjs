// SPDX-License-Identifier: GPL-2.0-or-later
// Modules of the page about links: chains, arrows, and the pointer on them.
import assert from "node:assert/strict";
import test from "node:test";
import { FEW_LINKS, arrowAt, linksShown } from "page/arrows";
import { Ends, MOST_LINKS, MOST_STEPS, chainOf } from "page/chain";
import { command } from "page/command";
import { recordingOf } from "./html-sample.mjs";

const A = 3, B = 4, C = 6, D = 7; /* rows of nodes */

/* A waits 0 to 100; asks B, which is in 10 to 60 and asks C at 40; C answers B at 55, B answers A at 60. D is apart. */
const spans = [[A, 0, 3, 0, 100], [A, 0, 2, 100, 500], [B, 0, 1, 10, 70], [C, 0, 1, 41, 56], [D, 0, 1, 0, 900]];
const links = [[A, 0, 5, B, 0, 12], [B, 0, 40, C, 0, 45], [C, 0, 55, B, 0, 57], [B, 0, 60, A, 0, 100], [B, 0, 11, D, 0, 20], [D, 0, 30, D, 0, 31]];

/** Steps of the chain of an item: "2 40-45" is two steps after the selection, from 40 to 45. */
function steps(recording, item) {
	const found = chainOf(recording, new Ends(recording), item);
	const key = (link) => `${recording.t0[link]}-${recording.t1[link]}`;

	return { ...found, steps: found.steps.map(({ link, step }) => `${step} ${key(link)}`).sort() };
}
const spanAt = (recording, row, t0) => [...recording.t0].findIndex((begin, i) => begin === t0 && recording.trackAt(i).row === row && recording.trackAt(i).kind === 1);

test("a chain follows links in both directions, and none that left before the arrival", () => {
	const recording = recordingOf(spans, 3, links);
	const { steps: found, cut } = steps(recording, spanAt(recording, A, 0));

	/* 11-20 leaves B before the question of A has arrived there; 30-31 touches nothing of the chain */
	assert.deepEqual(found, ["-1 60-100", "-2 55-57", "1 5-12", "2 40-45"]);
	assert(!cut);
	const link = [...recording.linkTo.keys()].find((at) => recording.t0[at] === 40);

	assert.deepEqual(steps(recording, link).steps, ["-1 5-12", "0 40-45", "1 55-57", "2 60-100"], "a link is followed from both of its ends");
	assert.deepEqual(steps(recording, spanAt(recording, A, 100)).steps, ["-1 60-100", "-2 5-12", "-2 55-57", "-3 40-45"]);
});

test("a link that arrives and one that leaves at one instant inside a span are one event, and not the span's", () => {
	/* B waits 0 to 100 on its own account; at 40 a call of A is carried on from there to C */
	const recording = recordingOf([[A, 0, 1, 30, 60], [B, 0, 1, 0, 100], [C, 0, 1, 50, 70]], 3, [[A, 0, 31, B, 0, 40], [B, 0, 40, C, 0, 50], [B, 0, 80, D, 0, 90]]);

	assert.deepEqual(steps(recording, spanAt(recording, A, 30)).steps, ["1 31-40", "2 40-50"]);
	assert.deepEqual(steps(recording, spanAt(recording, B, 0)).steps, ["1 80-90"]);
	assert.deepEqual(steps(recording, spanAt(recording, C, 50)).steps, ["-1 40-50", "-2 31-40"]);
});

test("a link that arrives before it leaves keeps its direction", () => {
	const recording = recordingOf([[A, 0, 3, 0, 100], [B, 0, 1, 0, 50]], 3, [[A, 0, 40, B, 0, 30]]);

	assert.deepEqual(steps(recording, spanAt(recording, A, 0)).steps, ["1 30-40"]);
	assert.deepEqual(steps(recording, spanAt(recording, B, 0)).steps, ["-1 30-40"]);
});

test("a chain is bounded in steps and links, and says so", () => {
	const long = Array.from({ length: 30 }, (_none, i) => [i % 2 ? A : B, 0, 10 * i, i % 2 ? B : A, 0, 10 * i + 5]);
	const recording = recordingOf([[A, 0, 1, 0, 4], [A, 0, 1, 4, 1000], [B, 0, 1, 0, 1000]], 3, long.slice(1));
	const chain = steps(recording, spanAt(recording, A, 4));

	assert(!chain.cut, "all leave the same two spans");
	const ladder = Array.from({ length: 20 }, (_none, i) => [A, i, 10 * i, A, i + 1, 10 * i + 5]);
	const rungs = Array.from({ length: 21 }, (_none, i) => [A, i, 1, Math.max(0, 10 * i - 6), 10 * i + 1]);
	const deep = recordingOf(rungs, 3, ladder);

	assert.equal(steps(deep, spanAt(deep, A, 0)).steps.length, MOST_STEPS);
	assert(steps(deep, spanAt(deep, A, 0)).cut);
	const many = recordingOf([[A, 0, 1, 0, 1000], [B, 0, 1, 0, 1000]], 3, Array.from({ length: 300 }, (_none, i) => [A, 0, i, B, 0, i + 5]));

	assert.equal(steps(many, spanAt(many, A, 0)).steps.length, MOST_LINKS);
	assert(steps(many, spanAt(many, A, 0)).cut);
});

test("all links are shown where they are few, else those of the selection", () => {
	const recording = recordingOf([[A, 0, 1, 0, 1000], [B, 0, 1, 0, 1000]], 3, Array.from({ length: 300 }, (_none, i) => [A, 0, 3 * i, B, 0, 3 * i + 1]));
	const shown = (from, to, chain = null) => linksShown({ shown: { from, to, hidden: new Set(), chain }, recording }).length;

	assert.equal(shown(0, 100), 34);
	assert.equal(shown(0, 1000), 0);
	assert(300 > FEW_LINKS);
	const link = [...recording.linkTo.keys()][7];

	assert.equal(shown(0, 1000, { steps: [{ link, step: 1 }] }), 1);
});

test("the pointer finds an arrow that it is on", () => {
	const drawn = [{ link: 7, x0: 0, y0: 0, x1: 100, y1: 50 }, { link: 8, x0: 0, y0: 90, x1: 100, y1: 90 }];

	assert.equal(arrowAt(drawn, 50, 25, 4), 7, "a curve passes through the middle between its ends");
	assert.equal(arrowAt(drawn, 20, 88, 4), 8);
	assert.equal(arrowAt(drawn, 50, 60, 4), -1);
});

test("the command for a window repeats what the page was made with", () => {
	const head = { zero: "5000000000", origin: "3000000000", repeated: ["--map", "1=guest 1", "--select", "*/res0?"],
		inputs: [{ path: "trace.dat" }, { path: "it's.dat" }, { path: "-x.dat" }] };

	assert.equal(command(head, 5e8, 1.5e9), "iotrace-analyze --from 2.500000000 --to 3.500000000 --map '1=guest 1' --select '*/res0?' " +
		"-o html,max=0:window.html trace.dat 'it'\\''s.dat' ./-x.dat");
});
