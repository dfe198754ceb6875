#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: cycles.sh ANALYZE FILE...
# The DLM looks for deadlocks of conversions on one resource, and answers one of the requests with EDEADLK. So the proved deadlocks
# of a recording must be those that the DLM found: as many, on the same resources, and each ends with that answer.
set -u
export LC_ALL=C
analyze=$1
shift
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
"$analyze" -q --index off -m dlm -o report,json:"$dir/report" -o text:"$dir/text" "$@" || exit 1
sed -n 's/^\([0-9]*\) point "\(.*\)\/[^/"]*" event "ast EDEADLK".*/\1 \2/p' "$dir/text" | sort >"$dir/expected"
begin=$(sed -n 's/.*"begin_ns":"\([0-9]*\)".*/\1/p;q' "$dir/report")
sed -n 's/.*"ended":\([0-9]*\),"deadlock":"proved","member":1,.*"resource":"\([^"]*\)".*/\1 \2/p' "$dir/report" |
	while read -r at resource; do echo "$((begin + at)) $resource"; done | sort >"$dir/got"
[[ -s $dir/expected ]] || { echo 'cycles: no EDEADLK in the recording' >&2; exit 1; }
diff "$dir/expected" "$dir/got" || { echo 'cycles: deadlocks differ (< those that the DLM found, > the program)' >&2; exit 1; }
echo "$(wc -l <"$dir/expected") deadlocks agree"
