#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The page in windows of several sizes and by keyboard, in Chromium, and in Firefox if it is installed, without a display.
# usage: html-sizes.sh PROGRAM RECORDING...
here=$(cd "$(dirname "$0")" && pwd)
program=$1
shift
command -v node > /dev/null && command -v chromium > /dev/null || { echo "skipped: no node or no chromium"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" -q -o "html:$work/page.html" "$@" || exit 1
node "$here/html-sizes.mjs" "$work/page.html" chromium || exit 1
command -v firefox-esr > /dev/null || { echo "no firefox-esr: not tried"; exit 0; }
node "$here/html-sizes.mjs" "$work/page.html" firefox
