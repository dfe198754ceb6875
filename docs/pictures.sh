#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the pictures of the page that README.md and docs/ show, from the example recordings: so none is older than the page.
# It needs node, chromium and pngquant, and for ViTE vite, xvfb and imagemagick.
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

# vite NAME OPTION...: docs/NAME.png, the window of ViTE when two looks at it show the same
vite_picture()
{
	local name=$1
	shift
	"$program" -q --index off "$@" -o "paje:$work/$name.paje" "$docs/../examples/dlm"
	xvfb-run -a -s "-screen 0 1060x628x24" bash -c '
		vite "$1.paje" > /dev/null 2>&1 &
		for ((i = 0; i < 60; i++)); do
			sleep 1
			import -window root "$1.png"
			# an empty screen has one colour, the window without rows some
			(($(identify -format %k "$1.png") > 200)) && cmp -s "$1.png" "$1-before.png" && break
			cp "$1.png" "$1-before.png"
		done
		kill $!' bash "$work/$name"
	pngquant --force --strip --output "$docs/$name.png" 64 "$work/$name.png"
}

vite_picture picture --lockspace test,gfs --top 3 --from 99 --to 101
picture overview dlm
picture lock dlm wait
picture call fileio call
picture nfs nfs call
