// SPDX-License-Identifier: GPL-2.0-or-later
// Chips of the kinds with their number and time in the window; a click hides a kind, a double click shows it alone.
// In front of them, by what spans are coloured: their kind, or an attribute.
import { App } from "./app";
import { byId, make } from "./dom";
import { paintable } from "./paint";
import { Kind, kinds, sumsOf } from "./sums";
import { count, duration } from "./time";

/** A name of a kind as a chip shows it; values of attributes may be long. */
function shortened(name: string): string {
	const letters = [...name];

	return letters.length > 40 ? letters.slice(0, 39).join("") + "…" : name;
}

/** The list of attributes that can give the colours. */
function picker(app: App): HTMLElement {
	const names = paintable(app.recording.head.types);
	const list = make("select", {
		id: "paint", "aria-label": "Colour of states", title: "Colours of states: by their kind, or by an attribute",
		onchange: () => app.setPaint(list.value),
	}, make("option", { value: "" }, "colour: kind"), ...names.map((name) => make("option", { value: name }, `colour: ${name}`))) as HTMLSelectElement;

	app.onKinds.push(() => list.value = app.paintedBy);
	return list;
}

export function legend(app: App): void {
	const box = byId("legend"), list = picker(app), chips = make("span", { id: "chips" });
	let refresh = fill(app, chips);

	box.replaceChildren(list, chips);
	app.onKinds.push(() => refresh = fill(app, chips));
	app.onWindow.push(() => refresh());
}

/** Makes the chips; returns what writes their numbers. */
function fill(app: App, box: HTMLElement): () => void {
	const all = kinds(app);
	const folded = (kind: Kind) => kind.what !== "span";
	let unfolded = false;
	const { head } = app.recording;
	const twice = (kind: Kind) => all.some((other) => other !== kind && other.name === kind.name);
	let alone: Kind | null = null;

	const isHidden = (kind: Kind) => kind.cats.every((cat) => app.hidden.has(cat));
	const chips = all.map((kind) => {
		const cat = head.cats[kind.cats[0]], text = make("em", {});
		const title = head.types[cat.type].title;
		const toggle = () => app.setHidden(kind.cats, !isHidden(kind));
		const only = () => {
			const show = alone === kind;

			alone = show ? null : kind;
			for (const other of all)
				if (other.what === kind.what)
					app.setHidden(other.cats, !show && other !== kind);
		};
		const dot = make("i", { class: kind.what === "point" ? "dot tick" : "dot" });
		const chip = make("button", {
			class: "chip", type: "button", "aria-pressed": "true",
			title: `${cat.painted ? `${app.paintedBy} ${kind.name}` : title}: click hides, double click shows alone`,
			onclick: (event: MouseEvent) => event.detail < 2 && toggle(), ondblclick: () => {
				toggle();
				only();
			},
		}, dot, shortened(twice(kind) ? `${kind.name} (${title})` : kind.name), text);

		return { kind, chip, text, dot };
	});

	const rest = chips.filter((chip) => folded(chip.kind));
	const more = make("em", {});
	const show = () => {
		for (const chip of rest)
			chip.chip.hidden = !unfolded;
		unfold.setAttribute("aria-expanded", String(unfolded));
	};
	const unfold = make("button", {
		class: "chip", type: "button", title: "Kinds of events and counters, one by one", onclick: () => {
			unfolded = !unfolded;
			show();
			refresh();
		},
	}, make("i", { class: "dot tick", style: { background: "currentcolor" } }), "events", more);

	box.replaceChildren(...chips.filter((chip) => !folded(chip.kind)).map((chip) => chip.chip),
		...(rest.length ? [unfold] : []), ...rest.map((chip) => chip.chip));
	const refresh = () => {
		const sums = sumsOf(app, app.from, app.to);
		let events = 0;

		for (const { kind, chip, text, dot } of chips) {
			const n = kind.counted.reduce((sum, cat) => sum + sums[cat].n, 0);
			const ns = kind.counted.reduce((sum, cat) => sum + sums[cat].ns, 0);

			dot.style.background = kind.what === "point" ? app.colours.palette.ink : app.colours.css(kind.cats[0]);
			text.textContent = !n ? "–" : kind.what === "span" ? `${count(n)} · ${duration(ns)}` : count(n);
			chip.setAttribute("aria-pressed", String(!isHidden(kind)));
			chip.dataset.n = String(n);
			chip.dataset.ns = String(ns);
			events += folded(kind) ? n : 0;
		}
		more.textContent = `${count(events)} ${unfolded ? "◂" : "▸"}`;
	};

	show();
	refresh();
	return refresh;
}
