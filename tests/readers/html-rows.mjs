// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rows of the page: none is drawn twice, whichever views name it, and free room hides none.
 *
 * usage: node html-rows.mjs FOLDER, with page.html of examples/fileio
 */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { Browser } from "./html-chromium.mjs";

const [folder] = process.argv.slice(2);
const browser = await Browser.start({ width: 1400, height: 900 });
const json = async (expression) => JSON.parse(await browser.evaluate(`JSON.stringify(${expression})`));
const until = async (expression, what) => {
	for (let tries = 0; !await browser.evaluate(expression); tries++) {
		assert(tries < 300, what);
		await browser.settle();
	}
};

async function open() {
	await browser.open("file://" + resolve(folder, "page.html"));
	await browser.settle();
}

/* Each row once, whichever views name it. */
async function rowsOnce() {
	const twice = `((lines) => lines.filter((line, i) => lines.findIndex((other) => other.row === line.row) < i).map((line) => iotrace.recording.path(line.row)))`;

	await browser.evaluate(`(({ app, recording }) => {
		recording.head.rows.name.forEach((_name, row) => row && app.tree.opened.set("r" + row, true));
		recording.head.rows.name.forEach((_name, row) => app.tree.limits.set("r" + row, 1e6));
		app.update(true);
		app.draw();
	})(iotrace)`);
	const rows = `iotrace.app.lines.filter((line) => line.kind === "row")`;

	assert(await json(`${rows}.length`) > 100);
	assert.deepEqual(await json(`${twice}(${rows})`), []);
	assert.deepEqual((await json(`iotrace.app.lines.filter((line) => line.kind === "head").map((line) => line.text)`)).filter((title) => /masters|recoveries/.test(title)), []);
	assert(await json(`${rows}.some((line) => line.text === "lock master")`), "the master is a row of its resource");
	await open();
	/* a tall window has room for more */
	const least = await json(`${rows}.length`);

	await browser.send("Emulation.setDeviceMetricsOverride", { width: 1400, height: 3000, deviceScaleFactor: 1, mobile: false });
	await until(`${rows}.length > ${least}`, "free room shows more rows");
	await until(`iotrace.app.contentHeight() > iotrace.app.height - 250 && iotrace.app.contentHeight() <= iotrace.app.height`, "as many as there is room for");
	await browser.send("Emulation.setDeviceMetricsOverride", { width: 1400, height: 900, deviceScaleFactor: 1, mobile: false });
}

try {
	await open();
	await rowsOnce();
	assert.deepEqual(browser.errors, []);
	console.log("rows are there once");
} finally {
	await browser.stop();
}
