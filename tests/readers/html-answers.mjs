// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The answers on top of the page: their numbers and names are found in the text output by another way, and a click shows what
 * they tell of.
 *
 * usage: node html-answers.mjs fileio|dlm|nfs|sched FOLDER, with page.html, text, report and json
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Browser } from "./html-chromium.mjs";

const [which, folder] = process.argv.slice(2);
const text = readFileSync(`${folder}/text`, "utf8"), report = readFileSync(`${folder}/report`, "utf8");
const items = [...text.matchAll(/^(\d+) span "((?:[^"\\]|\\.)*)"(?: lane=(\d+))? (\S+) "((?:[^"\\]|\\.)*)" (\d+)(.*)$/gm)].map(([, t0, path, lane = "0", type, name, ns, rest]) =>
	({ t0: BigInt(t0), t1: BigInt(t0) + BigInt(ns), ns: Number(ns), path, lane, type, name, rest, pid: (/ pid=(\d+)/.exec(rest) || [])[1],
		node: path.split("/").find((each) => /^(node \d|client|server|vm)$/.test(each)), resource: path.replace(/\/[^/]*$/, "") }));
const longest = (list) => list.reduce((a, b) => b.ns > a.ns ? b : a);
const overlap = (a, b) => Number((a.t1 < b.t1 ? a.t1 : b.t1) - (a.t0 > b.t0 ? a.t0 : b.t0));
/* fs/dlm/lock.c, __dlm_compat_matrix: what goes with what */
const goesWith = { NL: "NL CR CW PR PW EX", CR: "NL CR CW PR PW", CW: "NL CR CW", PR: "NL CR PR", PW: "NL CR", EX: "NL" };
const inTheWay = (wait) => {
	const wants = / to="(\w+)"/.exec(wait.rest)[1];

	return longest(items.filter((each) => each.resource === wait.resource && each.path !== wait.path && goesWith[each.name] &&
		!goesWith[each.name].split(" ").includes(wants) && overlap(each, wait) > 0).map((each) => ({ ...each, hold: each, ns: overlap(each, wait) }))).hold;
};
/* three digits */
const said = (ns) => ns >= 1e9 ? `${(ns / 1e9).toPrecision(3)} s` : `${(ns / 1e6).toPrecision(3)} ms`;

const browser = await Browser.start({ width: 1400, height: 900 });
const json = async (expression) => JSON.parse(await browser.evaluate(`JSON.stringify(${expression})`));
const card = (key) => json(`((card) => card && ({ large: card.querySelector(".large").innerText, text: card.querySelector(".clause").innerText.replace(/\\s+/g, " "),
	cut: card.scrollHeight > card.clientHeight, size: parseFloat(getComputedStyle(card.querySelector(".clause")).fontSize) }))(document.querySelector('.card[data-card="${key}"]'))`);
const settle = async () => {
	for (let i = 0; i < 4; i++)
		await browser.settle();
};

/* What is selected, what is framed, which rows are in sight, and which of them keep their colours. */
async function click(key) {
	await browser.open("file://" + resolve(folder, "page.html"));
	await browser.settle();
	await browser.evaluate(`document.querySelector('.card[data-card="${key}"]').click()`);
	await settle();
	return json(`(({ app, recording: r }) => {
		const at = (item) => item < 0 ? null : ({ t0: String(BigInt(r.head.zero) + BigInt(r.t0[item])), ns: r.t1[item] - r.t0[item], path: r.path(r.trackAt(item).row), name: r.category(item).name });
		return {
			selected: at(app.selected), framed: app.shown().arrows.flatMap(({ item, hold }) => [at(item), at(hold)]).filter((each) => each),
			seen: app.lines.filter((line) => line.kind === "row" && line.y >= app.scroll && line.y + line.height <= app.scroll + app.height).map((line) => r.path(line.row)),
			pinned: [...app.tree.pinned].map((row) => r.path(row)), related: app.related && [...app.related].map((row) => r.path(row)),
			from: String(BigInt(r.head.zero) + BigInt(Math.round(app.from))), to: String(BigInt(r.head.zero) + BigInt(Math.round(app.to))), rows: r.head.rows.name.length,
			folded: document.getElementById("cards").offsetHeight, mark: document.querySelectorAll("#names .row.on").length,
		};
	})(iotrace)`);
}
function isShown(place, spans, pinned) {
	for (const span of spans)
		assert([place.selected, ...place.framed].some((each) => each && BigInt(each.t0) === span.t0 && each.path === span.path), `${span.name} of ${span.path} is selected or framed: ${JSON.stringify(place.framed)}`);
	for (const path of pinned)
		assert(place.pinned.includes(path) && place.seen.includes(path) && place.related.includes(path), `${path} is pinned, in sight and in colour: ${JSON.stringify(place)}`);
	assert(place.related.length < place.rows / 2, "what is unrelated is pale");
	const [{ t0, t1 }] = spans, from = BigInt(place.from), to = BigInt(place.to);

	assert(from <= t0 && to >= t1 && Number(to - from) < 8 * Number(t1 - t0), "the window is about it");
	assert(place.folded < 32, `the answers are one line: ${place.folded}`);
}

/* Who waited longest, for what, and who held it. */
async function longestWait() {
	const wait = longest(items.filter((each) => each.name === "PENDING")), holder = inTheWay(wait);
	const { large, text: clause, cut, size } = await card("wait");

	assert.equal(large, said(wait.ns));
	assert(clause.startsWith(wait.node) && clause.includes(` for ${wait.resource}, wants `), clause);
	assert.match(clause, new RegExp(`in the way: ${holder.node} ${holder.name} \\d+ % (proved|possible)`));
	assert(!cut && size === 14, "14 px, and not cut");
	isShown(await click("wait"), [wait, holder], [wait.path, holder.path]);
}

async function fileio() {
	/* a call is on the row of its file and on that of its thread */
	const call = longest(items.filter((each) => each.type === "use")), { large, text: clause } = await card("call");
	const waits = items.filter((each) => each.name === "PENDING" && each.node === call.node && each.pid === call.pid && overlap(each, call) > 0);
	const wait = longest(waits), holder = inTheWay(wait);
	/* other threads of its node ask for the lock, too, while it waits for the glock */
	const share = items.filter((each) => each.name === "PENDING" && each.path === wait.path && overlap(each, call) > 0).reduce((sum, each) => sum + overlap(each, call), 0) / call.ns;

	assert.equal(large, said(call.ns));
	assert(clause.startsWith(`${call.name} of ${call.path.replace(/\/node \d$/, "")} by `) && clause.includes(`on ${call.node}: `), clause);
	assert(clause.includes(`${(share * 100).toFixed(0)} % waited, longest for ${wait.resource}, held by ${holder.node} `), clause);
	isShown(await click("call"), [call, wait, holder], [call.path, wait.path, holder.path]);

	const { large: deadlocks } = await card("deadlocks");

	assert.equal(deadlocks, `${/proved (\d+), possible/.exec(report)[1]} proved`);
	/* in a deadlock of two, each waits on a row where the other one waits, too, or holds */
	const place = await click("deadlocks");
	const waiting = place.framed.filter((each) => each.name === "PENDING");

	assert(new Set(waiting.map((each) => each.t0)).size >= 2 && place.framed.length > waiting.length, "both waits and the holds are framed");
	for (const each of place.framed) {
		assert(items.some((item) => item.t0 === BigInt(each.t0) && item.ns === each.ns && item.path === each.path), "spans of the recording");
		assert(place.pinned.includes(each.path) && place.seen.includes(each.path));
	}
	const [from, to] = [waiting.map((each) => BigInt(each.t0)).reduce((a, b) => a > b ? a : b), waiting.map((each) => BigInt(each.t0) + BigInt(each.ns)).reduce((a, b) => a < b ? a : b)];

	assert(from < to, "at one time all of them wait");
	/* an arrow from each wait to the hold of the other one, at a time at which both wait: two columns of its colour, with their heads */
	const arrows = await json(`(({ app, recording: { t0, t1 } }) => {
		const canvas = document.getElementById("picture"), { width, data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
		const most = (x) => {
			let n = 0;
			for (let y = 0; y < 60; y++)
				n += Number([0xc0, 0x1c, 0x28].every((part, i) => data[(y * width + x) * 4 + i] === part));
			return n;
		};
		const waits = app.shown().arrows.filter(({ hold }) => hold >= 0).map(({ item }) => item);
		const begin = Math.max(...waits.map((item) => app.x(t0[item]))), end = Math.min(...waits.map((item) => app.x(t1[item])));
		const columns = Array.from({ length: width }, (_none, x) => x).filter((x) => most(x) >= 10);
		/* the widest run of the colour in a line of pixels: a head */
		let head = 0;
		for (let y = 0; y < 60; y++)
			for (let x = 0, run = 0; x < width; x++)
				head = Math.max(head, run = [0xc0, 0x1c, 0x28].every((part, i) => data[(y * width + x) * 4 + i] === part) ? run + 1 : 0);
		return { n: waits.length, found: columns.filter((x) => !columns.includes(x - 1)), begin, end, head };
	})(iotrace)`);

	assert.equal(arrows.found.length, arrows.n, JSON.stringify(arrows));
	assert(arrows.found.every((x) => x > arrows.begin && x < arrows.end), JSON.stringify(arrows));
	assert(arrows.found.every((x, i) => !i || x - arrows.found[i - 1] < 40) && arrows.head >= 7, `side by side, with heads: ${JSON.stringify(arrows)}`);
	/* a row of the table shows the same */
	await browser.evaluate(`iotrace.app.openTab("cycles")`);
	const rows = await json(`[...document.querySelectorAll("#panel tr.go")].map((row) => row.textContent.includes("proved"))`);

	await browser.evaluate(`document.querySelectorAll("#panel tr.go")[${rows.lastIndexOf(true)}].click()`);
	await settle();
	assert((await json("iotrace.app.shown().arrows")).length >= 2 && await browser.evaluate("iotrace.app.selected >= 0"), "a row of circular waits goes to its members");
	/* names lead to their rows, or leave the others out */
	await browser.open("file://" + resolve(folder, "page.html"));
	const before = await json("iotrace.app.lines.length");

	await browser.evaluate(`[...document.querySelectorAll('.card[data-card="most"] .name')].find((name) => name.textContent === "node 3").click()`);
	await browser.settle();
	const left = await json("iotrace.app.lines.filter((line) => line.kind === 'row').map((line) => iotrace.recording.path(line.row))");

	assert(left.length && left.length !== before && left.filter((path) => /(^|\/)node [12]/.test(path)).length === 0 && left.some((path) => path.endsWith("node 3")), "a machine is shown alone");
	await browser.evaluate(`iotrace.app.setFilter("")`);
	await browser.evaluate(`document.querySelector('.card[data-card="call"] .name').click()`);
	await browser.settle();
	assert.equal(await browser.evaluate("document.querySelector('#names .row.on').textContent.includes('/mnt/own2')"), true, "a file is marked");
}

/* The call has no account, but its links lead to the server. */
async function nfs() {
	const call = longest(items.filter((each) => each.type === "io" && each.node === "client")), { large, text: clause } = await card("call");
	/* messages lead to the row of requests of the client */
	const server = longest(items.filter((each) => each.path.startsWith("server/nfsd for ") && each.t0 >= call.t0 && each.t1 <= call.t1));

	assert.equal(large, said(call.ns));
	assert.equal(server.name, "WRITE");
	/* two writes at a time: the call waited for the one that ended last */
	const last = items.filter((each) => each.name === "file write" && each.t0 >= call.t0 && each.t1 <= call.t1).reduce((a, b) => b.t1 > a.t1 ? b : a);

	assert(clause.endsWith(`: ${(last.ns / call.ns * 100).toFixed(0)} % WRITE: file write on server (${last.path.split("/")[1]})`), clause);
	isShown(await click("call"), [call, server], [call.path, server.path]);
}

/* Nobody calls anything: the longest wait that ended, and one that did not. */
async function sched() {
	const waits = items.filter((each) => each.name === "runnable"), ended = longest(waits.filter((each) => !/unfinished/.test(each.rest)));
	const { large, text: clause } = await card("finished");

	assert.equal(large, said(ended.ns));
	assert(clause.startsWith(ended.path), clause);
	assert(clause.includes(`got=${/got="([^"]*)"/.exec(ended.rest)[1]}`), clause);
	assert.equal((await card("wait")).large, `≥ ${said(longest(waits).ns)}`);
	isShown(await click("finished"), [ended], [ended.path]);
}

try {
	await browser.open("file://" + resolve(folder, "page.html"));
	await browser.settle();
	const titles = await json(`[...document.querySelectorAll("#chips .of")].map((title) => title.textContent)`);

	assert.equal(new Set(titles).size, titles.length, `kinds of one title stand together: ${titles}`);
	assert.equal((await card("recording")).large, /^No event was lost$/m.test(report) ? "complete" : "in part");
	if (which === "fileio" || which === "dlm")
		await longestWait();
	await browser.open("file://" + resolve(folder, "page.html"));
	await browser.settle();
	if (which !== "dlm")
		await { fileio, nfs, sched }[which]();
	/* folded when one works in the picture, and back by its button */
	await browser.open("file://" + resolve(folder, "page.html"));
	await browser.settle();
	const height = () => json("document.getElementById('cards').offsetHeight"), large = await height();

	assert(large > 60);
	await browser.evaluate("document.getElementById('picture').focus()");
	await browser.key("w");
	await settle();
	assert(await height() < 32, "one line");
	await browser.evaluate("document.getElementById('fold-cards').click()");
	await browser.settle();
	assert.equal(await height(), large);
	assert.deepEqual(browser.errors, []);
	console.log(`the page answers: ${which}`);
} finally {
	await browser.stop();
}
