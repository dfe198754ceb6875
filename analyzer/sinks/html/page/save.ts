// SPDX-License-Identifier: GPL-2.0-or-later
// The picture as a file: names, axis and rows as they are shown.
import { App } from "./app";
import { byId, make } from "./dom";

export function picture(app: App): HTMLCanvasElement {
	const ratio = devicePixelRatio || 1, { palette } = app.colours;
	const side = byId("names").offsetWidth, axis = byId("axis");
	const canvas = make("canvas") as HTMLCanvasElement;
	const top = axis.offsetHeight;

	canvas.width = Math.round((side + app.width) * ratio);
	canvas.height = Math.round((top + app.height) * ratio);
	const context = canvas.getContext("2d")!;

	context.scale(ratio, ratio);
	context.fillStyle = palette.page;
	context.fillRect(0, 0, side + app.width, top + app.height);
	context.drawImage(axis.querySelector("canvas")!, side, 0, app.width, top - 1);
	context.drawImage(app.picture.canvas, side, top, app.width, app.height);
	context.save();
	context.beginPath();
	context.rect(0, top, side - 4, app.height);
	context.clip();
	context.textBaseline = "middle";
	for (const line of app.lines) {
		const y = top + line.y - app.scroll + line.height / 2;

		if (y < top - 40 || y > top + app.height + 40)
			continue;
		context.font = `${line.kind === "head" ? "600 " : ""}12px system-ui, sans-serif`;
		context.fillStyle = line.kind === "more" ? palette.muted : palette.ink;
		context.fillText(line.text, 10 + line.depth * 14 + 14, y);
	}
	context.restore();
	return canvas;
}

export function save(app: App): void {
	app.draw();
	picture(app).toBlob((blob) => {
		const link = make("a", { download: "iotrace.png" }) as HTMLAnchorElement;

		link.href = URL.createObjectURL(blob!);
		link.click();
		URL.revokeObjectURL(link.href);
	});
}
