#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: agree.sh BASE READERS
# The outputs of one run are compared: what a reader finds in BASE.pftrace, ... must be the items of BASE.txt, the text
# output, each with its time, duration, row, lane, marks and attributes. READERS is the folder of the reader programs. A
# format without a file is passed over.
set -u
export LC_ALL=C ASAN_OPTIONS=detect_leaks=0 # the readers end without freeing
base=$1 readers=$2

fail()
{
	echo "agree: $*" >&2
	exit 1
}

grep -v '^#' "$base.txt" | sort > "$base.items"

# same FORMAT: standard input has the same lines as the text output, in any order
same()
{
	sort > "$base.$1.items"
	cmp -s "$base.items" "$base.$1.items" && return
	diff "$base.items" "$base.$1.items" | grep '^[<>]' | head -n 20 >&2
	fail "$1 (>) differs from the text output (<)"
}

# read_with FORMAT PROGRAM...
read_with()
{
	local format=$1
	shift
	"$@" > "$base.$format.read" || fail "$1 refuses the file"
	same "$format" < "$base.$format.read"
}

if [[ -e $base.pftrace ]]; then
	read_with perfetto "$readers/perfetto-check" "$base.pftrace"
fi
if [[ -e $base.html ]] && command -v node > /dev/null; then
	read_with html node "${BASH_SOURCE%/*}/html-text.mjs" "$base.html"
fi
echo "$(wc -l < "$base.items") items agree"
