#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: agree.sh BASE READERS
# The outputs of one run are compared: what a reader finds in BASE.pftrace, BASE.html, BASE.jsonl ... must be
# the items of BASE.txt, the text output, each with its time, duration, row, lane, marks and attributes. READERS is the
# folder of the reader programs. A format without a file, or whose reader could not be built, is passed over. What is compared
# in which format is the table in docs/formats/outputs.md.
set -u
export LC_ALL=C ASAN_OPTIONS=detect_leaks=0 # the readers end without freeing
base=$1 readers=$2
here=$(cd "${BASH_SOURCE%/*}" && pwd)
table=$here/../../docs/formats/outputs.md
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
	!/^#/ {
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

# cell FORMAT KIND: how items of that kind are compared, by the table of the documentation
cell()
{
	awk -F ' *[|] *' -v format="$1" -v kind="$2" '
	/^[|]/ && !column { for (i = 3; i < NF; i++) if ($i == format) column = i }
	column && $2 == kind { print $column; exit }' "$table"
}

# expected FORMAT HOW: those lines of the text output that are compared so
expected()
{
	local kind kinds=
	for kind in span point sample gap link; do
		[[ $(cell "$1" $kind) == "$2" ]] && kinds+=" $kind"
	done
	[[ $kinds ]] || fail "$table has no kind of items that $1 has as $2"
	awk -v kinds="$kinds " 'index(kinds, " " $2 " ")' "$base.txt"
}

# compare FORMAT: the lines of $base.got are those of $base.want
compare()
{
	if ! cmp -s "$base.want" "$base.got"; then
		diff "$base.want" "$base.got" | grep '^[<>]' | head -n 20 >&2
		fail "$1 (>) differs from the text output (<)"
	fi
	compared+=", $1"
}

# same FORMAT READER ARGUMENT...: the reader prints the lines of the text output, in any order
same()
{
	local format=$1 loose=1
	[[ $format == perfetto || $format == html ]] && loose=0
	shift
	[[ -x $1 ]] || return 0
	"$@" > "$base.read" || fail "${1##*/} refuses the file"
	canonical $loose < "$base.read" > "$base.got"
	expected "$format" item | canonical $loose > "$base.want"
	compare "$format"
}

# sums: number and total duration of each category, from lines KIND "CATEGORY" [DURATION]
sums()
{
	awk -F '"' '{
		kind = $1
		n[kind $2]++
		sum[kind $2] += $3
	}
	END {
		for (k in n)
			printf "%s %d %.0f\n", k, n[k], sum[k]
	}' | sort
}

# same_sums FORMAT READER ARGUMENT...: the reader prints KIND ROW "CATEGORY" TIME [DURATION]; of an arrow from both rows. SLOG2 adds the title of the type
# to a category whose name is not unique. Both formats draw gaps as spans "lost".
same_sums()
{
	local format=$1
	shift
	[[ -x $1 ]] || return 0
	"$@" > "$base.read" || fail "${1##*/} refuses the file"
	awk '/^span .* "lost" [0-9]+ [0-9]+$/ { next }
	$1 == "arrow" { $1 = "link" }
	$1 == "span" || $1 == "point" || $1 == "link" {
		times = $1 == "point" ? 1 : 2
		duration = $1 == "point" ? "" : $NF
		match($0, /"([^"\\]|\\.)*"( -?[0-9]+)+$/)
		category = substr($0, RSTART)
		for (; times; times--)
			sub(/ -?[0-9]+$/, "", category)
		sub(/ \([^()]*\)"$/, "\"", category)
		print $1, category, duration
	}' "$base.read" | sums > "$base.got"
	expected "$format" sum | awk '{
		duration = ""
		match($0, /^[0-9]+ [a-z]+ "([^"\\]|\\.)*" [^ ]+ /)
		rest = substr($0, RLENGTH + 1)
		match(rest, /^"([^"\\]|\\.)*"/)
		category = substr(rest, 1, RLENGTH)
		if ($2 == "span" || $2 == "link") {
			split(substr(rest, RLENGTH + 2), word, " ")
			duration = word[1]
			if ($2 == "link" && rest ~ / flags=[^ ]*backwards/)
				duration = -duration
		}
		print $2, category, duration
	}' | sums > "$base.want"
	compare "$format"
}

[[ -e $base.pftrace ]] && same perfetto "$readers/perfetto-check" "$base.pftrace"
[[ -e $base.jsonl ]] && same jsonl "$readers/lines-check" json "$base.jsonl"
[[ -e $base.csv ]] && same csv "$readers/lines-check" csv "$base.csv"
[[ -e $base.sqlite ]] && same sqlite "$readers/sqlite-check" "$base.sqlite"
if [[ -e $base.html ]] && node=$(command -v node); then
	same html "$node" "$here/html-text.mjs" "$base.html"
fi
[[ -e $base.paje ]] && same_sums paje "$readers/paje-check" --dump "$base.paje"
[[ -e $base.slog2 ]] && same_sums slog2 "$readers/slog2-check" --dump "$base.slog2"
echo "$(grep -vc '^#' "$base.txt") items agree in $compared"
