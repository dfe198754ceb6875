// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Colours and legend of the page: orange waits, red is exclusive, machines are thin lines with their name and no part of sums of rows;
 * the legend has the kinds that occur, grouped by type, and cuts none.
 *
 * usage: node html-legend.mjs FOLDER, with page.html of examples/fileio
 */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { Browser } from "./html-chromium.mjs";

const [folder] = process.argv.slice(2);

async function withPage(width, height, dark, run) {
	const browser = await Browser.start({ width, height, dark });

	try {
		await browser.open("file://" + resolve(folder, "page.html"));
		await browser.settle();
		await run(browser, async (expression) => JSON.parse(await browser.evaluate(`JSON.stringify(${expression})`)));
		assert.deepEqual(browser.errors, []);
	} finally {
		await browser.stop();
	}
}

/* The colours of the fills, from what the page was given. */
async function fills(_browser, json) {
	const cats = await json(`(({ app, recording: { head, naming } }) => head.cats.slice(1).map((cat, i) => ({ name: cat.name, css: app.colours.css(i + 1), type: head.types[cat.type].name, span: head.types[cat.type].kind === "span", machine: naming[cat.type] })))(iotrace)`);
	const of = (name, type) => cats.find((cat) => cat.name === name && (!type || cat.type === type)).css;

	assert.equal(of("WAITING"), "#f2a71b");
	assert.deepEqual([...new Set(cats.filter(({ css, span }) => span && css === "#f2a71b").map(({ name }) => name))].sort(), ["PENDING", "WAITING"]);
	assert.deepEqual([...new Set(cats.filter(({ css, span }) => span && css === "#d6401f").map(({ name }) => name))].sort(), ["EX", "mode 5"]);
	assert.notEqual(of("NOT CERTAIN"), of("RELEASING"));
	/* as in every other page */
	assert.deepEqual(["node 1", "node 2", "node 3"].map((name) => cats.find((cat) => cat.machine && cat.name === name).css), ["#4c78a8", "#a85478", "#843cd8"]);
}

/* The lock master is a line, and folded rows do not have it. */
async function masters(browser, json) {
	const height = (open, name) => json(`(({ app }) => {
		const canvas = document.getElementById("picture"), all = app.lines.filter((line) => line.kind === "row" && line.text === "${name}" && !!line.open === ${open});
		const [r, g, b] = [0x4c, 0x78, 0xa8], line = all[0];
		if (!line)
			return -1;
		const { data } = canvas.getContext("2d").getImageData(0, line.y - app.scroll, canvas.width, line.height);
		let most = 0;
		for (let x = 0; x < canvas.width; x++) {
			let n = 0;
			for (let y = 0; y < line.height; y++)
				n += Number([r, g, b].every((part, i) => data[(y * canvas.width + x) * 4 + i] === part));
			most = Math.max(most, n);
		}
		return most;
	})(iotrace)`);

	assert.equal(await height(false, "lock master"), 3);
	assert.equal(await json(`iotrace.app.lines.find((line) => line.text === "res07").open`), true);
	await browser.evaluate(`iotrace.app.tree.opened.set(iotrace.app.lines.find((line) => line.text === "res07").key, false); iotrace.app.update(true)`);
	await browser.settle();
	assert.equal(await height(false, "res07"), 0, "the sum of the nodes has no master");
}

/* No chip is cut, none is empty, and no title is there twice. */
async function legend(browser, json) {
	const chips = () => json(`(() => {
		const box = document.getElementById("legend").getBoundingClientRect();
		return [...document.querySelectorAll("#chips .chip, #chips .of")].filter((each) => !each.hidden).map((each) => {
			const { top, bottom, right } = each.getBoundingClientRect();
			return { text: each.textContent, n: each.dataset.n, of: each.className === "of", whole: top >= box.top && bottom <= box.bottom && right <= box.right + 0.5, off: each.getAttribute("aria-pressed") === "false" };
		});
	})()`);
	const first = await chips(), titles = first.filter(({ of }) => of).map(({ text }) => text);

	assert(first.every(({ whole }) => whole), JSON.stringify(first.filter(({ whole }) => !whole)));
	assert(await browser.evaluate("document.getElementById('legend').offsetHeight") <= 62);
	assert(titles.includes("lock mode"));
	assert(first.some(({ text }) => text.startsWith("PENDING")), "waiting has room before all others");
	assert.equal(new Set(titles).size, titles.length, titles.join());
	assert(first.every(({ n, off }) => n !== "0" || off));
	/* all others are one click away */
	await browser.evaluate(`[...document.querySelectorAll("#chips > .chip")].find((each) => / more ▸$/.test(each.textContent) && !each.hidden)?.click()`);
	const all = await chips();

	assert(all.some(({ text }) => text.startsWith("write failed")) && all.length >= first.length);
	/* what does not occur in the window is not in the legend */
	await browser.evaluate("iotrace.app.setWindow(0, 1e9)");
	await browser.settle();
	for (let tries = 0; (await chips()).some(({ text }) => text.startsWith("write failed")); tries++)
		assert(tries < 200, "empty kinds are left out");
}

await withPage(1400, 900, false, async (browser, json) => {
	await fills(browser, json);
	await masters(browser, json);
});
await withPage(900, 700, false, legend);
await withPage(1400, 900, true, legend);
await withPage(2560, 1440, false, legend);
console.log("the legend has all kinds, and colours mean the same everywhere");
