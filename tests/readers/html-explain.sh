#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The accounts in the page against those of JSON Lines, and on a selection in Chromium without a display.
# usage: html-explain.sh PROGRAM fileio|nfs|dlm RECORDING...
here=$(cd "$(dirname "$0")" && pwd)
program=$1 which=$2
shift 2
command -v node > /dev/null && command -v chromium > /dev/null || { echo "skipped: no node or no chromium"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" -q --index off -o "html:$work/page.html" "$@" && "$program" -q --index off --derive accounts -o "jsonl:$work/jsonl" "$@" || exit 1
node "$here/html-explain.mjs" "$which" "$work/page.html" "$work/jsonl"
