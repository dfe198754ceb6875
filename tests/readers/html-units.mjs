// SPDX-License-Identifier: GPL-2.0-or-later
// Modules of the page, each for itself; html-units.sh bundles this with them.
import assert from "node:assert/strict";
import test from "node:test";
import { css, inkOn, luminance, palette } from "page/colour";
import { completions, valueCompletions } from "page/complete";
import { Density } from "page/density";
import { plural } from "page/drawer";
import { nearest, parseFilter } from "page/filter";
import { nameParts } from "page/linked";
import { recordingOf } from "./html-sample.mjs";
import { Shares } from "page/shares";
import { sumsOf } from "page/sums";
import { absolute, count, duration, exact, instant, parseDuration, spacing, tick } from "page/time";
import { Tree, matchRows } from "page/tree";
import { Reader, numbers, unzigzag } from "page/wire";

test("numbers of variable length keep all 64 bits", () => {
	const reader = new Reader(Uint8Array.of(0x05, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x80, 0x80, 0x80, 0x80, 0x20, 0xac, 0x02));

	assert.equal(reader.number(), 5);
	reader.pair();
	assert.deepEqual([reader.low, reader.high], [0xffffffff, 0xffffffff]);
	reader.pair();
	assert.deepEqual([reader.low, reader.high], [0, 2]);
	assert.equal(reader.number(), 300);
	assert(reader.ended);
	const out = new Float64Array(3);

	assert.equal(numbers(Uint8Array.of(1, 0xac, 2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f), out), 3);
	assert.deepEqual([...out], [1, 300, 2 ** 53 - 1]);
	assert.deepEqual([0, 1, 2, 3].map(unzigzag), [0, -1, 1, -2]);
});

test("times as the report writes them", () => {
	assert.deepEqual([0, 7, 1500, 1250000, 18019553165, 92400000000, 999999].map(duration),
		["0 s", "7 ns", "1.50 µs", "1.25 ms", "18.0 s", "92.4 s", "1.00 ms"]);
	assert.equal(instant(61681445816), "61.681445816");
	assert.equal(absolute("162044635000000", 61681445816), "162106.316446");
	assert.equal(exact("1700000000123456789", 1), "1700000000.123456790", "no digit of the host's clock is lost");
	assert.equal(count(1234567), "1\u2009234\u2009567");
	assert.deepEqual(["10ms", "1.5s", "2", "20us", "x"].map(parseDuration), [1e7, 1.5e9, 2e9, 2e4, NaN]);
	assert.deepEqual([tick(0, 1e9), tick(2e10, 1e10), tick(2e8, 1e8), tick(1.5e9, 1e8)], ["0 s", "20 s", "200 ms", "1.5 s"]);
});

test("a word of the filter is completed by attributes and names", () => {
	const names = ["inode 3346", "iopen 3346", "res07", "in", "rgrp in"], attrs = ["ino", "lkb_id", "pid"];

	assert.deepEqual(completions("in", names, attrs), ["ino=", '"inode 3346"', '"rgrp in"']);
	assert.deepEqual(completions('"INODE 33', names, attrs), ['"inode 3346"']);
	assert.deepEqual(completions("!res", names, attrs), ["res07"]);
	assert.deepEqual(completions("07", names, attrs), ["res07"]);
	assert.deepEqual(completions("dur", names, attrs), ["duration>"]);
	for (const word of ["", "!", "pid=2", "duration>1", "*/res", "res07"])
		assert.deepEqual(completions(word, names, attrs), [], word);
	assert.equal(completions("n", Array.from({ length: 50 }, (_none, i) => `n${i}`), []).length, 8);
});

test("a value is completed by what the attribute has", () => {
	const values = ["208", "20", "/a b", "s\"x", "21"];

	assert.deepEqual(valueCompletions("pid=2", values), ["pid=208", "pid=20", "pid=21"]);
	assert.deepEqual(valueCompletions("pid=20", values), ["pid=208"]);
	assert.deepEqual(valueCompletions("!path=", values), ["path=208", "path=20", 'path="/a b"', "path=21"], "no quotes in a name with quotes");
	assert.deepEqual(valueCompletions('path="/A', values), ['path="/a b"']);
});

test("tables of rows have the plural that the report has", () => {
	assert.deepEqual(["resource", "recovery", "key", "mutex", "glock"].map(plural), ["resources", "recoveries", "keys", "mutexes", "glocks"]);
});

test("labels of ticks do not touch each other", () => {
	const width = (text) => text.length * 7;

	for (const [from, to] of [[0, 1e9], [668066e3, 668084e3], [1e11, 1e11 + 300], [0, 3e16]]) {
		const distance = spacing(from, to, 1100, width);

		for (let t = Math.ceil(from / distance) * distance; t < to; t += distance)
			assert(width(tick(t, distance)) < distance / (to - from) * 1100, tick(t, distance));
	}
});

test("the filter knows paths, attributes, durations and instants", () => {
	const filter = parseFilter("*/res0? !node pid=180 duration>10ms @143.084369 101.5");
	const [row, not] = filter.rows;

	assert(row.fits("test/res07", "res07") && !row.fits("test/res17", "res17") && !row.fits("a/test/res07", "res07"));
	assert(not.no && not.fits("x/node 1", "node 1"));
	assert.deepEqual(filter.attrs, [{ no: false, name: "pid", value: "180" }]);
	assert.deepEqual(filter.lengths, [{ least: 1e7, most: Infinity }]);
	assert.equal(filter.host, "143.084369");
	assert.equal(filter.instant, 101.5e9);
	assert(parseFilter("RES").rows[0].fits("test/res07", "res07"), "upper and lower case alike");
	assert.deepEqual(parseFilter('"inode 3346" !"a b" path="x y"').rows.map(({ no, word }) => [no, word]), [[false, "inode 3346"], [true, "a b"]], "quotes keep blanks");
	assert.deepEqual(parseFilter('path="x y"').attrs, [{ no: false, name: "path", value: "x y" }]);
	assert.deepEqual(nearest("inode3364", ["rgrp 3038", "inode 3364", "res07", "inode 3364"]).slice(0, 1), ["inode 3364"]);
	assert(parseFilter("(*").rows[0].fits("(a", "(a"), "other signs mean themselves");
});

test("names in sentences", () => {
	const known = { "node 3": [7, 9], "gfs/inode 3346": [4], "node 2 load 8": [5] };
	const parts = nameParts({ of: (name) => known[name] || [] }, "held by node 2 load 8 (EX), for gfs/inode 3346, or (node 3); node 33");

	assert.deepEqual(parts.map(({ text, rows }) => [text, rows.length]), [["held by ", 0], ["node 2 load 8", 1], [" (EX), for ", 0], ["gfs/inode 3346", 1],
		[", or (", 0], ["node 3", 2], ["); node 33", 0]]);
});

const total = (shares) => {
	const sums = {};

	for (let x = 0; x < shares.columns; x++)
		shares.kinds.forEach((kind, k) => sums[kind] = (sums[kind] || 0) + shares.share[x * shares.kinds.length + k]);
	return sums;
};

test("points of a column, counted one by one or once in bins", () => {
	const n = 60000, length = 1e9, track = { row: 1, lane: 0, type: 1, kind: 2, depth: 0, from: 0, to: n };
	const recording = {
		head: { cats: new Array(5), to: length }, tracks: [track], stands: null, t0: new Float64Array(n), cat: new Uint16Array(n), flags: new Uint16Array(n),
		from: (_track, t) => recording.t0.findIndex((at) => at >= t) < 0 ? n : recording.t0.findIndex((at) => at >= t),
	};
	let random = 1;

	for (let i = 0; i < n; i++) {
		random = random * 16807 % 2147483647;
		/* a third of the time is empty */
		recording.t0[i] = random % 3 ? random / 2147483647 * length / 3 : random / 2147483647 * length / 3 + length / 3 * 2;
		recording.cat[i] = 1 + random % 4;
		recording.flags[i] = random % 1000 ? 0 : 8;
	}
	recording.t0.sort();
	const density = new Density(recording), columns = 500;
	const brute = (from, to, hidden) => {
		const counts = new Float64Array(columns), failed = new Uint8Array(columns);

		for (let i = 0; i < n; i++) {
			const x = Math.floor((recording.t0[i] - from) / (to - from) * columns);

			if (x >= 0 && x < columns && !hidden.has(recording.cat[i])) {
				counts[x]++;
				failed[x] |= recording.flags[i];
			}
		}
		return { counts, failed };
	};
	const sum = (counts, from, to) => counts.slice(Math.max(from, 0), to).reduce((a, b) => a + b, 0);

	for (const [from, to, hidden, fromBins] of [[0, length, new Set(), true], [0, length, new Set([2]), true],
		[length * 0.1, length * 0.9, new Set([1, 3]), true], [length * 0.2, length * 0.21, new Set([4]), false], [0, length, new Set([1, 2, 3, 4]), true]]) {
		const any = density.fill([0], from, to, columns, hidden, null), { counts, failed } = brute(from, to, hidden);

		assert.equal(any, sum(counts, 0, columns) > 0);
		assert.equal(density.visited > 0, !fromBins);
		for (let x = 0; x < columns; x++) {
			/* a bin lies in one column, at most one column from its points */
			assert(sum(density.counts, x - 1, x + 2) >= counts[x], `column ${x}`);
			assert(sum(counts, x - 1, x + 2) >= density.counts[x], `column ${x}`);
			assert(!failed[x] || sum(density.failed, x - 1, x + 2));
			if (!fromBins)
				assert.equal(density.counts[x], counts[x]);
		}
		assert(Math.abs(sum(density.counts, 0, columns) - sum(counts, 0, columns)) <= (from > 0 ? 200 : 0));
	}
});

test("shares of columns add up to the time of each kind", () => {
	const recording = recordingOf([[3, 0, 1, 0, 250000], [3, 0, 3, 250000, 250010], [3, 0, 2, 250010, 1000000], [4, 0, 3, 100000, 600000]]);
	const shares = new Shares(recording);

	shares.fill("all", [0, 1], 0, 1000000, 100, new Set(), null);
	const sums = total(shares);

	assert(Math.abs(sums[1] - 25) < 1e-3 && Math.abs(sums[2] - 74.999) < 1e-3 && Math.abs(sums[3] - 50.001) < 1e-3);
	assert.deepEqual(shares.kinds, [1, 2, 3], "waiting is stacked on top");
	const at = shares.kinds.indexOf(3);

	assert(shares.share[25 * 3 + at] > 1, "ten ns of a second do not vanish");
	shares.fill("all", [0, 1], 0, 1000000, 100, new Set([3]), null);
	assert.deepEqual(shares.kinds, [1, 2]);
	shares.fill("all", [0, 1], 0, 1000000, 100, new Set(), null, 3);
	assert.equal(shares.wide.length, 3, "wide spans are drawn as they are");
});

test("sums of kinds leave out waits that began in a gap", () => {
	/* SUSPECT 4, UNKNOWN 64; kind 3 is a wait */
	const recording = recordingOf([[3, 0, 3, 0, 100], [3, 0, 3, 200, 300], [3, 0, 3, 400, 450], [3, 0, 1, 500, 600]]);
	const sums = (flags) => {
		recording.flags.set(flags);
		return sumsOf({ recording, mask: null, tree: { rowsOn: null } }, 0, 1000).map(({ n, ns }) => [n, ns]);
	};

	assert.equal(recording.head.cats[3].role, "wait");
	assert.deepEqual(sums([0, 0, 0, 0]).slice(1, 4), [[1, 100], [0, 0], [3, 250]]);
	assert.deepEqual(sums([68, 4, 64, 68]).slice(1, 4), [[1, 100], [0, 0], [2, 150]], "either flag alone counts, and so do holds");
});

test("sums of many spans are those of each one", () => {
	const spans = [];
	let seed = 1;
	const random = (n) => (seed = seed * 48271 % 2147483647) % n;

	for (let row = 3; row <= 4; row++)
		for (let t = random(20); t < 999900;) {
			const end = t + 1 + random(30);

			spans.push([row, 0, 1 + random(3), t, end]);
			t = end + random(5);
		}
	const recording = recordingOf(spans), fromSums = new Shares(recording), direct = new Shares(recording);
	const mask = new Uint8Array(spans.length).fill(1);

	assert(spans.length > 40000);
	fromSums.fill("all", [0, 1], 0, 1000000, 200, new Set(), null);
	direct.fill("all", [0, 1], 0, 1000000, 200, new Set(), mask);
	for (let i = 0; i < 200 * 3; i++)
		assert(Math.abs(fromSums.share[i] - direct.share[i]) < 0.02, `${i}: ${fromSums.share[i]} ${direct.share[i]}`);
	const a = total(fromSums), b = total(direct);

	for (const kind of [1, 2, 3])
		assert(Math.abs(a[kind] - b[kind]) < 0.05);
});

test("rows are ranked, folded, filtered and revealed", () => {
	const spans = Array.from({ length: 30 }, (_none, i) => [3 + 3 * i, 0, 3, 0, 300000 - i * 9000]);
	const recording = recordingOf(spans, 30);
	const tree = new Tree(recording);
	const names = () => tree.lines(0, 1000000).filter((line) => line.kind !== "head").map((line) => line.text);

	recording.children[1].sort((a, b) => recording.head.rows.wait[b] - recording.head.rows.wait[a]);
	assert.deepEqual(names(), ["test", "res0", "node 1", "node 2", "res1", "res2", "res3", "res4", "res5", "res6", "23 more that waited less"]);
	tree.reveal(2 + 3 * 20 + 1);
	assert(names().includes("res20"), "a row that is gone to is shown");
	tree.setFilter(matchRows(recording, parseFilter("*/res1? !res17")));
	const shown = names();

	assert(shown.includes("res10") && shown.includes("res19") && !shown.includes("res17") && !shown.includes("res2"));
	tree.setFilter(null);
	tree.hideEmpty = true;
	assert(!tree.lines(999990, 1000000).some((line) => line.kind === "row" && line.depth > 1), "nothing happens there");
});

test("views that begin with the same machines show their own rows", () => {
	const recording = recordingOf([[3, 0, 2, 0, 9], [6, 0, 2, 0, 9], [9, 0, 2, 0, 9]], 3);
	const { head } = recording;

	head.types[1].role = "node";
	head.types.push({ ...head.types[2], name: "thread" });
	head.rows.type[5] = head.types.length - 1;
	head.views = [{ title: "Mounts", columns: [1, 2, 3] }, { title: "Threads", columns: [1, head.types.length - 1, 3] }];

	const tree = new Tree(recording);
	const texts = () => tree.lines(0, 1000000).map((line) => line.text);

	assert.deepEqual(texts().filter((text) => !text.startsWith("node ")), ["Mounts", "test / res0", "test / res2", "Threads", "test / res1"]);
	assert.equal(tree.viewOf(5), 1);
	assert.equal(tree.viewOf(6), 1, "the rows below are of the same view");
	assert.equal(tree.viewOf(8), 0);
});

test("texts can be read on the page and on every colour", () => {
	const contrast = (a, b) => {
		const [light, dark] = [a, b].map((text) => luminance(parseInt(text.slice(1), 16)) + 0.05).sort((x, y) => y - x);

		return light / dark;
	};

	for (const dark of [false, true]) {
		const { page, panel, ink, muted, accent, bad, selected } = palette(dark);

		for (const under of [page, panel, selected])
			assert(contrast(ink, under) >= 7, `${ink} on ${under}`);
		for (const text of [muted, accent, bad])
			for (const under of [page, panel])
				assert(contrast(text, under) >= 4.5, `${text} on ${under}: ${contrast(text, under)}`);
	}
	for (const rgb of [0x8cc6e0, 0x2e9fa3, 0x1c55d6, 0x2f1751, 0xd165f5, 0xd6401f, 0xf2a71b, 0x949469, 0xbdbda1, 0x775d9a, 0x5a4040, 0x8f6a6a])
		assert(contrast(inkOn(rgb), css(rgb)) >= 4.2, `${inkOn(rgb)} on ${css(rgb)}: ${contrast(inkOn(rgb), css(rgb))}`);
});

test("a folded row shows the states of the rows below it, not their sums again", () => {
	const recording = recordingOf([[2, 0, 3, 0, 500], [3, 0, 3, 0, 300], [4, 0, 3, 200, 500]]);
	const spansOf = (tree, row) => tree.lines(0, 1000000).find((line) => line.row === row).spans.map((at) => recording.tracks[at].row).sort();
	const folded = () => {
		const tree = new Tree(recording);

		tree.opened.set("r2", false);
		return tree;
	};

	assert.deepEqual(spansOf(folded(), 2), [2, 3, 4]);
	recording.head.types[2].stage = 1;
	assert.deepEqual(spansOf(folded(), 2), [3, 4]);
	const open = new Tree(recording);

	open.opened.set("r2", true);
	assert.deepEqual(spansOf(open, 2), [2], "unfolded, the row shows its own");
});
