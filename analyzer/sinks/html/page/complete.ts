// SPDX-License-Identifier: GPL-2.0-or-later
// Completion in the filter: names of rows and of attributes that begin with, or have, the word before the cursor.
import { App } from "./app";
import { byId, make, on } from "./dom";
import { max, min } from "./maths";

const MOST = 8, LOOKED_AT = 20000;

/** What a word may become: attributes first, then names that begin with it, then names that have it. */
export function completions(word: string, names: string[], attrs: string[]): string[] {
	const small = word.replace(/^!/, "").replace(/"/g, "").toLowerCase();
	const quoted = (name: string) => /\s/.test(name) ? `"${name}"` : name;

	if (!small || /[=<>*?]/.test(small))
		return [];
	const begin = names.filter((name) => name.toLowerCase().startsWith(small)), within = names.filter((name) => name.toLowerCase().indexOf(small) > 0);

	return [...attrs.filter((name) => name.startsWith(small)).map((name) => `${name}=`), ..."duration".startsWith(small) ? ["duration>"] : [],
		...[...begin, ...within].map(quoted)].filter((text) => text.replace(/"/g, "").toLowerCase() !== small).slice(0, MOST);
}

/** What the value of an attribute may be, "pid=2" to pid=208 and pid=210; @values: the most frequent ones first. */
export function valueCompletions(word: string, values: string[]): string[] {
	const at = word.indexOf("="), start = word.slice(at + 1).replace(/"/g, "").toLowerCase();
	const fits = values.filter((value) => value.toLowerCase().startsWith(start) && value.toLowerCase() !== start && !value.includes('"'));

	return fits.slice(0, MOST).map((value) => `${word.slice(0, at + 1).replace("!", "")}${/\s/.test(value) ? `"${value}"` : value}`);
}

export function completion(app: App, field: HTMLInputElement): void {
	const box = byId("complete"), { head, head: { rows } } = app.recording;
	const attrs = [...new Set(head.types.flatMap((type) => type.kind === "row" ? [] : (type.attrs || []).map(({ name }) => name)))].sort();
	let names: string[] | null = null, list: string[] = [], at = -1;
	/* the most waiting first; made when somebody types */
	const all = () => names = names || [...new Set(rows.name.map((_name, row) => row).filter((row) => row && !rows.hidden[row]).slice(0, LOOKED_AT)
		.sort((a, b) => rows.wait[b] - rows.wait[a] || rows.items[b] - rows.items[a] || a - b).map((row) => rows.name[row]))];
	/** The word before the cursor, and where it begins. */
	const word = () => {
		const before = field.value.slice(0, field.selectionStart ?? field.value.length), [found] = /(?:[^\s"]|"[^"]*"?)*$/.exec(before)!;

		return { found, from: before.length - found.length, to: before.length };
	};
	const show = () => {
		const { left, bottom, width } = field.getBoundingClientRect();

		box.hidden = !list.length;
		field.setAttribute("aria-expanded", String(!box.hidden));
		field.setAttribute("aria-activedescendant", at < 0 ? "" : `complete-${at}`);
		Object.assign(box.style, { left: left + "px", top: bottom + 2 + "px", minWidth: min(width, 320) + "px" });
		box.replaceChildren(...list.map((text, i) => make("li", { id: `complete-${i}`, role: "option", "aria-selected": i === at, onpointerdown: (event: Event) => {
			event.preventDefault();
			accept(i);
		} }, text)));
	};
	const close = () => {
		list = [];
		at = -1;
		show();
	};
	const accept = (i: number) => {
		const { found, from, to } = word(), text = (found.startsWith("!") ? "!" : "") + list[i] + (/[=>]$/.test(list[i]) ? "" : " ");

		field.value = field.value.slice(0, from) + text + field.value.slice(to);
		field.setSelectionRange(from + text.length, from + text.length);
		close();
		field.dispatchEvent(new InputEvent("input"));
	};

	/* values of the attribute that was asked for last */
	let known: { name: string; values: Promise<string[]> } | null = null;
	const valuesOf = (name: string) => {
		if (!known || known.name !== name)
			known = { name, values: app.recording.store.frequent(name, LOOKED_AT) };
		return known.values;
	};

	on(field, "input", async (event) => {
		const { found } = word(), attr = /^!?([A-Za-z_]\w*)=/.exec(found);
		/* not after what was taken from the list */
		const typed = (event as InputEvent).inputType || attr && found.endsWith("=");
		const next = !typed ? [] : attr && attrs.includes(attr[1]) ? valueCompletions(found, await valuesOf(attr[1])) : completions(found, all(), attrs);

		if (word().found !== found || document.activeElement !== field)
			return;
		list = next;
		at = -1;
		show();
	});
	on(field, "blur", close);
	/* the field moves when there are hits */
	app.onWindow.push(() => list.length && show());
	on(field, "keydown", (event) => {
		const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];

		if (!list.length)
			return;
		if (by) {
			at = (at + by + (at < 0 && by < 0 ? 1 : 0) + list.length) % list.length;
			show();
		} else if (event.key === "Enter" && at >= 0 || event.key === "Tab" && !event.shiftKey)
			accept(max(at, 0));
		else if (event.key === "Escape")
			close();
		else
			return;
		event.preventDefault();
		event.stopImmediatePropagation();
	}, { capture: true });
}
