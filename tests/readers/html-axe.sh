#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The page as axe-core sees it, which npm brings. Exit 77: there is no npm, no Chromium, or no way to the registry.
# usage: html-axe.sh PROGRAM FOLDER RECORDING...
here=$(cd "$(dirname "$0")" && pwd)
program=$1 folder=$2
shift 2
command -v npm > /dev/null && command -v chromium > /dev/null || { echo "skipped: no npm or no chromium"; exit 77; }
axe=$folder/node_modules/axe-core/axe.min.js
[[ -f $axe ]] || npm install --silent --no-audit --no-fund --prefix "$folder" axe-core@4.14.1 > /dev/null 2>&1
[[ -f $axe ]] || { echo "skipped: npm brings no axe-core 4.14.1"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" -q --index off -o "html:$work/page.html" "$@" || exit 1
node "$here/html-axe.mjs" "$work/page.html" "$axe"
