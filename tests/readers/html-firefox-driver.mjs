// SPDX-License-Identifier: GPL-2.0-or-later
// Firefox without a display, driven by its own protocol (Marionette), with the methods of the Chromium of html-chromium.mjs.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SETTINGS = [
	["marionette.port", 0], ["app.update.enabled", false], ["browser.shell.checkDefaultBrowser", false],
	["datareporting.policy.dataSubmissionEnabled", false], ["toolkit.telemetry.enabled", false],
	["network.captive-portal-service.enabled", false], ["network.connectivity-service.enabled", false],
	["extensions.getAddons.cache.enabled", false], ["browser.safebrowsing.downloads.remote.enabled", false],
];
/* Keys without a letter, as WebDriver names them. */
const KEYS = { Escape: "\ue00c", Enter: "\ue007", Tab: "\ue004", ArrowLeft: "\ue012", ArrowUp: "\ue013", ArrowRight: "\ue014", ArrowDown: "\ue015" };

export class Firefox {
	name = "Firefox";
	/* errors of the page itself, as far as the page reports them */
	errors = [];
	calls = new Map();
	number = 0;

	static async start({ width = 1440, height = 900, ratio = 1, dark = false } = {}) {
		const browser = new Firefox();
		const profile = browser.profile = mkdtempSync(join(tmpdir(), "iotrace-firefox-"));
		const settings = [...SETTINGS, ["layout.css.devPixelsPerPx", String(ratio)], ["layout.css.prefers-color-scheme.content-override", dark ? 0 : 1]];

		writeFileSync(join(profile, "user.js"), settings.map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`).join(""));
		browser.process = spawn("firefox-esr", ["--headless", "--marionette", "--no-remote", "--profile", profile],
			{ stdio: "ignore", env: { ...process.env, MOZ_HEADLESS_WIDTH: String(width), MOZ_HEADLESS_HEIGHT: String(height), HOME: profile } });
		browser.exited = new Promise((done) => browser.process.on("exit", done));
		browser.socket = connect(await browser.port(), "127.0.0.1");
		browser.read();
		await browser.call("WebDriver:NewSession", { capabilities: { alwaysMatch: { timeouts: { script: 120000 } } } });
		/* the frame of the window is not the page */
		await browser.call("WebDriver:SetWindowRect", { width, height });
		const [inner, high] = await browser.evaluate("[innerWidth, innerHeight]");

		await browser.call("WebDriver:SetWindowRect", { width: 2 * width - inner, height: 2 * height - high });
		return browser;
	}
	/* The browser writes the port that it listens on into its profile. */
	port() {
		return new Promise((done, fail) => {
			const file = join(this.profile, "MarionetteActivePort");
			const look = () => {
				const number = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;

				if (number) {
					watcher.close();
					done(number);
				}
			};
			const watcher = watch(this.profile, look);

			this.process.on("exit", () => fail(new Error("Firefox has ended")));
			look();
		});
	}
	read() {
		let rest = Buffer.alloc(0);

		this.socket.on("data", (data) => {
			rest = Buffer.concat([rest, data]);
			for (;;) {
				const colon = rest.indexOf(58), length = Number(rest.subarray(0, Math.max(colon, 0)).toString());

				if (colon < 0 || rest.length < colon + 1 + length)
					return;
				this.message(JSON.parse(rest.subarray(colon + 1, colon + 1 + length).toString()));
				rest = rest.subarray(colon + 1 + length);
			}
		});
	}
	message(value) {
		if (!Array.isArray(value))
			return;
		const [, id, error, result] = value;

		if (error)
			this.calls.get(id).fail(new Error(`${error.error}: ${error.message}`));
		else
			this.calls.get(id).done(result);
	}
	call(name, parameters = {}) {
		const id = ++this.number, body = JSON.stringify([0, id, name, parameters]);

		this.socket.write(`${Buffer.byteLength(body)}:${body}`);
		return new Promise((done, fail) => this.calls.set(id, { done, fail }));
	}
	async async(script) {
		return (await this.call("WebDriver:ExecuteAsyncScript", { script, args: [], sandbox: null })).value;
	}
	/** The value of an expression in the page, once it is true if it is a promise for that. */
	async evaluate(expression) {
		const { value, error } = await this.async(`const done = arguments[arguments.length - 1];
			Promise.resolve().then(() => (0, eval)(${JSON.stringify(expression)})).then((value) => done({ value }), (error) => done({ error: String(error) }));`);

		if (error)
			throw new Error(error);
		return value === null ? undefined : value;
	}
	/** Opens a page of iotrace; returns when its first picture is there, or its refusal. */
	async open(url, { tour = false } = {}) {
		await this.call("WebDriver:Navigate", { url: "about:blank" });
		await this.call("WebDriver:Navigate", { url });
		await this.async(`const done = arguments[0];
			const look = () => document.documentElement.dataset.ready || document.querySelector("body > .sorry") ? done(1) : requestAnimationFrame(look);
			look();`);
		/* the hints of the first time lie over the picture */
		if (!tour)
			await this.evaluate("document.getElementById('tour').hidden = true");
	}
	/** Two frames, so that what was asked for is drawn; and the legend, which follows when the window rests. */
	settle() {
		return this.async("const done = arguments[0]; setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done(1))), 250)");
	}
	async key(key) {
		const value = KEYS[key] || key;

		await this.call("WebDriver:PerformActions", { actions: [{ type: "key", id: "keys", actions: [{ type: "keyDown", value }, { type: "keyUp", value }] }] });
	}
	async click(x, y) {
		await this.call("WebDriver:PerformActions", { actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions: [
			{ type: "pointerMove", duration: 0, x: Math.round(x), y: Math.round(y) }, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }] }] });
	}
	async screenshot(path) {
		writeFileSync(path, Buffer.from((await this.call("WebDriver:TakeScreenshot", { full: false })).value, "base64"));
	}
	async stop() {
		this.call("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => {});
		const dead = setTimeout(() => this.process.kill("SIGKILL"), 10000);

		await this.exited;
		clearTimeout(dead);
		this.socket.destroy();
		rmSync(this.profile, { recursive: true, force: true });
	}
}
