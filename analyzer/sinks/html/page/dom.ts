// SPDX-License-Identifier: GPL-2.0-or-later
// Elements of the document. Text is always set as text, never parsed: names come from traces.

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
	return document.getElementById(id) as T;
}

/** Letters of an answer of ask(). */
export const LONGEST = 400;

type Child = Node | string;

/** An element with a class, attributes ("on..." are listeners), and children. */
export function make(tag: string, options: { [name: string]: any } = {}, ...children: Child[]): HTMLElement {
	const element = document.createElement(tag);

	if (tag === "button")
		element.setAttribute("type", "button");
	for (const [name, value] of Object.entries(options)) {
		if (name.startsWith("on"))
			element.addEventListener(name.slice(2), value);
		else if (name === "style")
			Object.assign(element.style, value);
		else if (value !== undefined && (value !== false || name.startsWith("aria")))
			element.setAttribute(name, value === true && !name.startsWith("aria") ? "" : String(value));
	}
	element.append(...children);
	return element;
}

/** Calls @run at each event of a kind. */
export function on<K extends keyof (GlobalEventHandlersEventMap & WindowEventMap)>(target: EventTarget, kind: K,
	run: (event: (GlobalEventHandlersEventMap & WindowEventMap)[K]) => void, options?: AddEventListenerOptions): void {
	target.addEventListener(kind, run as unknown as EventListener, options);
}

/** A cell of a table with a number. */
export function number(text: string): HTMLElement {
	return make("td", { class: "number" }, text);
}

/** A button that looks like a link. */
export function button(text: string, run: () => void): HTMLElement {
	return make("button", { class: "link", onclick: run }, text);
}

/** Attributes of a row that a click or Enter goes on from. */
export function going(run: () => void): { [name: string]: unknown } {
	return { class: "go", tabindex: 0, onclick: run, onkeydown: (event: KeyboardEvent) => event.key === "Enter" && run() };
}

/** A table; heads of numbers begin with "#". */
export function tableOf(name: string, heads: string[], rows: HTMLElement[]): HTMLElement {
	return make("table", { class: name }, make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { class: head[0] === "#" ? "number" : "" }, head.replace("#", ""))))),
		make("tbody", {}, ...rows));
}

/** The colour of a kind, before its name. */
export function dot(background: string): HTMLElement {
	return make("i", { class: "dot", style: { background, marginRight: "6px" } });
}

export function copy(text: string): void {
	const done = navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject();

	/* from file:// some browsers refuse the clipboard */
	done.catch(() => {
		const area = make("textarea", { style: { position: "fixed", opacity: "0" } }) as HTMLTextAreaElement;

		area.value = text;
		document.body.append(area);
		area.select();
		document.execCommand("copy");
		area.remove();
	});
}

/** Lets the browser draw and answer. */
export function pause(): Promise<void> {
	return new Promise((done) => setTimeout(done));
}

/** Asks for a line of text, and gives it to @done. */
export function ask(label: string, value: string, submit: string, done: (text: string) => void): void {
	const field = make("input", { "aria-label": label, maxlength: LONGEST, size: 50, value }) as HTMLInputElement;
	const dialog = byId<HTMLDialogElement>("ask");

	dialog.replaceChildren(make("form", { method: "dialog", onsubmit: () => done(field.value.trim()) }, make("label", {}, make("div", {}, label), field), " ",
		make("button", { type: "submit" }, submit), " ", make("button", { onclick: () => dialog.close() }, "Cancel")));
	dialog.showModal();
	field.focus();
}

/** What the browser keeps under a name; some keep nothing for pages from files. */
export function kept(key: string): string | null {
	try {
		return localStorage.getItem(key);
	} catch {
		return null;
	}
}

export function keep(key: string, value: string): void {
	try {
		localStorage.setItem(key, value);
	} catch {
		/* then it is gone when the page is closed */
	}
}
