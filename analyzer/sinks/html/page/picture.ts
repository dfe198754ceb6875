// SPDX-License-Identifier: GPL-2.0-or-later
// The picture: states into a buffer of pixels, then words, frames and marks on top of it.
import { Colours, blend, inkOn, pixelOf } from "./colour";
import { BACKWARDS, FAILED, LINK, MERGED, Recording, SPAN, UNKNOWN } from "./model";
import { Shares } from "./shares";
import { LINE, Line } from "./tree";

/** Heights in a line of LINE px. */
const STATE = 12, WAIT = 15, THIN = 3, LEAST = 0.6, POINTS = 3;
/** Spans of so many px are drawn with sharp edges; of so many, with a name. */
const WIDE = 3, NAMED = 34;
/** So many links are shown without a selection. */
const FEW_LINKS = 200;

export interface Shown {
	from: number; to: number; scroll: number;
	lines: Line[];
	hidden: Set<number>;
	mask: Uint8Array | null;
	selected: number; /* item; -1: none */
	related: Set<number> | null; /* rows that keep their colours */
	mark: { from: number; to: number } | null;
	arrows: number[]; /* items that the selected one leads to */
	grid: number; /* ns between lines */
}

/** An item with a name: its edges, middle and height, in px of the page. */
type Named = [number, number, number, number, number];

export class Picture {
	readonly shares: Shares;
	private context: CanvasRenderingContext2D;
	private image: ImageData | null = null;
	private pixels = new Uint32Array(0);
	private width = 0;
	private height = 0;
	private ratio = 1;
	/** Names of states that depend on their attributes ("→ EX"), and where to ask for others. */
	readonly labels = new Map<number, string>();
	wanted: number[] = [];

	constructor(readonly canvas: HTMLCanvasElement, private readonly recording: Recording, private readonly colours: Colours) {
		this.context = canvas.getContext("2d", { alpha: false })!;
		this.shares = new Shares(recording);
	}

	resize(width: number, height: number, ratio: number): void {
		const w = Math.max(1, Math.round(width * ratio)), h = Math.max(1, Math.round(height * ratio));

		this.ratio = ratio;
		if (w === this.width && h === this.height)
			return;
		this.width = this.canvas.width = w;
		this.height = this.canvas.height = h;
		this.canvas.style.width = width + "px";
		this.canvas.style.height = height + "px";
		this.image = this.context.createImageData(w, h);
		this.pixels = new Uint32Array(this.image.data.buffer);
	}

	draw(shown: Shown): void {
		const { context, ratio } = this;

		if (!this.image)
			return;
		this.wanted = [];
		this.background(shown);
		const visible = shown.lines.filter((line) => line.y + line.height > shown.scroll &&
			line.y < shown.scroll + this.height / ratio);
		const named: Named[] = [];

		for (const line of visible) {
			const top = (line.y - shown.scroll) * ratio;

			if (line.kind !== "row")
				continue;
			this.gaps(shown, line, top);
			if (line.lanes)
				this.ownLanes(shown, line, top, named);
			else
				this.aggregate(shown, line, top);
			this.ticks(shown, line, top);
		}
		context.putImageData(this.image, 0, 0);
		context.save();
		context.scale(ratio, ratio);
		this.words(named);
		for (const line of visible)
			this.counters(shown, line);
		this.paleRest(shown, visible);
		this.selection(shown);
		this.arrows(shown);
		this.links(shown);
		this.marked(shown);
		context.restore();
	}

	private x(shown: Shown, t: number): number {
		return (t - shown.from) / (shown.to - shown.from) * this.width;
	}

	private background(shown: Shown): void {
		const { palette } = this.colours;
		const page = pixelOf(palette.page), panel = pixelOf(palette.panel), rule = pixelOf(palette.line);
		const faint = blend(page, rule, 0.55);
		const { pixels, width, height, ratio } = this;

		pixels.fill(page);
		for (const line of shown.lines) {
			const top = Math.round((line.y - shown.scroll) * ratio);
			const bottom = Math.round((line.y + line.height - shown.scroll) * ratio);

			if (bottom <= 0 || top >= height)
				continue;
			if (line.kind === "head")
				pixels.fill(panel, Math.max(top, 0) * width, Math.min(bottom, height) * width);
			if (bottom <= height)
				pixels.fill(line.kind === "head" ? rule : faint, (bottom - 1) * width, bottom * width);
		}
		const distance = shown.grid;

		for (let t = Math.ceil(shown.from / distance) * distance; t <= shown.to; t += distance) {
			const x = Math.round(this.x(shown, t));

			if (x >= 0 && x < width)
				for (let at = x; at < pixels.length; at += width)
					pixels[at] = rule;
		}
	}

	/** One column from y0 to y1, both px of the device, with soft edges. */
	private run(x: number, y0: number, y1: number, colour: number): void {
		const { pixels, width, height } = this;

		y0 = Math.max(y0, 0);
		y1 = Math.min(y1, height);
		for (let y = Math.floor(y0); y < y1; y++) {
			const cover = Math.min(y + 1, y1) - Math.max(y, y0), at = y * width + x;

			pixels[at] = cover > 0.99 ? colour : blend(pixels[at], colour, cover);
		}
	}
	private block(x0: number, x1: number, y0: number, y1: number, colour: number, hatched = false): void {
		const { pixels, width, height } = this;

		x0 = Math.max(Math.round(x0), 0);
		x1 = Math.min(Math.round(x1), width);
		y0 = Math.max(Math.round(y0), 0);
		y1 = Math.min(Math.round(y1), height);
		if (x1 <= x0)
			return;
		const pale = hatched ? blend(colour, pixelOf(this.colours.palette.page), 0.45) : 0;
		const wide = Math.round(3 * this.ratio);

		for (let y = y0; y < y1; y++) {
			pixels.fill(colour, y * width + x0, y * width + x1);
			for (let x = x0; hatched && x < x1; x++)
				if ((x + y) % (2 * wide) < wide)
					pixels[y * width + x] = pale;
		}
	}

	private gaps(shown: Shown, line: Line, top: number): void {
		const { recording } = this;
		const grey = blend(pixelOf(this.colours.palette.page), pixelOf(this.colours.palette.muted), 0.3);

		if (!recording.gaps.length || recording.rowType(line.row).role !== "node")
			return;
		for (const gap of recording.gaps)
			if (gap.node === recording.name(line.row) && gap.t1 > shown.from && gap.t0 < shown.to) {
				const x0 = this.x(shown, gap.t0);

				this.block(x0, Math.max(this.x(shown, gap.t1), x0 + 1), top, top + line.height * this.ratio - 1, grey, true);
			}
	}

	/** Shares of one column from the bottom up. @full: px of a share of 1, @most: px of all together. */
	private stack(x: number, bottom: number, full: number, most: number, thin: Set<number> | null): void {
		const { kinds, share } = this.shares;
		const n = kinds.length, least = LEAST * this.ratio;
		let sum = 0;

		for (let k = 0; k < n; k++) {
			const part = share[x * n + k];

			if (part > 0)
				sum += Math.max(part * (thin && thin.has(kinds[k]) ? THIN * this.ratio : full), least);
		}
		if (!sum)
			return;
		const squeeze = sum > most ? most / sum : 1;

		for (let k = 0, y = bottom; k < n; k++) {
			const part = share[x * n + k];

			if (!(part > 0))
				continue;
			const h = Math.max(part * (thin && thin.has(kinds[k]) ? THIN * this.ratio : full), least) * squeeze;

			this.run(x, y - h, y, this.colours.pixel(kinds[k]));
			y -= h;
		}
	}

	private aggregate(shown: Shown, line: Line, top: number): void {
		const { shares, ratio } = this;
		const key = line.key + (line.open || !line.foldable ? "own" : "");
		const peak = shares.peak(key, line.spans, shown.hidden);
		const full = (LINE - 4) * ratio;

		shares.fill(key, line.spans, shown.from, shown.to, this.width, shown.hidden, shown.mask);
		for (let x = 0; x < this.width; x++)
			this.stack(x, top + (LINE - 2) * ratio, full / peak, full, null);
	}

	private ownLanes(shown: Shown, line: Line, top: number, named: Named[]): void {
		const { recording, shares, ratio } = this;
		const { head, t0, t1, cat } = recording;
		const room = (line.height - 4) / line.lanes;
		/* hidden kinds that are faint stay as a thin line */
		const hidden = new Set([...shown.hidden].filter((kind) => !head.cats[kind].faint));
		const thin = new Set([...shown.hidden].filter((kind) => head.cats[kind].faint));

		for (let lane = 0; lane < line.lanes; lane++) {
			const tracks = line.spans.filter((at) => recording.tracks[at].lane === lane)
				.sort((a, b) => recording.tracks[b].depth - recording.tracks[a].depth);
			const middle = top + (2 + room * (lane + 0.5)) * ratio;
			const high = (kind: number) => Math.min(thin.has(kind) ? THIN : head.cats[kind].role === "wait" ? WAIT : STATE,
				thin.has(kind) ? THIN : room - (head.cats[kind].role === "wait" ? 0 : 2)) * ratio;
			const full = Math.min(STATE, room - 2) * ratio;

			if (!tracks.length)
				continue;
			shares.fill(`${line.key}/${lane}`, tracks, shown.from, shown.to, this.width, hidden, shown.mask, WIDE * ratio);
			const here: Named[] = [];

			for (const i of shares.wide) {
				const x0 = this.x(shown, t0[i]), x1 = this.x(shown, t1[i]), h = high(cat[i]);
				const unknown = (recording.flags[i] & (UNKNOWN | MERGED)) > 0;
				const held = this.heldBy(i);

				this.block(x0, x1, middle - h / 2, middle + h / 2, this.colours.pixel(cat[i]), unknown);
				if (held)
					this.block(x0, x1, middle + h / 2 - 3 * ratio, middle + h / 2, this.colours.pixel(held));
				if (x1 - x0 >= NAMED * ratio && !thin.has(cat[i]) && !(recording.flags[i] & MERGED))
					here.push([i, Math.max(x0, 0) / ratio, Math.min(x1, this.width) / ratio, middle / ratio, h / ratio]);
			}
			/* what lies under another span has no name */
			named.push(...here.filter((at, k) => tracks.length === 1 ||
				!here.some((other, n) => n > k && other[1] < at[1] + NAMED && other[2] > at[1])));
			for (let x = 0; x < this.width; x++)
				this.stack(x, middle + full / 2, full, full, thin);
		}
	}

	/** What a waiting item still holds: the category of the hold that is drawn on its lane meanwhile; 0: nothing. */
	heldBy(item: number): number {
		const { head, t0, t1, cat, tracks, tracksOf } = this.recording;

		if (head.cats[cat[item]].role !== "wait")
			return 0;
		const own = this.recording.trackAt(item);

		for (const at of tracksOf[own.row]) {
			const track = tracks[at];

			if (track.lane !== own.lane || track.type !== own.type || track.depth === own.depth)
				continue;
			const i = this.recording.after(track, t0[item]);

			if (i < track.to && t0[i] <= t0[item] && t1[i] >= t1[item] && head.cats[cat[i]].role === "hold")
				return cat[i];
		}
		return 0;
	}

	/** Events below the states: the more in a column, the darker; failed ones red. */
	private ticks(shown: Shown, line: Line, top: number): void {
		const { recording, ratio, width } = this;
		const { t0, cat, flags } = recording;
		const ink = pixelOf(this.colours.palette.ink), bad = pixelOf(this.colours.palette.bad);
		const bottom = top + (line.height - 1) * ratio;
		const density = new Uint16Array(width), failed = new Uint8Array(width);
		let any = false;

		for (const at of line.points) {
			const track = recording.tracks[at];

			for (let i = recording.from(track, shown.from); i < track.to && t0[i] < shown.to; i++) {
				if (shown.hidden.has(cat[i]) || shown.mask && !shown.mask[i])
					continue;
				const x = Math.min(Math.floor(this.x(shown, t0[i])), width - 1);

				any = true;
				density[x]++;
				failed[x] |= flags[i] & FAILED;
			}
		}
		for (let x = 0; any && x < width; x++) {
			if (!density[x])
				continue;
			const colour = failed[x] ? bad : ink;
			const alpha = failed[x] ? 1 : Math.min(0.75, 0.22 + 0.1 * Math.log2(density[x] + 1));
			const y0 = Math.round(bottom - POINTS * ratio);

			for (let y = Math.max(y0, 0); y < Math.min(bottom, this.height); y++)
				this.pixels[y * width + x] = blend(this.pixels[y * width + x], colour, alpha);
		}
	}

	private words(named: Named[]): void {
		const { context, recording } = this;

		context.font = "10.5px system-ui, sans-serif";
		context.textBaseline = "middle";
		for (const [item, x0, x1, y, h] of named) {
			const cat = recording.head.cats[recording.cat[item]];
			let text = cat.name;

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
			context.fillStyle = inkOn(this.colours.rgb(cat));
			context.fillText(text, x0 + 4, y + 0.5);
		}
	}

	private counters(shown: Shown, line: Line): void {
		const { context, recording, colours } = this;
		const { t0, t1, cat } = recording;

		for (const at of line.samples) {
			const track = recording.tracks[at];
			const end = Math.min(recording.from(track, shown.to) + 1, track.to);
			const begin = Math.max(recording.from(track, shown.from) - 1, track.from);
			const top = line.y - shown.scroll + 2, height = line.height - 5;
			let least = 0, most = 1;

			if (shown.hidden.has(cat[track.from]))
				continue;
			for (let i = track.from; i < track.to; i++) {
				most = Math.max(most, t1[i]);
				least = Math.min(least, t1[i]);
			}
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

	private selection(shown: Shown): void {
		const { context, recording, colours, ratio } = this;

		if (shown.selected < 0)
			return;
		const track = recording.trackAt(shown.selected);
		const x0 = this.x(shown, recording.t0[shown.selected]) / ratio;
		const x1 = Math.max(track.kind === 1 ? this.x(shown, recording.t1[shown.selected]) / ratio : x0, x0 + 1);
		const line = shown.lines.find((at) => at.row === track.row && at.kind === "row") || this.ancestor(shown, track.row);

		this.band(x0, x1, 0.09);
		if (!line)
			return;
		context.strokeStyle = colours.palette.accent;
		context.lineWidth = 1.6;
		const room = line.lanes ? (line.height - 4) / line.lanes : line.height - 4;
		const y = line.y - shown.scroll + 2 + (line.lanes ? room * track.lane : 0);

		context.strokeRect(x0 - 0.5, y - 0.5, Math.max(x1 - x0, 2) + 1, room + 0.5);
	}
	/** Links of the selection, or all where they are few. */
	private links(shown: Shown): void {
		const { recording } = this;
		const { t0, t1, flags, linkTo } = recording;
		const visible: number[] = [];

		if (!linkTo.size)
			return;
		const own = shown.selected >= 0 ? recording.trackAt(shown.selected) : null;
		const touches = (row: number, lane: number, t: number) => own && own.row === row && own.lane === lane &&
			t >= t0[shown.selected] && t <= (own.kind === SPAN ? t1[shown.selected] : t0[shown.selected]);

		for (const track of recording.tracks) {
			if (track.kind !== LINK)
				continue;
			for (let i = recording.after(track, shown.from - 1); i < track.to && t0[i] <= shown.to; i++)
				if (!shown.hidden.has(recording.cat[i]))
					visible.push(i);
		}
		for (const i of visible) {
			const back = (flags[i] & BACKWARDS) > 0, to = linkTo.get(i)!, track = recording.trackAt(i);
			const begin = back ? t1[i] : t0[i], end = back ? t0[i] : t1[i];
			const mine = i === shown.selected || touches(track.row, track.lane, begin) || touches(to.row, to.lane, end);

			if (mine || visible.length < FEW_LINKS)
				this.link(shown, track.row, begin, to.row, end, back, mine || false);
		}
	}
	private link(shown: Shown, from: number, begin: number, to: number, end: number, back: boolean, mine: boolean): void {
		const { context, colours, ratio } = this;
		const x0 = this.x(shown, begin) / ratio, x1 = this.x(shown, end) / ratio;
		const y0 = this.middle(shown, from), y1 = this.middle(shown, to);

		if (isNaN(y0 + y1))
			return;
		context.strokeStyle = context.fillStyle = back ? colours.palette.bad : colours.palette.accent;
		context.lineWidth = mine ? 1.6 : 1;
		context.setLineDash(back ? [4, 3] : []);
		context.beginPath();
		context.moveTo(x0, y0);
		context.bezierCurveTo((x0 + x1) / 2, y0, (x0 + x1) / 2, y1, x1, y1);
		context.stroke();
		context.setLineDash([]);
		context.beginPath();
		context.arc(x1, y1, 2.4, 0, 7);
		context.fill();
	}
	/** The middle of the line that shows a row, or a row above it; NaN if none does. */
	private middle(shown: Shown, row: number): number {
		const line = shown.lines.find((at) => at.row === row && at.kind === "row") || this.ancestor(shown, row);

		return line ? line.y - shown.scroll + line.height / 2 : NaN;
	}

	/** From the selected item down or up to the begin of others, with a dot at the head. */
	private arrows(shown: Shown): void {
		const { context, recording, colours, ratio } = this;

		if (shown.selected < 0 || !shown.arrows.length)
			return;
		const from = this.middle(shown, recording.trackAt(shown.selected).row);

		context.strokeStyle = context.fillStyle = colours.palette.accent;
		context.lineWidth = 1.4;
		for (const item of shown.arrows) {
			const to = this.middle(shown, recording.trackAt(item).row);
			const x = this.x(shown, Math.max(recording.t0[item], recording.t0[shown.selected])) / ratio;

			if (isNaN(from + to) || x < -2 || x > this.width / ratio + 2)
				continue;
			context.beginPath();
			context.moveTo(x, from + (to > from ? 8 : -8));
			context.lineTo(x, to);
			context.stroke();
			context.beginPath();
			context.arc(x, to, 2.6, 0, 7);
			context.fill();
		}
	}
	private ancestor(shown: Shown, row: number): Line | undefined {
		for (; row; row = this.recording.head.rows.parent[row]) {
			const line = shown.lines.find((at) => at.kind === "row" && at.row === row);

			if (line)
				return line;
		}
		return undefined;
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
			context.moveTo(Math.round(x) + 0.5, 0);
			context.lineTo(Math.round(x) + 0.5, height);
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
