// SPDX-License-Identifier: GPL-2.0-or-later
// Chromium without a display, driven over a pipe by its own protocol: nothing but Node and the browser is needed.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
	"--disable-component-update", "--disable-sync", "--hide-scrollbars", "--remote-debugging-pipe"];

export class Browser {
	name = "Chromium";
	static async start({ program = "chromium", width = 1440, height = 900, ratio = 1, dark = false } = {}) {
		const browser = new Browser();

		browser.profile = mkdtempSync(join(tmpdir(), "iotrace-chromium-"));
		browser.process = spawn(program, [...FLAGS, `--user-data-dir=${browser.profile}`, "about:blank"],
			{ stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
		browser.exited = new Promise((resolve) => browser.process.on("exit", resolve));
		browser.read(browser.process.stdio[4]);
		const { targetInfos } = await browser.send("Target.getTargets");
		const target = targetInfos.find((info) => info.type === "page");
		const { sessionId } = await browser.send("Target.attachToTarget", { targetId: target.targetId, flatten: true });

		browser.session = sessionId;
		browser.errors = [];
		await browser.send("Page.enable");
		await browser.send("Runtime.enable");
		await browser.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: ratio, mobile: false });
		await browser.send("Emulation.setEmulatedMedia",
			{ features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
		return browser;
	}
	constructor() {
		this.calls = new Map();
		this.waits = [];
		this.number = 0;
	}
	read(pipe) {
		let rest = [];

		pipe.on("data", (data) => {
			for (let at; (at = data.indexOf(0)) >= 0; data = data.subarray(at + 1)) {
				this.message(JSON.parse(Buffer.concat([...rest, data.subarray(0, at)]).toString()));
				rest = [];
			}
			rest.push(data);
		});
		pipe.on("close", () => {
			for (const { reject } of this.calls.values())
				reject(new Error("the browser has ended"));
		});
	}
	message(message) {
		if (message.id) {
			const { resolve, reject } = this.calls.get(message.id);

			this.calls.delete(message.id);
			if (message.error)
				reject(new Error(message.error.message));
			else
				resolve(message.result);
			return;
		}
		if (message.method === "Runtime.exceptionThrown")
			this.errors.push(message.params.exceptionDetails.exception?.description || message.params.exceptionDetails.text);
		this.waits = this.waits.filter((wait) => !(wait.method === message.method && (wait.resolve(message.params), true)));
	}
	send(method, params = {}) {
		const id = ++this.number;
		const call = { id, method, params };

		if (this.session)
			call.sessionId = this.session;
		this.process.stdio[3].write(JSON.stringify(call) + "\0");
		return new Promise((resolve, reject) => this.calls.set(id, { resolve, reject }));
	}
	event(method) {
		return new Promise((resolve) => this.waits.push({ method, resolve }));
	}
	/** The value of an expression in the page, once it is true if it is a promise for that. */
	async evaluate(expression) {
		const { result, exceptionDetails } = await this.send("Runtime.evaluate",
			{ expression, awaitPromise: true, returnByValue: true });

		if (exceptionDetails)
			throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
		return result.value;
	}
	/** Opens a page of iotrace; returns when its first picture is there, or its refusal. */
	async open(url, { tour = false } = {}) {
		const loaded = this.event("Page.loadEventFired");

		await this.send("Page.navigate", { url: "about:blank" });
		await loaded;
		const again = this.event("Page.loadEventFired");

		await this.send("Page.navigate", { url });
		await again;
		await this.evaluate(`new Promise((done) => {
			const look = () => document.documentElement.dataset.ready || document.querySelector(".sorry:not(noscript *)") ? done(1) : requestAnimationFrame(look);
			look();
		})`);
		/* the hints of the first time lie over the picture */
		if (!tour)
			await this.evaluate("document.getElementById('tour').hidden = true");
	}
	/** Two frames, so that what was asked for is drawn; and the legend, which follows when the window rests. */
	settle() {
		return this.evaluate("new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done(1))), 250))");
	}
	async key(key) {
		const text = key.length === 1 ? key : key === "Enter" ? "\r" : undefined;
		const code = { Escape: 27, Enter: 13, Tab: 9, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 }[key];

		await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, text, windowsVirtualKeyCode: code });
		await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, windowsVirtualKeyCode: code });
	}
	async mouse(type, x, y, more = {}) {
		await this.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: type === "mouseMoved" ? 0 : 1, ...more });
	}
	async click(x, y) {
		await this.mouse("mouseMoved", x, y, { button: "none" });
		await this.mouse("mousePressed", x, y);
		await this.mouse("mouseReleased", x, y);
	}
	async screenshot(path) {
		const { data } = await this.send("Page.captureScreenshot", { format: "png" });

		writeFileSync(path, Buffer.from(data, "base64"));
	}
	async stop() {
		const session = this.session;

		this.session = undefined;
		await this.send("Browser.close").catch(() => {});
		this.session = session;
		await this.exited;
		rmSync(this.profile, { recursive: true, force: true });
	}
}
