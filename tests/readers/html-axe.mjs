// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The page as axe-core sees it, light and dark, with each group of tables: names, contrast, roles, landmarks. Nothing is found.
 *
 * usage: node html-axe.mjs PAGE AXE
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Browser } from "./html-chromium.mjs";

const [page, axe] = process.argv.slice(2);

for (const dark of [false, true]) {
	const browser = await Browser.start({ width: 1400, height: 900, dark });
	const found = async (where) => {
		const list = JSON.parse(await browser.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
			JSON.stringify(violations.map(({ impact, id, nodes }) => [impact, id, nodes[0].html.slice(0, 200)])))`));

		assert.deepEqual(list, [], `${where}, ${dark ? "dark" : "light"}`);
	};

	try {
		await browser.open("file://" + resolve(page));
		await browser.settle();
		await browser.evaluate(readFileSync(axe, "utf8") + ";1");
		await browser.evaluate("document.getElementById('tour').hidden = false");
		await found("first picture");
		await browser.evaluate("iotrace.app.selectFirst()");
		await browser.settle();
		await found("selection");
		for (let tab = 1, tabs = await browser.evaluate("document.querySelectorAll('#tabs button').length"); tab < tabs; tab++) {
			await browser.evaluate(`document.querySelectorAll("#tabs button")[${tab}].click()`);
			await found(`group ${tab}`);
		}
	} finally {
		await browser.stop();
	}
}
