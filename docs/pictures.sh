#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the pictures of the page that README.md and docs/ show, from the example recordings: so none is older than the page.
# It needs node, chromium and pngquant.
# usage: pictures.sh PROGRAM     the built iotrace-analyze
set -e
docs=$(cd "$(dirname "$0")" && pwd)
program=$(readlink -f "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# picture NAME EXAMPLE [ANSWER]: docs/page-NAME.png, after a click on that answer
picture()
{
	[[ -e $work/$2.html ]] || "$program" -q --index off -o "html:$work/$2.html" "$docs/../examples/$2"
	node "$docs/../tests/readers/html-pictures.mjs" "$work/$2.html" "$work/$1.png" ${3:+"$3"}
	pngquant --force --strip --output "$docs/page-$1.png" 64 "$work/$1.png"
}

picture overview dlm
picture lock dlm wait
picture call fileio call
picture nfs nfs call
