// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The page in Firefox without a display: it opens from the file system, draws, and says the same numbers as the output
 * text.
 *
 * usage: node html-firefox.mjs PAGE TEXT
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Firefox } from "./html-firefox-driver.mjs";

const [page, text] = process.argv.slice(2);
const browser = await Firefox.start();
const evaluate = (expression) => browser.evaluate(expression);

try {
	await browser.open("file://" + resolve(page));
	await browser.settle();
	assert.equal(await evaluate("[...document.querySelectorAll('body > .sorry')].map((box) => box.textContent).join()"), "");
	const waits = [...readFileSync(text, "utf8").matchAll(/^\d+ span "(?:[^"\\]|\\.)*" lock "PENDING" (\d+)/gm)];
	const chip = await evaluate(`[...document.querySelectorAll(".chip")].filter((chip) => chip.textContent.startsWith("PENDING"))
		.map((chip) => [chip.dataset.n, chip.dataset.ns])[0]`);

	assert.deepEqual(chip, [String(waits.length), String(waits.reduce((sum, [, ns]) => sum + BigInt(ns), 0n))]);
	console.log("ok: opens, and its legend has the sums of the text output");
	assert(await evaluate(`(() => {
		const canvas = document.getElementById("picture");
		return new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer).includes(0xff1ba7f2);
	})()`), "waiting is drawn in its colour");
	await evaluate(`[...document.querySelectorAll("#tabs button")].find((tab) => tab.textContent.startsWith("Why slow")).click()`);
	await evaluate(`[...document.querySelectorAll("#tables button")].find((tab) => tab.textContent.startsWith("Longest")).click()`);
	await evaluate(`document.querySelector("#panel tr.go").click()`);
	const longest = waits.reduce((most, [, ns]) => BigInt(ns) > most ? BigInt(ns) : most, 0n);

	assert.equal(String(await evaluate("iotrace.recording.t1[iotrace.app.selected] - iotrace.recording.t0[iotrace.app.selected]")), String(longest));
	console.log("ok: draws, and the table leads to the longest wait");
	const width = await evaluate("iotrace.app.to - iotrace.app.from");

	await browser.key("w");
	await browser.settle();
	assert(await evaluate("iotrace.app.to - iotrace.app.from") < width, "w zooms");
	await browser.key("Escape");
	assert.equal(await evaluate("iotrace.app.selected"), -1);
	await evaluate("URL.createObjectURL = (blob) => { window.saved = blob; return '#'; }; document.getElementById('save').click(); document.getElementById('save-svg').click()");
	assert(/^<svg [^]*>trans 0<[^]*<\/svg>\n$/.test(await evaluate("saved.text()")), "the vector picture has the names");
	console.log("ok: keys, and the picture as SVG");
	if (process.argv[4])
		await browser.screenshot(process.argv[4]);
} finally {
	await browser.stop();
}
