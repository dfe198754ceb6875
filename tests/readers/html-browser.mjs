// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The page in a real browser, opened from the file system: what it shows is compared with the output text.
 *
 * usage: node html-browser.mjs PAGE TEXT
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Browser } from "./html-chromium.mjs";

const [page, text, parts, at] = process.argv.slice(2);
const said = new Map();
let longest = { ns: 0n };

for (const line of readFileSync(text, "utf8").split("\n")) {
	const item = /^(\d+) (span|point|link) "((?:[^"\\]|\\.)*)" (\S+) "((?:[^"\\]|\\.)*)"(?: (\d+))?/.exec(line);

	if (!item)
		continue;
	const [, t0, kind, path, type, name, ns = "0"] = item;
	const sum = said.get(`${kind} ${type} ${name}`) || { n: 0, ns: 0n };

	sum.n++;
	sum.ns += kind === "point" ? 0n : BigInt(ns);
	said.set(`${kind} ${type} ${name}`, sum);
	if (name === "PENDING" && BigInt(ns) > longest.ns)
		longest = { t0, path, ns: BigInt(ns) };
}
assert(said.size > 5, "the text output has items");

const browser = await Browser.start();
const evaluate = (expression) => browser.evaluate(expression);
const selected = () => evaluate(`(({ app, recording: { t0, t1, path, head }, recording }) => app.selected < 0 ? null : ({
	t0: String(BigInt(head.zero) + BigInt(t0[app.selected])), ns: t1[app.selected] - t0[app.selected],
	path: recording.path(recording.trackAt(app.selected).row), panel: document.getElementById("panel").innerText }))(iotrace)`);

async function compareSums() {
	const sums = JSON.parse(await evaluate(`JSON.stringify((({ recording }) => {
		const { head, t0, t1, cat } = recording, sums = {};
		cat.forEach((id, i) => {
			if (head.types[head.cats[id].type].kind === "counter")
				return;
			const type = head.types[head.cats[id].type], key = type.kind + " " + type.name + " " + head.cats[id].name;
			sums[key] = sums[key] || [0, 0];
			sums[key][0]++;
			sums[key][1] += t1[i] - t0[i];
		});
		return sums;
	})(iotrace))`));

	assert.deepEqual(Object.keys(sums).sort(), [...said.keys()].sort());
	for (const [key, { n, ns }] of said) {
		assert.equal(sums[key][0], n, key);
		assert.equal(BigInt(sums[key][1]), ns, key);
	}
	/* the legend says the same of the whole recording */
	const pending = said.get("span lock PENDING");
	const chip = JSON.parse(await evaluate(`JSON.stringify([...document.querySelectorAll(".chip")].filter((chip) =>
		chip.textContent.startsWith("PENDING")).map((chip) => [chip.dataset.n, chip.dataset.ns])[0])`));

	assert.deepEqual(chip, [String(pending.n), String(pending.ns)]);
}

async function firstPicture() {
	assert.equal(await evaluate("document.querySelectorAll('.sorry').length - document.querySelectorAll('noscript .sorry').length"), 0);
	assert.deepEqual(JSON.parse(await evaluate("JSON.stringify([...document.querySelectorAll('.card')].map((card) => card.dataset.card))")),
		["call", "wait", "most", "deadlocks", "recording"]);
	assert(await evaluate("[...document.querySelectorAll('.card')].every(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)"), "no answer is cut");
	assert(await evaluate("document.querySelectorAll('#names .row').length") > 10, "names of rows are text");
	const colours = await evaluate(`(() => {
		const canvas = document.getElementById("picture"), seen = new Set();
		for (const value of new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer))
			seen.add(value);
		return [0xff1ba7f2, 0xff1f40d6].map((colour) => seen.has(colour));
	})()`);

	assert.deepEqual(colours, [true, true], "waiting and EX are drawn in their colours");
}

/* A known wait by the table, a click into the picture, and the attributes. */
async function selection() {
	await evaluate(`[...document.querySelectorAll("#tabs button")].find((tab) => tab.textContent.startsWith("Why slow")).click()`);
	await evaluate(`[...document.querySelectorAll("#tables button")].find((tab) => tab.textContent.startsWith("Longest")).click()`);
	await evaluate(`document.querySelector("#panel tr.go").click()`);
	await browser.settle();
	const item = await selected();

	assert.equal(item.t0, longest.t0);
	assert.equal(BigInt(item.ns), longest.ns);
	assert.equal(item.path, longest.path);
	assert.match(item.panel, /lkb_id\s+0x/, "attributes are shown");
	assert.match(item.panel, /^96 % held by node 3 EX \(mount 193\), 4 % messages\n[^]*held by node 3 EX \(mount 193\)\s+17\.\d s\s+96 %\s+proved[^]*messages\s+\d+ ms\s+4 %/, "holders are shown");
	const place = JSON.parse(await evaluate(`JSON.stringify((({ app, recording }) => {
		const row = recording.trackAt(app.selected).row, line = app.lines.find((at) => at.kind === "row" && at.row === row);
		const box = app.picture.canvas.getBoundingClientRect();
		return [box.left + app.x((recording.t0[app.selected] + recording.t1[app.selected]) / 2), box.top + line.y - app.scroll + 9];
	})(iotrace))`));

	await browser.key("Escape");
	assert.equal(await selected(), null);
	await browser.click(...place);
	await browser.settle();
	assert.equal((await selected()).t0, longest.t0, "a click finds the state again");
}

async function link() {
	await browser.key("f");
	await browser.settle();
	await browser.settle();
	const before = await evaluate("[iotrace.app.from, iotrace.app.to, iotrace.app.selected].join()");
	const address = await evaluate("location.href");

	assert.match(address, /#w=\d+-\d+.*&s=\d+,\d+,/);
	await browser.open(address);
	await browser.settle();
	const after = await evaluate("[iotrace.app.from, iotrace.app.to, iotrace.app.selected].join()");
	const [a, b] = [before, after].map((text) => text.split(",").map(Math.round));

	assert.deepEqual(b, a, "a link leads to the same place");
	await marked();
	await browser.key("Escape");
	await browser.key("0");
	await browser.settle();
}

/* Marks A and B at the selection and the state after it, and a note; a link has them all. */
async function marked() {
	const t0 = () => evaluate("iotrace.recording.t0[iotrace.app.selected]"), first = await t0();

	await browser.key("m");
	await browser.key("ArrowRight");
	const second = await t0();

	await browser.key("m");
	await browser.key("t");
	for (const letter of "slow, & 50 %?")
		await browser.key(letter);
	await browser.key("Enter");
	await browser.settle();
	const marks = () => evaluate("JSON.stringify([iotrace.app.marks, document.getElementById('between').textContent])");
	const [{ a, b, notes }, between] = JSON.parse(await marks());

	assert.deepEqual([a, b], [first, second]);
	assert(second > first && /^A to B \d/.test(between), between);
	assert.deepEqual(notes.map(({ t, text }) => [t, text]), [[second, "slow, & 50 %?"]]);
	assert.equal(await evaluate("iotrace.recording.trackAt(iotrace.app.selected).row"), notes[0].row);
	const before = await marks();

	await browser.open(await evaluate("location.href"));
	await browser.settle();
	assert.equal(await marks(), before, "a link has marks and notes");
	await evaluate("iotrace.app.openTab('notes')");
	assert.match(await evaluate("document.getElementById('panel').textContent"), /slow, & 50 %\?/);
	/* a note without text is none */
	await evaluate(`iotrace.app.select(iotrace.app.itemAt(${notes[0].row}, ${second}, 0))`);
	await browser.key("t");
	await evaluate("document.querySelector('#ask input').value = ''");
	await browser.key("Enter");
	await browser.settle();
	assert.equal(await evaluate("iotrace.app.marks.notes.length"), 0);
	await browser.key("Escape");
	await browser.key("Escape");
	assert.equal(await evaluate("iotrace.app.marks.a"), null);
	/* the keyboard begins with a state of the first row that has one */
	await browser.key("Enter");
	await browser.settle();
	assert(await evaluate("iotrace.app.selected >= 0 && iotrace.app.lines.find((line) => line.kind === 'row' && line.row === iotrace.recording.trackAt(iotrace.app.selected).row) !== undefined"));
}

async function rows() {
	const n = () => evaluate("iotrace.app.lines.filter((line) => line.kind === 'row').length");
	const all = await n();
	const filter = async (words) => {
		await evaluate(`iotrace.app.setFilter(${JSON.stringify(words)})`);
		await browser.settle();
		return JSON.parse(await evaluate(`JSON.stringify(iotrace.app.lines.filter((line) => line.kind === "row")
			.map((line) => iotrace.recording.path(line.row)))`));
	};
	const hit = await filter("*/res0[0-2]");

	assert(hit.length >= 3 && hit.every((path) => /^[^/]+(\/res0[0-2](\/node \d)?)?$/.test(path)), hit.join("; "));
	assert.deepEqual([...new Set((await filter('"inode 3346"')).filter((path) => path.startsWith("gfs/")).map((path) => path.split("/").slice(0, 2).join("/")))],
		["gfs/inode 3346"], "a name with a blank in quotes");
	assert.deepEqual(await filter("inode3364"), []);
	const sorry = () => evaluate("document.getElementById('nofit').hidden ? '' : document.getElementById('nofit').innerText");

	assert.match(await sorry(), /^No row fits inode3364\. Names like it: .*inode 33[46]/);
	await filter("pidd=208");
	assert.match(await sorry(), /^Nothing has an attribute pidd\. Attributes like it: pid, /);
	await evaluate("document.querySelector('#nofit .name').click()");
	await browser.settle();
	assert.equal(await evaluate("document.getElementById('filter').value"), "pid=208", "a name that is like it is taken");
	assert.equal(await sorry(), "");
	/* of 440 processes those without a hit are left out: 208 is one of node 2, and its waits are its own */
	const withHits = new Set([...readFileSync(text, "utf8").matchAll(/^\d+ (?:span|point) "((?:[^"\\]|\\.)*)".* pid=208(?: |$)/gm)].map(([, path]) => path));
	const shown = (await filter("pid=208")).filter((path) => !/^[^/]*$|^gfs\/[^/]*$|^254:0\/[^/]*$/.test(path));

	assert(shown.length && shown.every((path) => [...withHits].some((hit) => hit === path || hit.startsWith(path + "/"))), shown.join("; "));
	/* the edit wins over what was there before, however soon a key follows */
	await evaluate(`(() => {
		const field = document.getElementById("filter");
		field.focus();
		field.value = "";
		field.dispatchEvent(new Event("input"));
		document.getElementById("picture").focus();
	})()`);
	await browser.key("w");
	await browser.settle();
	assert.deepEqual(JSON.parse(await evaluate("JSON.stringify([document.getElementById('filter').value, iotrace.app.filterText, iotrace.app.hits.length])")), ["", "", 0]);
	await browser.key("0");
	await browser.settle();
	assert(!(await filter("!res")).some((path) => path.includes("res")), "! leaves rows out");
	await filter("");
	assert.equal(await n(), all);
	await evaluate(`document.querySelector('#names .row[aria-expanded="false"]').click()`);
	await browser.settle();
	assert(await n() > all, "a click unfolds a row");
	await filter("duration>1s");
	const hits = await evaluate("iotrace.app.hits.length");
	const long = [...readFileSync(text, "utf8").matchAll(/^\d+ span "(?:[^"\\]|\\.)*" \S+ "(?:[^"\\]|\\.)*" (\d+)/gm)]
		.filter(([, ns]) => Number(ns) >= 1e9).length;

	assert.equal(hits, long);
	await browser.key("n");
	await browser.settle();
	assert((await selected()).ns >= 1e9, "n goes to a hit");
	await filter("lkb_id=0x3");
	const ids = readFileSync(text, "utf8").match(/ lkb_id=0x3( |$)/gm).length;

	assert.equal(await evaluate("iotrace.app.hits.length"), ids);
	await filter("");
}

/* A slow call: which part of it its process waited for locks, as the text output says. */
async function slowCall() {
	const items = readFileSync(text, "utf8").split("\n").map((line) =>
		/^(\d+) span "((?:[^"\\]|\\.)*?)(node \d+)" (\S+) "([^"]*)" (\d+)(?:.* pid=(\d+))?/.exec(line)).filter((item) => item)
		.map(([, t0, above, node, type, name, ns, pid]) => ({ t0: BigInt(t0), t1: BigInt(t0) + BigInt(ns), above, node, type, name, ns: BigInt(ns), pid }));
	const call = items.filter((item) => item.type === "use" && item.name === "open").reduce((a, b) => b.ns > a.ns ? b : a);
	let waited = 0n, until = call.t0;

	for (const wait of items.filter((item) => item.type === "lock" && item.name === "PENDING" && item.node === call.node &&
		item.pid === call.pid && item.t1 > call.t0 && item.t0 < call.t1).sort((a, b) => a.t0 < b.t0 ? -1 : 1)) {
		const begin = wait.t0 > until ? wait.t0 : until, end = wait.t1 < call.t1 ? wait.t1 : call.t1;

		if (end > begin) {
			waited += end - begin;
			until = end;
		}
	}
	assert(waited > 0n);
	/* on the row of the file, and on that of the thread, which does not name the process */
	for (const type of ["use", "io"]) {
		await evaluate(`(({ app, recording: { t0, t1, head, cat }, recording }) => app.select(t0.findIndex((begin, i) =>
			head.types[head.cats[cat[i]].type].name === "${type}" && BigInt(head.zero) + BigInt(begin) === ${call.t0}n && t1[i] - begin === ${call.ns}), true))(iotrace)`);
		await browser.settle();
		await browser.settle();
		await browser.settle();
		const locks = JSON.parse(await evaluate(`JSON.stringify([...document.querySelectorAll("#details table.account tr")].filter((row) =>
			row.innerText.trim().startsWith("waited for locks")).map((row) => Number(row.dataset.ns)))`));

		const ns = locks.reduce((sum, each) => sum + each, 0), percent = (part) => (Number(part) / Number(call.ns) * 100).toFixed(0);

		/* it waits for glocks a little longer than for locks */
		assert(ns >= Number(waited) && percent(ns) === percent(waited), `${ns} of ${waited}: ${(await selected()).panel}`);
		assert(await evaluate("iotrace.app.waits.list.length") > 0, "the waits are marked in the picture");
	}
	await browser.key("Escape");
	await browser.key("0");
	await browser.settle();
}

/* A row of the table of slow calls: the call, its waits, the holds in their way and the glocks keep their colours and are framed. */
async function slowChain() {
	/* fs/dlm/lock.c, __dlm_compat_matrix: what goes with what */
	const goesWith = { NL: "NL CR CW PR PW EX", CR: "NL CR CW PR PW", CW: "NL CR CW", PR: "NL CR PR", PW: "NL CR", EX: "NL" };
	const locks = [...readFileSync(text, "utf8").matchAll(/^(\d+) span "(gfs\/[^"]*)\/(node \d)"(?: lane=(\d+))? lock "([^"]*)" (\d+)(?:.* pid=(\d+))?(?:.* to="([^"]*)")?/gm)]
		.map(([, t0, resource, node, lane, name, ns, pid, to]) => ({ t0: Number(BigInt(t0) % 1000000000000n), ns: Number(ns), resource, node, lane, name, pid, to }));
	const overlap = (a, b) => Math.min(a.t0 + a.ns, b.t0 + b.ns) - Math.max(a.t0, b.t0);

	await evaluate(`[...document.querySelectorAll("#tabs button")].find((tab) => tab.textContent.startsWith("Why slow")).click()`);
	await evaluate(`[...document.querySelectorAll("#tables button")].find((tab) => tab.textContent.startsWith("Calls")).click()`);
	await evaluate(`[...document.querySelectorAll("#panel tr.go")].find((row) => row.textContent.startsWith("7.26 s") && row.textContent.includes("open of /mnt/own2 by fileload 208 on node 2") && row.nextSibling.textContent.startsWith("84 %")).click()`);
	for (let i = 0; i < 3; i++)
		await browser.settle();
	const call = JSON.parse(await evaluate(`JSON.stringify((({ app: { selected }, recording: { t0, t1, head } }) => [
		Number((BigInt(head.zero) + BigInt(t0[selected])) % 1000000000000n), t1[selected] - t0[selected]])(iotrace))`));
	const waits = locks.filter((lock) => lock.name === "PENDING" && lock.node === "node 2" && lock.pid === "208" && overlap(lock, { t0: call[0], ns: call[1] }) > 0);
	/* what the account says of each wait; a hold has at most the time that it overlaps */
	const all = [...readFileSync(parts, "utf8").matchAll(/^(\d+) point "([^"]*)\/(node \d)" part "([^"]*)" of="wait" took=(\d+) part=(\d+)(.*)/gm)].map(([, t1, resource, node, what, took, ns, rest]) => {
		const [by, command, pid, mode] = ["by_node", "by_command", "by_pid", "by_mode"].map((name) => (new RegExp(` ${name}="?([^" ]*( \\d)?)`).exec(rest) || [])[1]);

		return { t1: Number(BigInt(t1) % 1000000000000n), resource, node, took: Number(took), ns: Number(ns), by, mode,
			name: what === "held" ? `${by} ${mode} (${command || "pid"} ${pid})` : what };
	});
	const expected = waits.map((wait) => {
		const causes = all.filter(({ t1, resource, node, took }) => resource === wait.resource && node === wait.node && t1 === wait.t0 + wait.ns && took === wait.ns);
		const holds = causes.filter(({ mode }) => mode), sums = new Map();

		for (const { name, ns } of causes)
			sums.set(name, (sums.get(name) || 0) + ns);
		const overlaps = locks.filter((lock) => lock.resource === wait.resource && !(lock.node === wait.node && lock.lane === wait.lane) &&
			goesWith[lock.name] && !goesWith[lock.name].split(" ").includes(wait.to) && overlap(lock, wait) > 0);

		assert.deepEqual(new Set(holds.map(({ by, mode }) => by + mode)), new Set(overlaps.map(({ node, name }) => node + name)));
		for (const { by, mode, ns } of holds)
			assert(ns <= overlaps.filter(({ node, name }) => node === by && name === mode).reduce((sum, lock) => sum + overlap(lock, wait), 0));
		return [wait.resource.replace("/", " / "), wait.to, [...sums].sort((a, b) => b[1] - a[1]).slice(0, 3).filter(([, ns]) => ns >= wait.ns / 100)
			.map(([name, ns]) => `${name} ${(ns / wait.ns * 100).toFixed(0)} %`).join(", ")].join("|");
	});
	const shown = JSON.parse(await evaluate(`JSON.stringify([...document.querySelectorAll("#details tbody tr")].filter((row) => row.querySelector(".holds"))
		.map((row) => [0, 1, 4].map((at) => row.children[at].textContent).join("|")))`));

	assert.equal(waits.length, 7);
	assert(expected.filter((row) => /node \d/.test(row)).length >= 3 && expected.some((row) => row.endsWith("|messages 100 %")));
	/* each lock is that of a glock, for which the thread waits in the queue of its node; 0x3379 is the inode of /mnt/own2 */
	const named = expected.map((row) => row.replace(/(inode|iopen) 3379/, "$&  /mnt/own2"));
	const queued = named.map((row) => row.replace("gfs /", "254:0 /").replace(/[^|]*$/, "own node"));
	assert.deepEqual(shown.sort(), [...named, ...queued].sort());
	const [lines, related, width] = JSON.parse(await evaluate(`JSON.stringify((({ app, recording: r }) => [
		app.shown().arrows.flatMap(({ item, hold }) => hold < 0 ? [item] : [item, hold]).filter((item) => r.path(r.trackAt(item).row).startsWith("gfs/")).map((item) => app.lines.some((line) => line.kind === "row" && line.row === r.trackAt(item).row)),
		[...app.related].map((row) => r.path(row)), (app.to - app.from) / (r.t1[app.selected] - r.t0[app.selected])])(iotrace))`));

	assert(lines.length > 7 && lines.every((line) => line), "the rows of the waits for locks and of the holds are unfolded");
	for (const path of ["gfs/inode 3346/node 3", "gfs/rgrp 3038/node 1", "254:0/inode 3346", "254:0/inode 3346/node 3", "/mnt/own2/node 2"])
		assert(related.includes(path), `${path} keeps its colours`);
	assert(!related.includes("254:0/inode 3347"));
	assert(width > 1 && width < 2, "the call fills the picture");
	/* the rows are folded again */
	await browser.open("file://" + resolve(page));
	await browser.settle();
}

/* Each control has the focus once, and what Enter does on a row is what a click does. */
async function keyboard() {
	const unreachable = await evaluate(`[...document.querySelectorAll("button:not(.card .name, tr .name), input, #names .row[aria-expanded], #names .row.more, #picture, #panel tr.go:not(.second)")]
		.filter((control) => control.offsetParent && control.tabIndex < 0).length`);

	assert.equal(unreachable, 0);
	const open = () => evaluate("iotrace.app.lines.filter((line) => line.open).length");
	const before = await open();

	await evaluate(`document.querySelector('#names .row[aria-expanded="false"]').focus()`);
	await browser.key("Enter");
	await browser.settle();
	assert.equal(await open(), before + 1, "Enter unfolds the row that has the focus");
	await browser.key("Enter");
	await browser.settle();
	assert.equal(await open(), before, "and folds it: the focus stays");
	const width = () => evaluate("iotrace.app.to - iotrace.app.from");
	const whole = await width();

	await browser.key("w");
	await browser.settle();
	assert(await width() < whole, "w zooms");
	await browser.key("0");
	await browser.settle();
}

async function kinds() {
	const chip = `[...document.querySelectorAll(".chip")].find((chip) => chip.textContent.startsWith("PENDING"))`;
	const waiting = `(() => {
		const canvas = document.getElementById("picture");
		return new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer).includes(0xff1ba7f2);
	})()`;

	await browser.key("Escape");
	await browser.key("0");
	await browser.settle();
	await browser.settle();
	assert(await evaluate(waiting));
	await evaluate(chip + ".click()");
	await browser.settle();
	assert(!await evaluate(waiting), "a hidden kind is not drawn");
	await evaluate(chip + ".click()");
}

/* Spans coloured by an attribute: the legend has its values, with the times that the text output says. */
async function painted() {
	const repeated = new Set(JSON.parse(await evaluate("JSON.stringify(iotrace.recording.head.types.filter((type) => type.repeats).map((type) => type.name))")));
	const sums = new Map();

	for (const [, type, name, ns, pid] of readFileSync(text, "utf8").matchAll(/^\d+ span "(?:[^"\\]|\\.)*" (\S+) "((?:[^"\\]|\\.)*)" (\d+).*? pid=(\d+)/gm))
		if (name !== "NL" && !repeated.has(type))
			sums.set(pid, (sums.get(pid) || 0n) + BigInt(ns));
	await evaluate(`(() => { const list = document.getElementById("paint"); list.value = "pid"; list.dispatchEvent(new Event("change")); })()`);
	await browser.settle();
	await browser.settle();
	const chips = JSON.parse(await evaluate(`JSON.stringify([...document.querySelectorAll("#chips .chip")].map((chip) =>
		[chip.textContent.split(/[\u2009 ]?\d+ · /)[0].trim(), chip.dataset.ns, chip.title]))`)).filter(([, , title]) => /^pid \d+:/.test(title));

	assert.equal(chips.length, 12);
	for (const [, ns, title] of chips)
		assert.equal(ns, String(sums.get(/^pid (\d+)/.exec(title)[1])), title);
	const address = await evaluate("iotrace.app.setWindow(1e9, 2e9); iotrace.app.select(0); location.href");

	assert.match(address, /&c=pid/);
	await browser.open(address);
	await browser.settle();
	assert.equal(await evaluate("document.getElementById('paint').value"), "pid", "a link keeps the colours");
	await evaluate("iotrace.app.setPaint('')");
	await browser.key("Escape");
	await browser.key("0");
	await browser.settle();
	await browser.settle();
	await compareSums();
}

/* The vector picture has the same names and, within the soft edges, the same colours as the pixels. */
async function vectors() {
	const [names, orange, olive, same, broken] = JSON.parse(await evaluate(`(async () => {
		URL.createObjectURL = ((before) => (blob) => { window.saved = blob; return before(blob); })(URL.createObjectURL);
		HTMLAnchorElement.prototype.click = () => {};
		document.getElementById("save").click();
		document.getElementById("save-svg").click();
		const text = await saved.text(), xml = new DOMParser().parseFromString(text, "image/svg+xml");
		const image = new Image();
		image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
		await image.decode();
		const shown = document.getElementById("picture"), canvas = document.createElement("canvas");
		canvas.width = shown.width, canvas.height = shown.height;
		const context = canvas.getContext("2d");
		context.drawImage(image, -document.getElementById("names").offsetWidth, -48);
		const pixels = (of) => new Uint32Array(of.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
		const a = pixels(context), b = pixels(shown.getContext("2d"));
		const near = (x, y) => [0, 8, 16].every((shift) => Math.abs((x >>> shift & 255) - (y >>> shift & 255)) < 48);
		const count = (of, colour) => of.reduce((n, value) => n + near(value, colour), 0);
		return JSON.stringify([[...xml.querySelectorAll("text")].map((text) => text.textContent), count(a, 0xff1ba7f2) / count(b, 0xff1ba7f2),
			count(a, 0xff699494) / count(b, 0xff699494), a.reduce((n, value, i) => n + near(value, b[i]), 0) / a.length,
			[...xml.querySelectorAll("path")].filter((path) => !path.getAttribute("d").startsWith("M")).length]);
	})()`));
	const lines = JSON.parse(await evaluate("JSON.stringify(iotrace.app.lines.filter((line) => line.y + line.height < iotrace.app.scroll + iotrace.app.height && line.y >= iotrace.app.scroll).map((line) => line.text))"));

	assert.equal(broken, 0, "a path that does not begin with a point is not drawn");
	assert(names.some((name) => /^node 1, node 2, node 3, [\d.]+ s, [\d.]+ to [\d.]+ s$/.test(name)), `a title: ${names}`);
	assert(lines.length > 10 && lines.every((line) => names.includes(line)), "names of rows are text");
	assert(Math.abs(orange - 1) < 0.05 && Math.abs(olive - 1) < 0.05, `areas of two colours: ${orange}, ${olive}`);
	assert(same > 0.995, `pixels that are alike: ${same}`);
}

/* One finger moves, two zoom: what lies under them stays there; a tap selects. */
async function touch() {
	const touch = (type, ...points) => browser.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y, id]) => ({ x, y, id })) });
	const { left, top } = JSON.parse(await evaluate("(({ left, top }) => JSON.stringify({ left, top }))(document.getElementById('picture').getBoundingClientRect())"));
	const at = (x, id = 0) => [left + x, top + 60, id];
	const window = async () => JSON.parse(await evaluate("JSON.stringify([iotrace.app.from, iotrace.app.to, iotrace.app.width])"));

	await browser.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
	await evaluate("iotrace.app.setWindow(20e9, 40e9)");
	await touch("touchStart", at(200));
	await touch("touchMove", at(260));
	await touch("touchMove", at(300));
	await touch("touchEnd");
	const [from, to, width] = await window(), perPx = 20e9 / width;

	assert(Math.abs(from - (20e9 - 100 * perPx)) < perPx && Math.abs(to - from - 20e9) < 1, `moved by 100 px: ${from}`);
	assert.equal(await evaluate("iotrace.app.mark"), null, "a finger marks nothing");
	await touch("touchStart", at(200, 0), at(400, 1));
	await touch("touchMove", at(150, 0), at(550, 1));
	await touch("touchEnd");
	const [near, far] = await window();

	assert(Math.abs(far - near - 10e9) < perPx, `twice as far apart: ${far - near}`);
	assert(Math.abs(near + 150 * perPx / 2 - (from + 200 * perPx)) < 2 * perPx, "the instant under the first finger");
	await browser.send("Emulation.setTouchEmulationEnabled", { enabled: false });
	await browser.key("Escape");
	await browser.key("0");
	await browser.settle();
}

/* The menu gives the command of the window; html-command.sh runs it. */
async function commandLine() {
	await evaluate(`(() => {
		Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: async (text) => { window.copied = text; } } });
		iotrace.app.setWindow(10e9, 20e9);
		document.getElementById("save").click();
		document.getElementById("save-command").click();
	})()`);
	assert.match(await evaluate("copied"), /^iotrace-analyze --from 10\.0{9} --to 20\.0{9} -o html,max=0:window\.html .*trace-3\.dat/);
	assert(await evaluate("document.getElementById('save-menu').hidden"));
}

/* The instant in the middle of the window: who holds and waits, as the program lists it, and the events nearby, as the text output has them. */
async function moment() {
	const [heads, ...lines] = readFileSync(at, "utf8").split("\n").slice(1).filter((line) => /(holds|waits|asks again|gives up|RESOURCE .*)\s*$/.test(line) || line.includes("RESOURCE"));
	const columns = ["RESOURCE", "NODE", "PROCESS", "STATE", "WANTS", "SINCE"].map((name) => heads.indexOf(name));
	const listed = lines.map((line) => columns.slice(0, 5).map((from, i) => line.slice(from, columns[i + 1]).replace(/ +\d[\d.]*$/, "").trim()));
	const begin = (await evaluate("iotrace.recording.head.zero")), t = BigInt(begin) + 100000000000n;

	await browser.key("Escape");
	await evaluate("document.activeElement.blur(); iotrace.app.select(-1); iotrace.app.pointer = null; iotrace.app.setWindow(99e9, 101e9)");
	await browser.key("i");
	await browser.settle();
	const [states, events, tab] = JSON.parse(await evaluate(`JSON.stringify((({ app: { moment, tab }, recording: r }) => [
		moment[0].rows.map(([row, cat, wants, by]) => [r.path(r.head.rows.parent[row]), r.name(row), by, r.head.cats[cat].name, wants].join("|")),
		moment[1].rows.map(([at, , row, cat, what]) => [(BigInt(r.head.zero) + BigInt(at)).toString(), r.head.cats[cat].name, what].join("|")), tab])(iotrace))`));

	assert(listed.length > 30);
	assert.equal(tab, "moment");
	assert.deepEqual(states.sort(), listed.map((cells) => cells.join("|")).sort());
	const near = [...readFileSync(text, "utf8").matchAll(/^(\d+) (span|point|link) "(?:[^"\\]|\\.)*" (?:\S+ ?-> "(?:[^"\\]|\\.)*" )?(\S+) "((?:[^"\\]|\\.)*)"(?: (-?\d+))?/gm)].flatMap(([, t0, kind, , name, ns]) => kind === "span" ?
		[[BigInt(t0), name, "begins"], [BigInt(t0) + BigInt(ns), name, "ends"]] : kind === "point" ? [[BigInt(t0), name, ""]] : []);
	const away = ([time]) => time < t ? t - time : time - t, shown = events.map((event) => event.split("|")).filter(([, , what]) => what !== "arrives");
	const farthest = shown.map(([time]) => away([BigInt(time)])).reduce((a, b) => a > b ? a : b);

	assert.equal(events.length, 100);
	assert(shown.length > 50);
	/* by the keyboard alone, for one resource */
	await browser.key("/");
	for (const letter of '"inode 334c" 100.0')
		await browser.key(letter);
	await browser.key("Enter");
	await browser.settle();
	/* wherever the window is moved */
	await evaluate("iotrace.app.setWindow(20e9, 30e9)");
	await browser.key("i");
	await browser.settle();
	assert.deepEqual(JSON.parse(await evaluate("JSON.stringify(iotrace.app.moment[0].rows.map(([row]) => iotrace.recording.path(row)))")).sort(),
		listed.filter(([resource]) => resource.endsWith("/inode 334c")).map(([resource, node]) => `${resource}/${node}`).sort());
	await evaluate("iotrace.app.setFilter('')");
	assert.deepEqual(shown.map((event) => event.join("|")).sort(), near.filter((event) => away(event) <= farthest).map((event) => event.join("|")).sort());
}

/* A place that is saved under a name, gone to again, and removed. */
async function views() {
	const names = () => evaluate("JSON.stringify([...document.querySelectorAll('#panel tbody tr')].map((row) => row.innerText.trim()))");
	const save = async (name) => {
		await browser.key("v");
		await evaluate(`document.querySelector("#ask input").value = ${JSON.stringify(name)}`);
		await browser.key("Enter");
		await browser.settle();
	};

	await evaluate("iotrace.app.setWindow(20e9, 30e9)");
	await save("early");
	await evaluate("iotrace.app.setWindow(50e9, 60e9)");
	await save("late");
	assert.equal(await names(), '["early","late"]');
	await evaluate("document.querySelector('#panel tbody tr').click()");
	await browser.settle();
	assert.equal(await evaluate("iotrace.app.from"), 20e9);
	await save("-early");
	assert.equal(await evaluate("iotrace.app.tab"), "views");
	assert.equal(await names(), '["late"]');
}

/* The page asks for nothing outside itself, whatever is in it: by its policy the browser refuses. */
async function closed() {
	const refused = JSON.parse(await evaluate(`(async () => {
		const at = "http://127.0.0.1:9/a";
		const tried = [(failed) => { Object.assign(new Image(), { onerror: failed, src: at }); }, (failed) => fetch(at).catch(failed),
			(failed) => document.head.append(Object.assign(document.createElement("script"), { onerror: failed, src: at }))];
		const kinds = [];
		for (const go of tried)
			kinds.push(await new Promise((done) => {
				document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective), { once: true });
				go(() => setTimeout(() => done("asked for"), 1000));
			}));
		return JSON.stringify(kinds);
	})()`));

	assert.deepEqual(refused, ["img-src", "connect-src", "script-src-elem"]);
	browser.errors.length = 0; /* the browser reports what it refused */
}

try {
	await browser.open("file://" + resolve(page));
	await browser.settle();
	for (const test of [firstPicture, compareSums, selection, link, rows, kinds, slowCall, slowChain, keyboard, painted, vectors, touch, commandLine, moment, views]) {
		await test();
		console.log(`ok: ${test.name}`);
	}
	assert.deepEqual(browser.errors, []);
	await closed();
	console.log("ok: closed");
} finally {
	await browser.stop();
}
