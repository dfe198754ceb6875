// SPDX-License-Identifier: GPL-2.0-or-later
// The picture as a file: title, axis, names and rows as they are shown, and the legend; as pixels or as vectors.
import { App } from "./app";
import { byId, make } from "./dom";
import { ceil, max, round } from "./maths";
import { kinds, sumsOf } from "./sums";
import { Pen } from "./surface";
import { Sheet, SvgPen, SvgSurface } from "./svg";
import { duration, instant, seconds, tick } from "./time";

const FONT = "system-ui, sans-serif", TITLE = 24, AXIS = TITLE + 24, LEGEND = 22, CHIP = 14;

interface Frame { side: number; width: number; height: number; legend: number }

/** Chips of the kinds that occur in the window, in lines that fit. */
function chipsOf(app: App, pen: Pen, width: number): { text: string; colour: string; x: number; line: number }[] {
	const sums = sumsOf(app, app.from, app.to);
	let x = 10, line = 0;

	pen.font = `11px ${FONT}`;
	return kinds(app).filter((kind) => kind.what !== "point" && kind.what !== "counter" && kind.cats.some((cat) => !app.hidden.has(cat)) &&
		kind.counted.some((cat) => sums[cat].n)).map((kind) => {
		const ns = kind.counted.reduce((sum, cat) => sum + sums[cat].ns, 0);
		const text = `${kind.name} ${duration(ns)}`, room = pen.measureText(text).width + CHIP + 18;

		if (x + room > width && x > 10) {
			x = 10;
			line++;
		}
		x += room;
		return { text, colour: app.colours.css(kind.cats[0]), x: x - room, line };
	});
}

function frameOf(app: App, pen: Pen): Frame {
	const side = byId("names").offsetWidth, width = side + app.width;
	const lines = max(-1, ...chipsOf(app, pen, width).map((chip) => chip.line)) + 1;

	return { side, width, height: AXIS + app.height + lines * LEGEND + 4, legend: lines };
}

/** What the picture shows, above it: machines, and the part of the recording's time. */
function titleOf({ recording, from, to }: App): string {
	return `${recording.title()}, ${instant(from, (to - from) / 1000)} to ${seconds(to, (to - from) / 1000)}`;
}

/** Everything but the picture itself, for which there is place at (side, AXIS). */
function around(app: App, pen: Pen, frame: Frame, clip: (draw: () => void) => void): void {
	const { palette } = app.colours, { side, width } = frame;

	pen.globalAlpha = 1;
	pen.textBaseline = "middle";
	pen.fillStyle = palette.page;
	pen.fillRect(0, 0, side, frame.height);
	pen.fillRect(0, 0, width, AXIS);
	pen.fillRect(0, AXIS + app.height, width, frame.height - AXIS - app.height);
	pen.font = `600 12px ${FONT}`;
	pen.fillStyle = palette.ink;
	pen.fillText(titleOf(app), 10, TITLE / 2 + 1);
	pen.fillStyle = palette.line;
	pen.fillRect(0, AXIS - 1, width, 1);
	pen.fillRect(0, AXIS + app.height, width, 1);
	pen.fillRect(side - 1, TITLE, 1, AXIS - TITLE + app.height);
	pen.font = `11px ${FONT}`;
	for (let t = ceil(app.from / app.tickDistance) * app.tickDistance; t <= app.to; t += app.tickDistance) {
		pen.fillStyle = palette.line;
		pen.fillRect(side + round(app.x(t)), TITLE, 1, AXIS - TITLE);
		pen.fillStyle = palette.muted;
		if (app.x(t) + 4 + pen.measureText(tick(t, app.tickDistance)).width < app.width)
			pen.fillText(tick(t, app.tickDistance), side + app.x(t) + 4, TITLE + 12);
	}
	clip(() => {
		for (const line of app.lines) {
			const y = AXIS + line.y - app.scroll + line.height / 2;

			if (y < AXIS - 10 || y > AXIS + app.height + 10)
				continue;
			pen.font = `${line.kind === "head" ? "600 " : ""}12px ${FONT}`;
			pen.fillStyle = line.kind === "more" ? palette.muted : palette.ink;
			pen.fillText(line.text, 10 + line.depth * 14 + 4, y);
		}
	});
	for (const chip of chipsOf(app, pen, width)) {
		const y = AXIS + app.height + LEGEND * (chip.line + 0.5) + 2;

		pen.fillStyle = chip.colour;
		pen.fillRect(chip.x, y - 5, 10, 10);
		pen.fillStyle = palette.ink;
		pen.font = `11px ${FONT}`;
		pen.fillText(chip.text, chip.x + CHIP, y + 0.5);
	}
}

/** Two pixels of the file are one of the page, or as many as this screen has. */
export function pngOf(app: App): HTMLCanvasElement {
	const own = devicePixelRatio || 1, ratio = max(2, own);
	const canvas = make("canvas") as HTMLCanvasElement, context = canvas.getContext("2d")!;
	const frame = frameOf(app, context);

	app.picture.resize(app.width, app.height, ratio);
	app.draw();
	canvas.width = round(frame.width * ratio);
	canvas.height = round(frame.height * ratio);
	context.scale(ratio, ratio);
	around(app, context, frame, (draw) => {
		context.save();
		context.beginPath();
		context.rect(0, AXIS, frame.side - 4, app.height);
		context.clip();
		draw();
		context.restore();
	});
	context.drawImage(app.picture.canvas, frame.side, AXIS, app.width, app.height);
	app.picture.resize(app.width, app.height, own);
	app.draw();
	return canvas;
}

export function svgOf(app: App): string {
	const context = (make("canvas") as HTMLCanvasElement).getContext("2d")!;
	const measure = (text: string, font: string) => {
		context.font = font;
		return context.measureText(text);
	};
	const sheet = new Sheet(), pen = new SvgPen(sheet, measure);
	const width = round(app.width), height = round(app.height);
	const surface = new SvgSurface(sheet, width, height);
	const frame = frameOf(app, pen);

	sheet.parts.push(`<clipPath id="rows"><path d="M0 0h${width}v${height}H0z"/></clipPath>`,
		`<clipPath id="names"><path d="M0 ${AXIS}h${frame.side - 4}v${height}H0z"/></clipPath>`,
		`<g transform="translate(${frame.side} ${AXIS})" clip-path="url(#rows)">`);
	app.picture.drawOn(surface, pen, app.shown());
	sheet.parts.push("</g>");
	around(app, pen, frame, (draw) => {
		sheet.parts.push("<g clip-path=\"url(#names)\">");
		draw();
		sheet.parts.push("</g>");
	});
	return sheet.text(round(frame.width), round(frame.height));
}

function download(blob: Blob, name: string): void {
	const link = make("a", { download: name }) as HTMLAnchorElement;

	link.href = URL.createObjectURL(blob);
	link.click();
	URL.revokeObjectURL(link.href);
}

export function save(app: App, form: "png" | "svg"): void {
	if (form === "svg")
		download(new Blob([svgOf(app)], { type: "image/svg+xml" }), "iotrace.svg");
	else
		pngOf(app).toBlob((blob) => download(blob!, "iotrace.png"));
}
