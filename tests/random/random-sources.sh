#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Random machines with several recordings of several sources each: every thread has one row, on which all that was planned stands at its time
# of the common clock, every message has its arrow, and there is nothing else.
# usage: random-sources.sh ANALYZE RUNS [FIRST_SEED]
. "$(dirname "$0")/random-lib.sh"
shopt -s nullglob
analyze=$(readlink -f "$1") left=$2 seed=${3:-1}

for ((n = 0; n < left; n++, seed++)); do
	rm -f "$dir"/*.{txt,log,lines} "$dir/wanted"
	awk -v seed="$seed" -v folder="$dir" -f "$here/sources.awk"
	for lines in "$dir"/*.lines; do
		if [[ $lines == *.log.lines ]]; then
			sort -s -k1,1n "$lines" | cut -d ' ' -f 2- > "${lines%.lines}"
		else
			sort -s -k1,1n "$lines" >> "${lines%.lines}"
		fi
	done
	read -ra args < "$dir/arguments"
	"$analyze" -q --index off -m fileio -m "$here/sources.model" -o "text:$dir/text" "${args[@]}" "$dir"/*.{txt,log} 2> "$dir/messages" ||
		fail "exit status $?" "$dir/messages"
	sort "$dir/wanted" > "$dir/sorted"
	sed -nE 's/^([0-9]+ (span "[^"]*" (io|step) "[^"]*" [0-9]+|link "[^"]*" message "[^"]*" [0-9]+ "[^"]*")).*/\1/p' "$dir/text" | sort > "$dir/found"
	same 'spans and arrows' "$dir/sorted" "$dir/found"
	cat "$dir/wanted" >> "$dir/all"
done
awk -v n="$left" '{ seen[$2]++ } END { print n " runs: " seen["span"] " spans, " seen["link"] " arrows" }' "$dir/all"
