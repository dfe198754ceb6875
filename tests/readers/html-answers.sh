#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The answers on top of the page in Chromium without a display: what they say, and what a click on them shows.
# usage: html-answers.sh PROGRAM fileio|dlm|nfs|sched OPTION-OR-RECORDING...
here=$(cd "$(dirname "$0")" && pwd)
program=$1 which=$2
shift 2
command -v node > /dev/null && command -v chromium > /dev/null || { echo "skipped: no node or no chromium"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" -q --index off -o "html:$work/page.html" -o "text:$work/text" -o "report,tables:$work/report" -o "report,json:$work/json" "$@" || exit 1
node "$here/html-answers.mjs" "$which" "$work"
