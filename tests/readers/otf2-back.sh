#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: otf2-back.sh ANALYZE FILE...
# An archive that the output otf2 wrote of recordings, read as an input: the same states, points and values of counters, on the same rows and at
# the same times. Exit 77 (skipped) if the program has no such output.
. "${0%/*}/readers-lib.sh"
analyze=$1
shift
"$analyze" --formats | grep '^otf2' | grep -qv 'not in this program' || exit 77

"$analyze" -q --index off -o "otf2:$dir/a" -o "text:$dir/first.txt" "$@" || exit 1
"$analyze" -q --index off -o "text:$dir/back.txt" "$dir/a" || exit 1
grep '^# diag' "$dir/back.txt" && { echo 'otf2-back: the archive is not read without a diagnostic' >&2; exit 1; }

# KIND ROW CATEGORY TIME DURATION or VALUE. A counter has a row below that of its points, and is told when its value is another one.
items="$(cat "$here/text-items.awk")"
awk "$items"'
	kind == "span" || kind == "point" { print kind "\t" path "\t" cat "\t" time "\t" dur + 0 }
	kind == "sample" && value != last[path, type] { last[path, type] = value; print kind "\t" path "/" type "\t\t" time "\t" value }
	kind == "gap" { print "span\t" path "\tnot observed\t" time "\t" dur }' "$dir/first.txt" | sort > "$dir/expected"
awk "$items"'
	{ sub(/^a\//, "", path) }
	kind == "span" || kind == "point" { print kind "\t" path "\t" cat "\t" time "\t" dur + 0 }
	kind == "sample" { print kind "\t" path "\t\t" time "\t" value }' "$dir/back.txt" | sort > "$dir/got"
[[ -s $dir/expected ]] || { echo 'otf2-back: nothing to compare' >&2; exit 1; }
agree 'what is read back'
cut -f1 "$dir/got" | uniq -c | sort -rn

# The folder of the archive, and the file in it that names it, are the same input.
"$analyze" -q --index off -o "text:$dir/file.txt" "$dir/a/traces.otf2" && cmp "$dir/back.txt" "$dir/file.txt" || exit 1
