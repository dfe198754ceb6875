// SPDX-License-Identifier: GPL-2.0-or-later
// Elements of the document. Text is always set as text, never parsed: names come from traces.

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
	return document.getElementById(id) as T;
}

type Child = Node | string;

/** An element with a class, attributes ("on..." are listeners), and children. */
export function make(tag: string, options: { [name: string]: any } = {}, ...children: Child[]): HTMLElement {
	const element = document.createElement(tag);

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
