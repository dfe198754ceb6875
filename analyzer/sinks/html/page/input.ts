// SPDX-License-Identifier: GPL-2.0-or-later
// Keys, wheel and pointer.
import { App } from "./app";
import { arrowAt } from "./arrows";
import { endsOf } from "./chain";
import { byId, make, on } from "./dom";
import { sameKind } from "./details";
import { setMark, writeNote } from "./marks";
import { abs, floor, max, min, round } from "./maths";
import { LINK, POINT, SAMPLE, SPAN } from "./model";
import { showMoment } from "./moment";
import { Line } from "./tree";
import { saveView } from "./views";
import { absolute, count, duration, seconds } from "./time";

/** Lines and items that are less than so many px away are meant; arrows are, where no item is under the pointer. */
const NEAR = 3, NEAR_ARROW = 4;

export function lineAt(app: App, y: number): Line | undefined {
	return app.lines.find((line) => y + app.scroll >= line.y && y + app.scroll < line.y + line.height);
}

/** The item at a place of the picture; -1 if there is none. */
export function itemAt(app: App, line: Line, x: number, y: number): number {
	const { recording } = app;
	const { t0, t1, cat, tracks } = recording;
	const near = NEAR / app.width * (app.to - app.from), t = app.time(x);
	const inLine = y + app.scroll - line.y;
	const points = inLine > line.height - 5 && line.points.length > 0;
	const lane = line.lanes ? min(floor((inLine - 2) / ((line.height - 4) / line.lanes)), line.lanes - 1) : -1;
	let best = -1, distance = near;

	for (const number of points ? line.points : line.spans) {
		const track = tracks[number];

		if (lane >= 0 && track.kind === SPAN && track.lane !== max(lane, 0))
			continue;
		for (let i = track.kind === SPAN ? recording.after(track, t - near) : recording.from(track, t - near);
			i < track.to && t0[i] <= t + near; i++) {
			const away = max(t0[i] - t, (track.kind === POINT ? t0[i] : t1[i]) - t < 0 ? t - t1[i] : 0, 0);
			const better = away < distance || away === distance && best >= 0 &&
				(recording.head.cats[cat[i]].role === "wait" && recording.head.cats[cat[best]].role !== "wait" ||
				t1[i] - t0[i] < t1[best] - t0[best] && recording.head.cats[cat[best]].role !== "wait");

			if (app.hidden.has(cat[i]) && !recording.head.cats[cat[i]].faint || app.mask && !app.mask[i])
				continue;
			if (best < 0 && away <= near || better) {
				best = i;
				distance = away;
			}
		}
	}
	return best;
}

/** What a click means: an arrow that runs over free space or belongs to the selection, an item, or nothing (-1). */
export function hit(app: App, x: number, y: number): number {
	const line = lineAt(app, y), item = line && line.kind === "row" && line.lanes ? itemAt(app, line, x, y) : -1;
	const arrow = arrowAt(app.picture.drawn, x, y, item < 0 ? NEAR_ARROW : NEAR_ARROW / 2);
	const mine = app.chain !== null && app.chain.steps.some(({ link }) => link === arrow);

	if (arrow >= 0 && (item < 0 || mine))
		return arrow;
	return item >= 0 || !line || line.kind !== "row" ? item : itemAt(app, line, x, y);
}

const KEYS: [ string, string ][] = [
	[ "w s", "zoom in and out" ],
	[ "a d", "move" ],
	[ "← →", "previous and next on the row" ],
	[ "↑ ↓", "the row above and below" ],
	[ "Enter", "details of the selection; without one, the first hit or state" ],
	[ "f", "fit the selection or the marked interval" ],
	[ "0", "the whole recording" ],
	[ "/", "filter: name, */pattern?, !not, pid=180, duration>10ms, 101.5, @143.084369" ],
	[ "n N", "next and previous hit of the filter" ],
	[ "[ ]", "previous and next of the same kind" ],
	[ "e", "hide rows that are empty in the window" ],
	[
		"m",
		"mark A at the pointer or the selection, then B: the time between is beside the axis"
	],
	[ "t", "a note there" ],
	[ "i", "who holds and waits there, and the events nearby" ],
	[ "v", "save this view under a name" ],
	[ "Esc", "no selection; close the drawer" ],
	[ "wheel", "scroll rows; with Ctrl zoom, with Shift move" ],
	[ "Shift Enter", "on a kind: shows it alone" ],
	[ "drag", "mark an interval; with Shift move" ],
	[ "double click", "fit a state" ],
];

export function showKeys(): void {
	const dialog = byId<HTMLDialogElement>("keys");

	dialog.replaceChildren(make("dl", {}, ...KEYS.flatMap(([keys, text]) => [
		make("dt", {}, ...keys.split(" ").flatMap((key) => [make("kbd", {}, key), " "])), make("dd", {}, text)])),
	make("button", { onclick: () => dialog.close() }, "Close"));
	dialog.showModal();
}

/** Up and down: the item at the same time on the row above or below. */
function step(app: App, by: number): void {
	const { recording } = app;

	if (app.selected < 0)
		return;
	const row = recording.rowAt(app.selected);
	const rows = app.lines.filter((line) => line.kind === "row" && line.spans.length);
	const at = rows.findIndex((line) => line.row === row);
	const middle = (recording.t0[app.selected] + (recording.hasLength(app.selected) ? recording.t1[app.selected] : recording.t0[app.selected])) / 2;

	for (let i = at + by; i >= 0 && i < rows.length; i += by)
		for (const number of rows[i].spans) {
			const track = recording.tracks[number];
			const item = min(recording.after(track, middle), track.to - 1);

			if (item >= track.from) {
				app.select(item);
				app.showRow(rows[i].row);
				return;
			}
		}
}

function along(app: App, by: number): void {
	const track = app.selected >= 0 ? app.recording.trackAt(app.selected) : null;

	if (track && app.selected + by >= track.from && app.selected + by < track.to) {
		app.select(app.selected + by);
		const { t0 } = app.recording;

		if (t0[app.selected] < app.from || t0[app.selected] > app.to)
			app.fit(app.selected);
	}
}

export function onKey(app: App, event: KeyboardEvent): void {
	const field = byId<HTMLInputElement>("filter");

	if (event.target instanceof HTMLInputElement && event.target.type !== "checkbox" || event.ctrlKey || event.metaKey || event.altKey) {
		if (event.key === "Escape")
			field.blur();
		return;
	}
	/* an open dialog has its own keys */
	if (document.querySelector("dialog[open]"))
		return;
	if ((event.target as HTMLElement).closest("button, tr") && ["Enter", " "].includes(event.key))
		return;
	const run: { [key: string]: () => void } = {
		w: () => app.zoom(0.7), s: () => app.zoom(1 / 0.7), a: () => app.move(-0.2), d: () => app.move(0.2),
		W: () => app.zoom(0.3), S: () => app.zoom(3), A: () => app.move(-0.8), D: () => app.move(0.8),
		ArrowLeft: () => app.selected >= 0 ? along(app, -1) : app.move(-0.1),
		ArrowRight: () => app.selected >= 0 ? along(app, 1) : app.move(0.1),
		ArrowUp: () => app.selected >= 0 ? step(app, -1) : app.scrollTo(app.scroll - 38),
		ArrowDown: () => app.selected >= 0 ? step(app, 1) : app.scrollTo(app.scroll + 38),
		PageUp: () => app.scrollTo(app.scroll - app.height * 0.9), PageDown: () => app.scrollTo(app.scroll + app.height * 0.9),
		Enter: () => {
			if (app.selected < 0)
				app.selectFirst();
			app.tab = "selection";
			document.documentElement.style.removeProperty("--drawer");
			app.selectionChanged();
		},
		f: () => {
			if (app.mark && app.mark.to > app.mark.from && app.selected < 0)
				app.glide(app.mark.from, app.mark.to);
			else if (app.selected >= 0) {
				const { t0, t1 } = app.recording, span = app.recording.hasLength(app.selected);
				const begin = t0[app.selected], length = max(span ? t1[app.selected] - begin : 0, 1000);

				app.glide(begin - length * 0.3, begin + length * 1.3);
			}
		},
		0: () => app.glide(app.recording.head.from, app.recording.head.to),
		"/": () => field.focus(), n: () => app.nextHit(1), N: () => app.nextHit(-1),
		"[": () => sameKind(app, -1), "]": () => sameKind(app, 1), "?": showKeys,
		e: () => byId("empty").click(), i: () => showMoment(app), m: () => setMark(app), t: () => writeNote(app), v: () => saveView(app),
		Escape: () => {
			if (app.selected >= 0 || app.mark) {
				app.mark = null;
				app.select(-1);
			} else if (app.marks.a !== null) {
				Object.assign(app.marks, { a: null, b: null });
				app.update();
				app.windowChanged();
			} else {
				document.documentElement.style.setProperty("--drawer", "0px");
				dispatchEvent(new Event("resize"));
			}
		},
	};

	if (run[event.key]) {
		event.preventDefault();
		run[event.key]();
	}
}

function tipFor(app: App, line: Line, x: number, y: number): (Node | string)[] {
	const { recording, colours } = app;
	const { head, t0, t1, cat } = recording;
	const item = hit(app, x, y);

	if (item >= 0 && recording.trackAt(item).kind === LINK) {
		const [from, to] = endsOf(recording, item);

		return [make("b", {}, head.cats[cat[item]].name), `  ${duration(t1[item] - t0[item])}`, ...(to.t < from.t ? [" back in time"] : []),
			make("small", {}, `from ${recording.path(from.row, " / ")}, ${seconds(from.t, 1)}`),
			make("small", {}, `to ${recording.path(to.row, " / ")}, ${seconds(to.t, 1)}`)];
	}
	if (line.kind !== "row")
		return [];
	const path = make("small", {}, recording.path(line.row, " / "));
	const at = app.time(x), [gap] = recording.unobserved(line.row, at, at + 1);
	const unseen = gap ? [make("small", {}, `not observed from ${seconds(gap.t0, 1)} to ${seconds(gap.t1, 1)}`)] : [];

	if (item >= 0 && line.lanes) {
		const track = recording.trackAt(item);
		const held = app.picture.heldBy(item);

		return [make("b", {}, app.picture.labels.get(item) ? `${recording.category(item).name} ${app.picture.labels.get(item)}` : recording.category(item).name),
			...(recording.own && head.cats[cat[item]].painted ? [`  ${app.paintedBy} ${head.cats[cat[item]].name}`] : []),
			track.kind === SPAN ? "  " + duration(t1[item] - t0[item]) : "", held >= 0 ? `, still holds ${recording.category(held).name}` : "", path,
			make("small", {}, `${seconds(t0[item], 1)}${app.picture.bounds.within(line.row, t0[item])}, host ${absolute(head.zero, t0[item])}`),
			...unseen];
	}
	const { shares } = app.picture;
	const width = (app.to - app.from) / app.width, from = app.time(floor(x));

	shares.fill(line.key + "tip", line.spans, from, from + width, 1, app.hidden, app.mask);
	const kinds = shares.kinds.map((kind, k) => ({ kind, share: shares.share[k] })).filter((at) => at.share > 0).reverse();
	const events = line.points.reduce((sum, at) => {
		const track = recording.tracks[at];

		return track.kind === SAMPLE ? sum : sum + recording.from(track, from + width) - recording.from(track, from);
	}, 0);

	return [path, ...kinds.map(({ kind, share }) => make("div", { class: "kind" },
		make("i", { class: "dot", style: { background: colours.css(kind) } }), head.cats[kind].name,
		make("em", {}, share >= 0.995 ? `${share.toFixed(1)} at a time` : `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} % of the time`))),
	...(events ? [make("small", {}, `${count(events)} events`)] : []), ...unseen, make("small", {}, `${seconds(from, width)}`)];
}

/** Two fingers: the instants that they lie on stay under them. */
interface Pinch { a: number; b: number }

function pinchOf(app: App, fingers: Map<number, number>): Pinch {
	const [a, b] = [...fingers.values()].map((x) => app.time(x));

	return { a, b };
}
function movePinch(app: App, { a, b }: Pinch, fingers: Map<number, number>): void {
	const [x0, x1] = [...fingers.values()];

	/* less than a few px apart they have no direction */
	if (fingers.size !== 2 || abs(x1 - x0) < 8 || a === b || (x1 - x0) * (b - a) < 0)
		return;
	const perPx = (b - a) / (x1 - x0), from = a - x0 * perPx;

	app.setWindow(from, from + app.width * perPx);
}

export function input(app: App): void {
	const canvas = app.picture.canvas, tip = byId("tip"), rows = byId("rows");
	const fingers = new Map<number, number>();
	let pinch: Pinch | null = null;
	let drag: { x: number; y: number; from: number; to: number; scroll: number; moves: boolean; done: boolean } | null = null;

	on(document, "keydown", (event) => onKey(app, event));
	on(rows, "wheel", (event) => {
		event.preventDefault();
		const lines = event.deltaMode ? 38 : 1;

		if (event.ctrlKey || event.metaKey)
			app.zoom(Math.exp(max(-60, min(60, event.deltaY * lines)) * 0.006), app.time(event.clientX - canvas.getBoundingClientRect().left));
		else if (event.shiftKey || abs(event.deltaX) > abs(event.deltaY))
			app.move((event.deltaX || event.deltaY) * lines / app.width);
		else
			app.scrollTo(app.scroll + event.deltaY * lines);
	}, { passive: false });
	on(canvas, "pointerdown", (event) => {
		if (event.button)
			return;
		canvas.setPointerCapture(event.pointerId);
		if (event.pointerType === "touch")
			fingers.set(event.pointerId, event.offsetX);
		pinch = fingers.size === 2 ? pinchOf(app, fingers) : null;
		drag = pinch ? null : { x: event.offsetX, y: event.offsetY, from: app.from, to: app.to, scroll: app.scroll,
			moves: event.shiftKey || event.pointerType === "touch", done: false };
	});
	on(canvas, "pointermove", (event) => {
		const line = lineAt(app, event.offsetY);

		app.pointer = { t: round(app.time(event.offsetX)), row: line && line.kind === "row" ? line.row : 0 };
		if (fingers.has(event.pointerId))
			fingers.set(event.pointerId, event.offsetX);
		if (pinch) {
			movePinch(app, pinch, fingers);
			return;
		}
		if (drag) {
			tip.hidden = true;
			if (abs(event.offsetX - drag.x) + abs(event.offsetY - drag.y) > 4)
				drag.done = true;
			if (!drag.done)
				return;
			if (drag.moves) {
				const by = (drag.x - event.offsetX) / app.width * (drag.to - drag.from);

				app.setWindow(drag.from + by, drag.to + by);
				app.scrollTo(drag.scroll + drag.y - event.offsetY);
			} else {
				const a = app.time(drag.x), b = app.time(event.offsetX);

				app.mark = { from: max(min(a, b), app.from), to: min(max(a, b), app.to) };
				app.update();
			}
			return;
		}
		const content = line ? tipFor(app, line, event.offsetX, event.offsetY) : [];

		tip.hidden = !content.length;
		if (!content.length)
			return;
		tip.replaceChildren(...content);
		const left = canvas.offsetLeft + event.offsetX + 14;

		tip.style.left = min(left, rows.clientWidth - tip.offsetWidth - 6) + "px";
		tip.style.top = (event.offsetY + 22 + tip.offsetHeight > rows.clientHeight ? max(event.offsetY - tip.offsetHeight - 10, 0) : event.offsetY + 20) + "px";
	});
	on(canvas, "pointerleave", () => {
		tip.hidden = true;
		app.pointer = null;
	});
	const lift = (event: PointerEvent) => {
		fingers.delete(event.pointerId);
		if (pinch && !fingers.size)
			pinch = null;
	};

	on(canvas, "pointercancel", (event) => {
		drag = null;
		lift(event);
	});
	on(canvas, "pointerup", (event) => {
		const was = drag, pinched = pinch !== null;

		drag = null;
		lift(event);
		if (pinched)
			return;
		if (was && was.done) {
			if (!was.moves && app.mark) {
				app.selected = -1;
				app.related = null;
				app.tab = "selection";
				app.selectionChanged();
				app.update(true);
			}
			return;
		}
		app.mark = null;
		app.select(hit(app, event.offsetX, event.offsetY));
	});
	on(canvas, "dblclick", () => {
		if (app.selected >= 0)
			onKey(app, new KeyboardEvent("keydown", { key: "f" }));
	});
	const set = (name: string, handle: string, px: number) => {
		document.documentElement.style.setProperty(name, px + "px");
		byId(handle).setAttribute("aria-valuenow", String(round(px)));
	};
	const side = (px: number) => set("--side", "splitter", max(140, min(px, innerWidth / 2)));
	const drawer = (px: number) => set("--drawer", "grip", max(0, min(px, innerHeight - 260)));

	dragged(byId("splitter"), (event) => side(event.clientX), (by) => side(byId("names").offsetWidth + by), ["ArrowLeft", "ArrowRight"]);
	dragged(byId("grip"), (event) => drawer(innerHeight - event.clientY), (by) => drawer(byId("drawer").offsetHeight + by), ["ArrowDown", "ArrowUp"]);
}

/** A line that is dragged, or moved by two keys: to the smaller size, and to the larger one. */
function dragged(handle: HTMLElement, move: (event: PointerEvent) => void, step: (by: number) => void, keys: string[]): void {
	on(handle, "keydown", (event) => {
		if (!keys.includes(event.key))
			return;
		event.preventDefault();
		event.stopPropagation();
		step(event.key === keys[0] ? -20 : 20);
		dispatchEvent(new Event("resize"));
	});
	on(handle, "pointerdown", (event) => {
		const follow = (moved: PointerEvent) => {
			move(moved);
			dispatchEvent(new Event("resize"));
		};

		handle.setPointerCapture(event.pointerId);
		on(handle, "pointermove", follow);
		on(handle, "pointerup", () => handle.removeEventListener("pointermove", follow), { once: true });
	});
}
