// SPDX-License-Identifier: GPL-2.0-or-later
// Compares a summary with the text output of the same recordings: each group, its counts, sums and cells, as
// docs/formats/summary.md defines them. The nodes' names are the arguments.
// usage: iotrace-analyze text ... | node summary-check.mjs SUMMARY NODE...
import { readFileSync } from 'node:fs';

const [summary, ...nodes] = process.argv.slice(2);
const wanted = new Map();
const partial = /\bflags=\S*(unfinished|before|suspect|cut-left|cut-right|unknown)/;

function cellOf(ns) {
	if (ns < 128n)
		return Number(ns);
	let e = 0n;
	while (ns >> e >= 128n)
		e++;
	return Number(64n * e + (ns >> e));
}

function placeOf(row) {
	const parts = row.split('/');
	const at = parts.findIndex(part => nodes.includes(part));
	const node = at < 0 ? '' : parts[at];
	if (at < 0)
		return [node, row];
	if (at > 0)
		return [node, parts.slice(0, at).join('/')];
	return [node, (parts[1] ?? '').replace(/ [0-9]+$/, '')];
}

for (const line of readFileSync(0, 'utf8').split('\n')) {
	const m = /^\d+ span "([^"]*)" (\S+) "([^"]*)" (\d+)(.*)$/.exec(line);
	if (!m || m[2] == 'use') // the same calls on the rows of files
		continue;
	const [node, place] = placeOf(m[1]);
	const to = / to="([^"]*)"/.exec(m[5])?.[1] ?? '';
	const mode = to == 'unlock' ? '' : to; // an unlock asks for no mode
	const key = [m[3], m[2], mode, node, place].join('|');
	const group = wanted.get(key) ?? { partial: 0, sum: 0n, cells: new Map() };
	wanted.set(key, group);
	if (partial.test(m[5])) {
		group.partial++;
		continue;
	}
	group.sum += BigInt(m[4]);
	const cell = cellOf(BigInt(m[4]));
	group.cells.set(cell, (group.cells.get(cell) ?? 0) + 1);
}

let failures = 0;
function fail(text) {
	console.log(text);
	failures++;
}
for (const group of JSON.parse(readFileSync(summary, 'utf8')).groups) {
	const key = [group.state, group.type, group.mode ?? '', group.node ?? '', group.place ?? ''].join('|');
	const other = wanted.get(key);
	if (!other) {
		fail(`${key}: not in the text`);
		continue;
	}
	wanted.delete(key);
	const cells = [...other.cells].sort((a, b) => a[0] - b[0]).flat();
	if (group.partial != other.partial || BigInt(group.sum_ns) != other.sum || String(group.cells) != String(cells))
		fail(`${key}: ${JSON.stringify(group)} instead of ${other.partial} ${other.sum} ${cells}`);
}
for (const key of wanted.keys())
	fail(`${key}: not in the summary`);
process.exit(failures ? 1 : 0);
