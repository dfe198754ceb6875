// SPDX-License-Identifier: GPL-2.0-or-later
// A page that was made smaller says which rows keep sums, since which zoom, and how to get all; but only where it shows.
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { Browser } from "./html-chromium.mjs";

const browser = await Browser.start();

try {
	await browser.open("file://" + resolve(process.argv[2]));
	const found = JSON.parse(await browser.evaluate(`(async () => {
		const { app, recording } = iotrace, { thinned, rows } = recording.head, note = document.getElementById("thinned");
		const look = () => {
			app.draw();
			return !note.hidden;
		};
		const isCoarse = new Set(thinned.coarse);
		const line = (row) => app.lines.find((at) => at.kind === "row" && at.row === row);
		const unit = thinned.coarse.find((row) => rows.unit[row] && rows.items[row]);
		const result = { width: app.width, step: thinned.step, whole: look(), path: recording.path(unit, " / ") };

		app.tree.reveal(unit);
		app.update(true);
		app.setWindow(recording.head.from, recording.head.from + thinned.step * app.width / 2 * 1.01);
		app.draw();
		app.scrollTo(line(unit).y);
		result.wide = look();
		app.setWindow(recording.head.from, recording.head.from + thinned.step * app.width / 2 * 0.99);
		result.near = look();
		result.text = note.textContent;
		result.title = note.title;
		result.button = note.querySelector("button").textContent;
		/* rows that keep all alone */
		app.lines = app.lines.filter((at) => !isCoarse.has(at.row));
		result.kept = look();
		return JSON.stringify(result);
	})()`));

	assert.equal(found.whole, false, "the whole recording looks as it would in the full page");
	assert.equal(found.wide, false, "so do windows in which a step has less than two columns");
	assert.equal(found.near, true, "nearer, sums show");
	assert.equal(found.kept, false, "rows that keep all have no note");
	assert(found.title.includes(found.path), `${found.path} is not in: ${found.title}`);
	assert.match(found.text, /items of the .* rows that waited least are sums of .* each \(hatched\), which shows in windows shorter than /);
	assert.match(found.button, /command that makes the full page of this window/);
	assert.deepEqual(browser.errors, []);
	console.log(`ok: ${found.text}`);
} finally {
	await browser.stop();
}
