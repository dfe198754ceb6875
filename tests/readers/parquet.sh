#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Parquet as DuckDB and hyparquet read it, which npm brings: every value of every table is that of the same run's database, and
# the questions of docs/formats/sqlite.md have the same answers. Exit 77: there is no npm or sqlite3, or no way to the registry.
# usage: parquet.sh PROGRAM SOURCE_DIR FOLDER EXAMPLE
set -u
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
program=$1 source=$2 folder=$3 example=$4
command -v npm > /dev/null && command -v sqlite3 > /dev/null || { echo "skipped: no npm or no sqlite3"; exit 77; }
"$program" --formats | grep -q '^sqlite' || { echo "skipped: no output sqlite"; exit 77; }
packages=(@duckdb/node-api@1.5.6-r.1 hyparquet@1.33.0 hyparquet-compressors@1.1.2)
mkdir -p "$folder" || exit 1
exec {lock}> "$folder/lock" # tests that run at the same time install once
flock "$lock"
[[ -f $folder/complete ]] ||
	{ npm install --silent --no-audit --no-fund --prefix "$folder" "${packages[@]}" > /dev/null 2>&1 && : > "$folder/complete"; }
flock -u "$lock"
[[ -f $folder/complete ]] || { echo "skipped: npm does not bring ${packages[*]}"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# packages are found next to the program that uses them
cp "$here"/parquet-*.mjs "$folder" || exit 1
"$program" -q --index off --derive accounts -o "parquet:$work/out" -o "sqlite:$work/out.sqlite" "$source/examples/$example"/trace*.dat || exit 1
node "$folder/parquet-values.mjs" "$work/out" "$work/out.sqlite" || exit 1
node "$folder/parquet-questions.mjs" "$work/out" "$work/out.sqlite" "$source/docs/formats" || exit 1
