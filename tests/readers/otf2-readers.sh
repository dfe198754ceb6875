#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: otf2-readers.sh ANALYZE FILE...
# otf2-print reads an archive of a recording without a complaint, and finds as many states of as long a time as the text output
# has, by row and category; ViTE opens it. Exit 77 (skipped) if there is no reader, or if the program has no such output.
set -u
export LC_ALL=C
analyze=$1
shift
"$analyze" --formats | grep -q '^otf2' || exit 77
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
found=

fail()
{
	echo "$*" >&2
	exit 1
}

# The archive first, so that other outputs of the run cannot help it.
"$analyze" -q -o "otf2:$dir/a" -o "text:$dir/a.txt" "$@" || exit 1
"$analyze" -q -o "otf2:$dir/b" "$@" && diff -r "$dir/a" "$dir/b" || fail "the same input gives other bytes"

if command -v otf2-print > /dev/null; then
	found=yes
	{ otf2-print -G "$dir/a/traces.otf2" && otf2-print "$dir/a/traces.otf2"; } > "$dir/print" 2> "$dir/err" ||
		fail "otf2-print refuses the archive: $(cat "$dir/err")"
	[[ -s $dir/err ]] && fail "otf2-print: $(head -n 5 "$dir/err")"
	# kind, row, category: number, and the sum of durations. Names in otf2-print's lines are in quotes, with their numbers.
	awk '
	function name(text) { sub(/^[^"]*"/, "", text); sub(/" <[0-9]+>.*/, "", text); return text }
	function number(text) { sub(/^[^<]*</, "", text); return text + 0 }
	$1 == "LOCATION_PROPERTY" {
		where = $0
		sub(/.*Location: "/, "", where)
		sub(/, Name: .*/, "", where)
		id = where
		sub(/.*</, "", id)
		value = $0
		sub(/.*Value: /, "", value)
		if ($0 ~ /, Name: "row" </) row[id + 0] = name(value)
		if ($0 ~ /, Name: "type" </) states[id + 0] = 1
	}
	$1 == "ENTER" { depth[$2]++; begin[$2, depth[$2]] = $3 }
	$1 == "LEAVE" {
		text = $0
		sub(/.*Region: /, "", text)
		key = (name(text) == "not observed" && !states[$2] ? "gap" : states[$2] ? "span" : "point") "\t" row[$2] "\t" name(text)
		n[key]++
		sum[key] += $3 - begin[$2, depth[$2]--]
	}
	$1 == "METRIC" { n["sample\t" row[$2] "\t"]++ }
	END { for (key in n) printf "%s\t%d\t%.0f\n", key, n[key], sum[key] }' "$dir/print" | sort > "$dir/got"
	awk "$(cat "${0%/*}/text-items.awk")"'
		kind == "link" { next } # they have no place in OTF2 (docs/formats/otf2.md)
		{ key = kind "\t" path "\t" cat; n[key]++; sum[key] += dur }
		END { for (key in n) printf "%s\t%d\t%.0f\n", key, n[key], sum[key] }' "$dir/a.txt" | sort > "$dir/want"
	[[ -s $dir/want ]] || fail "the text output has no items"
	diff "$dir/want" "$dir/got" > "$dir/diff" || fail "text (<) and otf2-print (>) differ: $(head -n 10 "$dir/diff")"
fi
if [[ $(dpkg-query -W -f '${Version}' vite 2> /dev/null) == 1.4* ]]; then
	echo 'ViTE 1.4 never ends when it reads OTF2, not even a recording of one lock: not asked'
elif command -v vite > /dev/null; then
	found=yes
	cd "$dir" || exit 1
	said=$(QT_QPA_PLATFORM=offscreen vite a/traces.otf2 -e a.svg 2>&1)
	grep -q '0 errors and 0 warnings' <<< "$said" || fail "ViTE: $said"
	grep -q '\[OTF2\]' <<< "$said" && fail "ViTE: $said"
	grep -q '<rect' a.svg || fail "ViTE drew no states"
fi
[[ -n $found ]] || exit 77
echo "$(wc -l < "$dir/want" 2> /dev/null) kinds of items agree"
