// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The page in windows of several sizes, with one and two pixels each, light and dark: everything is in sight, and each
 * control can be reached and worked by keyboard.
 *
 * usage: node html-sizes.mjs PAGE chromium|firefox
 */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { Browser } from "./html-chromium.mjs";
import { Firefox } from "./html-firefox-driver.mjs";

const [page, which] = process.argv.slice(2);
const Each = which === "firefox" ? Firefox : Browser;
/* arrows reach the names of an answer */
const CONTROLS = "button:not(.card .name, tr .name), input, select, [role=separator], [role=tab], #picture, #names .row[aria-expanded], #names .row.more, #panel tr.go:not(.second)";

async function open(options) {
	const browser = await Each.start(options);

	await browser.open("file://" + resolve(page));
	await browser.settle();
	return browser;
}
const json = async (browser, expression) => JSON.parse(await browser.evaluate(`JSON.stringify(${expression})`));

async function inSight(options) {
	const browser = await open(options);

	try {
		const seen = await json(browser, `(() => {
			const outside = (box) => box.left < -0.5 || box.right > innerWidth + 0.5 || box.top < -0.5 || box.bottom > innerHeight + 0.5;
			const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
			const boxes = [...document.querySelectorAll("header > *")].filter((each) => each.offsetParent && each.textContent + each.value)
				.map((each) => [each.id, each.getBoundingClientRect()]);
			const canvas = document.getElementById("picture"), pixel = canvas.getContext("2d").getImageData(1, canvas.height - 2, 1, 1).data;
			return {
				width: innerWidth, ratio: devicePixelRatio, scrolls: document.documentElement.scrollWidth > Math.max(innerWidth, 700),
				outside: boxes.filter(([, box]) => outside(box)).map(([id]) => id),
				overlaps: boxes.flatMap(([id, box], i) => boxes.slice(0, i).filter(([, other]) => overlap(box, other)).map(([other]) => id + " " + other)),
				rows: [...document.querySelectorAll("#names .row")].filter((row) => row.getBoundingClientRect().bottom < document.getElementById("legend").getBoundingClientRect().top).length,
				sharp: [canvas.width / canvas.offsetWidth, canvas.height / canvas.offsetHeight],
				legend: document.getElementById("legend").offsetHeight, panel: document.getElementById("panel").offsetHeight,
				dark: document.documentElement.classList.contains("dark"), pixel: pixel[0] + pixel[1] + pixel[2],
			};
		})()`);
		const name = `${browser.name} ${JSON.stringify(options)}: ${JSON.stringify(seen)}`;

		assert(!seen.scrolls, name);
		assert.deepEqual([seen.outside, seen.overlaps], [[], []], name);
		assert(seen.rows >= 8, name);
		assert(seen.sharp.every((each) => Math.abs(each - options.ratio) < 0.02), name);
		assert(seen.legend >= 30 && seen.panel >= 150, name);
		assert.equal(seen.dark, options.dark, name);
		assert(options.dark ? seen.pixel < 200 : seen.pixel > 600, name);
		console.log(`ok: ${browser.name}: ${seen.width} px, ${seen.ratio} pixels each, ${options.dark ? "dark" : "light"}`);
	} finally {
		await browser.stop();
	}
}

/* Tab goes through all controls; and what only a mouse seems to do has keys. */
async function keyboard() {
	const browser = await open({ width: 1440, height: 900, ratio: 1, dark: false });

	try {
		const unreachable = await json(browser, `[...document.querySelectorAll(${JSON.stringify(CONTROLS)})]
			.filter((each) => each.offsetParent && each.tabIndex < 0).map((each) => each.id || each.textContent)`);
		const unnamed = await json(browser, `[...document.querySelectorAll(${JSON.stringify(CONTROLS)})]
			.filter((each) => !(each.textContent.trim() || each.title || each.getAttribute("aria-label"))).map((each) => each.outerHTML.slice(0, 80))`);

		assert.deepEqual(unreachable, []);
		assert.deepEqual(unnamed, [], "each control has a name for a screen reader");
		await browser.evaluate("document.getElementById('filter').focus()");
		const reached = new Set();

		for (let i = 0; i < 40; i++) {
			await browser.key("Tab");
			reached.add(await browser.evaluate("document.activeElement.id || document.activeElement.className"));
		}
		for (const id of ["empty", "link", "save", "distinct", "theme", "help", "splitter", "picture"])
			assert(reached.has(id), `Tab reaches ${id}: ${[...reached].join(", ")}`);
		await browser.evaluate("document.querySelector('.card .large').focus()");
		await browser.key("ArrowRight");
		assert(await browser.evaluate("document.activeElement === document.querySelector('.card .name')"), "arrows reach the names of an answer");
		await browser.key("ArrowLeft");
		assert.equal(await browser.evaluate("document.activeElement.className"), "large");
		const focus = (what) => browser.evaluate(`document.querySelector(${JSON.stringify(what)}).focus()`);
		const press = async (what, key) => {
			await focus(what);
			await browser.key(key);
			await browser.settle();
		};
		const width = () => browser.evaluate("document.getElementById('names').offsetWidth");
		const drawer = () => browser.evaluate("document.getElementById('drawer').offsetHeight");
		const before = [await width(), await drawer()];

		await press("#splitter", "ArrowRight");
		await press("#grip", "ArrowUp");
		assert.deepEqual([await width(), await drawer()], before.map((each) => each + 20), "arrows move the lines between the parts");
		await press("#theme", "Enter");
		assert.equal(await browser.evaluate("document.documentElement.className"), "dark");
		await press("#save", "Enter");
		assert(!await browser.evaluate("document.getElementById('save-menu').hidden"));
		await browser.key("Tab");
		assert.equal(await browser.evaluate("document.activeElement.id"), "save-png");
		await browser.key("Escape");
		assert.deepEqual(await json(browser, "[document.getElementById('save-menu').hidden, document.activeElement.id]"), [true, "save"]);
		await press("#tabs button:nth-child(3)", "Enter");
		assert.equal(await browser.evaluate("document.activeElement.getAttribute('aria-selected')"), "true", "the focus stays on its tab");
		await press("#panel tr.go, #panel td.go", "Enter");
		await press("#chips .chip", "Enter");
		assert.equal(await browser.evaluate("document.querySelector('#chips .chip').getAttribute('aria-pressed')"), "false", "Enter hides a kind");
		await browser.key("Enter");
		await press("#help", "Enter");
		assert(await browser.evaluate("document.getElementById('keys').open"));
		await browser.key("Escape");
		await browser.settle();
		assert(!await browser.evaluate("document.getElementById('keys').open"), "Escape closes the list of keys");
		await press("#names .row:not(.head)[aria-expanded]", "p");
		assert.equal(await browser.evaluate("iotrace.app.lines[0].text"), "Pinned", "p pins a row");
		console.log(`ok: ${browser.name}: keyboard`);
	} finally {
		await browser.stop();
	}
}

for (const options of [{ width: 1440, height: 900, ratio: 1, dark: false }, { width: 900, height: 700, ratio: 1, dark: true }, { width: 800, height: 700, ratio: 1, dark: false },
	{ width: 1000, height: 700, ratio: 2, dark: false }, { width: 1920, height: 1080, ratio: 2, dark: true }])
	await inSight(options);
await keyboard();
