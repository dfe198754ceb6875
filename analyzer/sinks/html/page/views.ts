// SPDX-License-Identifier: GPL-2.0-or-later
// Places with a name, which the browser keeps for this recording.
import { App } from "./app";
import { ask, keep, kept } from "./dom";
import { Table } from "./model";
import { fragment, goToFragment } from "./place";

function keyOf({ recording: { head } }: App): string {
	return `iotrace-views ${head.zero}`;
}

/** Names and fragments of addresses, oldest first. */
function viewsOf(app: App): [string, string][] {
	return JSON.parse(kept(keyOf(app)) || "[]");
}

/** Asks for a name. */
export function saveView(app: App): void {
	ask("Name of this view", "", "Save", (text) => {
		const name = text.replace(/^-/, ""), others = viewsOf(app).filter(([each]) => each !== name);

		keep(keyOf(app), JSON.stringify([...others, ...(text && name === text ? [[name, fragment(app)]] : [])]));
		app.openTab("views");
	});
}

export function viewsTable(app: App): Table {
	return { name: "views", title: "Views", help: "v saves a view in this browser, in place of one with the same name; a name after - is removed. Copy link is for others.",
		columns: [{ name: "view", title: "view", kind: "text" }], rows: viewsOf(app).map(([name]) => [name]) };
}

export function goToView(app: App, name: string): void {
	goToFragment(app, viewsOf(app).find(([each]) => each === name)![1]);
}
