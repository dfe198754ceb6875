// SPDX-License-Identifier: GPL-2.0-or-later
// Modules of the page about the file: blocks that are encoded here by hand, read and searched.
import assert from "node:assert/strict";
import test from "node:test";
import { deflateRawSync } from "node:zlib";
import { pairsOf, valueOf } from "page/attrs";
import { Store } from "page/store";

/** Numbers of variable length. */
function varints(numbers) {
	const bytes = [];

	for (let number of numbers.map(BigInt)) {
		for (; number > 127n; number >>= 7n)
			bytes.push(Number(number & 127n) | 128);
		bytes.push(Number(number));
	}
	return bytes;
}
const column = (numbers) => [...varints([varints(numbers).length]), ...varints(numbers)];
const block = (bytes) => deflateRawSync(Uint8Array.from(bytes)).toString("base64");

/* rows 1 and 2; spans have a process and a signed number, points a name, counters nothing */
const SPAN = 1, POINT = 2, SAMPLE = 3;
const type = (kind, attrs) => ({ kind, name: kind, title: kind, on: 0, role: "", repeats: 0, attrs: attrs.map(([name, format]) => ({ name, format })) });
const head = (n, more = {}) => ({
	n, from: 0, to: 1000, nodes: [], rows: { name: ["", "a", "b"], type: [0, 0, 0], parent: [0, 0, 0] },
	types: [type("row", []), type("span", [["pid", "uint"], ["by", "int"]]), type("point", [["pid", "uint"], ["name", "str"]]), type("counter", [])],
	cats: [{ type: 0 }, { type: 1 }, { type: 2 }, { type: 3 }], ...more,
});

/**
 * A store of items in order of their ends: [row, category, end, length or value]; attributes are what is written: each the
 * difference (exclusive or) to the one before of its type, on its row.
 */
function storeOf(items, attrs, strings = [], more = {}) {
	const store = new Store(() => {}), ends = items.map(([, , end]) => end);
	const of = (cat, fourth) => items.filter((item) => item[1] === cat).map(fourth);
	const columns = [items.map(([row]) => row), items.map(([, cat]) => cat), items.map(() => 0), items.map((item) => item[4] || 0),
		ends.map((end, i) => end - (i ? ends[i - 1] : 0)), of(SPAN, (item) => item[3] + 1), of(SAMPLE, (item) => 2 * item[3]), [], [], []];

	store.add([["head", block(Buffer.from(JSON.stringify(head(items.length, more))))]]);
	store.add([["items", block([...varints([items.length]), ...columns.flatMap(column)])],
		["attrs", block(attrs.flatMap(([type, ...each]) => [...varints([type, each.length]), ...each.flatMap(column)]))]]);
	store.add([["strings", block(strings.flatMap((text) => [...varints([text.length]), ...Buffer.from(text)]))]]);
	return store;
}

test("texts of values, and values of texts", () => {
	const texts = ["", "load", "7", "load"];
	const check = (format, low, high, text) => {
		const value = valueOf({ name: "x", format }, low, high, texts);

		assert.equal(value && value.text, text);
		if (text !== null)
			assert(pairsOf({ name: "x", format }, text, texts).some(([l, h]) => l === low && h === high), `${format} ${text}`);
	};

	check("uint", 0, 0, null);
	check("uint", 208, 0, "208");
	check("uint", 0xffffffff, 0xffffffff, "18446744073709551615");
	check("int", 2, 0, "1");
	check("int", 3, 0, "-2");
	check("int", 0xffffffff, 0xffffffff, "-9223372036854775808");
	check("hex", 0x10, 1, "0x100000010");
	check("str", 2, 0, "load");
	check("str", 15, 0, "7"); /* a number, and the text with that digit */
	assert.deepEqual(pairsOf({ name: "x", format: "str" }, "7", texts), [[4, 0], [15, 0]]);
	assert.deepEqual(pairsOf({ name: "x", format: "str" }, "load", texts), [[2, 0], [6, 0]], "a text may be there twice");
	for (const other of ["0208", "208 ", "0xd0", "2e2", "99999999999999999999999", "-1", "0", ""])
		assert.deepEqual(pairsOf({ name: "x", format: "uint" }, other, texts), [], other);
	assert.deepEqual(pairsOf({ name: "x", format: "hex" }, "0X1F", texts), []);
	assert.deepEqual(pairsOf({ name: "x", format: "int" }, "-0", texts), []);
});

/* pids 7, 8, 7 of the spans of row 1, 7 of row 2, 9 of the point */
const ITEMS = [[1, SPAN, 100, 50], [2, SPAN, 150, 140], [1, SPAN, 200, 100], [1, POINT, 210], [1, SAMPLE, 220, 5], [1, SPAN, 300, 20]];
const ATTRS = [[1, [7, 7, 7 ^ 8, 8 ^ 7], [3, 0, 0, 0]], [2, [9], [2]]];

test("items by track", async () => {
	/* what stands for others has its number beside the values of counters */
	const store = storeOf(ITEMS, ATTRS, ["swap"]), all = await store.load();

	assert.deepEqual(all.tracks.map(({ row, kind, depth, from, to }) => [row, kind, depth, from, to]),
		[[1, 1, 0, 0, 3], [2, 1, 0, 3, 4], [1, 2, 0, 4, 5], [1, 3, 0, 5, 6]]);
	assert.deepEqual([...all.t0], [50, 100, 280, 10, 210, 220]);
	assert.deepEqual([...all.t1], [100, 200, 300, 150, 210, 5]);
	assert.deepEqual([...all.order], [0, 2, 5, 1, 3, 4]);
	assert.deepEqual(all.present, [1, 2, 3]);
	assert.equal(all.toRow.length, 0);
});

test("attributes of items", async () => {
	const store = storeOf(ITEMS, ATTRS, ["swap"]);

	await store.load();
	const texts = async (number) => (await store.attributes(number)).map(({ name, text }) => `${name}=${text}`);

	assert.deepEqual(await texts(0), ["pid=7", "by=-2"]);
	assert.deepEqual(await texts(1), ["pid=7"]);
	assert.deepEqual(await texts(2), ["pid=8", "by=-2"], "each is written as what differs on its row");
	assert.deepEqual(await texts(3), ["pid=9", "name=swap"]);
	assert.deepEqual(await texts(4), [], "a counter has none");
});

test("a search finds items by attributes and lengths", async () => {
	const store = storeOf(ITEMS, ATTRS, ["swap"]);

	await store.load();
	const find = async (attrs, lengths = [], rows = null) => {
		const { mask, hits, rows: on } = await store.find({ rows, lengths, attrs: attrs.map((word) => {
			const [, no, name, value] = /^(!?)(\w+)=(.*)$/.exec(word);

			return { no: !!no, name, value };
		}) });

		assert.deepEqual([...mask].flatMap((set, item) => set ? [item] : []), [...hits].sort((a, b) => a - b));
		return [[...hits], [...on]];
	};

	/* items by track: 0 to 2 are the spans of row 1, 3 that of row 2, 4 the point; hits by their begins */
	assert.deepEqual(await find(["pid=7"]), [[3, 0, 2], [0, 1, 1]]);
	assert.deepEqual(await find(["pid=7"], [], Uint8Array.of(0, 1, 0)), [[0, 2], [0, 1, 0]]);
	assert.deepEqual(await find(["!pid=7"]), [[1, 4], [0, 1, 0]]);
	assert.deepEqual(await find(["pid=7", "by=-2"]), [[0, 2], [0, 1, 0]]);
	assert.deepEqual(await find(["name=swap"]), [[4], [0, 1, 0]]);
	assert.deepEqual(await find(["name=swop"]), [[], [0, 0, 0]]);
	assert.deepEqual(await find(["none=1"]), [[], [0, 0, 0]], "nothing has such an attribute");
	assert.deepEqual(await find(["!none=1"]), [[3, 0, 1, 4, 2], [0, 1, 1]]);
	assert.deepEqual(await find([], [{ least: 60, most: Infinity }, { least: 0, most: 120 }]), [[1], [0, 1, 0]]);
	const [first, second] = await Promise.all([store.find({ rows: null, lengths: [], attrs: [{ no: false, name: "pid", value: "7" }] }),
		store.find({ rows: null, lengths: [], attrs: [{ no: false, name: "pid", value: "8" }] })]);

	assert.equal(first, null, "a later search ends an earlier one");
	assert.deepEqual([...second.hits], [1]);
});

test("items alike, values by item, and how many there are at a time", async () => {
	const store = storeOf(ITEMS, ATTRS, ["swap"]);

	await store.load();
	assert.deepEqual(await store.frequent("pid", 9), ["7", "8", "9"]);
	assert.deepEqual(await store.frequent("pid", 1), ["7"]);
	assert.deepEqual(await store.alike(0, 1, "pid", "7", 1), { items: [0, 3, 2], next: -1 });
	assert.deepEqual(await store.alike(4, 1, "pid", "7", -1), { items: [3, 0], next: -1 });
	assert.deepEqual(await store.alike(0, 1, "pid", "6", 1), { items: [], next: -1 });
	const { texts, value } = await store.values("pid");

	assert.deepEqual([...value].slice(0, 5).map((at) => texts[at]), ["7", "8", "7", "7", ""], "of spans alone");
	/* 50..100 and 10..150 and 100..200 and 280..300, in columns of 100 */
	const { values } = await store.busy(Uint8Array.of(0, 1, 0, 0), 10);

	assert.deepEqual([...values].map((each) => Math.round(each * 100)), [140, 150, 20, 0, 0, 0, 0, 0, 0, 0]);
});
