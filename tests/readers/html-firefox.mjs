// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The page in Firefox without a display, driven by the browser's own protocol (Marionette): it opens from the file
 * system, draws, and says the same numbers as the output text.
 *
 * usage: node html-firefox.mjs PAGE TEXT
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [page, text] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), "iotrace-firefox-"));

writeFileSync(join(profile, "user.js"), [
	["marionette.port", 0], ["app.update.enabled", false], ["browser.shell.checkDefaultBrowser", false],
	["datareporting.policy.dataSubmissionEnabled", false], ["toolkit.telemetry.enabled", false],
	["network.captive-portal-service.enabled", false], ["network.connectivity-service.enabled", false],
	["extensions.getAddons.cache.enabled", false], ["browser.safebrowsing.downloads.remote.enabled", false],
].map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`).join(""));

const firefox = spawn("firefox-esr", ["--headless", "--marionette", "--no-remote", "--profile", profile],
	{ stdio: "ignore", env: { ...process.env, MOZ_HEADLESS_WIDTH: "1440", MOZ_HEADLESS_HEIGHT: "900", HOME: profile } });
const exited = new Promise((done) => firefox.on("exit", done));

/* The browser writes the port that it listens on into its profile. */
const port = await new Promise((done, fail) => {
	const file = join(profile, "MarionetteActivePort");
	const look = () => {
		const number = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;

		if (number) {
			watcher.close();
			done(number);
		}
	};
	const watcher = watch(profile, look);

	firefox.on("exit", () => fail(new Error("Firefox has ended")));
	look();
});
const socket = connect(port, "127.0.0.1");
const calls = new Map();
let rest = Buffer.alloc(0), number = 0;

function message(value) {
	if (!Array.isArray(value))
		return;
	const [, id, error, result] = value;

	if (error)
		calls.get(id).fail(new Error(`${error.error}: ${error.message}`));
	else
		calls.get(id).done(result);
}
socket.on("data", (data) => {
	rest = Buffer.concat([rest, data]);
	for (;;) {
		const colon = rest.indexOf(58), length = Number(rest.subarray(0, Math.max(colon, 0)).toString());

		if (colon < 0 || rest.length < colon + 1 + length)
			return;
		message(JSON.parse(rest.subarray(colon + 1, colon + 1 + length).toString()));
		rest = rest.subarray(colon + 1 + length);
	}
});
function call(name, parameters = {}) {
	const id = ++number, body = JSON.stringify([0, id, name, parameters]);

	socket.write(`${Buffer.byteLength(body)}:${body}`);
	return new Promise((done, fail) => calls.set(id, { done, fail }));
}
async function evaluate(script) {
	return (await call("WebDriver:ExecuteScript", { script: `return ${script}`, args: [], sandbox: null })).value;
}

try {
	await call("WebDriver:NewSession", { capabilities: { alwaysMatch: { timeouts: { script: 120000 } } } });
	await call("WebDriver:Navigate", { url: "file://" + resolve(page) });
	await call("WebDriver:ExecuteAsyncScript", {
		script: `const done = arguments[0];
			const look = () => document.documentElement.dataset.ready || document.querySelector("body > .sorry") ? done(1) : requestAnimationFrame(look);
			look();`, args: [], sandbox: null,
	});
	assert.equal(await evaluate("[...document.querySelectorAll('body > .sorry')].map((box) => box.textContent).join()"), "");
	const waits = [...readFileSync(text, "utf8").matchAll(/^\d+ span "(?:[^"\\]|\\.)*" lock "PENDING" (\d+)/gm)];
	const chip = await evaluate(`[...document.querySelectorAll(".chip")].filter((chip) => chip.textContent.startsWith("PENDING"))
		.map((chip) => [chip.dataset.n, chip.dataset.ns])[0]`);

	assert.deepEqual(chip, [String(waits.length), String(waits.reduce((sum, [, ns]) => sum + BigInt(ns), 0n))]);
	console.log("ok: opens, and its legend has the sums of the text output");
	assert(await evaluate(`(() => {
		const canvas = document.getElementById("picture");
		return new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer).includes(0xff1ba7f2);
	})()`), "waiting is drawn in its colour");
	await evaluate(`[...document.querySelectorAll("#tabs button")].find((tab) => tab.textContent.startsWith("Longest")).click()`);
	await evaluate(`document.querySelector("#panel tr.go").click()`);
	const longest = waits.reduce((most, [, ns]) => BigInt(ns) > most ? BigInt(ns) : most, 0n);

	assert.equal(String(await evaluate("iotrace.recording.t1[iotrace.app.selected] - iotrace.recording.t0[iotrace.app.selected]")), String(longest));
	console.log("ok: draws, and the table leads to the longest wait");
	if (process.argv[4])
		writeFileSync(process.argv[4], Buffer.from((await call("WebDriver:TakeScreenshot", { full: false })).value, "base64"));
	call("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => {});
	await exited;
} finally {
	firefox.kill("SIGKILL");
	await exited;
	socket.destroy();
	rmSync(profile, { recursive: true, force: true });
}
