#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Clusters with planted circular waits of 2 to 16 nodes, which end by EDEADLK or last to the end. The report has each of them, with
# its members and instants, and the resources of all members are deadlocked for exactly that long. All other circular waits of the
# report are true: each member waited all the time for a resource on which the next one held an excluding mode, or was ahead. Without
# planted ones the report has true ones only.
# usage: truth-cycles.sh ANALYZE GEN-DAT CLUSTERS [FIRST_SEED]
set -euo pipefail
export LC_ALL=C
here=$(dirname "$(readlink -f "$0")")
analyze=$1 gen=$2 left=$3 seed=${4:-1}
dir=$(mktemp -d "${TMPDIR:-/tmp}/truth.XXXXXX")
trap 'rm -rf "$dir"' EXIT

# fail TEXT - with the lines of $dir/wrong
fail()
{
	echo "FAIL: seed $seed: $1"
	head -n 20 "$dir/wrong"
	exit 1
}

planted=0 others=0 largest=0
for ((n = 0; n < left; n++, seed++)); do
	rm -f "$dir"/*
	guests=$((2 + seed * 7 % 15)) cycles=$((seed % 4 ? 3 + seed % 13 : 0))
	"$gen" --load cluster --text --guests $guests --cpus $((1 + seed % 3)) --resources $((1 + seed % 9)) --tasks $((1 + seed % 4)) \
		--error $((seed % 2 * 1000)) --kernel "6.$((seed % 2 ? 12 : 1))" --events $((guests * 1500)) --cycles $cycles --seed "$seed" \
		--truth "$dir/truth" "$dir/trace"
	"$analyze" -q --index off -m dlm --derive contention -o "text:$dir/text" -o "report,json:$dir/report" "$dir"/trace*.txt

	# "CYCLE CLOSED ENDED NODE PROCESS RESOURCE SINCE HOLDER PROCESS IN-WAY HELD ASKED", instants as in the truth
	begin=$(sed -n 's/.*"begin_ns":"\([0-9]*\)".*/\1/p;q' "$dir/report")
	awk -v begin="$begin" '
	function value(name,    at, rest) {
		at = index($0, "\"" name "\":")
		rest = substr($0, at + length(name) + 3)
		if (sub(/^"/, "", rest))
			sub(/".*/, "", rest)
		else
			sub(/[,}].*/, "", rest)
		return rest
	}
	/^"cycle_members"/ { inside = 1; next }
	inside && /^\{/ {
		resource = value("resource")
		sub(/^0x/, "", resource)
		waiter = value("waiter"); sub(/node /, "", waiter)
		holder = value("holder"); sub(/node /, "", holder)
		process = value("waiting_process"); sub(/pid /, "", process)
		owner = value("holding_process"); sub(/pid /, "", owner)
		printf "%d %.0f %.0f %s %s %s %.0f %s %s %s %s %s\n", value("cycle"), begin + value("closed"), begin + value("ended"), waiter, process,
			resource, begin + value("since"), holder, owner, value("in_way"), value("held"), value("asked")
	}
	inside && /\]\}/ { inside = 0 }' "$dir/report" >"$dir/members"

	# "CLOSED ENDED NODE PROCESS RESOURCE SINCE": names of resources are printable
	awk -F'\t' '
	BEGIN { for (i = 32; i < 127; i++) text[sprintf("%02x", i)] = sprintf("%c", i) }
	function name(hex,    i, out) { for (i = 1; i < length(hex); i += 2) out = out text[substr(hex, i, 2)]; return out }
	FNR == NR { if ($1 == "end") end = $2; next }
	$1 == "cycle" { print $9, $10 ? $10 : end, $3, $4, $5 "/" name($6), $8 }' "$dir/truth" "$dir/truth" | sort >"$dir/expected"
	awk '$5 >= 5000 { print $2, $3, $4, $5, $6, $7 }' "$dir/members" | sort >"$dir/found"
	diff "$dir/expected" "$dir/found" >"$dir/wrong" || fail "circular waits differ (< planted, > found)"

	# "RESOURCE T0 T1" of planted resources
	awk '{ print $5, $1, $2 }' "$dir/expected" | sort >"$dir/deadlocks"
	awk '{ print $5 }' "$dir/expected" | sort -u >"$dir/resources"
	awk 'FNR == NR { planted[$1]; next }
	/ contention "(possible )?deadlock" / {
		split($0, quoted, "\"")
		resource = substr(quoted[2], 3)
		split(quoted[5], word, " ")
		if (resource in planted)
			printf "%s %.0f %.0f\n", resource, $1, $1 + word[1]
	}' "$dir/resources" "$dir/text" | sort >"$dir/found"
	diff "$dir/deadlocks" "$dir/found" >"$dir/wrong" || fail "deadlocks of resources differ (< planted, > found)"

	# each member waits from SINCE to the end of the cycle, and the next one is in its way all the time
	awk -F'[\t ]' '
	BEGIN {
		for (i = 32; i < 127; i++) text[sprintf("%02x", i)] = sprintf("%c", i)
		split("NL: CR:EX CW:PR,PW,EX PR:CW,PW,EX PW:CW,PR,PW,EX EX:CR,CW,PR,PW,EX", rows, " ")
		for (i in rows) {
			split(rows[i], row, ":")
			n = split(row[2], each, ",")
			for (k = 1; k <= n; k++)
				excludes[row[1], each[k]]
		}
	}
	function name(hex,    i, out) { for (i = 1; i < length(hex); i += 2) out = out text[substr(hex, i, 2)]; return out }
	FNR == NR && $1 == "wait" && ($6 == "wait" || $6 == "both") {
		k = $2 " " $3 "/" name($4)
		wait_from[k, ++waits[k]] = $9; wait_to[k, waits[k]] = $10
	}
	FNR == NR && $1 == "part" && $7 == "certain" {
		k = $2 " " $3 "/" name($4) " " $6
		from[k, ++holds[k]] = $8; to[k, holds[k]] = $9
	}
	FNR == NR { next }
	$5 >= 5000 { next }
	{
		ok = $2 <= $3
		k = $4 " " $6
		for (i = 1; i <= waits[k] && !(wait_from[k, i] == $7 && wait_to[k, i] >= $3); i++)
			;
		ok = ok && i <= waits[k] && $7 <= $2
		if ($10 == "held") {
			k = $8 " " $6 " " $11
			for (i = 1; i <= holds[k] && !(from[k, i] <= $2 && to[k, i] >= $3); i++)
				;
			ok = ok && i <= holds[k] && (($12, $11) in excludes)
		} else {
			k = $8 " " $6
			for (i = 1; i <= waits[k] && !(wait_from[k, i] <= $7 && wait_to[k, i] >= $3); i++)
				;
			ok = ok && i <= waits[k]
		}
		if ($1 == last && ($4 != next_node || $5 != next_process))
			ok = 0
		last = $1; next_node = $8; next_process = $9
		if (!ok)
			print
	}' "$dir/truth" "$dir/members" >"$dir/wrong"
	[[ ! -s $dir/wrong ]] || fail "circular waits that did not happen"
	: $((planted += $(cut -d' ' -f1 "$dir/expected" | sort -u | wc -l)))
	: $((others += $(awk '$5 < 5000 { print $1 }' "$dir/members" | sort -u | wc -l)))
	largest=$({ echo "$largest"; cut -d' ' -f1 "$dir/expected" | sort | uniq -c | awk '{ print $1 }'; } | sort -n | tail -n 1)
done
echo "$n clusters: $planted planted circular waits of up to $largest nodes found, $others others are true"
((planted && others))
