#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A page that must be small: it keeps to its size, rows that wait most keep all items, and on every row numbers and times of
# each kind are still those of the text output.
# usage: html-max.sh PROGRAM RECORDING...
set -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$1
shift
command -v node > /dev/null || { echo "skipped: no node"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "FAILED: $*"
	exit 1
}

# number and time of each kind on each row, and number and last value of each counter, of lines of the text output
sums()
{
	awk '
	$2 == "span" || $2 == "point" || $2 == "sample" {
		line = $0
		if ($2 == "sample")
			match(line, /"([^"\\]|\\.)*" [^ ]+/)
		else
			match(line, /"([^"\\]|\\.)*" [^ ]+ "([^"\\]|\\.)*"/)
		key = $2 " " substr(line, RSTART, RLENGTH)
		rest = substr(line, RSTART + RLENGTH + 1)
		split(rest, words, " ")
		n[key] += match(rest, /merged=[0-9]+/) ? substr(rest, RSTART + 7, RLENGTH - 7) : 1
		if ($2 == "span")
			ns[key] += words[1]
		if ($2 == "sample")
			ns[key] = words[1]
	}
	END {
		for (key in n)
			printf "%s %d %.0f\n", key, n[key], ns[key]
	}' "$1" | LC_ALL=C sort
}

"$program" -q -o "html,max=0:$work/all.html" -o "text:$work/text" "$@" || exit 1
sums "$work/text" > "$work/said"
all=$(wc -c < "$work/all.html")
page=$("$program" -q --from 0 --to 1ns -o html:- "$@" | wc -c)
for percent in 70 40 15; do
	max=$((page + (all - page) * percent / 100))
	"$program" -q --threads 1 -o "html,max=$max:$work/small.html" "$@" || exit 1
	"$program" -q --threads 4 --memory 64K -o "html,max=$max:$work/again.html" "$@" || exit 1
	cmp "$work/small.html" "$work/again.html" || fail "threads or memory change the page"
	size=$(wc -c < "$work/small.html")
	((size <= max)) || fail "$size bytes instead of at most $max"
	node "$here/html-text.mjs" "$work/small.html" > "$work/read" || fail "the page cannot be read"
	grep -q ' merged=[0-9]' "$work/read" || fail "nothing was put together"
	sums "$work/read" | diff "$work/said" - | head -n 20 | grep . && fail "sums differ"
	echo "at most $max: $size bytes, $(grep -c ' merged=' "$work/read") of $(wc -l < "$work/read") items are sums"
done

if command -v chromium > /dev/null; then
	max=$((page + (all - page) * 80 / 100))
	"$program" -q -o "html,max=$max:$work/small.html" "$@" && node "$here/html-max.mjs" "$work/small.html" ||
		fail "the page does not say what it leaves out"
fi

# nothing is small enough: the page has only sums, and the run says that it is too large
"$program" --threads 1 -o "html,max=1:$work/small.html" "$@" 2> "$work/messages" || fail "a page that cannot be small enough"
grep -q page_too_large "$work/messages" || fail "a page that is too large, and nobody says so: $(cat "$work/messages")"
node "$here/html-text.mjs" "$work/small.html" > "$work/read" || fail "the page cannot be read"
sums "$work/read" | diff "$work/said" - | head -n 20 | grep . && fail "sums differ"
grep -vq ' merged=' < <(grep -E ' (point|sample) ' "$work/read") && fail "items that could be sums stay"
exit 0
