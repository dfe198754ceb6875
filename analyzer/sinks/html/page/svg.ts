// SPDX-License-Identifier: GPL-2.0-or-later
// A vector picture: the surface and the pen of the picture as elements of SVG, with text as text.
import { abs, max, min, round } from "./maths";
import { Pen, Surface } from "./surface";

/** One decimal is a tenth of a pixel. */
function short(n: number): string {
	return String(round(n * 10) / 10);
}
/** A colour as the picture's pixels have it: alpha, blue, green, red. */
function cssOf(pixel: number): string {
	return "#" + ((pixel & 0xff) << 16 | pixel & 0xff00 | pixel >>> 16 & 0xff).toString(16).padStart(6, "0");
}
export function escaped(text: string): string {
	/* XML has no other control characters; they are in names as \xNN anyway */
	return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;")
		.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}

/** Elements in the order in which they are painted. */
export class Sheet {
	readonly parts: string[] = [];
	private readonly hatchings = new Map<string, string>();

	hatching(colour: string, pale: string): string {
		const id = "h" + colour.slice(1) + pale.slice(1);

		this.hatchings.set(id, `<pattern id="${id}" width="8.5" height="8.5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
			`<path fill="${colour}" d="M0 0h8.5v8.5H0z"/><path fill="${pale}" d="M0 0h4.2v8.5H0z"/></pattern>`);
		return `url(#${id})`;
	}
	text(width: number, height: number): string {
		const defs = this.hatchings.size ? `<defs>${[...this.hatchings.values()].join("")}</defs>\n` : "";

		return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n` +
			`${defs}${this.parts.join("\n")}\n</svg>\n`;
	}
}

/** Columns of one colour that touch each other with the same height become one rectangle. */
export class SvgSurface implements Surface {
	/** Of each colour: what is painted, and its last rectangle. */
	private readonly open = new Map<string, { done: string[]; x0: number; x1: number; y0: number; y1: number }>();

	constructor(private readonly sheet: Sheet, readonly width: number, readonly height: number) {}

	private add(fill: string, x0: number, x1: number, y0: number, y1: number): void {
		let run = this.open.get(fill);

		x0 = max(x0, 0);
		x1 = min(x1, this.width);
		y0 = max(y0, 0);
		y1 = min(y1, this.height);
		if (x1 <= x0 || y1 <= y0)
			return;
		if (run && run.x1 === x0 && abs(run.y0 - y0) < 0.05 && abs(run.y1 - y1) < 0.05) {
			run.x1 = x1;
			return;
		}
		if (run)
			SvgSurface.close(run);
		else
			this.open.set(fill, run = { done: [], x0, x1, y0, y1 });
		Object.assign(run, { x0, x1, y0, y1 });
	}
	private static close(run: { done: string[]; x0: number; x1: number; y0: number; y1: number }): void {
		run.done.push(`M${short(run.x0)} ${short(run.y0)}h${short(run.x1 - run.x0)}v${short(run.y1 - run.y0)}H${short(run.x0)}z`);
	}
	/** All that is painted so far comes before what follows. */
	flush(): void {
		for (const [fill, run] of this.open) {
			SvgSurface.close(run);
			this.sheet.parts.push(`<path ${fill} d="${run.done.join("")}"/>`);
		}
		this.open.clear();
	}
	clear(colour: number): void {
		this.block(0, this.width, 0, this.height, colour);
	}
	block(x0: number, x1: number, y0: number, y1: number, colour: number, pale?: number): void {
		this.flush();
		/* on whole pixels, as on the canvas: soft edges would make the states of a row paler */
		this.add(`fill="${pale === undefined ? cssOf(colour) : this.sheet.hatching(cssOf(colour), cssOf(pale))}"`,
			round(x0), round(x1), round(y0), round(y1));
		this.flush();
	}
	column(x: number, y0: number, y1: number, colour: number): void {
		this.add(`fill="${cssOf(colour)}"`, x, x + 1, y0, y1);
	}
	tick(x: number, y0: number, y1: number, colour: number, share: number): void {
		this.add(`fill="${cssOf(colour)}" fill-opacity="${share.toFixed(1)}"`, x, x + 1, y0, y1);
	}
}

/** Words, frames and arrows; a canvas' context only measures its texts. */
export class SvgPen implements Pen {
	fillStyle: string = "#000000";
	strokeStyle: string = "#000000";
	globalAlpha = 1;
	lineWidth = 1;
	font = "12px sans-serif";
	textBaseline: CanvasTextBaseline = "middle";
	private path = "";
	private dash = "";

	constructor(private readonly sheet: Sheet, private readonly measure: (text: string, font: string) => TextMetrics) {}

	beginPath(): void {
		this.path = "";
	}
	moveTo(x: number, y: number): void {
		this.path += `M${short(x)} ${short(y)}`;
	}
	/** The first point of a path begins it, as on a canvas. */
	lineTo(x: number, y: number): void {
		this.path += `${this.path ? "L" : "M"}${short(x)} ${short(y)}`;
	}
	bezierCurveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void {
		this.path += `C${[ax, ay, bx, by, x, y].map(short).join(" ")}`;
	}
	/** Whole circles only. */
	arc(x: number, y: number, radius: number): void {
		this.path += `M${short(x - radius)} ${short(y)}a${short(radius)} ${short(radius)} 0 1 0 ${short(2 * radius)} 0` +
			`a${short(radius)} ${short(radius)} 0 1 0 ${short(-2 * radius)} 0`;
	}
	closePath(): void {
		this.path += "z";
	}
	private alpha(name: string): string {
		return this.globalAlpha < 1 ? ` ${name}="${this.globalAlpha.toFixed(2)}"` : "";
	}
	private lines(): string {
		return `fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"${this.dash}${this.alpha("stroke-opacity")}`;
	}
	stroke(): void {
		if (this.path)
			this.sheet.parts.push(`<path ${this.lines()} d="${this.path}"/>`);
	}
	fill(): void {
		if (this.path)
			this.sheet.parts.push(`<path fill="${this.fillStyle}"${this.alpha("fill-opacity")} d="${this.path}"/>`);
	}
	private box(x: number, y: number, width: number, height: number): string {
		return `<rect x="${short(x)}" y="${short(y)}" width="${short(max(width, 0))}" height="${short(max(height, 0))}"`;
	}
	fillRect(x: number, y: number, width: number, height: number): void {
		this.sheet.parts.push(`${this.box(x, y, width, height)} fill="${this.fillStyle}"${this.alpha("fill-opacity")}/>`);
	}
	strokeRect(x: number, y: number, width: number, height: number): void {
		this.sheet.parts.push(`${this.box(x, y, width, height)} ${this.lines()}/>`);
	}
	setLineDash(parts: number[]): void {
		this.dash = parts.length ? ` stroke-dasharray="${parts.join(" ")}"` : "";
	}
	measureText(text: string): TextMetrics {
		return this.measure(text, this.font);
	}
	fillText(text: string, x: number, y: number): void {
		const [, weight = "", size, family] = /^(?:(\d+) )?([\d.]+)px (.*)$/.exec(this.font) || [];
		const shift = this.textBaseline === "middle" ? Number(size) * 0.35 : 0;

		this.sheet.parts.push(`<text x="${short(x)}" y="${short(y + shift)}" font-family="${escaped(family)}" font-size="${size}"` +
			`${weight ? ` font-weight="${weight}"` : ""} fill="${this.fillStyle}"${this.alpha("fill-opacity")} xml:space="preserve">${escaped(text)}</text>`);
	}
}
