// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A slow call on the page has a bar and a sentence with all its reasons. why.txt has the times: 50 us on each of the nodes 3 and 4.
 *
 * usage: node html-why.mjs PAGE
 */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { Browser } from "./html-chromium.mjs";

/* of 50 us, by node: device 19, runnable 5, own work 25, rest 1; host 11, runnable 8, own work 31 */
/* largest first, as named by the analyzer */
const WANTED = {
	node3: [["own_work", 50, "own work"], ["device", 38, "waited for block devices"], ["runnable", 10, "waited for a CPU"], ["rest", 2, "not explained"]],
	node4: [["own_work", 62, "own work"], ["host", 22, "stolen by the host"], ["runnable", 16, "waited for a CPU"]],
};

for (const dark of [false, true]) {
	const browser = await Browser.start({ dark });

	await browser.open("file://" + resolve(process.argv[2]));
	await browser.settle();
	for (const [node, parts] of Object.entries(WANTED)) {
		await browser.evaluate(`(({ app, recording: r }) => app.select(r.t0.findIndex((begin, i) => r.t1[i] - begin === 50000 &&
			r.category(i).name === "write" && r.nodeOf(r.trackAt(i).row) === "${node}"), true))(iotrace)`);
		for (let i = 0; i < 3; i++)
			await browser.settle();
		const [bars, text, colours] = JSON.parse(await browser.evaluate(`JSON.stringify([
			[...document.querySelectorAll("#details .parts")].map((bar) => [...bar.children].map((part) => [part.className.trim(), Math.round(parseFloat(part.style.width))])),
			document.querySelector("#details .account p").innerText,
			[...document.querySelectorAll("#details .parts i, #details .account .dot")].map((part) => getComputedStyle(part).backgroundColor)])`));

		assert.deepEqual(bars, [parts.map(([name, percent]) => [name, percent])], `${node}: one bar, as it waited for no lock`);
		assert.equal(text.replace(/\s+/g, " ").trim(), parts.map(([, percent, title]) => `${percent} % ${title}`).join(", "));
		assert.equal(new Set(colours).size, parts.length, `${node}: a colour for each part, in the bar and in the sentence`);
	}
	/* with waits for locks only, who was in the way */
	await browser.evaluate(`(({ app, recording: r }) => app.select(r.t0.findIndex((begin, i) => r.t1[i] - begin === 98000 &&
		r.category(i).name === "write"), true))(iotrace)`);
	for (let i = 0; i < 3; i++)
		await browser.settle();
	assert.equal(await browser.evaluate(`document.querySelector("#details .account p").innerText`), "97 % waited for locks: R, held by node2 EX (pid 99), 3 % not explained");
	/* by way of a lock: of 97 us that the call waits for the glock, a worker waits 89 us for the lock */
	await browser.evaluate(`(({ app, recording: r }) => app.select(r.t0.findIndex((begin, i) => r.t1[i] - begin === 100000 &&
		r.category(i).name === "write"), true))(iotrace)`);
	for (let i = 0; i < 3; i++)
		await browser.settle();
	assert.equal(await browser.evaluate(`document.querySelector("#details .account p").innerText`),
		"89 % waited for locks: inode 334c, held by node6 EX (pid 90), 8 % waited for locks: inode 334c, 3 % not explained");
	assert.deepEqual(JSON.parse(await browser.evaluate(`JSON.stringify([...document.querySelectorAll("#details table:not(.account) tr.go")].map((row) =>
		[...row.children].slice(0, 5).map((cell) => cell.innerText.replace(/\\s+/g, " "))))`)), [
		["0x9 / inode 334c /mnt/f", "EX", "89.0 µs", "89 %", "node6 EX (pid 90) 99 %, hand-over 1 %"],
		["253:2 / inode 334c /mnt/f", "EX", "8.00 µs", "8 %", "own node"],
	]);
	/* the rows of the waits for lock and glock, and of the hold, are in the light */
	assert.deepEqual(JSON.parse(await browser.evaluate(`JSON.stringify((({ app, recording: r }) => [...app.related].map((row) => r.path(row)).filter((path) =>
		/334c.node/.test(path)).sort())(iotrace))`)), ["0x9/inode 334c/node5", "0x9/inode 334c/node6", "253:2/inode 334c/node5"]);
	await browser.stop();
}
console.log("the page shows the reasons");
