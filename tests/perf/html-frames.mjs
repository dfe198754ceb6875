// SPDX-License-Identifier: GPL-2.0-or-later
// Prints how long pages take until their rows are drawn, for the first click in a table, a search, and for frames of zooms, moves
// and scrolls, in ms: until it is drawn, and of processor time, which other programs disturb less; and the longest task of the
// page's thread after the first picture.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { Browser } from "../readers/html-chromium.mjs";

const FRAMES = 200;

/** In the page: makes window.frame(i), which draws one frame, and window.work, which counts. */
function prepare() {
	/* a track with so many points has as many bins as a wide window needs */
	const LONG = 40000;
	const { app, recording } = iotrace, { density } = app.picture, { tracks } = recording;
	const states = tracks.reduce((sum, track) => sum + (track.kind === 1 ? track.to - track.from : 0), 0);
	const isLong = (track) => track.to - track.from > LONG;
	const fill = density.fill.bind(density);
	const changes = [];
	/* columns with points; of wide windows, the long tracks that were drawn, and points of them that were looked at */
	const work = window.work = { states, items: recording.head.n, ready: iotrace.ready, points: tracks.some((track) => track.kind === 2),
		hasLong: tracks.some((track) => track.kind === 2 && isLong(track)), columns: 0, long: 0, visited: 0 };

	density.fill = (which, from, to, ...rest) => {
		const any = fill(which, from, to, ...rest);

		const all = which.map((at) => tracks[at]), short = all.filter((track) => !isLong(track));

		if (short.length < all.length && to - from > recording.length / 2) {
			work.long++;
			work.visited += Math.max(density.visited - short.reduce((sum, track) => sum + track.to - track.from, 0), 0);
		}
		work.columns += density.counts.reduce((sum, n) => sum + (n > 0 ? 1 : 0), 0);
		return any;
	};
	for (let i = 0; i < 60; i++)
		changes.push(() => app.zoom(0.75, app.from + (app.to - app.from) * 0.37));
	for (let i = 0; i < 60; i++)
		changes.push(() => app.zoom(1 / 0.75));
	for (let i = 0; i < 60; i++)
		changes.push(() => app.scrollTo(app.scroll + 60));
	/* a long row is in sight */
	const long = tracks.find((track) => track.kind === 2 && isLong(track));

	changes.push(() => long && app.visit([long.row]));
	for (let i = 1; i < 20; i++)
		changes.push(() => app.setWindow(app.recording.head.to * i / 40, app.recording.head.to * (i + 20) / 40));
	window.frame = (i) => {
		changes[i]();
		const begin = performance.now();

		app.draw();
		return performance.now() - begin;
	};
	return changes.length;
}

/** In the page: how long a click on the first row of a table and a search take, and the longest task since the rows are there. */
async function answers() {
	const { app, recording } = iotrace, [rows] = performance.getEntriesByName("rows");
	const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
	const took = async (run) => {
		const begun = performance.now();

		await run();
		await frame();
		return performance.now() - begun;
	};
	const table = [...document.querySelectorAll("#tabs button")].find((tab) => tab.textContent.startsWith("Resources"));
	const task = tasks.reduce((most, { startTime, duration }) => startTime > rows.startTime ? Math.max(most, duration) : most, 0);

	if (table)
		table.click();
	const row = document.querySelector("#panel tr.go"), click = row ? await took(() => row.click()) : 0;

	const [attr] = recording.head.types.filter(({ kind, attrs }) => kind === "span" && attrs.length).flatMap(({ attrs }) => attrs);
	const search = attr ? await took(() => app.setFilter(`${attr.name}=1`)) : 0;

	return { rows: rows.startTime, click, search, task };
}

/** Of the page's main thread, so far. */
async function processorMs(browser, what) {
	const { metrics } = await browser.send("Performance.getMetrics");

	return metrics.find((metric) => metric.name === what).value * 1000;
}

function spread(times) {
	times.sort((a, b) => a - b);
	return [0.5, 0.95, 1].map((share) => times[Math.min(Math.floor(times.length * share), times.length - 1)].toFixed(1)).join(", ");
}

const browser = await Browser.start();

try {
	await browser.send("Performance.enable", { timeDomain: "threadTicks" });
	await browser.send("Page.addScriptToEvaluateOnNewDocument", { source: `window.tasks = [];
		new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: "longtask", buffered: true })` });
	for (const page of process.argv.slice(2)) {
		const elapsed = [], processor = [], blank = await processorMs(browser, "TaskDuration");

		await browser.open("file://" + resolve(page));
		const loaded = await processorMs(browser, "TaskDuration");

		assert.equal(await browser.evaluate(`(${prepare})()`), FRAMES);
		for (let i = 0; i < FRAMES; i++) {
			const before = await processorMs(browser, "ScriptDuration");

			elapsed.push(await browser.evaluate(`frame(${i})`));
			processor.push(await processorMs(browser, "ScriptDuration") - before);
		}
		const work = await browser.evaluate("work"), hands = await browser.evaluate(`(${answers})()`);

		assert(work.states > 0);
		assert(!work.points || work.columns > 0, "no frame has points");
		assert(!work.hasLong || work.long > 0, "no frame has long rows");
		assert.equal(work.visited, 0, "points that were looked at one by one in wide windows");
		assert.deepEqual(browser.errors, []);
		console.log(`${basename(page)}: ${work.states} states, ${work.items} items, ${(statSync(page).size / work.states).toFixed(1)} B a state; ` +
			`rows after ${hands.rows.toFixed(0)} ms, all after ${work.ready.toFixed(0)} of the script (${(loaded - (loaded > blank ? blank : 0)).toFixed(0)} of processor time of the page's thread); ` +
			`first click ${hands.click.toFixed(0)}, search ${hands.search.toFixed(0)}, longest task after the first picture ${hands.task.toFixed(0)} ms; ${FRAMES} frames, ms of the middle, at 95 %, of the worst: ` +
			`${spread(elapsed)}; of processor time: ${spread(processor)}`);
	}
} finally {
	await browser.stop();
}
