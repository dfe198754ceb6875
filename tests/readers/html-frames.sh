#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Figures of the page with generated states: time to the first picture, and times of frames. Nothing fails by its speed.
# usage: html-frames.sh LOOP_SINKS [ITEMS]
here=$(cd "$(dirname "$0")" && pwd)
command -v node > /dev/null && command -v chromium > /dev/null || { echo "skipped: no node or no chromium"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" -o max=0 html dlm "${2:-2500000}" "$work/dlm.html" && "$1" -o max=0 html io "${2:-2500000}" "$work/io.html" || exit 1
node "$here/html-frames.mjs" "$work/dlm.html" "$work/io.html"
