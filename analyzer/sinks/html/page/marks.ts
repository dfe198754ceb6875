// SPDX-License-Identifier: GPL-2.0-or-later
// Marks A and B with the time between them, and notes at places of the picture; both travel in the link.
import { App } from "./app";
import { Scene, ancestor } from "./arrows";
import { LONGEST, ask, byId, on } from "./dom";
import { abs, max, min, round } from "./maths";
import { Table } from "./model";
import { Pen } from "./surface";
import { duration, seconds } from "./time";

export interface Note { t: number; row: number; text: string }
export interface Marks { a: number | null; b: number | null; notes: Note[] }

/** px from a note at which its key means the note; letters that the picture has of it. */
const NEAR = 8, SHOWN = 40;

/** The instant that a key means: that of the pointer, of the selection, of the filter, or the middle of the window. */
export function here(app: App): { t: number; row: number } {
	const { recording, selected, mark } = app;

	if (app.pointer)
		return app.pointer;
	return selected >= 0 ? { t: recording.t0[selected], row: recording.rowAt(selected) } :
		{ t: mark ? mark.from : round((app.from + app.to) / 2), row: app.current };
}

/** Sets mark A, then mark B, then A anew. */
export function setMark(app: App): void {
	const { marks } = app, { t } = here(app);

	if (marks.a === null || marks.b !== null)
		Object.assign(marks, { a: t, b: null });
	else
		marks.b = t;
	changed(app);
}

function changed(app: App): void {
	app.update();
	app.windowChanged();
}

/** Asks for the text of a note at the pointer or the selection; the text of one that is there already may become another one, or none. */
export function writeNote(app: App): void {
	const { t, row } = here(app), near = NEAR / app.width * (app.to - app.from);
	const old = app.marks.notes.find((note) => note.row === row && abs(note.t - t) <= near);
	const at = old || { t, row, text: "" };

	ask(`Note at ${seconds(at.t)}${at.row ? `, ${app.recording.path(at.row, " / ")}` : ""}`, at.text, old ? "Change (empty: remove)" : "Add", (text) => {
		at.text = text;
		app.marks.notes = [...app.marks.notes.filter((note) => note !== at), ...(text ? [at] : [])].sort((a, b) => a.t - b.t);
		changed(app);
		app.selectionChanged();
	});
}

/** The notes as a table; null: there are none. */
export function notesTable({ marks: { notes } }: App): Table | null {
	return notes.length ? {
		name: "notes", title: "Notes", help: "The key t changes a note, and removes it when its text is empty. Copy link has them.", columns: [{ name: "at", title: "at", kind: "instant" },
			{ name: "row", title: "row", kind: "row" }, { name: "text", title: "note", kind: "text" }], rows: notes.map(({ t, row, text }) => [t, row || null, text]),
	} : null;
}

/** Lines of A and B over all rows, and the notes on theirs. */
export function drawMarks(scene: Scene & { marks: Marks }, pen: Pen): void {
	const { shown, recording, colours, width, height, marks } = scene;
	const x = (t: number) => (t - shown.from) / (shown.to - shown.from) * width;

	pen.font = "600 11px system-ui, sans-serif";
	pen.textBaseline = "middle";
	for (const [name, t] of [["A", marks.a], ["B", marks.b]] as [string, number | null][]) {
		if (t === null || x(t) < 0 || x(t) > width)
			continue;
		pen.fillStyle = colours.palette.accent;
		pen.fillRect(round(x(t)), 0, 1, height);
		pen.fillRect(round(x(t)), 0, 14, 15);
		pen.fillStyle = colours.palette.page;
		pen.fillText(name, round(x(t)) + 3.5, 8);
	}
	pen.font = "11px system-ui, sans-serif";
	for (const note of marks.notes) {
		const line = note.row ? ancestor(shown.lines, recording, note.row) : undefined, left = round(x(note.t));
		const top = line ? line.y - shown.scroll : note.row ? NaN : 0, text = note.text.length > SHOWN ? note.text.slice(0, SHOWN - 1) + "…" : note.text;

		if (isNaN(top) || left < -300 || left > width || top < -20 || top > height)
			continue;
		pen.fillStyle = colours.palette.accent;
		pen.fillRect(left, top, 2, 17);
		pen.fillStyle = colours.palette.selected;
		pen.fillRect(left + 2, top + 1, pen.measureText(text).width + 8, 15);
		pen.fillStyle = colours.palette.ink;
		pen.fillText(text, left + 6, top + 9);
	}
}

/** Beside the axis: the time between A and B, or where A is. */
export function marksText({ marks: { a, b } }: Pick<App, "marks">): string {
	if (a === null)
		return "";
	return b === null ? `A ${seconds(a, 1000)}` : `A to B ${b < a ? "−" : ""}${duration(abs(b - a))}`;
}

export function marks(app: App): void {
	const chip = byId<HTMLButtonElement>("between");

	on(chip, "click", () => {
		const { a, b } = app.marks;

		if (a !== null && b !== null)
			app.glide(min(a, b) - abs(b - a) * 0.1, max(a, b) + abs(b - a) * 0.1);
	});
	const show = () => {
		chip.textContent = marksText(app);
		chip.hidden = !chip.textContent;
	};

	app.onWindow.push(show);
	show();
}

/** For the link: times in ns, rows by their paths. */
export function marksInLink({ marks: { a, b, notes }, recording }: App): string[] {
	return [...(a === null ? [] : [`a=${round(a)}`]), ...(b === null ? [] : [`b=${round(b)}`]),
		...notes.map(({ t, row, text }) => `t=${round(t)},${encodeURIComponent(row ? recording.path(row) : "")},${encodeURIComponent(text)}`)];
}

/** The marks of a link; notes on rows that this page does not have stand above all rows. */
export function marksOfLink(app: App, values: [string, string][]): Marks {
	const time = (name: string) => {
		const found = values.find(([each]) => each === name);

		return found && /^\d+$/.test(found[1]) ? Number(found[1]) : null;
	};
	const notes = values.filter(([name, value]) => name === "t" && /^\d+,[^,]*,[^,]+$/.test(value)).map(([, value]) => {
		const [t, path, text] = value.split(",");

		return { t: Number(t), row: app.recording.rowOf(decoded(path)), text: decoded(text).slice(0, LONGEST) };
	});

	return { a: time("a"), b: time("b"), notes: notes.filter(({ text }) => text) };
}

/** A part of a link as text; one that is broken is "". */
export function decoded(part = ""): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return "";
	}
}
