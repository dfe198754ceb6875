// SPDX-License-Identifier: GPL-2.0-or-later
// The lines of the picture: which rows are shown, in which order, folded or not.
import { max } from "./maths";
import { FAILED, POINT, Recording, SAMPLE, SPAN, View } from "./model";
import { Filter } from "./filter";

export const LINE = 19, LANE = 8, MOST_LANES = 4;
/** A list shows its first rows, those that waited a part of what the first one did; then more and more. */
const FIRST = 7, LEAST_FIRST = 3, PART = 0.08, MORE = 25;

export interface Line {
	kind: "head" | "row" | "more";
	/** What folds it and remembers it: "r12", "v0", "m..." */
	key: string;
	row: number;
	depth: number;
	text: string;
	foldable: boolean;
	open: boolean;
	/** Its own lanes; 0: an aggregate of the rows below. */
	lanes: number;
	y: number;
	height: number;
	/** Tracks of spans, of points and of samples that it draws. */
	spans: number[];
	points: number[];
	samples: number[];
}

/** Rows that a filter leaves: 1 a hit or below one, 2 only above a hit, 0 neither. */
export function matchRows(recording: Recording, filter: Filter): Uint8Array | null {
	const n = recording.head.rows.name.length;
	const on = new Uint8Array(n);

	if (!filter.rows.length)
		return null;
	const tests = filter.rows;
	const wanted = tests.filter((test) => !test.no), excluded = tests.filter((test) => test.no);
	const walk = (row: number, above: string, found: boolean[]): boolean => {
		const path = row ? (above ? above + "/" : "") + recording.name(row) : "";
		let below = false;

		if (row) {
			if (excluded.some((test) => test.fits(path, recording.name(row))))
				return false;
			found = wanted.map((test, i) => found[i] || test.fits(path, recording.name(row)));
			on[row] = found.every((hit) => hit) ? 1 : 0;
		}
		for (const child of recording.children[row])
			below = walk(child, path, found) || below;
		if (row && !on[row] && below)
			on[row] = 2;
		return on[row] > 0 || below;
	};

	walk(0, "", wanted.map(() => false));
	return on;
}

/** Rows on which something is left, marked with 1, and with 2 those above. */
export function withRowsAbove(recording: Recording, rows: Uint8Array): Uint8Array {
	const { parent } = recording.head.rows, on = rows.slice();

	rows.forEach((hit, row) => {
		for (row = hit ? parent[row] : 0; row && !on[row]; row = parent[row])
			on[row] = 2;
	});
	return on;
}

export class Tree {
	/** Rows folded or unfolded by hand, by key. */
	readonly opened = new Map<string, boolean>();
	/** How many rows of a list are shown, by key. */
	readonly limits = new Map<string, number>();
	readonly pinned = new Set<number>();
	rowsOn: Uint8Array | null = null;
	hideEmpty = false;
	private readonly belowCache = new Map<number, number[]>();
	private readonly units: Uint8Array;
	private readonly aboveUnits: Uint8Array;
	/** The unit that is unfolded at first. */
	private mostWaited = 0;
	/** By view: itself, or the one before it that has the same rows. */
	private readonly sameAs: number[] = [];
	/** Rows of each list that are shown beyond those that matter, as there is room. */
	extra = 0;

	constructor(readonly recording: Recording) {
		const { rows } = recording.head;

		this.units = Uint8Array.from(rows.unit);
		this.aboveUnits = new Uint8Array(rows.name.length);
		rows.unit.forEach((unit, row) => {
			for (let at = unit ? rows.parent[row] : 0; at; at = rows.parent[at])
				this.aboveUnits[at] = 1;
		});
		recording.head.views.forEach((view, i, views) => this.sameAs.push(views.findIndex((other, k) => k === i || k < i && this.isCopy(view, other))));
		const waits = new Set(recording.head.cats.filter((cat) => cat.role === "wait").map((cat) => recording.head.types[cat.type].on));

		rows.unit.forEach((unit, row) => {
			if (unit && rows.wait[row] > (rows.wait[this.mostWaited] || 0) &&
				recording.children[row].some((child) => waits.has(rows.type[child])))
				this.mostWaited = row;
		});
	}

	/** Tracks of a row and of all rows below that the filter leaves. */
	tracksBelow(row: number): number[] {
		let all = this.belowCache.get(row);

		if (!all) {
			all = [];
			const walk = (at: number) => {
				if (!this.rowsOn || this.rowsOn[at] === 1)
					all!.push(...this.recording.tracksOf[at]);
				for (const child of this.recording.children[at])
					walk(child);
			};

			walk(row);
			this.belowCache.set(row, all);
		}
		return all;
	}
	setFilter(rowsOn: Uint8Array | null): void {
		this.rowsOn = rowsOn;
		this.belowCache.clear();
	}
	/** The view that has the row and all above it as columns; several views may begin with the same rows, such as machines. */
	viewOf(row: number): number {
		const { rows, views } = this.recording.head;
		const types = [rows.type[row]];

		while (rows.parent[row]) {
			row = rows.parent[row];
			types.push(rows.type[row]);
		}
		const found = views.findIndex((view) => types.every((type) => view.columns.includes(type)));

		return found < 0 ? found : this.sameAs[found];
	}
	/** Whether a view has the rows of another one again: a tree has all that is below its first rows, whichever view names them. */
	private isCopy(view: View, other: View): boolean {
		const { rows, types } = this.recording.head;
		const units = view.columns.filter((type) => rows.type.some((each, row) => each === type && rows.unit[row]));

		return this.isFlat(view) === this.isFlat(other) && view.columns[0] === other.columns[0] &&
			(types[view.columns[0]].role === "node" ? units.length > 0 && units.every((type) => other.columns.includes(type)) : true);
	}
	isUnit(row: number): boolean {
		return this.units[row] > 0;
	}
	/** Unfolds all that stands above a row, and shows it if its list is cut before it. */
	reveal(row: number): void {
		const { rows } = this.recording.head;

		this.opened.set("v" + this.viewOf(row), true);
		for (let at = rows.parent[row]; at; at = rows.parent[at])
			this.opened.set("r" + at, true);
		for (let at = row; at; at = rows.parent[at])
			this.forced.add(at);
	}
	/** Rows that are shown although their list is cut before them. */
	readonly forced = new Set<number>();

	/** How many rows of a ranked list matter. */
	private firstRows(ranked: number[]): number {
		const { wait } = this.recording.head.rows;
		let n = 0;

		while (n < FIRST && n < ranked.length && (n < LEAST_FIRST || !wait[ranked[0]] || wait[ranked[n]] > PART * wait[ranked[0]]))
			n++;
		return n;
	}
	isOn(row: number): boolean {
		return !this.rowsOn || this.rowsOn[row] > 0;
	}
	private isEmpty(row: number, from: number, to: number): boolean {
		const { recording } = this;

		for (const at of this.tracksBelow(row)) {
			const track = recording.tracks[at];

			if (track.kind === SAMPLE)
				continue;
			const i = track.kind === SPAN ? recording.after(track, from) : recording.from(track, from);

			if (i < track.to && recording.t0[i] < to)
				return false;
		}
		return true;
	}
	private isOpen(key: string, row: number): boolean {
		const opened = this.opened.get(key);

		if (opened !== undefined)
			return opened;
		if (this.rowsOn && row)
			return this.aboveUnits[row] > 0 || this.rowsOn[row] === 2;
		return !row || this.aboveUnits[row] > 0 || row === this.mostWaited ||
		       this.tracksBelow(row).every((at) => this.recording.tracks[at].kind !== SPAN);
	}
	/** Whether the waits on a row and below are calls. */
	private inCalls(row: number): boolean {
		const { recording } = this;

		return this.tracksBelow(row).some((at) => recording.tracks[at].kind === SPAN && recording.head.cats[recording.cat[recording.tracks[at].from]].role === "call");
	}

	/** All lines for the window [from, to). */
	lines(from: number, to: number): Line[] {
		const { recording } = this;
		const { rows, views } = recording.head;
		const lines: Line[] = [];
		let y = 0;

		const push = (line: Line) => {
			line.y = y;
			y += line.height;
			lines.push(line);
		};
		const add = (row: number, depth: number, text: string) => {
			const children = recording.children[row].filter((child) => this.isOn(child));
			const foldable = children.length > 0;
			const open = foldable && this.isOpen("r" + row, row);

			push(this.line(row, depth, text, foldable, open));
			if (open)
				list("r" + row, children, depth + 1, () => "");
		};
		const list = (key: string, all: number[], depth: number, label: (row: number) => string) => {
			/* rows of another type, such as recoveries beside resources, are no end of the list */
			const kinds = [...new Set(all.map((row) => rows.type[row]))];

			kinds.forEach((type, i) => listOf(key + (i ? `/${type}` : ""), kinds.length > 1 ? all.filter((row) => rows.type[row] === type) : all, depth, label));
		};
		const listOf = (key: string, all: number[], depth: number, label: (row: number) => string) => {
			const usable = all.filter((row) => this.isOn(row) && !rows.hidden[row] &&
				(!this.hideEmpty || !this.isEmpty(row, from, to)));
			const cut = usable.length && (this.units[usable[0]] || usable.length > 200);
			const limit = cut ? this.limits.get(key) || (this.rowsOn ? 60 : this.firstRows(usable) + this.extra) : usable.length;
			let matter = usable;

			if (usable.length > limit + 1)
				matter = usable.filter((row, i) => i < limit || this.forced.has(row));
			for (const row of matter)
				add(row, depth, label(row) || recording.name(row));
			if (matter.length < usable.length) {
				const n = usable.length - matter.length;
				const waits = usable.some((row) => rows.wait[row]) ? (this.inCalls(usable[0]) ? "with less time in calls" : "that waited less") :
					"with less events";

				push({
					kind: "more", key, row: usable.length, depth, text: `${n} more ${waits}`,
					foldable: false, open: false, lanes: 0, y: 0, height: LINE, spans: [], points: [], samples: [],
				});
			}
		};
		const head = (key: string, title: string, fill: () => void) => {
			const open = this.isOpen(key, 0), at = lines.length;

			push({
				kind: "head", key, row: 0, depth: 0, text: title, foldable: true, open, lanes: 0, y: 0, height: LINE,
				spans: [], points: [], samples: [],
			});
			if (!open)
				return;
			fill();
			if (lines.length === at + 1) {
				lines.pop();
				y -= LINE;
			}
		};

		if (this.pinned.size)
			head("pinned", "Pinned", () => {
				for (const row of this.pinned)
					add(row, 1, recording.path(row, " / "));
			});
		const order = views.map((_view, i) => i).filter((i) => this.sameAs[i] === i).sort((a, b) => Number(this.isFlat(views[b])) - Number(this.isFlat(views[a])) || a - b);

		for (const i of order)
			head("v" + i, views[i].title, () => {
				const view = views[i];
				const top = recording.children[0].filter((row) => rows.type[row] === view.columns[0]);

				if (this.isFlat(view))
					list("v" + i, this.flatUnits(view, top), 1, (row) => recording.path(row, " / "));
				else
					list("v" + i, top, 1, () => "");
			});
		return lines;
	}

	/** Whether a view's machines stand above what it ranks: then its units are one list. */
	private isFlat(view: View): boolean {
		return this.recording.head.types[view.columns[0]].role === "node" && view.columns.length > 1;
	}
	/** The rows below @top that the view ranks: rows of other views may stand below the same machines. */
	private flatUnits(view: View, top: number[]): number[] {
		const { rows } = this.recording.head;
		const units: number[] = [];
		const walk = (row: number) => {
			if (this.units[row] && view.columns.includes(rows.type[row]))
				units.push(row);
			else if (!this.units[row])
				this.recording.children[row].forEach(walk);
		};

		top.forEach(walk);
		return units.sort((a, b) => rows.wait[b] - rows.wait[a] || rows.items[b] - rows.items[a] || a - b);
	}

	private isDerived(at: number): boolean {
		const track = this.recording.tracks[at];

		return track.kind === SPAN && track.lane === 0 && !!this.recording.rowType(track.row).stage && this.recording.children[track.row].length > 0;
	}
	private line(row: number, depth: number, text: string, foldable: boolean, open: boolean): Line {
		const { recording } = this;
		const own = recording.tracksOf[row];
		const aggregate = foldable && !open;
		/* states that sum up the rows below would be there twice */
		const tracks = aggregate ? this.tracksBelow(row).filter((at) => !this.isDerived(at) && !recording.naming[recording.tracks[at].type]) : own;
		const of = (kind: number) => tracks.filter((at) => recording.tracks[at].kind === kind);
		const spans = of(SPAN);
		let lanes = 1;

		for (const at of aggregate ? [] : spans)
			lanes = max(lanes, recording.tracks[at].lane + 1);
		if (lanes > MOST_LANES || aggregate)
			lanes = 0;
		return {
			kind: "row", key: "r" + row, row, depth, text, foldable, open, lanes, y: 0,
			height: LINE + (lanes > 1 ? LANE * (lanes - 1) : 0),
			spans, points: of(POINT), samples: aggregate ? [] : of(SAMPLE),
		};
	}
}

/** @extra: rows of the list that free room shows already */
export function nextLimit(limit: number | undefined, extra: number): number {
	return (limit || FIRST + extra) + MORE;
}
export function isFailed(flags: number): boolean {
	return (flags & FAILED) > 0;
}
