#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Random operations with a delay planted in one of nine places. The table "operations" has each of the seven parts within 1 % and the error of
# the clocks, without such an error to the nanosecond. The call that asked was runnable for as long as the plan says; how long it slept on after the
# answer, which no event explains, is not explained.
# usage: random-operations.sh ANALYZE RECORDINGS [FIRST_SEED]
. "$(dirname "$0")/random-lib.sh"
analyze=$(readlink -f "$1") left=$2 seed=${3:-1}

for ((n = 0; n < left; n++, seed++)); do
	rm -f "$dir"/*.txt "$dir"/{truth,json}
	bound=$((seed % 2 * 500))
	awk -v seed="$seed" -v bound=$bound -v truth="$dir/truth" -f "$here/operations.awk" | sort -s -k1,1 -k2,2n | awk -v dir="$dir" -v bound=$bound '
		{ file = dir "/" $1 ".txt"; node = $1; $1 = "" }
		!(node in seen) { seen[node]; print "iotrace-text 1\nhostname " node "\nsync yes\nerror " (node == "server" ? bound : 0) > file }
		{ print substr($0, 2) > file }'
	"$analyze" -q --index off -m nfs -m nfsd -m fileio -m filelock -m block -m sched --derive accounts \
		-o "text:$dir/text" -o "report,json:$dir/json" "$dir"/*.txt
	awk -v bound=$bound '
	function value(name) { return match($0, "\"" name "\":(\"[^\"]*\"|[0-9]+)") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : "null" }
	BEGIN { split("client client_queue network server_queue lock server disk", part, " ") }
	FNR == NR { for (i = 1; i <= 7; i++) wanted[$1, i] = $(i + 1); planted[$1] = $9; delay[$1] = $10; woken[$11, $12] = $13; runs[$11, $12] = $14; next }
	/^"/ { table = $0; sub(/^"/, "", table); sub(/".*/, "", table) }
	table == "operations" && /^\{/ {
		name = value("operation"); gsub(/"/, "", name)
		found++
		for (i = 1; i <= 7; i++) {
			got = value(part[i]); limit = bound ? wanted[name, i] / 100 + 2 * bound : 0
			if (got - wanted[name, i] > limit || wanted[name, i] - got > limit)
				print name, part[i], got, "instead of", wanted[name, i], "planted:", planted[name], delay[name]
		}
		if (value("rest") != 0) print name, "not explained:", value("rest")
	}
	/ point "0:5:8\/client.* of="read" / {
		match($0, /client[0-9]+/); node = substr($0, RSTART, RLENGTH); match($0, / part=[0-9]+/); ns = substr($0, RSTART + 6, RLENGTH - 6) + 0
		if (/part "runnable"/) { if (ns != runs[node, $1]) print $1, "runnable for", ns, "instead of", runs[node, $1]; calls++ }
		if (/part "unexplained"/ && ns != woken[node, $1]) print $1, "not explained:", ns, "instead of", woken[node, $1]
	}
	END { for (name in planted) n++; if (found != n || calls != n) print found + 0 " operations, " calls + 0 " calls instead of " n }' "$dir/truth" "$dir/json" "$dir/text" > "$dir/wrong"
	[[ ! -s $dir/wrong ]] || fail "the parts of operations differ from the plan" "$dir/wrong"
	cat "$dir/truth" >> "$dir/all"
done
awk -v n="$left" '{ planted[$9]++ } END { printf "%s recordings: %d operations, planted in", n, NR; for (i in planted) printf " %s %d", i, planted[i]; print "" }' "$dir/all"
