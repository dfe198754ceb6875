// SPDX-License-Identifier: GPL-2.0-or-later
// Compares the parts and causes of waits in a summary with the tables of the report, as JSON: the time of each part, and of each
// cause by node. Other tests compare these tables with own calculations.
// usage: node summary-waits.mjs SUMMARY REPORT
import { readFileSync } from 'node:fs';

const [summary, report] = process.argv.slice(2).map(file => JSON.parse(readFileSync(file, 'utf8')));
const titles = {
	request: 'request travels', queue: 'queue', block: 'callback to the holder', reaction: "holder's reaction", release: 'release travels',
	grant: 'grant', completion: 'callback to the waiter', return: 'return to the caller', unexplained: 'unexplained',
	unrecorded: 'not recorded',
};
const wanted = new Map(), got = new Map();

function add(sums, key, n, ns) {
	const sum = sums.get(key) ?? { n: 0, ns: 0 };
	sums.set(key, { n: sum.n + n, ns: sum.ns + ns });
}

const countOf = cells => cells.reduce((sum, n, i) => sum + (i % 2 ? n : 0), 0);
for (const row of report.tables.handover.rows)
	if (row.part != 'all parts')
		add(wanted, row.part, row.waits, row.time);
for (const part of summary.parts)
	add(got, titles[part.part], countOf(part.cells), part.sum_ns);
for (const row of report.tables.blame.rows)
	add(wanted, `${row.waiter} because of ${row.because}`, 0, row.blamed);
for (const waits of summary.waits) {
	const n = Math.max(0, ...waits.causes.map(cause => countOf(cause.cells)));
	if (n > waits.n)
		add(got, `${waits.place} ${waits.node}: ${n} waits of ${waits.n}`, 1, 0);
	for (const cause of waits.causes)
		add(got, `${waits.node} because of ${cause.holder ?? cause.cause}`, 0, cause.ns);
	const whole = waits.causes.reduce((sum, cause) => sum + cause.ns, 0);
	if (whole != waits.sum_ns)
		add(got, `${waits.place} ${waits.node}: ${whole} of ${waits.sum_ns} ns`, 1, 0);
}
let failures = 0;
for (const key of new Set([...wanted.keys(), ...got.keys()])) {
	const [a, b] = [wanted, got].map(sums => JSON.stringify(sums.get(key) ?? null));
	if (a != b) {
		console.log(`${key}: report ${a}, summary ${b}`);
		failures++;
	}
}
process.exit(failures || !wanted.size ? 1 : 0);
