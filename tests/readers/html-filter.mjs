// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The filter of the page completes names, says what no row fits, leaves the
 * rows with hits, lists the hits, and what was typed last always counts.
 *
 * usage: node html-filter.mjs FOLDER, with page.html of examples/fileio, and text
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Browser } from "./html-chromium.mjs";

const [folder] = process.argv.slice(2);
const items = [...readFileSync(`${folder}/text`, "utf8").matchAll(/^\d+ (span|point) "((?:[^"\\]|\\.)*)"(?: lane=\d+)? \S+ "(?:[^"\\]|\\.)*"(?: (\d+))?(.*)$/gm)]
	.map(([, what, path, ns, rest]) => ({ what, path, ns: Number(ns || 0), pid: (/ pid=(\d+)/.exec(rest) || [])[1] }));
const browser = await Browser.start({ width: 1400, height: 900 });
const json = async (expression) => JSON.parse(await browser.evaluate(`JSON.stringify(${expression})`));
const until = async (expression, what) => {
	for (let tries = 0; !await browser.evaluate(expression); tries++) {
		assert(tries < 300, what);
		await browser.settle();
	}
};
const type = (text) => browser.evaluate(`(() => {
	const field = document.getElementById("filter");
	field.focus();
	field.value = ${JSON.stringify(text)};
	field.setSelectionRange(field.value.length, field.value.length);
	field.dispatchEvent(new InputEvent("input", { inputType: "insertText" }));
})()`);
const shown = () => json(`[...document.querySelectorAll("#complete li")].map((each) => each.textContent)`);

async function open() {
	await browser.open("file://" + resolve(folder, "page.html"));
	await browser.settle();
}

async function completes() {
	await open();
	await type("pid=208");
	assert.deepEqual(await shown(), [], "there is no longer one");
	/* values of an attribute, the most frequent ones first, as many as the text output has */
	const counts = new Map();

	for (const [, pid] of readFileSync(resolve(folder, "text"), "utf8").matchAll(/^\d+ (?:span|point|link) .* pid=(2\d+)/gm))
		counts.set(pid, (counts.get(pid) || 0) + 1);
	await type("pid=2");
	await until(`document.querySelectorAll("#complete li").length === ${Math.min(counts.size, 8)}`, "values are listed");
	assert.deepEqual(await shown(), [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 8).map(([pid]) => "pid=" + pid));
	await type('pid=208 "inode 334');
	assert((await shown()).includes('"inode 3346"'));
	for (let i = (await shown()).indexOf('"inode 3346"'); i >= 0; i--)
		await browser.key("ArrowDown");
	await browser.key("Enter");
	assert.equal(await browser.evaluate("document.getElementById('filter').value"), 'pid=208 "inode 3346" ');
	assert.equal(await browser.evaluate("document.getElementById('complete').hidden"), true);
	/* rows with hits alone, and the hits as a list, the same as in the text output */
	const hits = items.filter(({ pid, path }) => pid === "208" && path.includes("inode 3346"));

	await until(`iotrace.app.filterText.trim() === 'pid=208 "inode 3346"' && iotrace.app.mask && document.getElementById("hits").textContent !== ""`, "what was taken applies");
	await until(`document.querySelectorAll("#panel tbody tr").length === ${Math.min(hits.length, 500)}`, "the hits are a list");
	assert.deepEqual(new Set(await json(`[...document.querySelectorAll("#panel tbody tr")].map((row) => row.children[0].textContent.replace(/ \\/ /g, "/"))`)), new Set(hits.map(({ path }) => path)));
	const leaves = await json(`iotrace.app.lines.filter((line) => line.kind === "row" && !line.foldable).map((line) => iotrace.recording.path(line.row))`);

	assert(leaves.length && leaves.every((path) => hits.some((hit) => hit.path === path)), leaves.join());
	await browser.evaluate(`document.querySelector("#panel tr.go").click()`);
	await until("iotrace.app.selected >= 0 && iotrace.app.mask[iotrace.app.selected] === 1", "a row of the list is a hit");
}

async function says() {
	await open();
	await type("inode3346");
	await until(`!document.getElementById("nofit").hidden`, "no row fits");
	assert.match(await browser.evaluate(`document.getElementById("nofit").textContent`), /No row fits inode3346\..*inode 3346/);
	/* a name that is meant is one click away */
	await browser.evaluate(`[...document.querySelectorAll("#nofit .name")].find((each) => each.textContent === "inode 3346").click()`);
	await until(`document.getElementById("nofit").hidden && iotrace.app.lines.some((line) => line.text === "inode 3346")`, "the name is shown");
}

/* Whatever follows at once: what was typed last counts. */
async function lastEdit() {
	for (const next of ["w", "0"]) {
		await open();
		await type("res07");
		await until("iotrace.app.filterText === 'res07'", "the filter applies");
		await type("");
		await browser.evaluate("document.getElementById('picture').focus()");
		await browser.key(next);
		for (let i = 0; i < 20; i++)
			await browser.settle();
		assert.deepEqual(await json("[iotrace.app.filterText, document.getElementById('filter').value]"), ["", ""], `after ${next}`);
	}
	/* a slow search that ends after a newer one does not bring its own back */
	await type("pid=208");
	await browser.evaluate("document.getElementById('filter').blur()");
	await type("res0");
	await browser.evaluate("document.getElementById('picture').focus()");
	for (let i = 0; i < 40; i++)
		await browser.settle();
	assert.deepEqual(await json("[iotrace.app.filterText, document.getElementById('filter').value, iotrace.app.mask]"), ["res0", "res0", null]);
}

try {
	await open();
	await completes();
	await says();
	await lastEdit();
	assert.deepEqual(browser.errors, []);
	console.log("the filter answers");
} finally {
	await browser.stop();
}
