// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The pages that html-edges.sh makes: none is broken, whatever names and times it has, in Chromium and in Firefox.
 * usage: node html-edges.mjs FOLDER chromium|firefox
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { Browser } from "./html-chromium.mjs";
import { Firefox } from "./html-firefox-driver.mjs";

const folder = resolve(process.argv[2]);
const browser = await (process.argv[3] === "firefox" ? Firefox : Browser).start();
const evaluate = (expression) => browser.evaluate(expression);
const sorry = "[...document.querySelectorAll('.sorry')].filter((box) => !box.closest('noscript')).map((box) => box.textContent).join()";
const panel = "document.getElementById('panel').innerText";

async function open(name) {
	await browser.open(`file://${folder}/${name}.html`);
	await browser.settle();
	assert.equal(await evaluate(sorry), "", name);
	assert.deepEqual(browser.errors, [], name);
}
async function select(item) {
	await evaluate(`iotrace.app.select(${item}, true)`);
	await browser.settle();
}
/** A copy of a page whose head, or text, is another one. */
function changed(name, as, { head = (value) => value, page = (text) => text }) {
	const text = readFileSync(`${folder}/${name}.html`, "latin1");
	const at = /data-part="head">([^<]+)</.exec(text);
	const value = head(JSON.parse(inflateRawSync(Buffer.from(at[1], "base64")).toString()));
	const packed = deflateRawSync(Buffer.from(JSON.stringify(value))).toString("base64");

	writeFileSync(`${folder}/${as}.html`, page(text.replace(at[1], packed)), "latin1");
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
			"/t/\"quoted\" &amp; 'single' \\\\ back", "/t/line\\x0abreak\\x09tab\\x01\\xff", "😀 𝄞 é", "/t/<!--data--><!--", "שלום \\xe2\\x80\\xaegnp.exe", "/t/raw \\xff\\xfe"])
			assert(shown.includes(name), `${name} is shown as it is`);
		/* a name that turns the direction of writing does not turn what follows it */
		assert.equal(await evaluate("getComputedStyle(document.querySelector('#names .row > span')).unicodeBidi"), "isolate");
		/* each selection shows all attributes, and each attribute gives colours */
		for (let item = 0; item < 8; item++)
			await select(item);
		await evaluate("iotrace.app.setPaint('path')");
		await browser.settle();
		assert((await evaluate("document.getElementById('chips').textContent")).includes("/t/<!--data-->"));
		/* and the vector picture is still XML with the names in it */
		const texts = await evaluate(`(async () => {
			URL.createObjectURL = (blob) => { window.saved = blob; return "#"; };
			document.getElementById("save").click();
			document.getElementById("save-svg").click();
			const xml = new DOMParser().parseFromString(await saved.text(), "image/svg+xml");
			return xml.querySelector("parsererror") ? "broken" : [...xml.querySelectorAll("text")].map((text) => text.textContent).join("\\n");
		})()`);

		assert(texts.includes("/t/</script><script>window.broken = 1</script>"), texts);
		assert.equal(await evaluate("window.broken"), undefined);
	},
	async nothing() {
		await open("nothing");
		assert.match(await evaluate("document.getElementById('nothing').textContent"), /^Nothing to show: /);
	},
	async instant() {
		await open("instant");
		await select(0);
		assert.match(await evaluate(panel), /open/);
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
		assert((await evaluate("iotrace.recording.head.rows.name.length")) > 100000);
		assert((await evaluate("document.querySelectorAll('#names .row').length")) < 100, "only rows in sight are elements");
		await evaluate("iotrace.app.setFilter('99999')");
		await browser.settle();
		assert((await evaluate("document.getElementById('names').textContent")).includes("file 99999"));
		await evaluate("iotrace.app.setFilter('')");
		await evaluate("iotrace.app.tree.limits.set('v1', 1e6); iotrace.app.update(true); iotrace.app.draw(); iotrace.app.scrollTo(1e9)");
		await browser.settle();
		assert.equal(await evaluate("iotrace.app.lines.filter((line) => line.kind === 'row' && line.depth === 1).length > 100000"), true);
		assert((await evaluate("document.querySelectorAll('#names .row').length")) < 100);
		assert((await evaluate("document.querySelectorAll('#panel tr').length")) < 1000, "nor has a table all of them");
	},
	async long() {
		await open("long");
		await select(0);
		/* attributes come when they are unpacked */
		for (let tries = 0; tries < 300 && !/\/t\/y/.test(await evaluate(panel)); tries++)
			await browser.settle();
		assert.match(await evaluate(panel), /\/t\/y{200,}/);
		assert((await evaluate(panel + ".length")) < 20000, "an attribute of 1 MB is cut");
		assert.equal(await evaluate(`(async () => {
			const path = (await iotrace.recording.attributes(iotrace.app.selected)).find((value) => value.name === "path");
			return path.text.length + path.text.slice(-4);
		})()`), "1000006yend", "but all of it is in the page");
		assert.equal(await evaluate("document.querySelector('#panel [data-whole]').dataset.whole"), "path", "and can be copied");
	},
	/* A table that no program of today makes, with a column of an unknown kind. */
	async table() {
		const column = (name, kind, title = name) => ({ name, title, kind });

		changed("names", "table", { head: (head) => ({ ...head, tables: [...head.tables, {
			name: "blame", title: "In the way", remark: "of the longest waits", notes: ["Nobody knows more."],
			columns: [column("place", "row", "where"), column("at", "instant"), column("took", "ns"), column("share", "share"), column("n", "count"),
				column("why", "text"), column("sort", "flavour")],
			rows: [[1, 100, 2500000, 0.25, 7, "<b>held</b>", "sweet"], [2, 200, 1000, 1, -3, null, 5], [null, null, 77, 0, 0, null, null]],
			at_least: [0, 2], unknown: [1, 5], alarm: [4], marks: { 2: { others: 12 } },
		}] }) });
		await open("table");
		await evaluate(`iotrace.app.openTab("blame")`);
		const cells = () => evaluate(`[...document.querySelectorAll("#panel tbody tr")].map((row) => [...row.children].map((cell) => cell.textContent).join("|")).join("\\n")`);
		const rows = (await cells()).split("\n");

		assert.match(rows[0], /\|100 ns\|≥ 2\.50 ms\|25\.0 %\|7\|<b>held<\/b>\|sweet$|\|0\.000000 s\|≥ 2\.50 ms\|25\.0 %\|7\|<b>held<\/b>\|sweet$/);
		assert.match(rows[1], /\|1\.00 µs\|100\.0 %\|-3\|\?\|5$/);
		assert.match(rows[2], /^12 others\|/);
		assert.match(await evaluate(panel), /of the longest waits[^]*Nobody knows more\./);
		assert.equal(await evaluate(`document.querySelector("#panel .share i").style.width`), "25%");
		await evaluate(`[...document.querySelectorAll("#panel th button")].find((head) => head.textContent === "took").click()`);
		await evaluate(`[...document.querySelectorAll("#panel th button")].find((head) => head.textContent.startsWith("took")).click()`);
		assert.match((await cells()).split("\n")[0], /1\.00 µs/, "sorted by the number, not by its text");
		assert.match((await cells()).split("\n")[2], /^12 others/, "the sum of others stays last");
		await evaluate(`document.querySelector("#panel tr.go").click()`);
		await browser.settle();
		assert.equal(await evaluate("!!document.querySelector('#names .row')"), true);
	},
	/* Hints when it is opened for the first time; not again where the browser keeps it. */
	async tour() {
		const hidden = "document.getElementById('tour').hidden", kept = "localStorage.getItem('iotrace-tour')";

		await browser.open(`file://${folder}/names.html`, { tour: true });
		await evaluate("localStorage.removeItem('iotrace-tour')");
		await browser.open(`file://${folder}/names.html`, { tour: true });
		assert.equal(await evaluate(hidden), false);
		assert.equal(await evaluate("document.querySelectorAll('#tour li').length"), 4);
		await evaluate("document.querySelector('#tour button').click()");
		assert.equal(await evaluate(hidden), true);
		assert.equal(await evaluate(kept), "1");
		await browser.open(`file://${folder}/names.html`, { tour: true });
		assert.equal(await evaluate(hidden), true);
		changed("names", "noStorage", { page: (text) => text.replace("<head>",
			"<head><script>Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } })</script>") });
		await browser.open(`file://${folder}/noStorage.html`, { tour: true });
		await browser.key("Escape");
		assert.equal(await evaluate(hidden), true, "it closes although nothing is kept");
	},
	async tooOld() {
		changed("names", "old", { page: (text) => text.replace("<head>", "<head><script>delete window.DecompressionStream</script>") });
		await browser.open(`file://${folder}/old.html`);
		const said = await evaluate(sorry);

		assert.match(said, /too old.*DecompressionStream.*Firefox 113/);
		assert(await evaluate("document.querySelector('body > .sorry').getBoundingClientRect().height > 20"), "the sentence is to be seen");
	},
	/* The file is read by a worker; a browser that refuses one, at once or later, shows the same. */
	async workers() {
		const scripts = {
			counted: "window.begun = 0; const Own = Worker; window.Worker = class extends Own { constructor(...all) { super(...all); begun++; } }",
			refused: "window.begun = 0; window.Worker = class { constructor() { throw new Error('no'); } }",
			late: "window.begun = 0; window.Worker = class { constructor() { setTimeout(() => this.onerror({ message: '' })); } postMessage() {} }",
		};
		const said = {};

		for (const [name, script] of Object.entries(scripts)) {
			changed("names", name, { page: (text) => text.replace("<head>", `<head><script>${script}</script>`) });
			await open(name);
			assert.equal(await evaluate("begun"), name === "counted" ? 1 : 0);
			await evaluate("iotrace.app.setFilter('path=/t/file duration>1ns')");
			await evaluate("iotrace.app.setFilter('tgid=42 duration>=100ns')");
			said[name] = await evaluate(`(async () => JSON.stringify([iotrace.app.hits.length, await iotrace.recording.attributes(0),
				document.getElementById("chips").textContent]))()`);
		}
		assert.match(said.counted, /^\[[1-9]\d*,\[\{"name":/);
		assert.equal(said.refused, said.counted);
		assert.equal(said.late, said.counted);
	},
	async cut() {
		changed("names", "cut", { page: (text) => text.replace(/data-part="items">[^<]{20}/, "data-part=\"items\">") });
		await browser.open(`file://${folder}/cut.html`);
		assert.match(await evaluate(sorry), /^The page cannot show its data: /);
	},
};

try {
	for (const [name, test] of Object.entries(tests)) {
		await test();
		console.log(`ok: ${browser.name}: ${name}`);
	}
} finally {
	await browser.stop();
}
