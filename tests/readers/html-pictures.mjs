// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One picture of a page in Chromium without a display, after a click on one of the answers on top if one is named.
 *
 * usage: node html-pictures.mjs PAGE PNG [ANSWER]
 */
import { resolve } from "node:path";
import { Browser } from "./html-chromium.mjs";

const [page, png, answer] = process.argv.slice(2);
const browser = await Browser.start({ width: 1440, height: 900 });

await browser.open("file://" + resolve(page));
await browser.settle();
if (answer) {
	await browser.evaluate(`document.querySelector('.card[data-card="${answer}"]').click()`);
	for (let i = 0; i < 4; i++)
		await browser.settle();
}
await browser.screenshot(png);
await browser.stop();
