// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Links of a real recording on the page: their ends are those of the output text, a selection shows its chain, an arrow can
 * be clicked and zoomed to, and an end on a row that is not shown says where it is.
 *
 * usage: node html-links.mjs PAGE TEXT chromium|firefox
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Browser } from "./html-chromium.mjs";
import { Firefox } from "./html-firefox-driver.mjs";

const [page, text] = process.argv.slice(2);
const browser = await (process.argv[4] === "firefox" ? Firefox : Browser).start();
const evaluate = (expression) => browser.evaluate(expression);
const json = async (expression) => JSON.parse(await evaluate(`JSON.stringify(${expression})`));
const select = async (item, go = true) => {
	await evaluate(`iotrace.app.select(${item}, ${go})`);
	await browser.settle();
};

/* 138799048094 link "test/res02/node 1" message "LOOKUP" 146590192 "test/res02/node 3" ... */
const LINE = /^(\d+) link "((?:[^"\\]|\\.)*)"(?: lane=(\d+))? (\S+) "((?:[^"\\]|\\.)*)" (-?\d+)(?: lane=\d+)? "((?:[^"\\]|\\.)*)"/;
const said = readFileSync(text, "utf8").split("\n").map((line) => LINE.exec(line)).filter((line) => line)
	.map(([, t0, from, , , name, ns, to]) => ({ t0, from, name, ns: Number(ns), to }));

assert(said.length > 1000, "the recording has messages");
await browser.open("file://" + resolve(page));
await browser.settle();

async function ends() {
	const shown = await json(`(({ recording: r }) => [...r.linkTo].map(([link, to]) => [String(BigInt(r.head.zero) + BigInt(r.t0[link])),
		r.path(r.trackAt(link).row), r.category(link).name, r.t1[link] - r.t0[link], r.path(to.row)].join("|")))(iotrace)`);

	assert.deepEqual(shown.sort(), said.map(({ t0, from, name, ns, to }) => [t0, from, name, Math.abs(ns), to].join("|")).sort());
}

/* A wait that sent a request and got a reply while it lasted: its chain leads over the call to the request, and from the reply to the
 * end of the wait, and has no message of another lock. */
async function chain() {
	const spans = [...readFileSync(text, "utf8").matchAll(/^(\d+) span "((?:[^"\\]|\\.)*)"(?: lane=(\d+))? lock "PENDING" (\d+)/gm)]
		.map(([, t0, path, lane, ns]) => ({ t0: BigInt(t0), t1: BigInt(t0) + BigInt(ns), path }));
	const within = (t, span) => BigInt(t) >= span.t0 && BigInt(t) <= span.t1;
	const alone = (span) => !spans.some((other) => other !== span && other.path === span.path && other.t0 <= span.t1 && other.t1 >= span.t0);
	const arrival = ({ t0, ns }) => BigInt(t0) + BigInt(ns);
	const leaves = (span) => said.filter(({ name, from, t0 }) => name === "lock sends" && from === span.path && BigInt(t0) === span.t0);
	const arrives = (span) => said.filter((link) => link.name === "completes" && link.to === span.path && arrival(link) === span.t1);
	const basts = (span) => said.filter((link) => /blocks|answers/.test(link.name) && [link.from, link.to].includes(span.path) && (within(link.t0, span) || within(arrival(link), span)));
	const span = spans.filter(alone).find((each) => leaves(each).length === 1 && arrives(each).length === 1 && !basts(each).length);
	const expected = ["arrives completes", "leaves lock sends"];
	const request = said.find(({ name, from, t0 }) => /^[A-Z]/.test(name) && from === span.path && BigInt(t0) === arrival(leaves(span)[0]));
	const reply = said.find((link) => /^[A-Z]/.test(link.name) && link.to === span.path && String(arrival(link)) === arrives(span)[0].t0);

	await evaluate(`(({ app, recording: r }) => app.select(r.t0.findIndex((t0, i) => BigInt(r.head.zero) + BigInt(t0) === ${span.t0}n && r.category(i).name === "PENDING" &&
		r.path(r.trackAt(i).row) === ${JSON.stringify(span.path)}), true))(iotrace)`);
	await browser.settle();
	const rows = await json(`[...document.querySelectorAll(".chain tbody tr")].map((row) => [...row.children].slice(0, 2).map((cell) => cell.textContent).join(" "))`);

	assert.deepEqual(rows.filter((row) => /^(leaves|arrives)/.test(row)).sort(), expected);
	assert.deepEqual(rows.filter((row) => row.startsWith("2 steps")).sort(), [`2 steps back ${reply.name}`, `2 steps on ${request.name}`]);
	const drawn = await evaluate("iotrace.app.picture.drawn.length");

	assert(drawn >= 2, "and its arrows are drawn");
	const other = await evaluate("iotrace.app.selected");

	await evaluate("document.querySelector('.chain tbody tr').click()");
	await browser.settle();
	assert.notEqual(await evaluate("iotrace.app.selected"), other);
	assert.match(await evaluate("document.getElementById('panel').innerText"), /from\s+test \/ res|from\s+gfs \//, "a row of the table leads to its link");
}

/* f zooms to a link; a click in the middle of its curve selects it. */
async function zoomAndClick() {
	const link = await evaluate(`(({ app, recording: r }) => [...r.linkTo].find(([link, to]) => to.row !== r.trackAt(link).row && r.t1[link] - r.t0[link] > 1e6 &&
		r.name(r.head.rows.parent[to.row]) === "res01")[0])(iotrace)`);

	await select(link);
	await browser.key("f");
	await browser.settle();
	await browser.settle();
	const { from, to, t0, t1 } = await json(`(({ app, recording: r }) => ({ from: app.from, to: app.to, t0: r.t0[${link}], t1: r.t1[${link}] }))(iotrace)`);

	assert(from < t0 && t1 < to && to - from < 2 * (t1 - t0), "f shows the link and little else");
	const place = await json(`(() => {
		const arrow = iotrace.app.picture.drawn.find((each) => each.link === ${link}), box = document.getElementById("picture").getBoundingClientRect();
		return [box.left + (arrow.x0 + arrow.x1) / 2, box.top + (arrow.y0 + arrow.y1) / 2];
	})()`);

	await evaluate("iotrace.app.select(-1)");
	await browser.settle();
	await browser.click(...place);
	await browser.settle();
	assert.equal(await evaluate("iotrace.app.selected"), link, "a click on an arrow selects it");
	const address = await evaluate("location.href");

	await browser.open(address);
	await browser.settle();
	assert.equal(await evaluate("iotrace.app.selected"), link, "a link to the place keeps it");
}

/* With only one of the two rows in sight the arrow is a stub. */
async function hiddenEnd() {
	const [own, other] = await json(`(({ app, recording: r }) => { const to = r.linkTo.get(app.selected); return [r.path(r.trackAt(app.selected).row), r.path(to.row)]; })(iotrace)`);

	await evaluate(`iotrace.app.setFilter(${JSON.stringify("!" + other.split("/").pop().replace(" ", "?"))})`);
	await browser.settle();
	assert(!await evaluate(`iotrace.app.lines.some((line) => line.kind === "row" && iotrace.recording.path(line.row) === ${JSON.stringify(other)})`));
	const svg = await evaluate(`(async () => {
		URL.createObjectURL = (blob) => { window.saved = blob; return "#"; };
		HTMLAnchorElement.prototype.click = () => {};
		document.getElementById("save").click();
		document.getElementById("save-svg").click();
		return saved.text();
	})()`);

	assert(svg.includes(`>→ ${other.split("/").slice(-2).join(" / ")}<`), `the stub at ${own} says that it goes to ${other}`);
	await evaluate("iotrace.app.setFilter('')");
}

/* All links of the window where they are few; hidden kinds are not drawn. */
async function density() {
	await evaluate("iotrace.app.select(-1); iotrace.app.glide = iotrace.app.setWindow; iotrace.app.setWindow(iotrace.recording.head.from, iotrace.recording.head.to)");
	await browser.settle();
	assert.equal(await evaluate("iotrace.app.picture.drawn.length"), 0, "no arrows in front of the whole recording");
	await evaluate("iotrace.app.setWindow(60e9, 62e9)");
	await browser.settle();
	const few = await evaluate("iotrace.app.picture.drawn.length");

	assert(few > 0 && few <= 200);
	await evaluate("(({ app, recording: { head } }) => app.setHidden(head.cats.map((_cat, i) => i).filter((i) => i && head.types[head.cats[i].type].kind === \"link\"), true))(iotrace)");
	await browser.settle();
	assert.equal(await evaluate("iotrace.app.picture.drawn.length"), 0);
}

try {
	for (const test of [ends, chain, zoomAndClick, hiddenEnd, density]) {
		await test();
		console.log(`ok: ${browser.name}: ${test.name}`);
	}
	assert.deepEqual(browser.errors, []);
} finally {
	await browser.stop();
}
