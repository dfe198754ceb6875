// SPDX-License-Identifier: GPL-2.0-or-later
// The pages that html-edges.sh makes: none is broken, whatever names and times it has.
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { Browser } from "./html-chromium.mjs";

const folder = resolve(process.argv[2]);
const browser = await Browser.start();
const evaluate = (expression) => browser.evaluate(expression);

async function open(name) {
	await browser.open(`file://${folder}/${name}.html`);
	await browser.settle();
	assert.equal(await evaluate("[...document.querySelectorAll('.sorry')].filter((box) => !box.closest('noscript')).map((box) => box.textContent).join()"), "", name);
	assert.deepEqual(browser.errors, [], name);
}

const tests = {
	async names() {
		await open("names");
		await evaluate("iotrace.app.tree.limits.set('v1', 99); iotrace.app.update(true)");
		await browser.settle();
		const shown = await evaluate("document.getElementById('names').textContent + document.getElementById('panel').textContent");

		assert.equal(await evaluate("window.broken"), undefined, "no name is run");
		assert.equal(await evaluate("document.querySelectorAll('img, #names script').length"), 0);
		for (const name of ["/t/</script><script>window.broken = 1</script>", "/t/<img src=x onerror=window.broken=1>",
			"/t/\"quoted\" &amp; 'single' \\\\ back", "/t/line\\x0abreak\\x09tab\\x01\\xff", "😀 𝄞 é", "/t/<!--data--><!--"])
			assert(shown.includes(name), `${name} is shown as it is`);
		/* each selection shows all attributes */
		for (let item = 0; item < 8; item++) {
			await evaluate(`iotrace.app.select(${item}, true)`);
			await browser.settle();
		}
		assert.equal(await evaluate("window.broken"), undefined);
	},
	async nothing() {
		await open("nothing");
		assert.match(await evaluate("document.getElementById('nothing').textContent"), /^Nothing to show: /);
	},
	async instant() {
		await open("instant");
		await evaluate("iotrace.app.select(0, true)");
		await browser.settle();
		assert.match(await evaluate("document.getElementById('panel').innerText"), /open/);
	},
	async year() {
		await open("year");
		assert.match(await evaluate("document.getElementById('about').textContent"), /31536000 s|365 d/);
		for (let i = 0; i < 80; i++)
			await browser.key("w");
		await browser.settle();
		assert((await evaluate("iotrace.app.to - iotrace.app.from")) >= 20);
		await browser.key("0");
		await browser.settle();
	},
	async rows() {
		await open("rows");
		assert((await evaluate("document.querySelectorAll('#names .row').length")) < 100, "only rows in sight are elements");
		await evaluate("iotrace.app.setFilter('19999')");
		await browser.settle();
		assert((await evaluate("document.getElementById('names').textContent")).includes("file 19999"));
	},
};

try {
	for (const [name, test] of Object.entries(tests)) {
		await test();
		console.log(`ok: ${name}`);
	}
} finally {
	await browser.stop();
}
