// SPDX-License-Identifier: GPL-2.0-or-later
// Start of the page: read the data, then put the parts together.
import { App } from "./app";
import { textOf } from "./attrs";
import { cards } from "./cards";
import { button, byId, copy, make, on, pause } from "./dom";
import { command } from "./command";
import { completion } from "./complete";
import { drawer } from "./drawer";
import { nearest, parseFilter } from "./filter";
import { input, showKeys } from "./input";
import { legend } from "./legend";
import { max } from "./maths";
import { Recording } from "./model";
import { marks } from "./marks";
import { names } from "./names";
import { overview } from "./overview";
import { fragment, goToFragment, places } from "./place";
import { save } from "./save";
import { count, duration } from "./time";
import { tour } from "./tour";
import { matchRows } from "./tree";
import { unpack } from "./wire";
import { serve, startStore } from "./worker";

function sorry(text: string): void {
	document.body.append(make("p", { class: "sorry" }, text));
}

function title(app: App): void {
	const { head, nodes } = app.recording;
	const clocks = [...new Set(head.inputs.map((input) => input.protocol).filter((name) => name && name !== "none"))];
	const n = nodes.size || head.inputs.length;
	const about = [...(n ? [`${n} ${nodes.size ? "node" : "recording"}${n > 1 ? "s" : ""}`] : []),
		duration(app.recording.length), ...(clocks.length ? [`clocks: ${clocks.join(", ")}`] : [])];

	byId("about").textContent = about.join(" · ");
	byId("about").title = [...head.inputs.map(({ path, node }) => node ? `${path}: ${node}` : path), head.program].join("\n");
	document.title = `iotrace: ${app.recording.title()}`;
}

function nothing(app: App): void {
	const { head } = app.recording;

	if (app.recording.tracks.length)
		return;
	byId("rows").append(make("p", { id: "nothing" }, "Nothing to show: no event of these recordings belongs to a model. " +
		(head.unknown ? `They hold events of ${head.unknown}. ` : "") + "iotrace-analyze --list shows what is in a recording."));
}

/** What a page that was made smaller does not show, and how to see it. */
function thinned(app: App): void {
	const { recording } = app, { thinned: thin, rows } = recording.head;
	const note = byId("thinned"), since = make("span", {});
	const coarse = new Set(thin ? thin.coarse : []);
	const NAMES = 30;
	const refresh = () => {
		/* where a step is wide enough to be seen */
		const longest = thin!.step * app.width / 2;
		const seen = app.to - app.from < longest && app.lines.some((line) =>
			line.kind === "row" && coarse.has(line.row) && line.y + line.height > app.scroll && line.y < app.scroll + app.height);

		since.textContent = `, which shows in windows shorter than ${duration(longest)}. `;
		note.hidden = !seen;
	};

	if (!thin)
		return;
	const units = thin.coarse.filter((row) => rows.unit[row]);

	note.title = `Rows with sums:\n${units.slice(0, NAMES).map((row) => recording.path(row, " / ")).join("\n")}` +
		(units.length > NAMES ? `\nand ${count(units.length - NAMES)} more` : "");
	note.replaceChildren(`To keep this page small, ${count(thin.items)} items of the ${count(thin.rows)} rows that waited least are sums of ` +
		`${duration(thin.step)} each (hatched)`, since, button("Copy the command that makes the full page of this window",
		() => copy(command(app.recording.head, app.from, app.to))));
	app.onFrame.push(refresh);
}

function header(app: App): void {
	const field = byId<HTMLInputElement>("filter"), hits = byId("hits"), theme = byId("theme"), empty = byId("empty");
	let timer = 0;
	const setDark = (dark: boolean) => {
		document.documentElement.classList.toggle("dark", dark);
		app.colours.setDark(dark);
		app.update(true);
		app.windowChanged();
		app.selectionChanged();
	};

	/* what was typed counts at once when the field is left */
	const apply = () => {
		clearTimeout(timer);
		timer = 0;
		return app.setFilter(field.value);
	};

	on(field, "input", () => {
		clearTimeout(timer);
		timer = window.setTimeout(apply, 150);
	});
	completion(app, field);
	on(hits, "click", () => app.hits.length && app.openTab("hits"));
	on(field, "blur", () => timer && apply());
	on(field, "keydown", (event) => {
		if (event.key === "Enter") {
			field.blur();
			apply().then(() => app.nextHit(1));
		}
	});
	app.onWindow.push(() => {
		if (document.activeElement !== field && !timer)
			field.value = app.filterText;
		hits.textContent = app.mask ? `${count(app.hits.length)} hits` : "";
		hits.hidden = !app.mask;
		noFit(app);
	});
	on(theme, "click", () => setDark(!app.colours.palette.dark));
	if (matchMedia("(prefers-color-scheme: dark)").matches)
		setDark(true);
	on(byId("link"), "click", () => {
		copy(location.href.replace(/#.*/, "") + fragment(app));
		byId("link").textContent = "Copied";
		setTimeout(() => byId("link").textContent = "Copy link", 900);
	});
	on(empty, "click", () => {
		app.tree.hideEmpty = !app.tree.hideEmpty;
		empty.setAttribute("aria-pressed", String(app.tree.hideEmpty));
		app.update(true);
		app.windowChanged();
	});
	saveMenu(app);
	on(byId("distinct"), "click", () => {
		app.colours.setDistinct(!app.colours.distinct);
		byId("distinct").setAttribute("aria-pressed", String(app.colours.distinct));
		app.update();
		app.windowChanged();
		app.selectionChanged();
	});
	on(byId("help"), "click", showKeys);
}

/** What of the filter nothing fits, with names that are like it. */
function noFit(app: App): void {
	const { recording: { head }, filter, filterText } = app, box = byId("nofit");
	const words = filter.rows.filter(({ no }) => !no), onlyRows = !filter.attrs.length && !filter.lengths.length;
	const none = filterText.trim() && (onlyRows ? words.length + filter.rows.length > 0 && !app.tree.rowsOn?.some((on) => on) : !app.hits.length);

	if (none && box.dataset.text !== filterText) {
		const odd = words.filter(({ word }) => !matchRows(app.recording, parseFilter(`"${word}"`))?.some((on) => on));
		const known = [...new Set(head.types.flatMap((type) => (type.attrs || []).map(({ name }) => name)))];
		const unknown = filter.attrs.filter(({ name }) => !known.includes(name));
		const name = (text: string, all: string) => make("button", { class: "name", onclick: () => app.setFilter(all) }, text);
		const list = (buttons: HTMLElement[]) => buttons.flatMap((each, i) => [i ? ", " : "", each]);

		box.replaceChildren(...odd.flatMap(({ word }) => [`No row fits ${word}. Names like it: `,
			...list(nearest(word, head.rows.name).map((each) => name(each, `"${each}"`))), ". "]),
		...unknown.flatMap((attr) => [`Nothing has an attribute ${attr.name}. Attributes like it: `,
			...list(nearest(attr.name, known).map((each) => name(each, `${each}=${attr.value}`))), ". "]),
		...(odd.length || unknown.length ? [] : [`Nothing fits all of ${filterText.trim()}. `]), name("Clear the filter", ""));
		box.dataset.text = filterText;
	}
	box.hidden = !none;
}

function saveMenu(app: App): void {
	const menu = byId("save-menu"), opener = byId("save");
	const show = (on: boolean) => {
		menu.hidden = !on;
		opener.setAttribute("aria-expanded", String(on));
	};

	on(opener, "click", () => show(menu.hidden));
	for (const form of ["png", "svg"] as const)
		on(byId("save-" + form), "click", () => {
			show(false);
			save(app, form);
		});
	on(byId("save-command"), "click", () => {
		show(false);
		copy(command(app.recording.head, app.from, app.to));
	});
	on(document, "pointerdown", (event) => {
		if (!(event.target as HTMLElement).closest(".menu"))
			show(false);
	});
	on(menu.parentElement!, "keydown", (event) => {
		if (event.key !== "Escape" || menu.hidden)
			return;
		event.stopPropagation();
		show(false);
		opener.focus();
	});
}

function resize(app: App): void {
	const rows = byId("rows"), side = byId("names").offsetWidth;

	app.width = max(50, rows.clientWidth - side);
	app.height = max(20, rows.clientHeight);
	app.picture.resize(app.width, app.height, devicePixelRatio || 1);
	app.update(true);
}

async function start(script: Element): Promise<void> {
	const begun = performance.now();
	const loading = byId("loading"), progress = loading.querySelector("progress")!;

	if (typeof DecompressionStream === "undefined") {
		sorry("This browser is too old: the page needs DecompressionStream (Chromium 103, Firefox 113, Safari 16.4, or later).");
		return;
	}
	const store = startStore(script, (share) => progress.value = share);
	const recording = new Recording(JSON.parse(textOf(await unpack(await store.head))));

	await recording.load(store);
	const app = new App(recording);

	names(app);
	title(app);
	cards(app);
	loading.remove();
	resize(app);
	app.draw();
	performance.mark("rows");
	/* the rest one by one, so that nothing keeps the page from answering */
	for (const part of [overview, legend, drawer, input, header, marks, nothing, thinned, tour]) {
		await pause();
		await part(app);
	}
	resize(app);
	app.draw();
	on(window, "resize", () => resize(app));
	new ResizeObserver(() => resize(app)).observe(byId("rows"));
	if (location.hash.length > 1)
		await goToFragment(app, location.hash);
	places(app);
	/* for tests, and for the console */
	(window as any).iotrace = { app, recording, ready: performance.now() - begun };
	document.documentElement.dataset.ready = "1";
}

if (typeof document === "undefined")
	serve();
else
	start(document.currentScript!).catch((error) => sorry(`The page cannot show its data: ${error.message || error}`));
