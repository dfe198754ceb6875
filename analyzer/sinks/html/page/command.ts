// SPDX-License-Identifier: GPL-2.0-or-later
// The command line that makes outputs of one window.
import { Head } from "./model";
import { instant } from "./time";

/** A word as a shell reads it back. */
export function quoted(word: string): string {
	return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
}

/** @from, @to: ns since the zero of the page */
export function command(head: Head, from: number, to: number): string {
	/* options count from the begin of the recording, which is before the zero of a page of a window */
	const since = Number(BigInt(head.zero) - BigInt(head.origin));
	const words = ["iotrace-analyze", "--from", instant(from + since), "--to", instant(to + since), ...head.repeated,
		"-o", "html,max=0:window.html", ...head.inputs.map(({ path }) => path.startsWith("-") ? "./" + path : path)];

	return words.map(quoted).join(" ");
}
