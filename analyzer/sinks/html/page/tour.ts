// SPDX-License-Identifier: GPL-2.0-or-later
// Four hints when somebody opens a page for the first time; where the browser keeps nothing for pages from files, each time.
import { byId, keep, kept, make, on } from "./dom";

const KEY = "iotrace-tour";
const HINTS = [
	"A click on an answer, or on a row of a table, takes the picture there.",
	"Ctrl and wheel zoom, Shift and wheel move; w s and a d do so, too. Touch: two fingers and one.",
	"A click on a state says what it waited for and who was in the way. A drag over the picture measures.",
	"The filter finds names, pid=208, duration>10ms. ? lists all keys."
];

export function tour(): void {
	const box = byId("tour");
	const close = () => {
		box.hidden = true;
		keep(KEY, "1");
	};

	box.replaceChildren(make("b", {}, "Hints"), make("ol", {}, ...HINTS.map((hint) => make("li", {}, hint))), make("button", { onclick: close }, "Got it"));
	box.hidden = kept(KEY) !== null;
	on(window, "keydown", (event) => event.key === "Escape" && !box.hidden && close());
}
