// SPDX-License-Identifier: GPL-2.0-or-later
// Chips of the kinds with their number and time in the window; a click hides a kind, a double click shows it alone.
// In front of them, by what spans are coloured: their kind, or an attribute.
import { App } from "./app";
import { byId, make, on } from "./dom";
import { ceil } from "./maths";
import { paintable } from "./paint";
import { Kind, kinds, sumsInPieces } from "./sums";
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

export async function legend(app: App): Promise<void> {
	const box = byId("legend"), list = picker(app), chips = make("span", { id: "chips" });
	let refresh = fill(app, chips);

	box.replaceChildren(list, chips);
	await refresh();
	on(window, "resize", () => refresh());
	app.onKinds.push(() => {
		refresh = fill(app, chips);
		refresh();
	});
	app.onWindow.push(() => refresh());
}

/** What is folded into one chip at first: kinds of links, of events and counters. */
const FOLDED: { title: string; help : string; holds : (kind: Kind) => boolean }[] = [
	{
		title : "arrows",
		help : "Kinds of links. Arrows show those of the selection, or all if the window has few",
		holds : (kind) => kind.what === "link"
	},
	{
		title : "events",
		help : "Kinds of events and counters, one by one",
		holds : (kind) => kind.what === "point" || kind.what === "counter"
	},
];
/** px that the legend may take before kinds are folded: two lines. */
const ROOM = 62;
/** Those that are unfolded, whichever kinds there are. */
const unfolded = new Set<string>();

interface Chip { kind: Kind; chip: HTMLElement; text: HTMLElement; dot: HTMLElement }

/** Makes the chips; returns what writes their numbers. */
function fill(app: App, box: HTMLElement): () => Promise<void> {
	const all = kinds(app);
	const { head } = app.recording;
	const titleOf = (kind: Kind) => head.types[head.cats[kind.cats[0]].type].title;
	let alone: Kind | null = null;

	const isHidden = (kind: Kind) => kind.cats.every((cat) => app.hidden.has(cat));
	const only = (kind: Kind) => {
		const show = alone === kind;

		alone = show ? null : kind;
		for (const other of all)
			if (other.what === kind.what)
				app.setHidden(other.cats, !show && other !== kind);
	};
	const chipOf = (kind: Kind): Chip => {
		const text = make("em", {}), dot = make("i", { class: kind.what === "point" ? "dot tick" : kind.what === "link" ? "dot line" : "dot" });
		const toggle = () => app.setHidden(kind.cats, !isHidden(kind));
		const title = head.cats[kind.cats[0]].painted ? `${app.paintedBy} ${kind.name}` : titleOf(kind);

		return { kind, text, dot, chip: make("button", {
			class: "chip", type: "button", "aria-pressed": "true", title: `${title}: click hides, double click or Shift+Enter shows alone`,
			onclick: (event: MouseEvent) => event.detail < 2 && toggle(),
			ondblclick: () => {
				toggle();
				only(kind);
			},
			onkeydown: (event: KeyboardEvent) => {
				if (event.key === "Enter" && event.shiftKey) {
					event.preventDefault();
					only(kind);
				}
			},
		}, dot, shortened(kind.name), text) };
	};
	const chips = all.map(chipOf);
	const folds = FOLDED.map((fold) => ({ ...fold, more: make("em", {}), chips: chips.filter(({ kind }) => fold.holds(kind)) })).filter((fold) => fold.chips.length);
	const shown = chips.filter(({ kind }) => kind.what === "span");
	/* the title of a type stands before its kinds */
	const groups: { title: HTMLElement; chips: Chip[] }[] = [];
	const painted = shown.some(({ kind }) => head.cats[kind.cats[0]].painted);
	const parts: HTMLElement[] = [];

	shown.forEach((chip, i) => {
		if (!i || titleOf(shown[i - 1].kind) !== titleOf(chip.kind)) {
			groups.push({ title: make("span", { class: "of" }, painted ? app.paintedBy : titleOf(chip.kind)), chips: [] });
			parts.push(groups[groups.length - 1].title);
		}
		groups[groups.length - 1].chips.push(chip);
		parts.push(chip.chip);
	});
	const rest = make("button", { class: "chip", title: "Kinds with less time in the window", onclick: () => {
		if (!unfolded.delete("rest"))
			unfolded.add("rest");
		arrange();
	} });

	parts.push(rest);
	for (const fold of folds) {
		const opener = make("button", { class: "chip", title: fold.help, onclick: () => {
			if (!unfolded.delete(fold.title))
				unfolded.add(fold.title);
			show();
			arrange();
		} }, make("i", { class: fold.title === "arrows" ? "dot line" : "dot tick", style: { background: "currentcolor" } }), fold.title, fold.more);
		const show = () => {
			for (const { chip } of fold.chips)
				chip.hidden = !unfolded.has(fold.title);
			opener.setAttribute("aria-expanded", String(unfolded.has(fold.title)));
		};

		show();
		parts.push(opener, ...fold.chips.map(({ chip }) => chip));
	}
	box.replaceChildren(...parts);
	/* machines that are masters last, and what is switched off, if it is so from the begin */
	const weight = ({ cats: [cat] }: Kind) => head.cats[cat].role === "wait" ? 0 : app.recording.naming[head.cats[cat].type] || head.cats[cat].faint ? 2 : 1;
	/** Kinds that occur in the window, as many as there is room for: waits first, then the others by time. A kind that is switched off stays. */
	const fit = () => {
		const usable = shown.filter(({ kind, chip }) => Number(chip.dataset.n) || isHidden(kind)).sort((a, b) => weight(a.kind) - weight(b.kind) ||
			Number(b.chip.dataset.ns) - Number(a.chip.dataset.ns) || Number(b.chip.dataset.n) - Number(a.chip.dataset.n));
		const open = unfolded.has("rest");
		const show = (n: number) => {
			const on = new Set(usable.slice(0, n));

			for (const each of shown)
				each.chip.hidden = !on.has(each);
			for (const { title, chips: own } of groups)
				title.hidden = !own.some((each) => on.has(each));
			rest.hidden = n === usable.length && !open;
			rest.textContent = open ? "less ◂" : `${count(usable.length - n)} more ▸`;
		};
		let least = 1, most = usable.length;

		show(most);
		byId("legend").classList.toggle("open", open);
		if (open || byId("legend").offsetHeight <= ROOM)
			return;
		while (least < most) {
			const middle = ceil((least + most) / 2);

			show(middle);
			if (byId("legend").offsetHeight <= ROOM)
				least = middle;
			else
				most = middle - 1;
		}
		show(least);
	};
	const arrange = () => {
		for (const fold of folds)
			fold.more.textContent = `${count(fold.chips.reduce((sum, { chip }) => sum + Number(chip.dataset.n), 0))} ${unfolded.has(fold.title) ? "◂" : "▸"}`;
		fit();
	};
	let last = 0;
	const refresh = async () => {
		const run = ++last, sums = await sumsInPieces(app, app.from, app.to, () => run === last);

		if (!sums)
			return;
		for (const { kind, chip, text, dot } of chips) {
			const n = kind.counted.reduce((sum, cat) => sum + sums[cat].n, 0);
			const ns = kind.counted.reduce((sum, cat) => sum + sums[cat].ns, 0);

			dot.style.background = kind.what === "point" ? app.colours.palette.ink : app.colours.css(kind.cats[0]);
			text.textContent = !n ? "–" : kind.what === "span" ? `${count(n)} · ${duration(ns)}` : count(n);
			chip.classList.toggle("none", !n);
			chip.setAttribute("aria-pressed", String(!isHidden(kind)));
			chip.dataset.n = String(n);
			chip.dataset.ns = String(ns);
		}
		arrange();
	};

	return refresh;
}
