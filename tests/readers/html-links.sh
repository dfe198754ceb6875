#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Links of a recording on the page in Chromium, and in Firefox if it is installed, without a display.
# usage: html-links.sh PROGRAM RECORDING...
here=$(cd "$(dirname "$0")" && pwd)
program=$1
shift
command -v node > /dev/null && command -v chromium > /dev/null || { echo "skipped: no node or no chromium"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" -q --lockspace test,gfs -o "html:$work/page.html" -o "text:$work/text" "$@" || exit 1
node "$here/html-links.mjs" "$work/page.html" "$work/text" chromium || exit 1
command -v firefox-esr > /dev/null || { echo "no firefox-esr: not tried"; exit 0; }
node "$here/html-links.mjs" "$work/page.html" "$work/text" firefox
