#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Figures of the page with generated states: time to the first picture, and times of frames. Nothing fails by its speed;
# what fails is a wide window that looks at points one by one.
# usage: html-frames.sh LOOP_SINKS [ITEMS [ROWS]]
here=$(cd "$(dirname "$0")" && pwd)
command -v node > /dev/null && command -v chromium > /dev/null || { echo "skipped: no node or no chromium"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for load in dlm io; do
	"$1" -r "${3:-3000}" -o max=0 html $load "${2:-2500000}" "$work/$load.html" || exit 1
done
node "$here/html-frames.mjs" "$work/dlm.html" "$work/io.html"
