// SPDX-License-Identifier: GPL-2.0-or-later
// Colours of the page: by attribute, and their distances for every kind of colour vision.
import assert from "node:assert/strict";
import test from "node:test";
import { Colours, FAR, NODES, OTHERS, luminance, nodeColour, palette } from "page/colour";
import { MOST_VALUES, coloursOf, hashOf, paint, paintable, unpaint } from "page/paint";
import { recordingOf } from "./html-sample.mjs";

/* What people without one kind of cones see (Machado, Oliveira and Fernandes 2009, severity 1), on linear RGB. */
const VISIONS = {
	trichromat: [1, 0, 0, 0, 1, 0, 0, 0, 1],
	protanope: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
	deuteranope: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
	tritanope: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};
const MODES = { light: [0x8cc6e0, 0x2e9fa3, 0x1c55d6, 0x2f1751, 0xd6401f, 0xf2a71b], dark: [0x8cc6e0, 0x2e9fa3, 0x1c55d6, 0xd165f5, 0xd6401f, 0xf2a71b] };
const WAIT = 0xf2a71b;

function oklab(rgb, matrix) {
	const linear = [16, 8, 0].map((shift) => {
		const c = (rgb >> shift & 255) / 255;

		return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
	});
	const [r, g, b] = [0, 3, 6].map((row) => Math.min(1, Math.max(0, linear.reduce((sum, c, i) => sum + c * matrix[row + i], 0))));
	const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
	const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
	const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);

	return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
		0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
}
function apart(colours, least) {
	for (const [vision, matrix] of Object.entries(VISIONS))
		colours.forEach((a, i) => colours.slice(0, i).forEach((b) => {
			const away = 100 * Math.hypot(...oklab(a, matrix).map((c, k) => c - oklab(b, matrix)[k]));

			assert(away >= least, `#${a.toString(16)} and #${b.toString(16)} are ${away.toFixed(1)} apart for a ${vision}`);
		}));
}

test("colours are apart for every kind of colour vision", () => {
	apart([0x000000, 0xffffff], 99);
	assert.throws(() => apart([0xff0000, 0x8a7a00], 11), /protanope|deuteranope/, "red and olive are not");
	apart([...FAR, WAIT, OTHERS], 11);
	apart(MODES.light, 11);
	apart(MODES.dark, 11);
});

test("colours of values can be seen on both pages", () => {
	for (const dark of [false, true])
		for (const rgb of [...FAR, OTHERS]) {
			const [light, deep] = [luminance(rgb), luminance(parseInt(palette(dark).page.slice(1), 16))].map((y) => y + 0.05).sort((a, b) => b - a);

			assert(light / deep >= 1.2, `#${rgb.toString(16)} on ${palette(dark).page}: ${light / deep}`);
		}
});

test("machines have colours for text and thin lines, the same in every page", () => {
	for (const dark of [false, true])
		for (const rgb of NODES) {
			const [light, deep] = [luminance(rgb), luminance(parseInt(palette(dark).page.slice(1), 16))].map((y) => y + 0.05).sort((a, b) => b - a);

			/* WCAG 2.1, 1.4.11: graphical objects */
			assert(light / deep >= 3, `#${rgb.toString(16)} on ${palette(dark).page}: ${light / deep}`);
		}
	assert.equal(new Set(NODES).size, NODES.length);
	assert.deepEqual([1, 2, 7].map((n) => nodeColour("node " + n)), [NODES[0], NODES[1], NODES[0]]);
	/* the name stands beside the line */
	apart(NODES, 6);
	assert.equal(nodeColour("server"), nodeColour("server"));
	for (const rgb of NODES)
		apart([rgb, WAIT, 0xd6401f], 11);
});

test("a value keeps its colour, and no two values share one", () => {
	const none = () => undefined, words = Array.from({ length: FAR.length }, (_none, i) => "process " + i);
	const colours = coloursOf(words, none);

	assert.equal(new Set([...colours.values()].map(({ rgb }) => rgb)).size, FAR.length);
	assert.equal(coloursOf(["bash"], none).get("bash").rgb, FAR[hashOf("bash") % FAR.length], "in every page alike");
	assert.equal(coloursOf(["EX", "bash"], (text) => text === "EX" ? { rgb: 1, dark: 2 } : undefined).get("EX").dark, 2,
		"a mode has the colour that it has as a state");
	assert.equal(hashOf(""), 0x811c9dc5);
	assert.equal(hashOf("a"), 0xe40c292c, "FNV-1a");
});

/** The sample with an attribute of the spans: @pids, in their order. */
function withPids(spans, pids) {
	const recording = recordingOf(spans);

	recording.head.types[4].attrs = [{ name: "pid", format: "uint" }, { name: "waited", format: "duration" }];
	const texts = ["", ...new Set(pids.filter((pid) => pid !== null).map(String))];

	recording.store = { values: async () => ({ texts, value: Uint32Array.from(pids, (pid) => pid === null ? 0 : texts.indexOf(String(pid))) }) };
	return recording;
}

test("spans are painted by an attribute, and by their kind again", async () => {
	/* sorted as the recording sorts them: by row and end */
	const recording = withPids([[3, 0, 3, 0, 100], [3, 0, 2, 100, 200], [3, 0, 3, 200, 210], [4, 0, 1, 0, 900]], [7, 7, 8, null]);
	const { head } = recording, kinds = head.cats.length;
	const painted = () => [...recording.cat].map((kind) => head.cats[kind]);

	assert.deepEqual(paintable(head.types), ["pid"], "no durations");
	assert(await paint(recording, "pid", () => true));
	assert.deepEqual(painted().map((cat) => cat.name), ["7", "7", "8", "no pid"]);
	assert.deepEqual(painted().map((cat) => cat.role), ["wait", "hold", "wait", "hold"], "a wait stays a wait");
	assert.equal(painted()[0].rgb, painted()[1].rgb);
	assert.notEqual(painted()[0].rgb, painted()[2].rgb);
	assert.deepEqual([0, 1, 2, 3].map((item) => recording.category(item).name), ["PENDING", "EX", "PENDING", "PR"]);
	unpaint(recording);
	assert.deepEqual(painted().map((cat) => cat.name), ["PENDING", "EX", "PENDING", "PR"]);
	assert.equal(head.cats.length, kinds);
	assert(!await paint(recording, "pid", () => false));
	assert.equal(head.cats.length, kinds, "nothing has changed when it is not wanted any more");
});

test("only the values with the most time have colours of their own", async () => {
	const spans = Array.from({ length: 40 }, (_none, i) => [3, 0, 3, 1000 * i, 1000 * i + 40 - i]);
	const recording = withPids(spans, spans.map((_span, i) => 100 + i));

	await paint(recording, "pid", () => true);
	const names = [...recording.cat].map((kind) => recording.head.cats[kind].name);

	assert.deepEqual(names.slice(0, MOST_VALUES), spans.slice(0, MOST_VALUES).map((_span, i) => String(100 + i)));
	assert.deepEqual([...new Set(names.slice(MOST_VALUES))], ["other pid"]);
	assert.equal(recording.head.cats[recording.cat[39]].rgb, OTHERS);
});

test("the switch gives kinds of calls that occur colours of their own", () => {
	const recording = recordingOf(Array.from({ length: 11 }, (_none, i) => [3, 0, 5 + 2 * i, 100 * i, 100 * i + 50]));

	/* 22 kinds of calls, of which every second occurs; the last two that occur share a colour */
	for (let i = 0; i < 22; i++)
		recording.head.cats[5 + i] = { type: 4, name: "call " + i, rgb: i > 17 ? 0x900018 : 0x101010 + i, dark: 0, role: "call" };
	const colours = new Colours(recording);

	assert.equal(colours.css(5), "#101010");
	colours.setDistinct(true);
	const shown = [...recording.cat].map((cat) => colours.css(cat));

	assert.equal(new Set(shown).size, 10);
	assert.equal(shown[9], shown[10], "kinds that share a colour still do");
	assert(shown.every((each) => FAR.includes(parseInt(each.slice(1), 16))));
	assert.equal(colours.css(3), "#000000", "waiting keeps its own");
});
