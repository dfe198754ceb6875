#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The manual pages of the build are complete and readable: all includes are done, no markup is left over, and every option,
# output format and counter of the program is explained.
# usage: cli-pages.sh PROGRAM SOURCE_DIR BUILD_DIR
program=$1 source=$2 pages=$3/docs
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

command -v man > /dev/null || { echo "skipped: no man"; exit 77; }
for text in "$source"/docs/man/*.txt; do
	name=$(basename "$text" .txt)
	[[ -s $pages/$name ]] || { fail "no page $name"; continue; }
	LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -E UTF-8 -l "$pages/$name" > "$work/$name" 2> "$work/err" || fail "man $name: status $?"
	[[ -s $work/err ]] && fail "man $name: $(head -n 3 "$work/err")"
	grep -E 'include::|pass:c|:: |::$|;;$|^ *\.\.\.\.$|\|===' "$work/$name" && fail "markup is left in $name"
	awk '/^\.PP/ && last ~ /^\.S[HS]/ { print FILENAME ":" FNR ": an empty paragraph after " last } { last = $0 }' "$pages/$name" > "$work/err"
	[[ -s $work/err ]] && fail "$(head -n 3 "$work/err")"
	# literal blocks may hold anything; elsewhere each word of the source is a word of the page
	awk '/^\.\.\.\.$/ { inside = !inside; next }
	inside || /^( |\/\/|:|\[|include|\|)/ { next }
	{ gsub(/^=+ |::$|;;$|:: /, " "); gsub(/[*_`]/, ""); gsub(/\\\\/, "\\"); print }' "$text" | grep -Eo '[A-Za-z]{4,}' | sort -u > "$work/words"
	tr -d '_' < "$work/$name" | grep -Eoi '[A-Za-z]{4,}' | sort -u > "$work/shown"
	lost=$(comm -23 <(tr '[:upper:]' '[:lower:]' < "$work/words" | sort -u) <(tr '[:upper:]' '[:lower:]' < "$work/shown" | sort -u))
	[[ -z $lost ]] || fail "words of $name that its page lacks: $(paste -sd ' ' <<< "$lost")"
done

page=$work/iotrace-analyze.1
for option in $("$program" --help | sed -n 's/^ *\(-., \)\{0,1\}--\([a-z-]*\).*/\2/p'); do
	grep -qE -- "^ +(-., )?--$option\b" "$page" || fail "--$option is not in the page"
done
for word in $("$program" --help=man | sed -n 's/^\*pass:c\[\([a-z_]*\)\]\* (.*/\1/p'); do
	grep -q "^ *$word (" "$page" || fail "the counter $word is not in the page"
done
(($(grep -c '' "$page") > 300)) || fail "the page of iotrace-analyze is too short"
# a page for each function, and the pages named in --help
[[ -s $pages/iotrace_open.3 ]] || fail "no page iotrace_open(3)"
for reference in $("$program" --help | sed -n 's/^More: //p' | tr -d ' ' | tr ',' ' '); do
	[[ -s $pages/$(sed 's/(\(.\))/.\1/' <<< "$reference") ]] || fail "--help refers to $reference, which is not there"
done
((failures)) || echo "$(find "$work" -name '*.[1-8]' | wc -l) pages can be read"
exit $((failures > 0))
