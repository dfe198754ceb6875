#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: agree.sh BASE READERS
# The outputs of one run are compared: what a reader finds in BASE.pftrace, BASE.html, BASE.jsonl ... must be
# the items of BASE.txt, the text output, each with its time, duration, row, lane, marks and attributes. READERS is the
# folder of the reader programs. A format without a file, or whose reader could not be built, is passed over. The table in
# docs/formats/outputs.md says which items of each format are compared.
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
	[[ $format == perfetto || $format == html || $format == otf2 ]] && loose=0
	shift
	[[ -x $1 ]] || return 0
	"$@" > "$base.read" || fail "${1##*/} refuses the file"
	canonical $loose < "$base.read" > "$base.got"
	expected "$format" item | canonical $loose > "$base.want"
	compare "$format"
}

# same_counts FORMAT READER ARGUMENT...: the reader prints KIND ROW "CATEGORY" TIME [DURATION]; of an arrow from both rows.
# Items of one kind, category and duration are counted. SLOG2 adds the title of the type to a category whose name is not
# unique. Both formats draw gaps as spans "lost".
same_counts()
{
	local format=$1
	shift
	[[ -x $1 ]] || return 1
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
	}' "$base.read" | sort | uniq -c > "$base.got"
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
	}' | sort | uniq -c > "$base.want"
	compare "$format"
}

# sums: number and total duration of each category on each row, from lines KIND<tab>ROW<tab>CATEGORY<tab>DURATION
sums()
{
	awk -F '\t' '{
		key = $1 " " $2 " " $3
		n[key]++
		sum[key] += $4
	}
	END {
		for (key in n)
			printf "%s %d %.0f\n", key, n[key], sum[key]
	}' | sort
}

# text_rows: spans and points of the text output as such lines
text_rows()
{
	awk "$(cat "$here/text-items.awk")"'kind == "span" || kind == "point" {
		printf "%s\t%s\t%s\t%s\n", kind, path, cat, kind == "span" ? dur : "" }'
}

# paje_rows: the same from KIND CONTAINERS "CATEGORY" TIME [DURATION]. With the option "paths" the last container is "NAME of PATH ABOVE", and below it
# there may be "lane N of ..." What of it is a name shows by the rows of the text output, $base.want.rows.
paje_rows()
{
	awk -v rows="$base.want.rows" '
	BEGIN { while ((getline line < rows) > 0) known[line] }
	function row_of(path,    above, name, left, at, i) {
		sub(/\/lane [0-9]+ of .*$/, "", path)
		for (at = 1; (i = index(substr(path, at), " of ")); ) {
			at += i + 3
			above = substr(path, at)
			left = substr(path, 1, at - 5)
			for (i = length(left); i > 0; i--)
				if (substr(left, i, 1) == "/" && (name = above "/" substr(left, i + 1)) in known)
					return name
		}
		for (i = 1; i <= length(path); i++)
			if ((i == 1 || substr(path, i - 1, 1) == "/") && substr(path, i) in known)
				return substr(path, i)
		return path
	}
	/^span .* "lost" [0-9]+ [0-9]+$/ { next }
	$1 == "span" || $1 == "point" {
		match($0, /"([^"\\]|\\.)*"( [0-9]+)+$/)
		category = substr($0, RSTART + 1)
		path = substr($0, length($1) + 2, RSTART - length($1) - 3)
		sub(/"( [0-9]+)+$/, "", category)
		if (!(path in row))
			row[path] = row_of(path)
		printf "%s\t%s\t%s\t%s\n", $1, row[path], category, $1 == "span" ? $NF : ""
	}'
}

# slog2_rows: the same from KIND "ROW" lane=N "CATEGORY" TIME [DURATION]. A category whose name is not unique has the title of
# its type behind it. The columns below a row are empty, which leaves slashes at the end of its path.
slog2_rows()
{
	awk -v rows="$base.want.rows" '
	BEGIN { while ((getline line < rows) > 0) known[line] }
	/^span .* "lost" [0-9]+ [0-9]+$/ { next }
	$1 == "span" || $1 == "point" {
		match($0, / lane=[0-9]+ "([^"\\]|\\.)*"( [0-9]+)+$/)
		path = substr($0, length($1) + 3, RSTART - length($1) - 4)
		while (!(path in known) && sub(/\/$/, "", path))
			;
		category = substr($0, RSTART + 1)
		sub(/^lane=[0-9]+ "/, "", category)
		sub(/"( [0-9]+)+$/, "", category)
		sub(/ \([^()]*\)$/, "", category)
		printf "%s\t%s\t%s\t%s\n", $1, path, category, $1 == "span" ? $NF : ""
	}'
}

# same_rows FORMAT: the same on every row, from what the reader has printed; FORMAT_rows knows its lines. In Pajé some
# characters are replaced: then rows are not compared.
same_rows()
{
	local format=$1
	[[ -s $base.read ]] || return 0
	text_rows < "$base.txt" > "$base.want.items"
	cut -f2 "$base.want.items" | sort -u > "$base.want.rows"
	grep -q '["\\,]' "$base.want.rows" && return
	sums < "$base.want.items" > "$base.want"
	"${format}_rows" < "$base.read" | sums > "$base.got"
	compare "rows of $format"
}

[[ -e $base.pftrace ]] && same perfetto "$readers/perfetto-check" "$base.pftrace"
[[ -e $base.jsonl ]] && same jsonl "$readers/lines-check" json "$base.jsonl"
[[ -e $base.csv ]] && same csv "$readers/lines-check" csv "$base.csv"
[[ -e $base.sqlite ]] && same sqlite "$readers/sqlite-check" "$base.sqlite"
[[ -e $base-otf2 ]] && same otf2 "$readers/otf2-check" "$base-otf2"
if [[ -e $base.html ]] && node=$(command -v node); then
	same html "$node" "$here/html-text.mjs" "$base.html"
fi
[[ -e $base.paje ]] && same_counts paje "$readers/paje-check" --dump "$base.paje" && same_rows paje
[[ -e $base.slog2 ]] && same_counts slog2 "$readers/slog2-check" --dump --rows "$base.slog2.rows.tsv" "$base.slog2" && same_rows slog2
echo "$(grep -vc '^#' "$base.txt") items agree in $compared"
