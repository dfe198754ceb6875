#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Random recordings of threads that wake each other: of each call the time that its thread slept, by who woke it and what that one did,
# must be what asleep-make.awk finds by asking at each ns. The parts of a call add up to it. Every recording has its number as seed.
# usage: random-asleep.sh ANALYZE RECORDINGS [FIRST_SEED]
. "$(dirname "$0")/random-lib.sh"
analyze=$(readlink -f "$1") recordings=$2 first=${3:-1}
parts=0 cut=0 short=0

for ((seed = first; seed < first + recordings; seed++)); do
	awk -v seed="$seed" -v truth="$dir/truth" -f "$here/asleep-make.awk" > "$dir/trace.txt"
	: >> "$dir/truth"
	"$analyze" -q --index off -m fileio -m sched --derive accounts --map "A=$dir/trace.txt" -o "text:$dir/text" "$dir/trace.txt"
	awk '
	function attr(name) { return match($0, " " name "=\"?[^ \"]*") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : "-" }
	FILENAME == ARGV[1] { wanted[$1, $2, $3, $4, $5] = NF == 3 ? $3 : $6; if (NF == 3) { delete wanted[$1, $2, $3, $4, $5]; unknown[$1] = $3 } next }
	!/ point "0:5:[0-9]+\/A" part / || / flags=/ { next }
	{
		match($0, /0:5:[0-9]+/)
		call = substr($0, RSTART + 4, RLENGTH - 4)
		gsub(/="/, "=")
		part = attr("part"); took[call] = attr("took"); all[call] += part
	}
	/ part "unexplained" / { open_ns[call] = part; next }
	/ part "asleep" / && !/ phase=/ { rest[call] = part; next }
	/ part "asleep" / && / phase=short/ { short_ns[call] += part; n_short++; next }
	/ part "asleep" / {
		key = call SUBSEP attr("phase") SUBSEP attr("by_pid") SUBSEP attr("what") SUBSEP attr("asks")
		found[key] += part
		n++
	}
	END {
		for (key in found) {
			call = substr(key, 1, index(key, SUBSEP) - 1)
			if (found[key] > wanted[key] || (found[key] < wanted[key] && !rest[call] && !short_ns[call]))
				print "wanted", wanted[key] + 0, "found", found[key], key
		}
		for (key in wanted) {
			call = substr(key, 1, index(key, SUBSEP) - 1)
			missing[call] += wanted[key] - found[key]
			if (!found[key] && !rest[call] && !short_ns[call])
				print "wanted", wanted[key], "not found", key
		}
		for (call in took) {
			# short parts that were merged have no waker, or several
			if (missing[call] + unknown[call] != rest[call] + short_ns[call] + open_ns[call])
				print "call", call, "other wakers: wanted", missing[call] + unknown[call], "found", rest[call] + short_ns[call] + open_ns[call]
			if (unknown[call] + 0 != open_ns[call] + 0 && !short_ns[call])
				print "call", call, "unknown wakers: wanted", unknown[call] + 0, "found", open_ns[call] + 0
			if (all[call] != took[call])
				print "call", call, "is", took[call], "and its parts", all[call]
		}
		print "# " n + 0, n_short + 0
	}' "$dir/truth" "$dir/text" | tr '\034' ' ' > "$dir/found"
	grep -v '^#' "$dir/found" > "$dir/wrong" && fail "parts of calls" "$dir/wrong"
	read -r _ n n_short < <(grep '^#' "$dir/found")
	parts=$((parts + n)) short=$((short + n_short))
	cut=$((cut + $(grep -c ' cut ' "$dir/truth" || true)))
	rm -f "$dir/truth"
done
((recordings < 40 || (parts > 1000 && cut && short))) || { echo "FAIL: $parts parts, $cut chains that are cut, $short short ones: the recordings show nothing"; exit 1; }
echo "$recordings recordings, $parts parts, $cut of them with more than sixteen wakers, $short of many short ones"
