#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the output html holds must be what the output text prints, item by item, and the same bytes for any number of
# threads and any memory.
# usage: html-check.sh PROGRAM RECORDING...
set -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$1
shift
command -v node > /dev/null || { echo "skipped: no node"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run()
{
	"$program" -q "$@" || { echo "FAILED: $program $*"; exit 1; }
}

run --threads 1 --memory 64K -o "html:$work/one.html" -o "text:$work/text" "$@"
run --threads 8 -o "html:$work/eight.html" "$@"
cmp "$work/one.html" "$work/eight.html" || { echo "FAILED: threads or memory change the page"; exit 1; }
node "$here/html-text.mjs" "$work/one.html" > "$work/read" || { echo "FAILED: the page cannot be read"; exit 1; }
grep -v '^# diag' "$work/text" > "$work/said"
cmp "$work/said" "$work/read" || { diff "$work/said" "$work/read" | head -n 20; echo "FAILED: the page says something else"; exit 1; }
echo "$(wc -l < "$work/read") items, $(wc -c < "$work/one.html") bytes"
