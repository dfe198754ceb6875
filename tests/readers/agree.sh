#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: agree.sh BASE READERS
# The outputs of one run are compared: what a reader finds in BASE.pftrace, BASE.html, BASE.jsonl ... must be
# the items of BASE.txt, the text output, each with its time, duration, row, lane, marks and attributes. READERS is the
# folder of the reader programs. A format without a file, or whose reader could not be built, is passed over.
set -u
export LC_ALL=C ASAN_OPTIONS=detect_leaks=0 # the readers end without freeing
base=$1 readers=$2
compared=text

fail()
{
	echo "agree: $*" >&2
	exit 1
}

# canonical LOOSE: lines with their attributes in alphabetical order. If LOOSE is 1, numbers that JSON and SQLite hold as
# texts, hexadecimal ones and those of 2^63 and more, are in quotes.
canonical()
{
	awk -v loose="$1" '
	function too_big(number) {
		return length(number) > 19 || (length(number) == 19 && ("x" number) > "x9223372036854775807")
	}
	{
		rest = $0
		line = ""
		n = 0
		for (words = 1; rest != ""; words++) {
			match(rest, /^([^" ]|"([^"\\]|\\.)*")+/)
			word = substr(rest, 1, RLENGTH)
			rest = substr(rest, RLENGTH + 2)
			if (word !~ /^[^"=]+=/) {
				line = line " " word
				continue
			}
			value = word
			sub(/^[^=]*=/, "", value)
			if (loose && (value ~ /^0x/ || (value ~ /^[0-9]+$/ && word !~ /^lost=/ && too_big(value))))
				word = substr(word, 1, length(word) - length(value)) "\"" value "\""
			for (i = n++; i > 0 && attr[i] > word; i--)
				attr[i + 1] = attr[i]
			attr[i + 1] = word
		}
		for (i = 1; i <= n; i++)
			line = line " " attr[i]
		print line
	}' | sort
}

# same FORMAT READER ARGUMENT...: the reader prints the lines of the text output, in any order
same()
{
	local format=$1 loose=1
	[[ $format == perfetto || $format == html ]] && loose=0
	shift
	[[ -x $1 ]] || return 0
	"$@" > "$base.read" || fail "${1##*/} refuses the file"
	canonical $loose < "$base.read" > "$base.items.$format"
	if ! cmp -s "$base.items.$loose" "$base.items.$format"; then
		diff "$base.items.$loose" "$base.items.$format" | grep '^[<>]' | head -n 20 >&2
		fail "$format (>) differs from the text output (<)"
	fi
	compared+=", $format"
}

for loose in 0 1; do
	grep -v '^#' "$base.txt" | canonical $loose > "$base.items.$loose"
done
[[ -e $base.pftrace ]] && same perfetto "$readers/perfetto-check" "$base.pftrace"
[[ -e $base.jsonl ]] && same jsonl "$readers/lines-check" json "$base.jsonl"
[[ -e $base.csv ]] && same csv "$readers/lines-check" csv "$base.csv"
[[ -e $base.sqlite ]] && same sqlite "$readers/sqlite-check" "$base.sqlite"
if [[ -e $base.html ]] && node=$(command -v node); then
	same html "$node" "${BASH_SOURCE%/*}/html-text.mjs" "$base.html"
fi
echo "$(wc -l < "$base.items.0") items agree in $compared"
