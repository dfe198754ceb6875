// SPDX-License-Identifier: GPL-2.0-or-later
// Colours of kinds and of the page, for the theme that is shown.
import { max, min, round } from "./maths";
import { Category, Recording } from "./model";

export interface Palette {
	dark: boolean;
	page: string; panel: string; line: string; ink: string; muted: string; accent: string; selected: string; wait: string; bad: string;
}

const LIGHT: Palette = {
	dark: false, page: "#ffffff", panel: "#f6f7f9", line: "#e3e6ea", ink: "#1b2330", muted: "#667085", accent: "#1f5fd0",
	selected: "#fff4d6", wait: "#f2a71b", bad: "#c01c28",
};
const DARK: Palette = {
	dark: true, page: "#14171c", panel: "#1b1f26", line: "#2b313a", ink: "#e6e9ee", muted: "#98a2b3", accent: "#7fb0ff",
	selected: "#3a3216", wait: "#f2a71b", bad: "#ff6b6b",
};

export function palette(dark: boolean): Palette {
	return dark ? DARK : LIGHT;
}

export function css(rgb: number): string {
	return "#" + rgb.toString(16).padStart(6, "0");
}

/** A colour as the four bytes of a pixel. */
export function pixel(rgb: number): number {
	return (0xff000000 | (rgb & 0xff) << 16 | (rgb & 0xff00) | rgb >> 16 & 0xff) >>> 0;
}
export function pixelOf(text: string): number {
	return pixel(parseInt(text.slice(1), 16));
}

/** @share of @over on @under */
export function blend(under: number, over: number, share: number): number {
	const r = under & 0xff, g = under >>> 8 & 0xff, b = under >>> 16 & 0xff;

	return (0xff000000 | round(b + ((over >>> 16 & 0xff) - b) * share) << 16 |
		round(g + ((over >>> 8 & 0xff) - g) * share) << 8 | round(r + ((over & 0xff) - r) * share)) >>> 0;
}

/** Relative luminance as WCAG defines it. */
export function luminance(rgb: number): number {
	const part = (value: number) => {
		const c = value / 255;

		return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
	};

	return 0.2126 * part(rgb >> 16 & 0xff) + 0.7152 * part(rgb >> 8 & 0xff) + 0.0722 * part(rgb & 0xff);
}

/** Black or white, whichever can be read on the colour. */
export function inkOn(rgb: number): string {
	return luminance(rgb) > 0.195 ? "#101418" : "#ffffff";
}

/**
 * Far apart for every kind of colour vision: no two are nearer than 11 (distance in OKLab x 100), nor is one to the orange
 * of waiting or to the grey of others; a test computes it. For values of attributes, and for kinds that are neither holds
 * nor waits, whose own colours are muted.
 */
export const FAR = [0x44aaff, 0x009933, 0xaa66bb, 0xffdd00, 0x3311cc, 0x66ffbb, 0x770066, 0xbbccff, 0x334400, 0x7744ff, 0x556600, 0x993388];
export const OTHERS = 0x9a9fa6;

/**
 * Machines, for text and thin lines, on light and on dark: by the number in the name, so that one has the same colour in every
 * page. None is near to the red of EX or to the orange of waiting.
 */
export const NODES = [0x4c78a8, 0xa85478, 0x843cd8, 0x309cd8, 0x9c9090, 0x846cd8];

export function nodeColour(name: string): number {
	const [number] = /\d+$/.exec(name) || [];
	const letters = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);

	return NODES[(number ? Number(number) - 1 + NODES.length : letters) % NODES.length];
}

export class Colours {
	palette = LIGHT;
	distinct = false;
	private pixels = new Uint32Array(0);
	/** Colours of the switch. */
	private readonly far = new Map<Category, number>();
	constructor(private readonly recording: Recording) {
		this.setDark(false);
	}
	setDark(dark: boolean): void {
		this.palette = palette(dark);
		this.refresh();
	}
	setDistinct(distinct: boolean): void {
		this.distinct = distinct;
		if (!this.far.size)
			this.findFar();
		this.refresh();
	}
	/** Kinds that share a colour, such as all that failed, share the other one; kinds that do not occur need none. */
	private findFar(): void {
		const { recording, recording: { head } } = this;
		const cats = head.cats.slice(1, recording.own ? recording.ownKinds : undefined);
		const present = new Set<Category>();

		for (const kind of new Set(recording.own || recording.cat))
			present.add(head.cats[kind]);
		for (const cat of cats) {
			const alike = new Set(cats.filter((other) => present.has(other) && other.type === cat.type && other.role === cat.role).map((other) => other.rgb));

			this.far.set(cat, FAR[max([...alike].indexOf(cat.rgb), 0) % FAR.length]);
		}
	}
	/** To be called when there are other kinds, too. */
	refresh(): void {
		this.pixels = Uint32Array.from(this.recording.head.cats, (cat, i) => i ? pixel(this.rgb(cat)) : 0);
	}
	rgb(cat: Category): number {
		const { types } = this.recording.head;

		if (this.recording.naming[cat.type] && !cat.painted && cat.name !== "unknown")
			return nodeColour(cat.name);
		if (this.distinct && !cat.painted && cat.role !== "wait" && cat.role !== "hold" && types[cat.type].kind === "span")
			return this.far.get(cat) || cat.rgb;
		return this.palette.dark && cat.faint ? 0x4a515c : this.palette.dark ? cat.dark : cat.rgb;
	}
	css(cat: number): string {
		return css(this.rgb(this.recording.head.cats[cat]));
	}
	/** The colour of a kind for thin lines: darker, or lighter on a dark page, until it stands out. */
	line(cat: number): string {
		let rgb = pixel(this.rgb(this.recording.head.cats[cat]));
		const ink = pixelOf(this.palette.ink), page = luminance(parseInt(this.palette.page.slice(1), 16)) + 0.05;

		for (let tries = 0; tries < 8; tries++) {
			const own = luminance((rgb & 0xff) << 16 | rgb & 0xff00 | rgb >>> 16 & 0xff) + 0.05;

			if (max(own, page) / min(own, page) >= 3)
				break;
			rgb = blend(rgb, ink, 0.2);
		}
		return css((rgb & 0xff) << 16 | rgb & 0xff00 | rgb >>> 16 & 0xff);
	}
	pixel(cat: number): number {
		return this.pixels[cat];
	}
}
