// SPDX-License-Identifier: GPL-2.0-or-later
// Start of the page: read the data, then put the parts together.
import { App } from "./app";
import { byId, copy, make } from "./dom";
import { command } from "./command";
import { drawer } from "./drawer";
import { input, showKeys } from "./input";
import { legend } from "./legend";
import { Head, Recording } from "./model";
import { names } from "./names";
import { overview } from "./overview";
import { fragment, goToFragment, places } from "./place";
import { save } from "./save";
import { columnOf } from "./table";
import { count, duration } from "./time";
import { blocks, unpack } from "./wire";

function sorry(text: string): void {
	document.body.append(make("p", { class: "sorry" }, text));
}

function title(app: App): void {
	const { head } = app.recording;
	const nodes = new Set(head.rows.name.filter((_name, row) => row && head.types[head.rows.type[row]].role === "node"));
	const clocks = [...new Set(head.inputs.map((input) => input.protocol).filter((name) => name && name !== "none"))];
	const n = nodes.size || head.inputs.length;
	const about = [...(n ? [`${n} ${nodes.size ? "node" : "recording"}${n > 1 ? "s" : ""}`] : []),
		duration(app.recording.length), ...(clocks.length ? [`clocks: ${clocks.join(", ")}`] : [])];

	byId("about").textContent = about.join(" · ");
	document.title = `iotrace: ${about.slice(0, 2).join(", ")}`;
	byId("verdict").replaceChildren(...verdict(app));
	byId("verdict").title = byId("verdict").textContent || "";
}

/** The longest wait with its holders, as in the report, or one sentence from the sums of rows. */
function verdict(app: App): (Node | string)[] {
	const { recording } = app;
	const { rows, cats, types, tables } = recording.head;
	const sentences = tables.find((table) => table.name === "verdict");

	if (sentences)
		return [sentences.rows.slice(0, 2).map((cells) => cells[0] + ".").join(" ")];
	const waits = new Set(cats.filter((cat) => cat.role === "wait").map((cat) => types[cat.type].on));
	const hasWaited = (row: number) => rows.unit[row] && rows.wait[row] > 0 &&
		(waits.has(rows.type[row]) || recording.children[row].some((child) => waits.has(rows.type[child])));
	const longest = tables.find((table) => table.name === "longest_waits");
	const column = (name: string) => longest ? columnOf(longest, name) : -1;
	const row = longest && longest.rows.find((each) => !waits.size || waits.has(rows.type[each[column("place")] as number]));
	let most = 0;

	rows.wait.forEach((wait, at) => {
		if (hasWaited(at) && wait > rows.wait[most] || hasWaited(at) && !most)
			most = at;
	});
	if (!most) {
		const waited = recording.cat.some((cat) => cats[cat].role === "wait");

		return [waited ? "No wait has its begin or its end in the recording." : waits.size && recording.tracks.length ? "Nobody waited." : ""];
	}
	const below = recording.children[most].filter((child) => rows.wait[child]), one = below.length ? recording.rowType(below[0]) : null;
	const who = one && `${below.length} ${one.title}${below.length > 1 ? "s" : ""}`;
	const parts: (Node | string)[] = ["Most waited for: ", make("b", {}, recording.path(most, " / ")), `, ${duration(rows.wait[most])}` +
		(one ? (one.role === "node" ? " on " : " by ") + who : "") + "."];

	if (row) {
		const ns = row[column("waited")] as number, where = row[column("place")] as number;
		const to = /(?:^| )to=(\S+)/.exec(String(row[column("asked")]));

		parts.push(" Longest wait: ", make("b", {}, recording.path(rows.parent[where] || where, " / ")), `, ${duration(ns)}` +
			(rows.parent[where] ? `: ${recording.name(where)}` : "") + (to ? ` wants ${to[1]}` : "") + ".");
	}
	return parts;
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
		`${duration(thin.step)} each (hatched)`, since, make("button", {
		type: "button", class: "link", onclick: () => copy(command(app.recording.head, app.from, app.to)),
	}, "Copy the command that makes the full page of this window"));
	app.onFrame.push(refresh);
}

function header(app: App): void {
	const field = byId<HTMLInputElement>("filter"), hits = byId("hits"), theme = byId("theme"), empty = byId("empty");
	let timer = 0;
	const setDark = (dark: boolean) => {
		document.documentElement.classList.toggle("dark", dark);
		app.colours.setDark(dark);
		app.update(true);
		app.onWindow.forEach((call) => call());
		app.onSelect.forEach((call) => call());
	};

	field.addEventListener("input", () => {
		clearTimeout(timer);
		timer = window.setTimeout(() => app.setFilter(field.value), 150);
	});
	field.addEventListener("keydown", (event) => {
		if (event.key === "Enter") {
			field.blur();
			app.setFilter(field.value).then(() => app.nextHit(1));
		}
	});
	app.onWindow.push(() => {
		if (document.activeElement !== field)
			field.value = app.filterText;
		hits.textContent = app.mask ? `${count(app.hits.length)} hits` : "";
	});
	theme.addEventListener("click", () => setDark(!app.colours.palette.dark));
	if (matchMedia("(prefers-color-scheme: dark)").matches)
		setDark(true);
	byId("link").addEventListener("click", () => {
		copy(location.href.replace(/#.*/, "") + fragment(app));
		byId("link").textContent = "Copied";
		setTimeout(() => byId("link").textContent = "Copy link", 900);
	});
	empty.addEventListener("click", () => {
		app.tree.hideEmpty = !app.tree.hideEmpty;
		empty.setAttribute("aria-pressed", String(app.tree.hideEmpty));
		app.update(true);
		app.onWindow.forEach((call) => call());
	});
	saveMenu(app);
	byId("distinct").addEventListener("click", () => {
		app.colours.setDistinct(!app.colours.distinct);
		byId("distinct").setAttribute("aria-pressed", String(app.colours.distinct));
		app.update();
		app.onWindow.forEach((call) => call());
		app.onSelect.forEach((call) => call());
	});
	byId("help").addEventListener("click", showKeys);
}

function saveMenu(app: App): void {
	const menu = byId("save-menu"), opener = byId("save");
	const show = (on: boolean) => {
		menu.hidden = !on;
		opener.setAttribute("aria-expanded", String(on));
	};

	opener.addEventListener("click", () => show(menu.hidden));
	for (const form of ["png", "svg"] as const)
		byId("save-" + form).addEventListener("click", () => {
			show(false);
			save(app, form);
		});
	byId("save-command").addEventListener("click", () => {
		show(false);
		copy(command(app.recording.head, app.from, app.to));
	});
	document.addEventListener("pointerdown", (event) => {
		if (!(event.target as HTMLElement).closest(".menu"))
			show(false);
	});
	menu.parentElement!.addEventListener("keydown", (event) => {
		if (event.key !== "Escape" || menu.hidden)
			return;
		event.stopPropagation();
		show(false);
		opener.focus();
	});
}

function resize(app: App): void {
	const rows = byId("rows"), side = byId("names").offsetWidth;

	app.width = Math.max(50, rows.clientWidth - side);
	app.height = Math.max(20, rows.clientHeight);
	app.picture.resize(app.width, app.height, devicePixelRatio || 1);
	app.update(true);
}

async function start(): Promise<void> {
	const begun = performance.now();
	const loading = byId("loading"), progress = loading.querySelector("progress")!;

	if (typeof DecompressionStream === "undefined") {
		sorry("This browser is too old to unpack the recording in this page: it needs DecompressionStream " +
			"(Chromium 103, Firefox 113, Safari 16.4, or later).");
		return;
	}
	const head: Head = JSON.parse(new TextDecoder().decode(await unpack(blocks("head")[0])));
	const recording = new Recording(head);

	await recording.load((share) => progress.value = share);
	const app = new App(recording);

	names(app);
	overview(app);
	resize(app);
	app.draw();
	legend(app);
	drawer(app);
	input(app);
	header(app);
	title(app);
	nothing(app);
	thinned(app);
	loading.remove();
	resize(app);
	app.draw();
	addEventListener("resize", () => resize(app));
	new ResizeObserver(() => resize(app)).observe(byId("rows"));
	if (location.hash.length > 1)
		await goToFragment(app, location.hash);
	places(app);
	/* for tests, and for the console */
	(window as any).iotrace = { app, recording, ready: performance.now() - begun };
	document.documentElement.dataset.ready = "1";
}

start().catch((error) => sorry(`The page cannot show its data: ${error.message || error}`));
