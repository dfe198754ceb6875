// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tables of the page in five groups: each table of the report has a place, the groups are sorted by what matters, who blocked
 * whom has the sums of the text output, and a click on any row shows.
 *
 * usage: node html-tables.mjs FOLDER, with page.html, text and json
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Browser } from "./html-chromium.mjs";

const [folder] = process.argv.slice(2);
const { tables } = JSON.parse(readFileSync(`${folder}/json`, "utf8"));
const waits = [...readFileSync(`${folder}/text`, "utf8").matchAll(/^\d+ span "(?:[^"\\]|\\.)*\/(node \d)"(?: lane=\d+)? lock "PENDING" (\d+)/gm)]
	.map(([, node, ns]) => ({ node, ns: Number(ns) }));
const browser = await Browser.start({ width: 1400, height: 900 });
const json = async (expression) => JSON.parse(await browser.evaluate(`JSON.stringify(${expression})`));
const settle = async () => {
	for (let i = 0; i < 4; i++)
		await browser.settle();
};
const texts = (selector) => json(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => each.textContent)`);
const press = (selector, text) => browser.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].find((each) => each.textContent.startsWith(${JSON.stringify(text)})).click()`);
/* everything that a click could change, but for the pressed row itself */
const state = () => json(`(({ app }) => [app.selected, Math.round(app.from), Math.round(app.to), app.scroll, app.current, app.mark, app.filterText, [...app.tree.pinned]])(iotrace)`);
/* three digits, as the page has them */
const said = (ns) => ns >= 1e9 ? `${ns >= 1e11 ? (ns / 1e9).toFixed(0) : (ns / 1e9).toPrecision(3)} s` : `${(ns / 1e6).toPrecision(3)} ms`;

async function open() {
	await browser.open("file://" + resolve(folder, "page.html"));
	await browser.settle();
}

/* Which tables there are, and where. */
async function groups() {
	assert.deepEqual((await texts("#tabs button")).map((text) => text.replace(/[\d\s]+$/, "")),
		["Selection", "Why slow", "Who blocked whom", "Resources", "Events and links", "Recording"]);
	const found = {};

	for (const group of (await texts("#tabs button")).slice(1)) {
		await press("#tabs button", group);
		found[group.replace(/[\d\s]+$/, "")] = (await texts("#tables button")).map((text) => text.replace(/[\d\s]+$/, ""));
	}
	assert(found["Why slow"][0] === "Calls" && found["Why slow"].includes("Longest waits"));
	assert.deepEqual(found["Who blocked whom"].slice(0, 2), ["Matrix", "Processes"]);
	assert.equal(found.Resources[0], "All");
	for (const table of ["Inputs", "Clocks", "Diagnostics"])
		assert(found.Recording.includes(table), `${table}: ${found.Recording}`);
	assert.equal(await browser.evaluate("document.querySelector('#tables').offsetHeight > 0"), true);
	/* the slowest calls are what the page opens with */
	await open();
	assert.match((await texts("#tabs [aria-selected=true]"))[0], /^Why slow/);
}

/* The sentence of a call has the whole width, below its row. */
async function sentences() {
	const [width, panel] = await json("[document.querySelector('#panel tr.second td').offsetWidth, document.getElementById('panel').clientWidth]");

	assert(width > panel * 0.9, `${width} of ${panel}`);
	const rows = await texts("#panel tr.second");

	tables.why.rows.slice().sort((a, b) => b.took - a.took).forEach(({ why }, i) => assert.equal(rows[i], why.replace(/^.*? took [^:]*: /, "")));
	await browser.evaluate("document.querySelector('#panel tr.second').click()");
	await settle();
	assert.equal(await browser.evaluate("iotrace.recording.t1[iotrace.app.selected] - iotrace.recording.t0[iotrace.app.selected]"), Math.max(...tables.why.rows.map(({ took }) => took)),
		"the second line leads to the call, too");
	await open();
	await press("#panel button", "All columns");
	assert((await texts("#panel th")).includes("pid"));
}

/* The sums of the matrix are those of the waits of the text output. */
async function matrix() {
	await press("#tabs button", "Who blocked whom");
	for (const node of ["node 1", "node 2", "node 3"]) {
		const ns = waits.filter((wait) => wait.node === node).reduce((sum, wait) => sum + wait.ns, 0);
		const [row] = await json(`[...document.querySelectorAll(".matrix tbody tr")].filter((row) => row.firstChild.textContent === "${node}").map((row) => row.lastChild.querySelector("b").textContent)`);

		assert.equal(row, said(ns), node);
	}
	/* the more, the deeper */
	const shades = await json(`[...document.querySelectorAll(".matrix td.go")].map((cell) => [Number((/color\\(srgb ([\\d.]+) ([\\d.]+) ([\\d.]+) \\/ ([\\d.]+)\\)/.exec(getComputedStyle(cell).backgroundColor) || [0, 0, 0, 0, 0])[4]), cell.title])`);
	const timeOf = (title) => tables.blame.rows.find((row) => title.startsWith(`${row.waiter} waited `) && title.includes(`because of ${row.because},`)).blamed;

	assert.equal(shades.length, tables.blame.rows.filter((row) => row.blamed).length);
	shades.sort((a, b) => timeOf(a[1]) - timeOf(b[1])).forEach(([shade], i) => assert(!i || shade >= shades[i - 1][0], "the more, the deeper"));
	/* a cell leads to a wait of the one that the other one held */
	await browser.evaluate(`[...document.querySelectorAll(".matrix td.go")].find((cell) => cell.title.startsWith("node 1 waited ") && cell.title.includes("because of node 3,")).click()`);
	await settle();
	const [wait, hold] = await json(`(({ app, recording: r }) => app.shown().arrows.flatMap(({ item, hold }) => [item, hold]).slice(0, 2).map((item) => [r.path(r.trackAt(item).row), r.category(item).name, r.t0[item], r.t1[item]]))(iotrace)`);

	assert(wait[0].endsWith("/node 1") && wait[1] === "PENDING" && hold[0] === wait[0].replace(/node 1$/, "node 3") && hold[2] < wait[3] && hold[3] > wait[2], JSON.stringify([wait, hold]));
}

/* Rings of chains are there once, and causes of a wait are sorted by their share. */
async function order() {
	await open();
	await browser.evaluate(`iotrace.app.openTab("chains")`);
	const chains = (await texts("#panel tr.second")).map((text) => text.split(" > "));
	/* a ring that is walked twice holds each of its turns */
	const isTurn = (a, b) => a.length === b.length && a[0] === a.at(-1) && b[0] === b.at(-1) && [...a.slice(1), ...a.slice(1)].join(" > ").includes(b.slice(1).join(" > "));
	const turns = (list) => list.filter((one, i) => list.slice(0, i).some((other) => isTurn(one, other))).length;
	const all = tables.chains.rows.map(({ chain }) => chain.split(" > "));

	assert.equal(turns(chains), 0);
	assert.equal(chains.length, all.length - turns(all));
	await browser.evaluate(`iotrace.app.openTab("cycles")`);
	const grades = (await texts("#panel tr.first")).map((text) => ["proved", "possible", "no"].findIndex((grade) => text.includes(grade)));

	assert.deepEqual(grades, grades.slice().sort());
	assert.equal(grades.length, tables.cycles.rows.length);
	await browser.evaluate(`iotrace.app.openTab("holders")`);
	const parts = (await json(`[...document.querySelectorAll("#panel tbody tr")].map((row) => [...row.children].map((cell) => cell.textContent))`)).filter((cells) => cells.length > 3);

	assert.deepEqual(parts.map(([wait, because]) => [Number(wait), because]),
		tables.holders.rows.slice().sort((a, b) => a.wait - b.wait || b.share - a.share).map(({ wait, because }) => [wait, because]));
}

/* Whatever is clicked in a table, something changes in the picture. */
async function effects() {
	await open();
	const groups = await json("document.querySelectorAll('#tabs button').length");

	for (let group = 1; group < groups; group++) {
		await browser.evaluate(`document.querySelectorAll("#tabs button")[${group}].click()`);
		const tables = await json("Math.max(document.querySelectorAll('#tables button').length, 1)");

		for (let at = 0; at < tables; at++) {
			await browser.evaluate(`(async ({ app, recording: { head } }) => {
				app.select(-1);
				app.mark = null;
				app.current = 0;
				app.tree.pinned.clear();
				app.setWindow(head.from, head.to);
				await app.setFilter("");
				document.querySelectorAll("#tabs button")[${group}].click();
				document.querySelectorAll("#tables button")[${at}]?.click();
			})(iotrace)`);
			await browser.settle();
			const before = await state(), title = (await texts("#tables [aria-selected=true]"))[0];

			if (!await browser.evaluate(`((row) => row && (row.click(), true))(document.querySelector("#panel tr.go:not(.second), #panel td.go"))`))
				continue;
			let tries = 0;

			while (JSON.stringify(await state()) === JSON.stringify(before) && ++tries < 100)
				await browser.settle();
			assert(tries < 100, `a row of ${title} shows nothing`);
		}
	}
}

try {
	await open();
	await groups();
	await sentences();
	await matrix();
	await order();
	await effects();
	assert.deepEqual(browser.errors, []);
	console.log("the tables are in groups, and all rows lead somewhere");
} finally {
	await browser.stop();
}
