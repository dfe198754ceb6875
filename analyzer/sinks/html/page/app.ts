// SPDX-License-Identifier: GPL-2.0-or-later
// The state of the view: window, selection, filters. Parts of the page change the view here, and are notified.
import { Chain, End, Ends, chainOf, endsOf } from "./chain";
import { Colours } from "./colour";
import { Filter, parseFilter } from "./filter";
import { Names } from "./linked";
import { Marks } from "./marks";
import { max, min } from "./maths";
import { Recording, SPAN, Table } from "./model";
import { paint, unpaint } from "./paint";
import { Picture, Shown } from "./picture";
import { Line, Tree, matchRows, withRowsAbove } from "./tree";
import { byId } from "./dom";
import { Wait } from "./waits";

/** Waits of a selected call whose rows are unfolded. */
const MOST_SHOWN = 8;

/** Rows of each list that free room shows. */
const MOST_EXTRA = 100;
/** Nothing is shown narrower than this: ns. */
const LEAST = 20;

export class App {
	from: number;
	to: number;
	scroll = 0;
	selected = -1;
	related: Set<number> | null = null;
	/** Links that the selection leads to, and that led to it; null: it has none. */
	chain: Chain | null = null;
	private ends: Ends | null = null;
	mark: { from: number; to: number } | null = null;
	marks: Marks = { a: null, b: null, notes: [] };
	/** Where the pointer is in the picture. */
	pointer: { t: number; row: number } | null = null;
	/** What the process of a selected call waited for. */
	waits: { of: number; list: Wait[] } | null = null;
	/** Tables of an instant (moment.ts). */
	moment: Table[] = [];
	/** The selection came from a table: its place is shown. */
	went = false;
	/** Spans that are framed beside the selection: waits, each with a hold in its way, or -1. */
	private framed: { item: number; hold: number }[] = [];
	/** The framed spans are a circular wait. */
	private cycle = false;
	/** Waits of the selected call are pinned when they are found, as an answer asked for them. */
	private pinsWaits = false;
	/** Rows that an answer pinned; the next one takes them away. */
	private pins: number[] = [];
	/** The row that was gone to; 0: none. */
	current = 0;
	private namesOf: Names | null = null;
	readonly hidden = new Set<number>();
	/** The attribute whose values have the colours; "": each kind has its own. */
	paintedBy = "";
	private painting = 0;
	filterText = "";
	filter: Filter = parseFilter("");
	/** Items that the filter leaves; null: all. Their begins in order, for n and N. */
	mask: Uint8Array | null = null;
	hits = new Uint32Array(0);
	tab = "";
	lines: Line[] = [];
	readonly tree: Tree;
	readonly colours: Colours;
	readonly picture: Picture;
	width = 1;
	height = 1;
	/** Called before each frame; after the window, the rows, or the selection has changed. */
	readonly onFrame: (() => void)[] = [];
	readonly onLayout: (() => void)[] = [];
	readonly onSelect: (() => void)[] = [];
	readonly onWindow: (() => void)[] = [];
	/** After there are other kinds. */
	readonly onKinds: (() => void)[] = [];
	private frame = 0;
	private layoutDue = true;
	private settle = 0;
	private generation = 0;
	private ease = 0;

	constructor(readonly recording: Recording) {
		this.from = recording.head.from;
		this.to = max(recording.head.to, this.from + LEAST);
		this.tree = new Tree(recording);
		this.colours = new Colours(recording);
		this.picture = new Picture(byId<HTMLCanvasElement>("picture"), recording, this.colours);
		recording.head.cats.forEach((cat, i) => {
			if (cat.faint)
				this.hidden.add(i);
		});
	}

	/** Draw again; with `layout`, after the lines were found again. */
	update(layout = false): void {
		this.layoutDue = this.layoutDue || layout;
		if (!this.frame)
			this.frame = requestAnimationFrame(() => this.draw());
	}
	draw(): void {
		const start = performance.now();

		this.frame = 0;
		if (this.layoutDue)
			this.layout();
		this.onFrame.forEach((call) => call());
		this.picture.draw(this.shown());
		this.askLabels();
		this.frameMs = performance.now() - start;
		this.frames++;
	}
	shown(): Shown {
		return {
			from: this.from, to: this.to, scroll: this.scroll, lines: this.lines, hidden: this.hidden, mask: this.mask,
			selected: this.selected, related: this.related, chain: this.chain, mark: this.mark, marks: this.marks, cycle: this.cycle,
			arrows: [...this.framed, ...(this.waits ? this.waits.list.map((wait) => ({ item: wait.item, hold: wait.holds[0] ?? -1 })) : [])], grid: this.tickDistance,
		};
	}
	/** For tests: how long the last frame took, and how many there were. */
	frameMs = 0;
	/** ns between two lines of the grid; the axis finds it. */
	tickDistance = 0;
	frames = 0;

	private layout(): void {
		this.layoutDue = false;
		this.tree.extra = 0;
		this.lines = this.tree.lines(this.from, this.to);
		/* nothing hides while there is room */
		for (let more = true; more && this.contentHeight() < this.height && this.lines.some(({ kind }) => kind === "more");) {
			const before = this.lines;

			this.tree.extra++;
			this.lines = this.tree.lines(this.from, this.to);
			more = this.contentHeight() <= this.height && this.tree.extra < MOST_EXTRA;
			if (this.contentHeight() > this.height)
				this.lines = before;
		}
		this.scroll = min(this.scroll, this.maxScroll());
		this.onLayout.forEach((call) => call());
	}
	contentHeight(): number {
		const last = this.lines[this.lines.length - 1];

		return last ? last.y + last.height : 0;
	}
	maxScroll(): number {
		return max(0, this.contentHeight() - this.height);
	}
	scrollTo(scroll: number): void {
		this.scroll = max(0, min(scroll, this.maxScroll()));
		this.update();
		this.onLayout.forEach((call) => call());
	}
	/** Names of waiting states need their attributes, which are unpacked while the picture is shown. */
	private async askLabels(): Promise<void> {
		const wanted = this.picture.wanted.slice(0, 200);

		for (const item of wanted)
			this.picture.labels.set(item, "");
		let any = false;

		for (const item of wanted) {
			const attrs = await this.recording.attributes(item);
			const to = attrs.find((attr) => attr.name === "to") || attrs.find((attr) => attr.name === "mode");

			if (to) {
				this.picture.labels.set(item, "→ " + to.text);
				any = true;
			}
		}
		if (any)
			this.update();
	}

	setWindow(from: number, to: number): void {
		const { head } = this.recording;
		const whole = max(head.to - head.from, LEAST);
		const length = min(max(to - from, LEAST), whole);

		from = max(head.from, min(from + (to - from - length) / 2, head.from + whole - length));
		this.from = from;
		this.to = from + length;
		this.update(this.tree.hideEmpty);
		clearTimeout(this.settle);
		this.settle = window.setTimeout(() => this.windowChanged(), 60);
	}
	zoom(factor: number, at = (this.from + this.to) / 2): void {
		this.setWindow(at - (at - this.from) * factor, at + (this.to - at) * factor);
	}
	move(share: number): void {
		const by = (this.to - this.from) * share;

		this.setWindow(this.from + by, this.to + by);
	}
	/** Moves the window so quickly that the eye can follow. */
	glide(from: number, to: number): void {
		const begin = performance.now(), from0 = this.from, to0 = this.to;
		const run = ++this.ease;
		const go = (now: number) => {
			const part = min((now - begin) / 120, 1), soft = part * (2 - part);

			if (run !== this.ease)
				return;
			this.setWindow(from0 + (from - from0) * soft, to0 + (to - to0) * soft);
			if (part < 1)
				requestAnimationFrame(go);
		};

		if (matchMedia("(prefers-reduced-motion: reduce)").matches)
			this.setWindow(from, to);
		else
			go(begin);
	}
	x(t: number): number {
		return (t - this.from) / (this.to - this.from) * this.width;
	}
	time(x: number): number {
		return this.from + x / this.width * (this.to - this.from);
	}

	/** Rows by their names, made when they are asked for. */
	get names(): Names {
		return this.namesOf = this.namesOf || new Names(this.recording);
	}
	/** Whether a name is that of a machine. */
	isNode(name: string): boolean {
		return this.names.of(name).some((row) => this.recording.rowType(row).role === "node");
	}
	/** The item of a row that begins then, a span rather than an event; with a length, that is as long. -1: there is none. */
	itemAt(row: number, t: number, length: number): number {
		const { recording, recording: { t0, t1 } } = this;
		const tracks = (recording.tracksOf[row] || []).map((at) => recording.tracks[at]).sort((a, b) => Number(b.kind === SPAN) - Number(a.kind === SPAN));

		for (const track of tracks) {
			for (let i = recording.from(track, t); i < track.to && t0[i] === t; i++)
				if (!length || t1[i] - t === length)
					return i;
		}
		return -1;
	}
	/** Marks a time, and shows it with what is around. */
	markTime(from: number, to: number): void {
		const around = max(to - from, (this.to - this.from) / 1000, LEAST);

		if (this.selected >= 0)
			this.select(-1);
		this.mark = { from, to };
		this.glide(from - around, to + around);
	}
	/** Unfolds rows, marks the first one, and scrolls there. */
	visit(rows: number[]): void {
		if (this.selected >= 0)
			this.select(-1);
		this.mark = null;
		for (const row of rows) {
			this.tree.reveal(row);
			this.tree.opened.set("r" + row, true);
		}
		this.current = rows[0];
		this.update(true);
		this.draw();
		this.showRow(rows[0]);
		this.windowChanged();
	}
	/** Pins these rows instead of those of the answer before. */
	pinOnly(rows: number[]): void {
		this.pins.forEach((row) => this.tree.pinned.delete(row));
		this.pins = [...new Set(rows)].filter((row) => !this.tree.pinned.has(row));
		this.pins.forEach((row) => this.tree.pinned.add(row));
	}
	/** A window in which all of some spans are seen. */
	surround(items: number[]): void {
		const { t0, t1 } = this.recording;
		const from = min(...items.map((item) => t0[item])), to = max(...items.map((item) => t1[item]));

		this.glide(from - (to - from) * 0.3, to + (to - from) * 0.3);
	}
	/** Shows the tab of a table. */
	openTab(name: string): void {
		this.tab = name;
		this.selectionChanged();
	}
	/** The spans that a span leads to, and those that led to it. */
	chainFrom(item: number): Chain {
		this.ends = this.ends || new Ends(this.recording);
		return chainOf(this.recording, this.ends, item);
	}

	/**
	 * Selects an item; with `go`, unfolds its row, scrolls there, and shows its time. An answer frames other spans with it, and
	 * pins its rows.
	 */
	select(item: number, go = false, answer: { framed: { item: number; hold: number }[]; rows: number[]; cycle?: boolean } | null = null): void {
		const { recording, tree } = this;

		this.selected = item;
		this.went = go;
		this.framed = answer ? answer.framed : [];
		this.cycle = !!answer && !!answer.cycle;
		this.pinsWaits = !!answer;
		this.current = 0;
		this.related = null;
		this.waits = null;
		this.chain = null;
		if (item >= 0) {
			const track = recording.trackAt(item);

			this.related = this.relatedRows(track.row);
			this.findChain(item);
			for (const row of answer ? answer.rows : [])
				for (const near of this.relatedRows(row))
					this.related.add(near);
			this.tab = "selection";
			if (go) {
				this.mark = null;
				tree.reveal(track.row);
				this.layout();
				this.showRow(track.row);
				this.fit(item);
			}
		}
		this.update(true);
		this.selectionChanged();
	}
	/** The links around a selected item; their rows keep their colours. */
	private findChain(item: number): void {
		const { recording } = this;

		if (!recording.linkTo.size)
			return;
		this.chain = this.chainFrom(item);
		for (const { link } of this.chain.steps)
			for (const end of endsOf(recording, link))
				this.related!.add(end.row);
	}
	/** The span at an end of a link; -1 if there is none. */
	spanAt(end: End): number {
		this.ends = this.ends || new Ends(this.recording);
		return end.hidden ? -1 : this.ends.spanAt(end);
	}
	/** Draws arrows from the selection to what its parts lead to, in the light, of an answer with their rows; waits have arrows of their own. */
	frameParts(at: number, spans: number[]): void {
		const rows = spans.map((span) => this.recording.rowAt(span));

		for (const row of rows)
			for (const near of this.relatedRows(row))
				this.related!.add(near);
		if (!this.waits) {
			this.framed = [...this.framed, ...spans.slice(0, MOST_SHOWN).map((hold) => ({ item: at, hold }))];
			if (this.pinsWaits)
				this.pinOnly([...this.pins, ...rows.slice(0, MOST_SHOWN)]);
		}
		this.update(true);
	}
	windowChanged(): void {
		this.onWindow.forEach((call) => call());
	}
	selectionChanged(): void {
		this.onSelect.forEach((call) => call());
	}
	/** Rows with the same parent as a node: all nodes of the resource. */
	relatedRows(row: number): Set<number> {
		const parent = this.recording.thingOf(row);
		const related = new Set<number>([row]);

		if (parent) {
			related.add(parent);
			for (const child of this.recording.children[parent])
				related.add(child);
		}
		return related;
	}
	/** The chain of a call: its waits, the holds in their way, and all rows of the same resource. */
	setWaits(of: number, list: Wait[]): void {
		const { recording, tree } = this;
		/* a time in which nobody had asked for the lock comes last */
		const longest = list.slice().sort((a, b) => Number(!!a.rest) - Number(!!b.rest) || b.ns - a.ns || a.item - b.item).slice(0, MOST_SHOWN);

		this.waits = { of, list };
		const waiting = new Set(list.map((wait) => recording.rowAt(wait.item)));

		/* with the glock of a lock */
		for (const at of [...waiting, ...Object.entries(recording.head.twins || {}).flatMap(([row, twin]) => waiting.has(twin) ? [Number(row)] : [])])
			for (const row of this.relatedRows(at))
				this.related!.add(row);
		const { row } = recording.trackAt(of), before = this.lineOf(row);
		const items = longest.flatMap((wait) => [wait.item, ...wait.holds.slice(0, 1)]);

		for (const item of items)
			tree.reveal(recording.rowAt(item));
		if (this.pinsWaits)
			this.pinOnly([...this.pins, ...items.map((item) => recording.rowAt(item))]);
		this.layout();
		if (this.went)
			this.showChain(of, items);
		else if (before && this.lineOf(row))
			/* what was clicked stays under the pointer */
			this.scrollTo(this.scroll + this.lineOf(row)!.y - before.y);
		this.update(true);
	}
	/** Zooms to a call, and shows the call with as many rows of its chain as there is room for. */
	private showChain(of: number, items: number[]): void {
		const { t0, t1 } = this.recording, length = t1[of] - t0[of];
		const call = this.lineOf(this.recording.rowAt(of));
		const lines = items.map((item) => this.lineOf(this.recording.rowAt(item))).filter((line) => line) as Line[];

		if (length < (this.to - this.from) / 2)
			this.glide(t0[of] - 0.3 * length, t1[of] + 0.3 * length);
		if (!call || !lines.length)
			return;
		const top = min(call.y, ...lines.map((line) => line.y)), end = max(call.y + call.height, ...lines.map((line) => line.y + line.height));

		/* an answer's rows are pinned, and the first ones */
		if (this.pinsWaits) {
			this.scrollTo(0);
			return;
		}
		/* where not all fit, those that are nearest to the call */
		this.scrollTo(end - top <= this.height || call.y === top ? top : min(call.y, end - this.height, call.y + call.height - this.height));
	}
	private lineOf(row: number): Line | undefined {
		return this.lines.find((at) => at.kind === "row" && at.row === row);
	}
	showRow(row: number): void {
		const line = this.lineOf(row);

		if (line && (line.y < this.scroll || line.y + line.height > this.scroll + this.height))
			this.scrollTo(line.y - this.height / 3);
	}
	/** A window in which the item takes a third. */
	fit(item: number): void {
		const { recording } = this;
		const t0 = recording.t0[item], t1 = recording.hasLength(item) ? recording.t1[item] : t0;
		const length = max((t1 - t0) * 3, t1 > t0 ? LEAST : (this.to - this.from) / 4);

		if (t1 - t0 < (this.to - this.from) / 30 || t0 < this.from || t1 > this.to)
			this.glide((t0 + t1 - length) / 2, (t0 + t1 + length) / 2);
	}

	/** Colours spans by an attribute, or, with "", by their kind. */
	async setPaint(attr: string): Promise<void> {
		const { recording } = this, run = ++this.painting;
		const first = recording.own ? recording.ownKinds : recording.head.cats.length;

		this.paintedBy = attr;
		if (attr && !await paint(recording, attr, () => run === this.painting))
			return;
		if (!attr)
			unpaint(recording);
		for (const kind of [...this.hidden])
			if (kind >= first)
				this.hidden.delete(kind);
		this.colours.refresh();
		this.picture.shares.forget();
		this.onKinds.forEach((call) => call());
		this.update();
		this.windowChanged();
		this.selectionChanged();
	}
	setHidden(cats: number[], hide: boolean): void {
		for (const cat of cats)
			if (hide)
				this.hidden.add(cat);
			else
				this.hidden.delete(cat);
		this.picture.shares.forgetPeaks();
		this.update();
		this.windowChanged();
	}

	async setFilter(text: string): Promise<void> {
		const { recording, tree } = this;
		const generation = ++this.generation;

		this.filterText = text;
		this.filter = parseFilter(text);
		tree.setFilter(matchRows(recording, this.filter));
		this.picture.shares.forgetPeaks();
		this.mask = null;
		this.hits = new Uint32Array(0);
		if (this.filter.attrs.length || this.filter.lengths.length) {
			const { attrs, lengths } = this.filter, found = await recording.store.find({ rows: tree.rowsOn, attrs, lengths });

			if (!found || generation !== this.generation)
				return;
			this.mask = found.mask;
			this.hits = found.hits;
			tree.setFilter(withRowsAbove(recording, found.rows));
		}
		this.goToInstant();
		this.update(true);
		this.windowChanged();
	}
	private goToInstant(): void {
		const { filter, recording } = this;
		let at = filter.instant;

		if (filter.host) {
			const [whole, fraction = ""] = filter.host.split(".");
			const ns = BigInt(whole) * 1000000000n + BigInt(fraction.padEnd(9, "0").slice(0, 9));

			at = Number(ns - BigInt(recording.head.zero));
		}
		if (at === null || at < recording.head.from || at > recording.head.to)
			return;
		const length = min(this.to - this.from, recording.length / 20);

		this.glide(at - length / 2, at + length / 2);
		this.mark = { from: at, to: at };
	}
	/** Without a selection: the first hit, or the first state of the first row that has one in the window. */
	selectFirst(): void {
		const { recording } = this;

		if (this.hits.length) {
			this.nextHit(1);
			return;
		}
		for (const line of this.lines)
			for (const at of line.kind === "row" && line.lanes ? line.spans : []) {
				const track = recording.tracks[at], item = recording.after(track, this.from);

				if (item < track.to && recording.t0[item] < this.to) {
					this.select(item);
					this.showRow(line.row);
					return;
				}
			}
	}
	/** n and N: the hit after or before the selection. */
	nextHit(by: number): void {
		const { hits, recording } = this;

		if (!hits.length)
			return;
		const here = this.selected >= 0 ? hits.indexOf(this.selected) : -1;
		let at = here + by;

		if (here < 0) {
			at = hits.findIndex((item) => recording.t0[item] >= this.from);
			if (at < 0)
				at = 0;
		}
		this.select(hits[(at + hits.length) % hits.length], true);
	}
}
