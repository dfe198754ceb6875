// SPDX-License-Identifier: GPL-2.0-or-later
// The strip over the whole recording with the window as a frame, and the axis below it.
import { App } from "./app";
import { byId, on } from "./dom";
import { ceil, max, round } from "./maths";
import { duration, spacing, step, tick } from "./time";

const AXIS_FONT = "11px system-ui, sans-serif";

function prepare(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
	const ratio = devicePixelRatio || 1;

	canvas.width = max(1, round(width * ratio));
	canvas.height = max(1, round(height * ratio));
	canvas.style.width = width + "px";
	canvas.style.height = height + "px";
	const context = canvas.getContext("2d")!;

	context.scale(ratio, ratio);
	return context;
}

/** A label that has room before @end; none is cut. */
function fitted(context: CanvasRenderingContext2D, text: string, x: number, y: number, end: number): void {
	if (x + context.measureText(text).width <= end)
		context.fillText(text, x, y);
}

/** How many wait in each column of the whole recording; where nobody ever waits, how many are busy. */
async function waiting({ recording }: App, columns: number): Promise<{ title: string; values: Float64Array }> {
	const { head } = recording;
	const role = ["wait", "call", "hold", ""].find((wanted) =>
		head.cats.some((cat, i) => i && cat.role === wanted && head.types[cat.type].kind === "span"));
	const cats = Uint8Array.from(head.cats, (cat, i) => i && cat.role === role && !head.types[cat.type].repeats ? 1 : 0);
	const { values } = await recording.store.busy(cats, columns);

	return { title: `${role === "wait" ? "waiting" : role === "call" ? "in calls" : "busy"}, all rows`, values };
}

export function overview(app: App): void {
	const { recording: { head } } = app;
	const box = byId("overview"), canvas = box.querySelector("canvas")!, frame = byId("frame");
	const axis = byId("axis").querySelector("canvas")!, scale = byId("scale");
	const side = () => box.querySelector<HTMLElement>(".side")!.offsetWidth;
	let drawn = "", width = 1;

	const whole = () => max(head.to - head.from, 1);
	const strip = async () => {
		const key = `${app.width} ${app.colours.palette.dark} ${devicePixelRatio}`;

		if (key === drawn)
			return;
		drawn = key;
		const { title, values } = await waiting(app, round(app.width));

		if (key !== drawn)
			return;
		width = values.length;
		const context = prepare(canvas, width, 58), { palette } = app.colours;
		const most = max(...values, 1e-9);
		const distance = step(whole() / width * 110);

		box.querySelector(".side")!.textContent = title;
		context.fillStyle = palette.wait;
		context.globalAlpha = 0.8;
		values.forEach((value, x) => context.fillRect(x, 52 - value / most * 34, 1, value / most * 34 + (value ? 0.6 : 0)));
		context.globalAlpha = 1;
		context.font = AXIS_FONT;
		context.textBaseline = "top";
		for (let t = ceil(head.from / distance) * distance; t <= head.to; t += distance) {
			const x = (t - head.from) / whole() * width;

			context.fillStyle = palette.line;
			context.fillRect(round(x), 0, 1, 58);
			context.fillStyle = palette.muted;
			fitted(context, tick(t, distance), x + 4, 3, width);
		}
	};
	const ticks = () => {
		const context = prepare(axis, app.width, 23), { palette } = app.colours;

		context.font = AXIS_FONT;
		context.textBaseline = "middle";
		const distance = app.tickDistance = spacing(app.from, app.to, app.width, (text) => context.measureText(text).width);

		for (let t = ceil(app.from / distance) * distance; t <= app.to; t += distance) {
			context.fillStyle = palette.line;
			context.fillRect(round(app.x(t)), 0, 1, 24);
			context.fillStyle = palette.muted;
			fitted(context, tick(t, distance), app.x(t) + 4, 12, app.width);
		}
		const least = step((app.to - app.from) / app.width * 90);

		byId("axis").dataset.distance = String(distance);
		scale.style.width = least / (app.to - app.from) * app.width + "px";
		scale.dataset.text = duration(least).replace(/\.0+(?= )/, "");
	};

	app.onFrame.push(() => {
		strip();
		ticks();
		frame.style.left = side() + (app.from - head.from) / whole() * width + "px";
		frame.style.width = (app.to - app.from) / whole() * width + "px";
	});

	on(box, "pointerdown", (event) => {
		const at = (x: number) => head.from + (x - box.getBoundingClientRect().left - side()) / width * whole();
		const target = event.target as HTMLElement;
		const edge = target.parentElement === frame ? (target === frame.firstElementChild ? -1 : 1) : 0;
		const begin = at(event.clientX), { from, to } = app;

		if (event.clientX - box.getBoundingClientRect().left < side())
			return;
		box.setPointerCapture(event.pointerId);
		if (target === canvas)
			app.setWindow(begin - (to - from) / 2, begin + (to - from) / 2);
		const start = { from: app.from, to: app.to };
		const move = (moved: PointerEvent) => {
			const by = at(moved.clientX) - begin;

			app.setWindow(edge > 0 ? start.from : start.from + by, edge < 0 ? start.to : start.to + by);
		};

		on(box, "pointermove", move);
		on(box, "pointerup", () => box.removeEventListener("pointermove", move), { once: true });
	});
	on(byId("axis"), "wheel", (event) => {
		event.preventDefault();
		app.zoom(event.deltaY > 0 ? 1.25 : 0.8, app.time(event.offsetX));
	}, { passive: false });
}
