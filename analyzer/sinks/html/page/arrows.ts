// SPDX-License-Identifier: GPL-2.0-or-later
// Arrows over the rows: links of the selection and its chain, all where they are few, and what a selected call waited for.
import { Chain, End, endsOf, nowhere } from "./chain";
import { Colours } from "./colour";
import { abs, ceil, max, min } from "./maths";
import { BACKWARDS, LINK, Recording } from "./model";
import { Pen } from "./surface";
import { Line } from "./tree";

/** So many links are shown without a selection. */
export const FEW_LINKS = 200;
/** So many ends get a label; px of a stub. */
const LABELS = 24, STUB = 26;

/** What arrows need of the picture. */
export interface Scene {
	shown: { from: number; to: number; scroll: number; lines: Line[]; hidden: Set<number>; selected: number; chain: Chain | null; cycle?: boolean; arrows: { item: number; hold: number }[] };
	recording: Recording;
	colours: Colours;
	width: number;
	height: number;
}
/** An arrow as it was drawn, in px: ends and the y of its control points, for the pointer. */
export interface Drawn { link: number; x0: number; y0: number; x1: number; y1: number }

/** The line of the nearest row above that is shown. */
export function ancestor(lines: Line[], recording: Recording, row: number): Line | undefined {
	for (; row; row = recording.head.rows.parent[row]) {
		const line = lines.find((at) => at.kind === "row" && at.row === row);

		if (line)
			return line;
	}
	return undefined;
}

/** The line that shows what is on a row: its own, or a folded one above. Undefined: the row is not shown. */
function lineOf(scene: Scene, row: number): Line | undefined {
	const line = ancestor(scene.shown.lines, scene.recording, row);

	return line && (line.row === row || line.foldable && !line.open) ? line : undefined;
}
function yOf(scene: Scene, line: Line, row: number, lane: number): number {
	const room = (line.height - 4) / (line.lanes || 1);

	return line.y - scene.shown.scroll + (line.row === row && line.lanes ? 2 + room * (min(lane, line.lanes - 1) + 0.5) : line.height / 2);
}
function xOf({ shown, width }: Scene, t: number): number {
	return (t - shown.from) / (shown.to - shown.from) * width;
}

/** A link from a row to itself, such as from a call to the message that it sent. */
function staysOnRow(recording: Recording, link: number): boolean {
	const [from, to] = endsOf(recording, link);

	return from.row === to.row && !from.hidden && !to.hidden;
}

/** Links that are drawn: those of the chain, and the others of the window that lead to another row, if they are few. */
export function linksShown(scene: Scene): { link: number; step: number | null }[] {
	const { shown, recording } = scene;
	const all: number[] = [];
	const steps = new Map((shown.chain ? shown.chain.steps : []).map(({ link, step }) => [link, step]));

	for (const track of recording.tracks) {
		if (track.kind !== LINK)
			continue;
		for (let i = recording.after(track, shown.from - 1); i < track.to && recording.t0[i] <= shown.to && all.length <= FEW_LINKS; i++)
			if (!shown.hidden.has(recording.cat[i]) && !steps.has(i) && !staysOnRow(recording, i))
				all.push(i);
	}
	return [...(all.length <= FEW_LINKS ? all.map((link) => ({ link, step: null })) : []),
		...[...steps].filter(([link]) => !shown.hidden.has(recording.cat[link])).map(([link, step]) => ({ link, step }))];
}

/** Short name of a place: "res01 / node 2". */
export function shortName(recording: Recording, row: number): string {
	const parent = recording.thingOf(row);

	return parent ? `${recording.name(parent)} / ${recording.name(row)}` : recording.name(row);
}

export function drawLinks(scene: Scene, pen: Pen): Drawn[] {
	const drawn: Drawn[] = [];
	let labels = 0;

	if (!scene.recording.linkTo.size)
		return drawn;
	for (const { link, step } of linksShown(scene)) {
		const arrow = drawLink(scene, pen, link, step, step !== null && abs(step) <= 1 && labels < LABELS);

		if (arrow) {
			drawn.push(arrow);
			labels += step !== null ? 1 : 0;
		}
	}
	pen.globalAlpha = 1;
	return drawn;
}

function drawLink(scene: Scene, pen: Pen, link: number, step: number | null, labelled: boolean): Drawn | null {
	const { recording, colours, height } = scene;
	const back = (recording.flags[link] & BACKWARDS) > 0;
	const ends = endsOf(recording, link);
	const lines = ends.map((end) => end.hidden ? undefined : lineOf(scene, end.row));
	const [x0, x1] = ends.map((end) => xOf(scene, end.t));
	const near = step !== null && abs(step) <= 1;

	if (!lines[0] && !lines[1] || max(x0, x1) < -1 || min(x0, x1) > scene.width + 1)
		return null;
	/* an end on a row that is not shown is a stub at the other one */
	const seen = lines[0] ? 0 : 1;
	const y = yOf(scene, lines[seen]!, ends[seen].row, ends[seen].lane);
	const ys = [0, 1].map((k) => lines[k] ? yOf(scene, lines[k]!, ends[k].row, ends[k].lane) : y + (y > STUB + 12 ? -STUB : STUB));

	if (max(...ys) < 0 || min(...ys) > height || lines[0] === lines[1] && step === null && ends[0].row !== ends[1].row)
		return null;
	pen.strokeStyle = pen.fillStyle = back ? colours.palette.bad : colours.line(recording.cat[link]);
	pen.globalAlpha = step === null ? 0.7 : near ? 1 : 0.8;
	pen.lineWidth = near ? 1.8 : 1.2;
	pen.setLineDash(back ? [4, 3] : []);
	pen.beginPath();
	pen.moveTo(x0, ys[0]);
	if (lines[0] && lines[1])
		pen.bezierCurveTo((x0 + x1) / 2, ys[0], (x0 + x1) / 2, ys[1], x1, ys[1]);
	else
		pen.lineTo(x1, ys[1]);
	pen.stroke();
	pen.setLineDash([]);
	if (lines[1] || !lines[0])
		head(pen, x1, ys[1], near ? 2.8 : 2.2);
	if (labelled)
		for (const k of [0, 1])
			if (!lines[k] || ys[k] < 0 || ys[k] > height)
				label(scene, pen, placeOf(recording, ends[k], k), max(4, min(k ? x1 : x0, scene.width - 4)), ys[k]);
	return { link, x0, y0: ys[0], x1, y1: ys[1] };
}

function placeOf(recording: Recording, end: End, k: number): string {
	return (k ? "→ " : "← ") + (end.hidden ? nowhere(end) : shortName(recording, end.row));
}
function head(pen: Pen, x: number, y: number, size: number): void {
	pen.beginPath();
	pen.arc(x, y, size, 0, 7);
	pen.fill();
}
/** Where an end is that is not in sight. */
function label({ colours, width, height }: Scene, pen: Pen, text: string, x: number, y: number): void {
	pen.font = "10.5px system-ui, sans-serif";
	pen.textBaseline = "middle";
	const room = pen.measureText(text).width + 6, left = max(0, min(x + 4, width - room));
	const middle = max(8, min(y, height - 8)), alpha = pen.globalAlpha;

	pen.globalAlpha = 1;
	pen.fillStyle = colours.palette.page;
	pen.fillRect(left, middle - 7, room, 14);
	pen.fillStyle = colours.palette.accent;
	pen.fillText(text, left + 3, middle + 0.5);
	pen.globalAlpha = alpha;
}

/** The arrow at a place of the picture; -1 if there is none within @near px. */
export function arrowAt(drawn: Drawn[], x: number, y: number, near: number): number {
	let best = -1, least = near * near;

	for (const { link, x0, y0, x1, y1 } of drawn) {
		const middle = (x0 + x1) / 2, steps = max(8, min(64, ceil((abs(x1 - x0) + abs(y1 - y0)) / 6)));

		if (x < min(x0, x1) - near || x > max(x0, x1) + near || y < min(y0, y1) - near || y > max(y0, y1) + near)
			continue;
		for (let i = 0, px = x0, py = y0; i < steps; i++) {
			const s = (i + 1) / steps, r = 1 - s;
			const qx = r * r * r * x0 + 3 * r * s * middle + s * s * s * x1, qy = (r * r * r + 3 * r * r * s) * y0 + (3 * r * s * s + s * s * s) * y1;
			const away = distance(x, y, px, py, qx, qy);

			if (away < least) {
				least = away;
				best = link;
			}
			px = qx;
			py = qy;
		}
	}
	return best;
}
/** Square of the distance of a point from a line between two others. */
function distance(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
	const long = (bx - ax) ** 2 + (by - ay) ** 2;
	const share = long ? max(0, min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / long)) : 0;

	return (x - ax - share * (bx - ax)) ** 2 + (y - ay - share * (by - ay)) ** 2;
}

/** px between the arrows of a circular wait, and of their heads. */
const APART = 22, HEAD = 5;

/** A circular wait: side by side, at a time at which all of them wait, an arrow from each wait to the hold of the next one. */
function drawCycle(scene: Scene, pen: Pen): void {
	const { shown, recording, colours, width } = scene, { t0, t1 } = recording;
	const from = max(...shown.arrows.map(({ item }) => t0[item])), to = min(...shown.arrows.map(({ item }) => t1[item]));
	const middle = (item: number) => {
		const { row, lane } = recording.trackAt(item), line = lineOf(scene, row);

		return line ? yOf(scene, line, row, lane) : NaN;
	};
	const ends = shown.arrows.filter(({ hold }) => hold >= 0).map(({ item, hold }) => [middle(item), middle(hold)]).filter(([a, b]) => !isNaN(a + b) && a !== b);
	const x0 = xOf(scene, (from + to) / 2) - APART * (ends.length - 1) / 2;

	if (x0 < -APART * ends.length || x0 > width + APART)
		return;
	pen.strokeStyle = pen.fillStyle = colours.palette.bad;
	pen.lineWidth = 2.4;
	ends.forEach(([a, b], i) => {
		const x = x0 + APART * i, by = b > a ? -HEAD : HEAD;

		pen.beginPath();
		pen.moveTo(x, a);
		pen.lineTo(x, b + by);
		pen.stroke();
		pen.beginPath();
		pen.moveTo(x, b);
		pen.lineTo(x - HEAD, b + 1.6 * by);
		pen.lineTo(x + HEAD, b + 1.6 * by);
		pen.closePath();
		pen.fill();
	});
	if (ends.length > 1)
		label(scene, pen, ends.length > 2 ? "each waits for the next one" : "each waits for the other one", x0 + APART * (ends.length - 1) + HEAD, min(...ends.flat()));
}

/** From the selected item down or up to the begin of others, with a dot at the head. */
export function drawArrows(scene: Scene, pen: Pen): void {
	const { shown, recording, colours } = scene;

	if (shown.selected < 0 || !shown.arrows.length)
		return;
	if (shown.cycle) {
		drawCycle(scene, pen);
		return;
	}
	const middle = (row: number) => {
		const line = ancestor(shown.lines, recording, row);

		return line ? line.y - shown.scroll + line.height / 2 : NaN;
	};
	const from = middle(recording.rowAt(shown.selected));

	pen.strokeStyle = pen.fillStyle = colours.palette.accent;
	pen.lineWidth = 1.4;
	for (const { item, hold } of shown.arrows) {
		const to = middle(recording.rowAt(item));
		const x = xOf(scene, max(recording.t0[item], recording.t0[shown.selected]));

		if (isNaN(from + to) || x < -2 || x > scene.width + 2)
			continue;
		pen.beginPath();
		pen.moveTo(x, from + (to > from ? 8 : -8));
		pen.lineTo(x, to);
		pen.stroke();
		head(pen, x, to, 2.6);
		const held = hold < 0 ? NaN : middle(recording.rowAt(hold));

		/* to the hold in the way, where both are */
		if (isNaN(held) || held === to)
			continue;
		const both = xOf(scene, (max(recording.t0[item], recording.t0[hold]) + min(recording.t1[item], recording.t1[hold])) / 2);

		pen.strokeStyle = pen.fillStyle = colours.palette.bad;
		pen.beginPath();
		pen.moveTo(both, to);
		pen.lineTo(both, held);
		pen.stroke();
		head(pen, both, held, 2.6);
		pen.strokeStyle = pen.fillStyle = colours.palette.accent;
	}
}
