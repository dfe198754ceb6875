// SPDX-License-Identifier: GPL-2.0-or-later
// The questions of sqlite.md, asked to the database by sqlite3 and to the files by DuckDB, with the differences of dialect that
// parquet.md lists: lines of its table, `SQLite` | `DuckDB`. A question that one of them refuses must be refused by the other one:
// the recordings have no such view.
// usage: node parquet-questions.mjs FOLDER DATABASE DOCS
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

const [folder, database, docs] = process.argv.slice(2);
const dialect = [...readFileSync(`${docs}/parquet.md`, 'utf8').matchAll(/^\| `([^`]+)` \| `([^`]+)` \|$/gm)];
const questions = [...readFileSync(`${docs}/sqlite.md`, 'utf8').matchAll(/^### (\d+)\..*\n\n((?:[^#].*)?\n)*?((?: {4}.*\n)+)/gm)]
	.map(match => [match[1], match[3]]);
const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
process.chdir(folder);
await duckdb.run("SET default_null_order = 'sqlite'");
for (const statement of readFileSync('views.sql', 'utf8').split(';\n'))
	if (statement.trim())
		await duckdb.run(statement);

let failures = 0, answers = 0;
for (const [number, sql] of questions) {
	const { status, stdout } = spawnSync('sqlite3', ['-list', database, sql], { encoding: 'utf8' });
	const translated = dialect.reduce((text, [, from, to]) => text.replaceAll(from, to), sql);
	let got = null, error = '';
	try {
		const rows = (await duckdb.runAndReadAll(translated)).getRows();
		got = rows.map(row => `${row.map(value => value ?? '').join('|')}\n`).join('');
	} catch (thrown) {
		error = thrown.message;
	}
	if (status ? got === null : got === stdout) {
		answers += stdout !== '' ? 1 : 0;
		continue;
	}
	failures++;
	console.log(`question ${number}: sqlite3 answers\n${stdout}DuckDB answers\n${got}${error}`);
}
console.log(`${answers} of ${questions.length} questions have the same answers, the others none`);
process.exit(failures || questions.length < 20 || answers < 3 ? 1 : 0);
