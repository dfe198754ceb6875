#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Ends of a link that never find a partner: all are counted, and those that are kept are bounded by --max-open, or by the time after
# which no partner comes. With "memory", links must take no more than 4 MiB on top of the memory without them.
# usage: open-ends.sh ANALYZE MEASURE ENDS [memory]
set -euo pipefail
export LC_ALL=C
analyze=$1 measure=$2 ends=$3 what=${4:-}
dir=$(mktemp -d "${TMPDIR:-/tmp}/open-ends.XXXXXX")
trap 'rm -rf "$dir"' EXIT
failed=0

awk -v n="$ends" 'BEGIN {
	print "iotrace-text 1\nhostname A\nsync yes"
	for (i = 1; i <= n; i++)
		print i * 1000, 0, 1, "snd id=" i
	# no partner of the last ones is outside the recording
	print (n + 100000) * 1000, 0, 1, "edge"
}' >"$dir/A"
printf 'iotrace-text 1\nhostname B\nsync yes\n1000 0 1 edge\n2000 0 1 rcv id=0\n%d 0 1 edge\n' $(((ends + 100000) * 1000)) >"$dir/B"
cat >"$dir/unique.model" <<'END'
[model]
name   = msg
system = msg
[container node]
in   = root
id   = {@node}
name = {@node_name}
role = node
[view Nodes]
columns = node
[links message]
value a = blue
[link message]
links  = message
from   = event snd
to     = event rcv
key    = id
on     = node
value  = a
unique = yes
END
{ cat "$dir/unique.model"; echo "within = 100us"; } >"$dir/within.model"
{ cat "$dir/unique.model"; printf 'from when = 0\nto when = 0\n'; } >"$dir/never.model"

# run NAME MODEL [OPTION...] - leaves the counters in $dir/NAME and the peak memory, KiB, in $peak
run()
{
	local name=$1 model=$2
	shift 2
	peak=$("$measure" "$analyze" -q --threads 1 --index off --clock-error 0 -m "$dir/$model.model" "$@" -o "text:$dir/$name" \
		"$dir/A" "$dir/B" | awk '{ print $NF }')
}

# expect NAME UNMATCHED EVICTED [LIMIT]
expect()
{
	local unmatched evicted
	unmatched=$(sed -n 's/^# diag link_unmatched //p' "$dir/$1")
	evicted=$(sed -n 's/^# diag link_evicted //p' "$dir/$1")
	if [[ "${unmatched:-0} ${evicted:-0}" != "$2 $3" ]]; then
		echo "FAIL $1: ${unmatched:-0} unmatched and ${evicted:-0} evicted ends, expected $2 and $3"
		failed=1
	elif [[ $what == memory && -n ${4:-} ]] && ((peak > $4)); then
		echo "FAIL $1: $peak KiB, at most $4 expected"
		failed=1
	else
		echo "ok $1: $2 unmatched and $3 evicted ends, $peak KiB"
	fi
}

run none never
limit=$((peak + 4096))
expect none 0 0
run all unique --max-open $((ends + 1))
expect all $((ends + 1)) 0
run few unique --max-open 1000
expect few 1000 $((ends + 1 - 1000)) "$limit"
run short within --max-open 1000
expect short $((ends + 1)) 0 "$limit"
exit $failed
