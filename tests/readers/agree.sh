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

# How items of each kind are compared in each format, by the table of the documentation: cell[FORMAT KIND].
declare -A cell
while read -r format kind how; do
	cell[$format $kind]=$how
done < <(awk -F ' *[|] *' '
	/^[|]/ && !columns { columns = NF - 1; for (i = 3; i <= columns; i++) format[i] = $i; next }
	columns && $2 ~ /^(span|point|sample|gap|link)$/ && !seen[$2]++ { for (i = 3; i <= columns; i++) print format[i], $2, $i }' "$table")

# expected FORMAT HOW: those lines of the text output that are compared so
expected()
{
	local kind kinds=
	for kind in span point sample gap link; do
		[[ ${cell[$1 $kind]:-} == "$2" ]] && kinds+=" $kind"
	done
	[[ $kinds ]] || fail "$table has no kind of items that $1 has as $2"
	awk -v kinds="$kinds " -v format="$1" '
		index(kinds, " " $2 " ") {
			if ($2 == "sample" && format ~ /^(sqlite|perfetto|otf2|paje)$/)
				sub(/ flags=[a-z,]+$/, "")
			print
		}' "$base.txt"
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

# late_attributes: TYPE NAME of the attributes that are known at the end of a span only, from the models
late_attributes()
{
	cat "$here"/../../events/models/*.model | awk '
	/^\[/ { type = $1 == "[values" ? substr($2, 1, length($2) - 1) : "" }
	/^\[/ { compared = $1 == "[compatible" }
	compared && /^values *=/ { print $3, "leaving" }
	type { print type, "stolen"; print type, "stolen_unknown" }
	type && /^attrs *=/ { for (i = 3; i <= NF; i++) if (split($i, part, ":") == 3) print type, part[1] }'
}

# drawn FORMAT: lines of the text output as SLOG2 or Pajé draw them, by the table of differences: times begin at 0, the names of
# types are not in the file.
drawn()
{
	[[ -e $base.late ]] || late_attributes > "$base.late"
	awk -v format="$1" -v late_file="$base.late" '
	# what two quotes enclose in the text output
	function unquoted(word) {
		word = substr(word, 2, length(word) - 2)
		gsub(/\\\\/, "\001", word)
		gsub(/\\"/, "\"", word)
		gsub(/\001/, "\\", word)
		return word
	}
	function quoted(text) {
		gsub(/\\/, "&&", text)
		gsub(/"/, "\\\\&", text)
		return "\"" text "\""
	}
	# Pajé has no escapes, and no empty words
	function replaced(word) {
		word = unquoted(word)
		gsub(/"/, "\047", word)
		gsub(/,/, ";", word)
		return quoted(word)
	}
	# SLOG2 has no unsigned numbers of 64 bits: x - 2^64
	function as_signed(x,    high, low) {
		high = substr(x, 1, length(x) - 10) - 1844674407
		low = substr(x, length(x) - 9) - 3709551616
		if (low > 0) {
			low -= 10000000000
			high++
		}
		return high ? sprintf("-%d%010d", -high, -low) : sprintf("%d", low)
	}
	function too_big(x) {
		return x ~ /^[0-9]+$/ && (length(x) > 19 || (length(x) == 19 && ("x" x) > "x9223372036854775807"))
	}
	function next_word(    word) {
		match(rest, /^([^" ]|"([^"\\]|\\.)*")+/)
		word = substr(rest, 1, RLENGTH)
		rest = substr(rest, RLENGTH + 2)
		return word
	}
	# after the first line; times of day have more digits than numbers of awk
	function relative(t) {
		t = substr("0000000000", 1, length(t) < 10 ? 10 - length(t) : 0) t
		if (NR == 1)
			base = t
		return (substr(t, 1, length(t) - 9) - substr(base, 1, length(base) - 9)) * 1000000000 + \
			substr(t, length(t) - 8) - substr(base, length(base) - 8)
	}
	BEGIN {
		CONVFMT = "%.0f" # times are keys
		while ((getline line < late_file) > 0) {
			split(line, part, " ")
			late[part[1], part[2]]
		}
	}
	{
		rest = $0
		time[NR] = relative(next_word())
		kind = next_word()
		row = next_word()
		type = next_word()
		body = category = duration = to = ""
		if (kind != "sample")
			category = next_word()
		if (format == "paje") {
			row = replaced(row)
			category = category == "" ? "" : replaced(category)
		}
		if (kind == "span" || kind == "link" || kind == "gap")
			duration = next_word()
		if (kind == "link")
			to = next_word()
		lane = attrs = last = ""
		while (rest != "") {
			word = next_word()
			name = value = word
			sub(/=.*/, "", name)
			sub(/^[^=]*=/, "", value)
			if (name ~ /^lane/ && value !~ /"/)
				lane = lane " " word
			else if (name == "flags" && value !~ /^"/ && format == "paje") {
				attrs = attrs (kind == "link" && value ~ /backwards/ ? " flags=backwards" : "")
				last = kind == "span" && value ~ /leaving/ ? " leaving=\"yes\"" : ""
			}
			else if (format == "paje" && (kind == "span" && (type, name) in late || value == "\"-\""))
				continue
			else if (format == "paje" && value ~ /^"/)
				attrs = attrs " " name "=" replaced(value)
			else if (format == "slog2" && kind != "gap" && too_big(value))
				attrs = attrs " " name "=" as_signed(value)
			else
				attrs = attrs " " word
		}
		# a state that is equal to another one begins 1 ns later
		if (format == "slog2" && kind == "span")
			while (duration > 0 && ((row, lane, category, time[NR], duration) in seen)) {
				time[NR]++
				duration--
			}
		seen[row, lane, category, time[NR], duration]
		if (type != "-")
			type = "*"
		line = kind " " row " " type
		if (category != "") line = line " " category
		if (duration != "") line = line " " duration
		if (to != "") line = line " " (format == "paje" ? replaced(to) : to)
		text[NR] = line lane attrs last
		if (NR == 1 || time[NR] < first)
			first = time[NR]
	}
	END {
		for (i = 1; i <= NR; i++)
			printf "%.0f %s\n", time[i] - first, text[i]
	}'
}

# from_zero FORMAT: lines of its reader, the first at 0; without gaps, which Pajé draws as states
from_zero()
{
	awk -v format="$1" '
	format == "paje" && / "not observed / && $2 == "span" { next }
	{
		time[++n] = $1 + 0
		sub(/^[0-9]+ /, "")
		text[n] = $0
		if (n == 1 || time[n] < first)
			first = time[n]
	}
	END { for (i = 1; i <= n; i++) printf "%.0f %s\n", time[i] - first, text[i] }'
}

# same_drawn FORMAT READER ARGUMENT...: the same for SLOG2 and Pajé, whose readers print "*" for the type
same_drawn()
{
	local format=$1
	shift
	[[ -x $1 ]] || return 0
	"$@" > "$base.read" || fail "${1##*/} refuses the file"
	from_zero "$format" < "$base.read" | canonical 0 > "$base.got"
	expected "$format" item | grep -vE '^[0-9]+ link .* flags=[a-z,-]*-unseen' | drawn "$format" | canonical 0 > "$base.want"
	compare "$format"
}

# shared_types: types of which several models have one. One may repeat the calls of another, which are then counted once, and
# the text output does not tell the two apart.
shared_types()
{
	cat "$here"/../../events/models/*.model | sed -n 's/^\[values \(.*\)\]/"\1"/p' | sort | uniq -d
}

# same_report: the tables "results" and "diagnostics" of the report as JSON have the numbers of the text output: of each kind of
# point, and of each kind of span that is a call, count and failures; and all counters
same_report()
{
	awk '
	function value(name,    text) {
		if (!match($0, "[{,]\"" name "\":(\"([^\"\\\\]|\\\\.)*\"|[^,}]*)"))
			return ""
		text = substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 4)
		return text
	}
	/^"[a-z_]+":\{/ { table = substr($0, 2, index($0, "\":") - 2); next }
	table == "results" && /^\{/ {
		key = value("type") "|" value("category")
		count[key] += value("count")
		failed[key] += value("failed")
	}
	table == "diagnostics" && /^\{/ { print "diag|" value("counter") "|" value("count") }
	END { for (key in count) print key "|" count[key] "|" failed[key] + 0 }' "$base.json" | sort > "$base.got"
	sed -n 's/^# diag \([a-z_]*\) \(.*\)/diag|"\1"|\2/p' "$base.txt" > "$base.want"
	shared_types > "$base.shared"
	awk -v got="$base.got" -v shared="$base.shared" "$(cat "$here/text-items.awk")"'
	kind == "point" || kind == "span" {
		key = "\"" type "\"|\"" cat "\""
		count[kind, key]++
		failed[kind, key] += flags ~ /failed/
		if (kind == "point")
			known[key]
		else
			call[key]
	}
	END {
		while ((getline line < shared) > 0)
			is_shared[line]
		while ((getline line < got) > 0) {
			split(line, part, "|")
			key = part[1] "|" part[2]
			if (!(key in call) || key in known)
				continue
			if (part[1] in is_shared && count["span", key] > part[3])
				print line
			else
				print key "|" count["span", key] "|" failed["span", key]
		}
		for (key in known)
			print key "|" count["point", key] "|" failed["point", key]
	}' "$base.txt" >> "$base.want"
	sort -o "$base.want" "$base.want"
	compare "the report as JSON"
}

[[ -e $base.json ]] && same_report
[[ -e $base.pftrace ]] && same perfetto "$readers/perfetto-check" "$base.pftrace"
[[ -e $base.jsonl ]] && same jsonl "$readers/lines-check" json "$base.jsonl"
[[ -e $base.csv ]] && same csv "$readers/lines-check" csv "$base.csv"
[[ -e $base.sqlite ]] && same sqlite "$readers/sqlite-check" "$base.sqlite"
[[ -e $base-otf2 ]] && same otf2 "$readers/otf2-check" "$base-otf2"
if [[ -e $base.html ]] && node=$(command -v node); then
	same html "$node" "$here/html-text.mjs" "$base.html"
fi
[[ -e $base.paje ]] && same_drawn paje "$readers/paje-check" --items "$base.paje"
[[ -e $base.slog2 ]] && same_drawn slog2 "$readers/slog2-check" --items --rows "$base.slog2.rows.tsv" "$base.slog2"
echo "$(grep -vc '^#' "$base.txt") items agree in $compared"
