// SPDX-License-Identifier: GPL-2.0-or-later
// The picture: states into a buffer of pixels, then words, frames and marks on top of it.
import { Drawn, Scene, ancestor, drawArrows, drawLinks } from "./arrows";
import { Bounds, soften } from "./certain";
import { Chain } from "./chain";
import { Colours, blend, inkOn, pixelOf } from "./colour";
import { ceil, max, min, round } from "./maths";
import { LINK, MERGED, Recording, UNKNOWN } from "./model";
import { Density } from "./density";
import { Marks, drawMarks } from "./marks";
import { Shares } from "./shares";
import { Pen, Pixels, Surface } from "./surface";
import { LINE, Line } from "./tree";

/** Heights in a line of LINE px. */
const STATE = 12, WAIT = 15, THIN = 3, LEAST = 0.6, POINTS = 3;
/** Spans of so many px are drawn with sharp edges; of so many, with a name. */
const WIDE = 3, NAMED = 34;
/** An error of so many px is seen as a soft edge. */
const SOFT = 1;
/** The part of a soft edge that is too pale for a name. */
const FADED = 0.6;

export interface Shown {
	from: number; to: number; scroll: number;
	lines: Line[];
	hidden: Set<number>;
	mask: Uint8Array | null;
	selected: number; /* item; -1: none */
	related: Set<number> | null; /* rows that keep their colours */
	chain: Chain | null; /* links of the selection */
	mark: { from: number; to: number } | null;
	marks: Marks;
	arrows: { item: number; hold: number }[]; /* waits of the selected item, each with the hold in its way, or -1 */
	cycle?: boolean; /* they wait in a circle */
	grid: number; /* ns between lines */
}

/** An item with a name: its edges, middle and height, in px of the page. */
type Named = [number, number, number, number, number];

export class Picture {
	readonly shares: Shares;
	readonly density: Density;
	readonly bounds: Bounds;
	private readonly ranges = new Map<number, { least: number; most: number }>();
	private readonly onCanvas: CanvasRenderingContext2D;
	private context: Pen;
	private pixels: Pixels | null = null;
	private surface!: Surface;
	private width = 0;
	private height = 0;
	private ratio = 1;
	/** Names of states that depend on their attributes ("→ EX"), and where to ask for others. */
	readonly labels = new Map<number, string>();
	wanted: number[] = [];
	/** Arrows of links, for the pointer. */
	drawn: Drawn[] = [];

	constructor(readonly canvas: HTMLCanvasElement, private readonly recording: Recording, private readonly colours: Colours) {
		this.context = this.onCanvas = canvas.getContext("2d", { alpha: false })!;
		this.shares = new Shares(recording);
		this.density = new Density(recording);
		this.bounds = new Bounds(recording);
	}

	resize(width: number, height: number, ratio: number): void {
		const w = max(1, round(width * ratio)), h = max(1, round(height * ratio));

		this.ratio = ratio;
		if (w === this.width && h === this.height)
			return;
		this.width = this.canvas.width = w;
		this.height = this.canvas.height = h;
		this.canvas.style.width = width + "px";
		this.canvas.style.height = height + "px";
		this.surface = this.pixels = new Pixels(this.onCanvas, round(3 * ratio));
	}

	draw(shown: Shown): void {
		const { onCanvas, ratio } = this;

		if (!this.pixels)
			return;
		this.wanted = [];
		const named = this.rows(shown);

		this.pixels.flush();
		onCanvas.save();
		onCanvas.scale(ratio, ratio);
		this.marks(shown, named);
		onCanvas.restore();
	}
	/** The same picture on another surface, at one px of the device each. */
	drawOn(surface: Surface, pen: Pen, shown: Shown): void {
		const { ratio, width, height } = this;

		Object.assign(this, { surface, context: pen, ratio: 1, width: surface.width, height: surface.height });
		const named = this.rows(shown);

		surface.flush();
		this.marks(shown, named);
		Object.assign(this, { surface: this.pixels, context: this.onCanvas, ratio, width, height });
	}
	private visible(shown: Shown): Line[] {
		return shown.lines.filter((line) => line.y + line.height > shown.scroll &&
			line.y < shown.scroll + this.height / this.ratio);
	}
	/** All that is made of rectangles; returns the items that have room for their names. */
	private rows(shown: Shown): Named[] {
		const named: Named[] = [];

		this.background(shown);
		for (const line of this.visible(shown)) {
			const top = (line.y - shown.scroll) * this.ratio;

			if (line.kind !== "row")
				continue;
			this.gaps(shown, line, top);
			if (line.lanes)
				this.ownLanes(shown, line, top, named);
			else
				this.aggregate(shown, line, top);
			this.ticks(shown, line, top);
		}
		return named;
	}
	/** All that is drawn on top of the rectangles. */
	private marks(shown: Shown, named: Named[]): void {
		const visible = this.visible(shown);

		this.words(named);
		for (const line of visible)
			this.counters(shown, line);
		this.paleRest(shown, visible);
		this.selection(shown);
		this.drawn = drawLinks(this.scene(shown), this.context);
		drawArrows(this.scene(shown), this.context);
		this.marked(shown);
		drawMarks({ ...this.scene(shown), marks: shown.marks }, this.context);
	}
	private scene(shown: Shown): Scene {
		return { shown, recording: this.recording, colours: this.colours, width: this.width / this.ratio, height: this.height / this.ratio };
	}

	private x(shown: Shown, t: number): number {
		return (t - shown.from) / (shown.to - shown.from) * this.width;
	}

	private background(shown: Shown): void {
		const { palette } = this.colours;
		const page = pixelOf(palette.page), panel = pixelOf(palette.panel), rule = pixelOf(palette.line);
		const faint = blend(page, rule, 0.55);
		const { surface, width, height, ratio } = this;

		surface.clear(page);
		for (const line of shown.lines) {
			const top = round((line.y - shown.scroll) * ratio);
			const bottom = round((line.y + line.height - shown.scroll) * ratio);

			if (bottom <= 0 || top >= height)
				continue;
			if (line.kind === "head")
				surface.block(0, width, top, bottom, panel);
			surface.block(0, width, bottom - 1, bottom, line.kind === "head" ? rule : faint);
		}
		const distance = shown.grid;

		for (let t = ceil(shown.from / distance) * distance; t <= shown.to; t += distance) {
			const x = round(this.x(shown, t));

			surface.block(x, x + 1, 0, height, rule);
		}
	}

	/** The other colour of a hatching. */
	private pale(colour: number): number {
		return blend(colour, pixelOf(this.colours.palette.page), 0.45);
	}
	private gaps(shown: Shown, line: Line, top: number): void {
		const { recording } = this;
		const grey = blend(pixelOf(this.colours.palette.page), pixelOf(this.colours.palette.muted), 0.3);

		for (const gap of recording.unobserved(line.row, shown.from, shown.to)) {
			const x0 = this.x(shown, gap.t0);

			this.surface.block(x0, max(this.x(shown, gap.t1), x0 + 1), top, top + line.height * this.ratio - 1, grey, this.pale(grey));
		}
	}

	/**
	 * Shares of all columns from the bottom up. @bottom, @full (of a share of 1) and @most (of all together): px of the
	 * device; kinds of @thin are thin lines instead.
	 */
	private stack(bottom: number, full: number, most: number, thin: Set<number> | null): void {
		const { kinds, share } = this.shares;
		const n = kinds.length, least = LEAST * this.ratio;
		const scale = Float64Array.from(kinds, (kind) => thin && thin.has(kind) ? THIN * this.ratio : full);
		const colours = Uint32Array.from(kinds, (kind) => this.colours.pixel(kind));

		for (let x = 0, at = 0; x < this.width; x++, at += n) {
			let sum = 0;

			for (let k = 0; k < n; k++) {
				const part = share[at + k];

				if (part > 0)
					sum += max(part * scale[k], least);
			}
			if (!sum)
				continue;
			const squeeze = sum > most ? most / sum : 1;

			for (let k = 0, y = bottom; k < n; k++) {
				const part = share[at + k];

				if (!(part > 0))
					continue;
				const h = max(part * scale[k], least) * squeeze;

				this.surface.column(x, y - h, y, colours[k]);
				y -= h;
			}
		}
	}

	private aggregate(shown: Shown, line: Line, top: number): void {
		const { shares, ratio } = this;
		const key = line.key + (line.open || !line.foldable ? "own" : "");
		const peak = shares.peak(key, line.spans, shown.hidden);
		const full = (LINE - 4) * ratio;

		shares.fill(key, line.spans, shown.from, shown.to, this.width, shown.hidden, shown.mask);
		this.stack(top + (LINE - 2) * ratio, full / peak, full, null);
	}

	private ownLanes(shown: Shown, line: Line, top: number, named: Named[]): void {
		const { recording, shares, ratio } = this;
		const { head, t0, t1, cat } = recording;
		const room = (line.height - 4) / line.lanes;
		/* hidden kinds that are faint stay as a thin line */
		const hidden = new Set([...shown.hidden].filter((kind) => !head.cats[kind].faint));
		const machines = head.cats.map((_cat, kind) => kind).filter((kind) => kind && recording.naming[head.cats[kind].type]);
		const thin = new Set([...[...shown.hidden].filter((kind) => head.cats[kind].faint), ...machines]);

		for (let lane = 0; lane < line.lanes; lane++) {
			const tracks = line.spans.filter((at) => recording.tracks[at].lane === lane)
				.sort((a, b) => recording.tracks[b].depth - recording.tracks[a].depth);
			const middle = top + (2 + room * (lane + 0.5)) * ratio;
			const high = (kind: number) => min(thin.has(kind) ? THIN : head.cats[kind].role === "wait" ? WAIT : STATE,
				thin.has(kind) ? THIN : room - (head.cats[kind].role === "wait" ? 0 : 2)) * ratio;
			const full = min(STATE, room - 2) * ratio;

			if (!tracks.length)
				continue;
			shares.fill(`${line.key}/${lane}`, tracks, shown.from, shown.to, this.width, hidden, shown.mask, WIDE * ratio);
			const here: { name: Named; nth: number }[] = [], drawn: [number, number][] = [];

			for (const i of shares.wide) {
				const x0 = this.x(shown, t0[i]), x1 = this.x(shown, t1[i]), h = high(cat[i]);
				const unknown = (recording.flags[i] & (UNKNOWN | MERGED)) > 0;
				const held = this.heldBy(i);

				this.surface.block(x0, x1, middle - h / 2, middle + h / 2, this.colours.pixel(cat[i]),
					unknown ? this.pale(this.colours.pixel(cat[i])) : undefined);
				const faded = this.softEdges(shown, line.row, i, middle - h / 2, middle + h / 2);

				if (held >= 0)
					this.surface.block(x0, x1, middle + h / 2 - 3 * ratio, middle + h / 2, this.colours.pixel(cat[held]));
				if (x1 - x0 >= NAMED * ratio && (!thin.has(cat[i]) || recording.naming[recording.category(i).type]) && !(recording.flags[i] & MERGED))
					here.push({ nth: drawn.length, name: [i, max(x0 + faded, 0) / ratio, min(x1, this.width) / ratio, middle / ratio, h / ratio] });
				drawn.push([x0 / ratio, x1 / ratio]);
			}
			/* what lies under another span has no name */
			named.push(...here.filter(({ name: [, left], nth }) => tracks.length === 1 ||
				!drawn.some(([from, to], n) => n > nth && from < left + NAMED && to > left)).map(({ name }) => name));
			this.stack(middle + full / 2, full, full, thin);
		}
	}

	/** A band at each edge that may be elsewhere on other machines' clocks; returns the px of the first that are too pale for a name. */
	private softEdges(shown: Shown, row: number, item: number, y0: number, y1: number): number {
		const { recording, bounds, surface, colours } = this;
		const span = { x0: this.x(shown, recording.t0[item]), x1: this.x(shown, recording.t1[item]), y0, y1,
			colour: colours.pixel(recording.cat[item]) };
		let faded = 0;

		for (const t of recording.flags[item] & MERGED ? [] : bounds.edges(item)) {
			const half = this.x(shown, shown.from + bounds.at(row, t));

			if (half < SOFT * this.ratio)
				continue;
			if (t === recording.t0[item])
				faded = FADED * half;
			soften(surface, this.x(shown, t), half, span, pixelOf(colours.palette.page));
		}
		return faded;
	}

	/** What a waiting item still holds: the hold that is drawn on its lane meanwhile; -1: nothing. */
	heldBy(item: number): number {
		const { head, t0, t1, cat, tracks, tracksOf } = this.recording;

		if (head.cats[cat[item]].role !== "wait")
			return -1;
		const own = this.recording.trackAt(item);

		for (const at of tracksOf[own.row]) {
			const track = tracks[at];

			if (track.lane !== own.lane || track.type !== own.type || track.depth === own.depth)
				continue;
			const i = this.recording.after(track, t0[item]);

			if (i < track.to && t0[i] <= t0[item] && t1[i] >= t1[item] && head.cats[cat[i]].role === "hold")
				return i;
		}
		return -1;
	}

	/** Events below the states: the more in a column, the darker; failed ones red. */
	private ticks(shown: Shown, line: Line, top: number): void {
		const { density, ratio, width } = this;
		const ink = pixelOf(this.colours.palette.ink), bad = pixelOf(this.colours.palette.bad);
		const bottom = top + (line.height - 1) * ratio;
		const any = density.fill(line.points, shown.from, shown.to, width, shown.hidden, shown.mask);

		for (let x = 0; any && x < width; x++) {
			if (!density.counts[x])
				continue;
			const colour = density.failed[x] ? bad : ink;
			const alpha = density.failed[x] ? 1 : min(0.75, 0.22 + 0.1 * Math.log2(density.counts[x] + 1));

			this.surface.tick(x, round(bottom - POINTS * ratio), bottom, colour, alpha);
		}
	}

	private words(named: Named[]): void {
		const { context, recording } = this;

		context.font = "10.5px system-ui, sans-serif";
		context.textBaseline = "middle";
		for (const [item, x0, x1, y, h] of named) {
			const cat = recording.category(item);
			let text = cat.name;

			if (recording.naming[cat.type])
				this.nameOnLine(item, x0, x1, y);
			if (h < 9)
				continue;
			if (cat.role === "wait") {
				const label = this.labels.get(item);

				if (label === undefined)
					this.wanted.push(item);
				text = label || text;
			}
			const room = x1 - x0 - 8;

			if (context.measureText(text).width > room)
				continue;
			context.fillStyle = inkOn(this.colours.rgb(recording.head.cats[recording.cat[item]]));
			context.fillText(text, x0 + 4, y + 0.5);
		}
	}

	/** The name of a machine on its thin line. */
	private nameOnLine(item: number, x0: number, x1: number, y: number): void {
		const { context, recording, colours } = this, { name } = recording.category(item), width = context.measureText(name).width;

		if (width > x1 - x0 - 14)
			return;
		context.fillStyle = colours.palette.page;
		context.fillRect(x0 + 5, y - 6, width + 6, 12);
		context.fillStyle = colours.line(recording.cat[item]);
		context.fillText(name, x0 + 8, y + 0.5);
	}

	/** The least and the greatest value of a counter. */
	private rangeOf(at: number): { least: number; most: number } {
		const { tracks, t1 } = this.recording;
		let range = this.ranges.get(at);

		if (!range) {
			range = { least: 0, most: 1 };
			for (let i = tracks[at].from; i < tracks[at].to; i++) {
				range.most = max(range.most, t1[i]);
				range.least = min(range.least, t1[i]);
			}
			this.ranges.set(at, range);
		}
		return range;
	}
	private counters(shown: Shown, line: Line): void {
		const { context, recording, colours } = this;
		const { t0, t1, cat } = recording;

		for (const at of line.samples) {
			const track = recording.tracks[at];
			const end = min(recording.from(track, shown.to) + 1, track.to);
			const begin = max(recording.from(track, shown.from) - 1, track.from);
			const top = line.y - shown.scroll + 2, height = line.height - 5;

			if (shown.hidden.has(cat[track.from]))
				continue;
			const { least, most } = this.rangeOf(at);

			context.strokeStyle = colours.css(cat[track.from]);
			context.globalAlpha = 0.8;
			context.lineWidth = 1;
			context.beginPath();
			for (let i = begin, last = -1; i < end; i++) {
				const x = this.x(shown, t0[i]) / this.ratio;
				const y = top + height * (1 - (t1[i] - least) / (most - least));

				if (i > begin && x - last < 0.5 && i + 1 < end)
					continue;
				if (i > begin)
					context.lineTo(x, y0(i - 1));
				context.lineTo(x, y);
				last = x;
			}
			function y0(i: number): number {
				return top + height * (1 - (t1[i] - least) / (most - least));
			}
			if (end > begin)
				context.lineTo(this.width / this.ratio, y0(end - 1));
			context.stroke();
			context.globalAlpha = 1;
		}
	}

	private paleRest(shown: Shown, visible: Line[]): void {
		const { context } = this;

		if (!shown.related)
			return;
		context.fillStyle = this.colours.palette.page;
		context.globalAlpha = 0.38;
		for (const line of visible)
			if (line.kind === "row" && !shown.related.has(line.row))
				context.fillRect(0, line.y - shown.scroll, this.width, line.height - 1);
		context.globalAlpha = 1;
	}

	private edges(shown: Shown, item: number): [number, number] {
		const { recording, ratio } = this;
		const x0 = this.x(shown, recording.t0[item]) / ratio;

		return [x0, max(recording.hasLength(item) ? this.x(shown, recording.t1[item]) / ratio : x0, x0 + 1)];
	}
	private selection(shown: Shown): void {
		if (shown.selected < 0)
			return;
		this.band(...this.edges(shown, shown.selected), 0.09);
		this.outline(shown, shown.selected);
		for (const item of new Set(shown.arrows.flatMap((arrow) => [arrow.item, arrow.hold])))
			if (item >= 0)
				this.outline(shown, item);
	}
	private outline(shown: Shown, item: number): void {
		const { context, recording, colours } = this;
		const track = recording.trackAt(item), [x0, x1] = this.edges(shown, item);
		const line = shown.lines.find((at) => at.row === track.row && at.kind === "row") || ancestor(shown.lines, recording, track.row);

		if (!line || track.kind === LINK)
			return;
		context.strokeStyle = colours.palette.accent;
		context.lineWidth = 1.6;
		const room = line.lanes ? (line.height - 4) / line.lanes : line.height - 4;
		const y = line.y - shown.scroll + 2 + (line.lanes ? room * track.lane : 0);

		context.strokeRect(x0 - 0.5, y - 0.5, max(x1 - x0, 2) + 1, room + 0.5);
	}
	private band(x0: number, x1: number, alpha: number): void {
		const { context, colours } = this;
		const height = this.height / this.ratio;

		context.fillStyle = colours.palette.accent;
		context.globalAlpha = alpha;
		context.fillRect(x0, 0, x1 - x0, height);
		context.globalAlpha = 0.8;
		context.strokeStyle = colours.palette.accent;
		context.lineWidth = 1;
		context.setLineDash([3, 3]);
		context.beginPath();
		for (const x of [x0, x1]) {
			context.moveTo(round(x) + 0.5, 0);
			context.lineTo(round(x) + 0.5, height);
		}
		context.stroke();
		context.setLineDash([]);
		context.globalAlpha = 1;
	}
	private marked(shown: Shown): void {
		if (shown.mark)
			this.band(this.x(shown, shown.mark.from) / this.ratio, this.x(shown, shown.mark.to) / this.ratio, 0.14);
	}
}
