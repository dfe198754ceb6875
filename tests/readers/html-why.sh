#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The reasons of the slow calls of why.txt, on the page in Chromium without a display.
# usage: html-why.sh PROGRAM
here=$(cd "$(dirname "$0")" && pwd)
command -v node > /dev/null && command -v chromium > /dev/null || { echo "skipped: no node or no chromium"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk -v dir="$work" '/^--- node/ { file = dir "/node" $3; printf "iotrace-text 1\nhostname node%s\n", $3 > file; next } file { print > file }' "$here/why.txt"
"$1" -q --index off -m dlm -m fileio -m sched -m block -m kvm -m gfs2 -o "html:$work/page.html" "$work"/node[123456] "$work/nodehost" || exit 1
node "$here/html-why.mjs" "$work/page.html"
