// SPDX-License-Identifier: GPL-2.0-or-later
// Every value of every table, by DuckDB and by hyparquet, is that of the database; the statistics of each row group are those of
// its values, and its rows are in the order that it says.
// usage: node parquet-values.mjs FOLDER DATABASE
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { asyncBufferFromFile, parquetMetadataAsync, parquetRead } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

const [folder, database] = process.argv.slice(2);
let failures = 0;
const fail = text => {
	if (failures++ < 20)
		console.log(text);
};

const sqlite = (...words) =>
	execFileSync('sqlite3', ['-ascii', '-nullvalue', '\x01', database, ...words], { maxBuffer: 1 << 30, encoding: 'utf8' });

// The rows of a table: texts, or null. Views and other tables have other names.
function wanted(table) {
	return sqlite(`SELECT * FROM "${table}" ORDER BY rowid`).split('\x1e').slice(0, -1)
		.map(row => row.split('\x1f').map(value => value === '\x01' ? null : value));
}

// Hexadecimal numbers are texts in the database; it prints 15 digits of what is no whole number.
function same(want, got) {
	if (got === null || got === undefined)
		return want === null;
	if (typeof got === 'bigint')
		return want === `${got}` || want === `0x${got.toString(16)}`;
	if (typeof got === 'number')
		return want !== null && Math.abs(Number(want) - got) <= 1e-14 * Math.abs(got);
	return want === got;
}

function compare(reader, table, want, got) {
	if (want.length !== got.length)
		return fail(`${table}: ${reader} has ${got.length} rows, not ${want.length}`);
	for (let r = 0; r < want.length; r++)
		for (let i = 0; i < want[r].length || i < got[r].length; i++)
			if (!same(want[r][i], got[r][i]))
				fail(`${table}, row ${r + 1}, column ${i + 1}: ${reader} has ${got[r][i]}, not ${want[r][i]}`);
}

const by = (a, b) => a < b ? -1 : a > b ? 1 : 0;
const bytes = text => Buffer.from(text, 'utf8');
const order = values => typeof values[0] === 'string' ? values.sort((a, b) => Buffer.compare(bytes(a), bytes(b))) : values.sort(by);

// The statistics of a row group, and the order of its rows.
function check(table, metadata, rows) {
	let at = 0;
	for (const group of metadata.row_groups) {
		const part = rows.slice(at, at += Number(group.num_rows));
		group.columns.forEach((column, i) => {
			const { statistics, path_in_schema: [name] } = column.meta_data;
			const values = order(part.map(row => row[i]).filter(value => value !== null && value !== undefined));
			if (Number(statistics.null_count) !== part.length - values.length)
				fail(`${table}, ${name}: ${statistics.null_count} values are absent`);
			if (statistics.min_value !== undefined && (statistics.min_value !== values[0] || statistics.max_value !== values.at(-1)))
				fail(`${table}, ${name}: from ${statistics.min_value} to ${statistics.max_value}, not ${values[0]} to ${values.at(-1)}`);
			if (statistics.min_value === undefined && values.length && typeof values[0] === 'bigint')
				fail(`${table}, ${name}: no statistics`);
		});
		for (const { column_idx: sorted } of group.sorting_columns ?? [])
			if (part.some((row, r) => r && row[sorted] < part[r - 1][sorted]))
				fail(`${table}: not in the order of column ${sorted + 1}`);
	}
	if (at !== rows.length)
		fail(`${table}: ${at} rows in row groups`);
}

async function hyparquet(table) {
	const file = await asyncBufferFromFile(`${folder}/${table}.parquet`);
	const metadata = await parquetMetadataAsync(file);
	let rows = [];
	await parquetRead({ file, metadata, compressors, rowFormat: 'array', onComplete: all => { rows = all; } });
	check(table, metadata, rows);
	return rows;
}

const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
const tables = sqlite("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").split('\x1e').slice(0, -1);
const files = readdirSync(folder).filter(name => name.endsWith('.parquet')).map(name => name.slice(0, -8)).sort();
if (`${tables}` !== `${files}`)
	fail(`files: ${files}\ntables: ${tables}`);
let count = 0;
for (const table of files) {
	const want = wanted(table);
	const names = sqlite(`SELECT name FROM pragma_table_info('${table}')`).split('\x1e').slice(0, -1);
	const answer = await duckdb.runAndReadAll(`SELECT * FROM '${folder}/${table}.parquet'`);
	if (`${answer.columnNames()}` !== `${names}`)
		fail(`${table}: the columns are ${answer.columnNames()}, not ${names}`);
	compare('DuckDB', table, want, answer.getRows());
	compare('hyparquet', table, want, await hyparquet(table));
	count += want.length * names.length;
}
if (!count)
	fail('no values');
console.log(failures ? `${failures} differences` : `${count} values of ${files.length} tables agree`);
process.exit(failures ? 1 : 0);
