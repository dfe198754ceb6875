// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The accounts in a page are those of the output jsonl, to the nanosecond; and in Chromium a selected call has them as a bar
 * whose largest part leads to what it names. The reader shares no code with the page or its writer.
 *
 * usage: node html-explain.mjs fileio|nfs|dlm PAGE JSONL
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { inflateRawSync } from "node:zlib";
import { Browser } from "./html-chromium.mjs";

const [which, page, jsonl] = process.argv.slice(2);
const blocks = { head: [], items: [], attrs: [], strings: [], parts: [], names: [] };

for (const [, part, text] of readFileSync(page, "latin1").matchAll(/<script type="text\/plain" data-part="([a-z]+)">([A-Za-z0-9+/=]*)<\/script>/g))
	blocks[part].push(inflateRawSync(Buffer.from(text, "base64")));

function* numbers(data) {
	for (let at = 0; at < data.length;) {
		let value = 0, factor = 1, byte;

		do {
			byte = data[at++];
			value += (byte & 127) * factor;
			factor *= 128;
		} while (byte & 128);
		yield [value, at];
	}
}

function columns(data) {
	const list = [];

	for (let at = 0; at < data.length;) {
		const [length, used] = numbers(data.subarray(at)).next().value;

		list.push(data.subarray(at + used, at += used + length));
	}
	return list;
}

/* by number of the item: names, and parts in ns but the last one */
const accounts = new Map(), names = ["", ...columns(blocks.names[0]).map(String)];

for (const block of blocks.parts) {
	const [item, n, name, ns, , , certain] = columns(block).map((column) => [...numbers(column)].map(([value]) => value));
	let number = 0;

	item.forEach((difference, i) => {
		number += difference;
		assert(!accounts.has(number));
		accounts.set(number, { names: name.splice(0, n[i]).map((at) => names[at]), ns: ns.splice(0, n[i] - 1), certain: certain.splice(0, n[i]) });
	});
	assert.deepEqual([name.length, ns.length, certain.length], [0, 0, 0], "all of the block is read");
}

/* what JSON Lines have: by row, end and length of the span, in their order */
const wanted = new Map();

for (const line of readFileSync(jsonl, "utf8").split("\n")) {
	const item = line.includes('"type":"part"') ? JSON.parse(line) : null;

	if (!item)
		continue;
	const { took, part, by_node: node, certainty } = item.attributes, key = `${item.row} ${item.start_ns} ${took}`;

	wanted.set(key, [...(wanted.get(key) || []), { ns: part, node, certainty: certainty || "" }]);
}

const browser = await Browser.start();
const json = async (expression) => JSON.parse(await browser.evaluate(`JSON.stringify(${expression})`));

await browser.open("file://" + resolve(page));
await browser.settle();
/* the items of the accounts, as the page reads them; and what it says of them */
const items = await json(`(({ recording: r }) => { const place = new Map([...r.order].map((number, at) => [number, at])); return ${JSON.stringify([...accounts.keys()])}.map((number) => {
	const at = place.get(number); return [number, r.path(r.trackAt(at).row), r.t0[at], r.t1[at], r.category(at).role]; }); })(iotrace)`);
const got = new Map();
let n = 0;

for (const [number, path, t0, t1, role] of items) {
	const { names: said, ns, certain } = accounts.get(number), took = t1 - t0;
	const all = [...ns, took - ns.reduce((sum, each) => sum + each, 0)], key = `${path} ${t1} ${took}`;

	assert.match(role, /^(wait|call)$/);
	assert(all.every((each) => each > 0), key);
	got.set(key, [...(got.get(key) || []), ...all.map((each, i) => ({ ns: each, name: said[i], certainty: ["", "proved", "possible", "undecided"][certain[i]] }))]);
	n++;
}
assert.deepEqual([...got.keys()].sort(), [...wanted.keys()].sort(), "the same waits and calls have an account");
for (const [key, parts] of wanted) {
	assert.deepEqual(got.get(key).map(({ ns, certainty }) => [ns, certainty]), parts.map(({ ns, certainty }) => [ns, certainty]), key);
	got.get(key).forEach(({ name }, i) => assert(!parts[i].node || !/ by | on (?!the )|of|to|from /.test(name) || name.includes(parts[i].node) ||
		/not yet|done|queue|on the way|short|^asleep, woken by /.test(name), `${key}: ${name} without ${parts[i].node}`));
}
const size = [...readFileSync(page, "latin1").matchAll(/<script type="text\/plain" data-part="(?:parts|names)">[^<]*<\/script>/g)].reduce((sum, [text]) => sum + text.length, 0);
const spans = (await json(`(({ recording: r }) => r.tracks.reduce((sum, t) => { for (let i = t.from; i < t.to; i++) sum += t.kind === 1 && /^(wait|call)$/.test(r.category(i).role); return sum; }, 0))(iotrace)`));

assert(size / spans <= 12, `${size} bytes for ${spans} waits and calls`);

/* the longest call of a process whose largest part leads elsewhere: bar, sentence, click */
const CASES = {
	fileio: { call: "read", node: "node 1", largest: /^waited for locks: inode \w+, held by node 2 EX \(fileload \d+\)$/, certain: "proved", culprit: /inode \w+\/node 1$/, also: /inode \w+\/node 2$/ },
	nfs: { call: "sync", node: "client", largest: /^WRITE: file write on server$/, certain: "", culprit: /^server\/nfsd \d+\//, also: /./ },
	dlm: { call: "", node: "", largest: /^held by node \d EX/, certain: "proved", culprit: /node \d$/, also: /./ },
};
const { call, node, largest, certain, culprit, also } = CASES[which];
const took = await json(`(({ app, recording: r }) => { let best = -1;
	for (const t of r.tracks) for (let i = t.from; t.kind === 1 && i < t.to; i++)
		if (r.category(i).role === ${JSON.stringify(call ? "call" : "wait")} && (!${JSON.stringify(call)} || r.category(i).name === ${JSON.stringify(call)} && r.nodeOf(t.row) === ${JSON.stringify(node)}) &&
			!(r.flags[i] & 63) && (best < 0 || r.t1[i] - r.t0[i] > r.t1[best] - r.t0[best])) best = i;
	app.select(best, true); return r.t1[best] - r.t0[best]; })(iotrace)`);

for (let i = 0; i < 5; i++)
	await browser.settle();
const shown = await json(`({ bar: [...document.querySelectorAll("#details .account .parts i")].map((each) => parseFloat(each.style.width)),
	rows: [...document.querySelectorAll("#details table.account tr")].map((row) => [Number(row.dataset.ns), ...[...row.children].map((cell) => cell.innerText.trim())]),
	text: document.querySelector("#details .account p").innerText, colours: [...document.querySelectorAll("#details .account .parts i")].every((each) => getComputedStyle(each).backgroundColor !== "rgba(0, 0, 0, 0)"),
	wide: document.querySelector("#details .account p").offsetWidth / document.querySelector("#details").offsetWidth })`);

assert.equal(shown.rows.reduce((sum, [ns]) => sum + ns, 0), took, "the parts add up");
assert(Math.abs(shown.bar.reduce((sum, each) => sum + each, 0) - 100) < 0.01);
assert(shown.colours && shown.wide > 0.95);
assert.deepEqual(shown.rows.map(([ns]) => ns), shown.rows.map(([ns]) => ns).sort((a, b) => b - a), "the largest first");
assert.match(shown.rows[0][1], largest);
assert.equal(shown.rows[0][4], certain);
assert(shown.text.startsWith(`${Math.round(shown.rows[0][0] / took * 100)} % ${shown.rows[0][1]}`), shown.text);
await browser.evaluate(`document.querySelector("#details .account .parts i").click()`);
for (let i = 0; i < 5; i++)
	await browser.settle();
const after = await json(`(({ app, recording: r }) => { const row = r.trackAt(app.selected).row, line = app.lines.find((each) => each.kind === "row" && each.row === row);
	return { path: r.path(row), seen: line && line.y + line.height > app.scroll && line.y < app.scroll + app.height, from: app.from, to: app.to, t0: r.t0[app.selected], t1: r.t1[app.selected],
		rows: app.lines.filter((each) => each.kind === "row").map((each) => r.path(each.row)) }; })(iotrace)`);

assert.match(after.path, culprit);
assert(after.seen && after.from <= after.t0 && after.t1 <= after.to, "its row is unfolded and in sight, and so is its time");
assert(after.rows.some((path) => also.test(path)));
assert.deepEqual(browser.errors, []);
await browser.stop();
console.log(`${which}: ${n} accounts, ${(size / spans).toFixed(1)} bytes for each of ${spans} waits and calls; the largest part leads to ${after.path}`);
