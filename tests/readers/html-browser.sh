#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The page of some recordings in Chromium, and in Firefox if it is installed, without a display.
# usage: html-browser.sh PROGRAM RECORDING...
here=$(cd "$(dirname "$0")" && pwd)
program=$1
shift
command -v node > /dev/null && command -v chromium > /dev/null || { echo "skipped: no node or no chromium"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" -q -o "html:$work/page.html" -o "text:$work/text" "$@" &&
	"$program" -q --derive accounts -o "text:$work/parts" "$@" &&
	"$program" -q at 100 "$@" > "$work/at" || exit 1
node "$here/html-browser.mjs" "$work/page.html" "$work/text" "$work/parts" "$work/at" || exit 1
command -v firefox-esr > /dev/null || { echo "no firefox-esr: not tried"; exit 0; }
node "$here/html-firefox.mjs" "$work/page.html" "$work/text"
