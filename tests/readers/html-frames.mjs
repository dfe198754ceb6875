// SPDX-License-Identifier: GPL-2.0-or-later
// Prints how long pages take until their first picture, and for each frame of zooms, moves and scrolls.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { Browser } from "./html-chromium.mjs";

const browser = await Browser.start();

try {
	for (const page of process.argv.slice(2)) {
		await browser.open("file://" + resolve(page));
		const figures = JSON.parse(await browser.evaluate(`(async () => {
			const { app, recording } = iotrace, ms = [];
			const states = recording.tracks.reduce((sum, track) => sum + (track.kind === 1 ? track.to - track.from : 0), 0);
			const frame = async (change) => {
				change();
				const begin = performance.now();

				app.draw();
				ms.push(performance.now() - begin);
				await new Promise((done) => setTimeout(done));
			};

			for (let i = 0; i < 60; i++)
				await frame(() => app.zoom(0.75, app.from + (app.to - app.from) * 0.37));
			for (let i = 0; i < 60; i++)
				await frame(() => app.zoom(1 / 0.75));
			for (let i = 0; i < 60; i++)
				await frame(() => app.scrollTo(app.scroll + 60));
			for (let i = 0; i < 20; i++)
				await frame(() => app.setWindow(app.recording.head.to * i / 40, app.recording.head.to * (i + 20) / 40));
			ms.sort((a, b) => a - b);
			return JSON.stringify({ states, items: recording.head.n, ready: iotrace.ready, frames: ms.length,
				middle: ms[ms.length >> 1], most: ms[Math.floor(ms.length * 0.95)], worst: ms[ms.length - 1] });
		})()`));

		assert(figures.states > 0);
		assert.deepEqual(browser.errors, []);
		console.log(`${basename(page)}: ${figures.states} states, ${figures.items} items, ${(statSync(page).size / figures.states).toFixed(1)} B a state; ` +
			`first picture after ${figures.ready.toFixed(0)} ms; ${figures.frames} frames: half within ${figures.middle.toFixed(1)} ms, ` +
			`95 % within ${figures.most.toFixed(1)} ms, worst ${figures.worst.toFixed(1)} ms`);
	}
} finally {
	await browser.stop();
}
