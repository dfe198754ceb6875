#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The groups of tables of the page, its legend and its rows in Chromium without a display.
# usage: html-tables.sh PROGRAM RECORDING...
here=$(cd "$(dirname "$0")" && pwd)
program=$1
shift
command -v node > /dev/null && command -v chromium > /dev/null || { echo "skipped: no node or no chromium"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" -q --index off -o "html:$work/page.html" -o "text:$work/text" -o "report,json:$work/json" "$@" || exit 1
for part in tables legend rows filter; do
	node "$here/html-$part.mjs" "$work" || exit 1
done
