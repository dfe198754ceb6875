// SPDX-License-Identifier: GPL-2.0-or-later
// Links in the drawer: the two ends of a selected one, and the chain of a selection as a table.
import { App } from "./app";
import { shortName } from "./arrows";
import { Step, endsOf, nowhere } from "./chain";
import { button, dot, going, make, number, tableOf } from "./dom";
import { abs } from "./maths";
import { BACKWARDS } from "./model";
import { duration, seconds } from "./time";

const ROWS = 100;

/** Shows an end of a link: selects the span there, or only goes to the row and the instant. */
function goToEnd(app: App, link: number, which: 0 | 1): void {
	const end = endsOf(app.recording, link)[which], span = app.spanAt(end);

	if (span >= 0) {
		app.select(span, true);
		return;
	}
	app.tree.reveal(end.row);
	app.update(true);
	app.draw();
	app.showRow(end.row);
	app.glide(end.t - (app.to - app.from) / 8, end.t + (app.to - app.from) / 8);
}

/** Names and instants of both ends, for the list of a selected link. */
export function endsList(app: App, link: number): [string, Node | string][] {
	const { recording } = app;
	const ends = endsOf(recording, link);
	const place = (which: 0 | 1): HTMLElement => make("span", {}, ends[which].hidden ? nowhere(ends[which]) :
		button(recording.path(ends[which].row, " / "), () => goToEnd(app, link, which)), ends[which].unseen ? "" : ` at ${seconds(ends[which].t)}`);

	return [["from", place(0)], ["to", place(1)], ...(recording.flags[link] & BACKWARDS ?
		[["order", `arrives ${duration(ends[0].t - ends[1].t)} before it leaves: the clocks of the two machines disagree by at least that`] as [string, string]] : [])];
}

/** How a link is reached from the selection, which may be a link itself. */
function stepText(step: number, fromLink: boolean): string {
	const far = abs(step);

	if (far > 1)
		return `${far} steps ${step > 0 ? "on" : "back"}`;
	return !step ? "selected" : step > 0 ? (fromLink ? "follows" : "leaves") : fromLink ? "led to it" : "arrives";
}

/** The chain of the selection, nearest steps first; null if it has no links. */
export function chainTable(app: App): HTMLElement | null {
	const { chain, recording, colours } = app;
	const { head, cat } = recording;

	if (!chain || !chain.steps.length || chain.steps.length === 1 && !chain.steps[0].step)
		return null;
	const steps = chain.steps.slice().sort((a, b) => abs(a.step) - abs(b.step) || b.step - a.step ||
		recording.t0[a.link] - recording.t0[b.link] || a.link - b.link);
	const line = ({ link, step }: Step) => {
		const [from, to] = endsOf(recording, link);
		const name = (end: typeof from) => end.hidden ? nowhere(end) : shortName(recording, end.row);

		return make("tr", { ...going(() => app.select(link, true)), class: "go" + (link === app.selected ? " on" : "") }, make("td", {}, stepText(step, !!chain.steps.find((each) => !each.step))),
		make("td", {}, dot(colours.css(cat[link])), head.cats[cat[link]].name),
		make("td", {}, `${name(from)} → ${name(to)}`),
		number((to.t < from.t ? "−" : "") + duration(abs(to.t - from.t))),
		number(seconds(from.t, 1000)));
	};

	return make("div", {}, tableOf("chain", ["here", "link", "from → to", "#took", "#left"], steps.slice(0, ROWS).map(line)),
		...(chain.cut || steps.length > ROWS ? [make("p", {}, `${steps.length} links are followed; there are more`)] : []));
}
