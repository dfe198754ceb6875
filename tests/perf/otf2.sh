#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The source otf2 against the library's own reader: processor time of both for the same archive, by turns, the best of ROUNDS. Both read
# all events in order of time and add up their numbers. For the preset release.
# usage: otf2.sh BUILD-DIR [EVENTS-A-LOCATION [ROUNDS]]     default: 300000 on each of 8 locations, 5 rounds
set -euo pipefail
build=$(readlink -f "$1") events=${2:-300000} rounds=${3:-5}
dir=$(mktemp -d "${TMPDIR:-/tmp}/otf2.XXXXXX")
trap 'rm -rf "$dir"' EXIT
export LC_ALL=C TIMEFORMAT='%U %S'

"$build/tests/readers/otf2-make" "$dir/archive" 3 "$events" > /dev/null
anchor=$(echo "$dir"/archive/*.otf2)
# seconds COMMAND...: user and system time
seconds()
{
	{ time "$@" > "$dir/out" 2> "$dir/err"; } 2>&1 | awk '{ print $1 + $2 }'
}
for ((i = 0; i < rounds; i++)); do
	echo "library $(seconds "$build/tests/perf/loop-otf2" "$anchor")"
	n_library=$(awk '{ print $1 }' "$dir/out")
	echo "iotrace $(seconds "$build/tests/perf/loop-source" otf2 "$anchor")"
	n_own=$(awk '$1 == "events" { print $2 }' "$dir/out")
done > "$dir/times"
awk -v n_library="$n_library" -v n_own="$n_own" '
	!($1 in best) || $2 < best[$1] { best[$1] = $2 }
	END {
		printf "library %d events, %.2f s; iotrace %d events, %.2f s: %.2f x the speed of the library\n",
			n_library, best["library"], n_own, best["iotrace"], best["library"] / best["iotrace"]
	}' "$dir/times"
