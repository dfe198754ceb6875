// SPDX-License-Identifier: GPL-2.0-or-later
// What the picture is painted on: rectangles into a buffer of pixels; svg.ts has the same for a vector picture.
import { blend } from "./colour";
import { ceil, floor, max, min, round } from "./maths";

/** All lengths are px of the device; colours are pixels (colour.ts). */
export interface Surface {
	readonly width: number;
	readonly height: number;
	/** Everything in one colour. */
	clear(colour: number): void;
	/** A rectangle with sharp edges; @pale: the other colour of its hatching. */
	block(x0: number, x1: number, y0: number, y1: number, colour: number, pale?: number): void;
	/** One column from y0 to y1, with soft edges. */
	column(x: number, y0: number, y1: number, colour: number): void;
	/** One column of which so much is seen: a share of 1 covers all. */
	tick(x: number, y0: number, y1: number, colour: number, share: number): void;
	/** What was painted is to be seen, so that a pen can draw over it. */
	flush(): void;
}

/** The part of a canvas' context that draws words, frames and arrows on top of the surface. */
export type Pen = Pick<CanvasRenderingContext2D, "fillStyle" | "strokeStyle" | "globalAlpha" | "lineWidth" | "font" | "textBaseline" |
	"beginPath" | "moveTo" | "lineTo" | "bezierCurveTo" | "arc" | "closePath" | "stroke" | "fill" | "fillRect" | "strokeRect" |
	"fillText" | "measureText" | "setLineDash">;

export class Pixels implements Surface {
	private readonly pixels: Uint32Array;
	private readonly image: ImageData;
	readonly width: number;
	readonly height: number;

	/** @stripe: px of the device of one stripe of a hatching */
	constructor(private readonly context: CanvasRenderingContext2D, private readonly stripe: number) {
		this.width = context.canvas.width;
		this.height = context.canvas.height;
		this.image = context.createImageData(this.width, this.height);
		this.pixels = new Uint32Array(this.image.data.buffer);
	}
	flush(): void {
		this.context.putImageData(this.image, 0, 0);
	}
	clear(colour: number): void {
		this.pixels.fill(colour);
	}
	column(x: number, y0: number, y1: number, colour: number): void {
		const { pixels, width } = this;

		y0 = max(y0, 0);
		y1 = min(y1, this.height);
		const first = ceil(y0), last = floor(y1);

		if (first > last) {
			if (y1 > y0)
				this.soften(last * width + x, colour, y1 - y0);
			return;
		}
		if (first > y0)
			this.soften((first - 1) * width + x, colour, first - y0);
		for (let y = first, at = first * width + x; y < last; y++, at += width)
			pixels[at] = colour;
		if (y1 > last)
			this.soften(last * width + x, colour, y1 - last);
	}
	private soften(at: number, colour: number, cover: number): void {
		this.pixels[at] = cover > 0.99 ? colour : blend(this.pixels[at], colour, cover);
	}
	block(x0: number, x1: number, y0: number, y1: number, colour: number, pale?: number): void {
		const { pixels, width, height, stripe } = this;

		x0 = max(round(x0), 0);
		x1 = min(round(x1), width);
		y0 = max(round(y0), 0);
		y1 = min(round(y1), height);
		if (x1 <= x0)
			return;
		for (let y = y0; y < y1; y++) {
			pixels.fill(colour, y * width + x0, y * width + x1);
			for (let x = x0; pale !== undefined && x < x1; x++)
				if ((x + y) % (2 * stripe) < stripe)
					pixels[y * width + x] = pale;
		}
	}
	tick(x: number, y0: number, y1: number, colour: number, share: number): void {
		for (let y = max(round(y0), 0); y < min(y1, this.height); y++)
			this.pixels[y * this.width + x] = blend(this.pixels[y * this.width + x], colour, share);
	}
}
