#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: cycles.sh ANALYZE FILE...
# The DLM looks for deadlocks of conversions on one resource, and answers one of the requests with EDEADLK. So the proved deadlocks
# of a recording must be those that the DLM found: as many, on the same resources, and each ends with that answer.
. "${0%/*}/readers-lib.sh"
analyze=$1
shift
"$analyze" -q --index off -m dlm -o report,json:"$dir/report" -o text:"$dir/text" "$@" || exit 1
sed -n 's/^\([0-9]*\) point "\(.*\)\/[^/"]*" event "ast EDEADLK".*/\1 \2/p' "$dir/text" | sort >"$dir/expected"
begin=$(sed -n 's/.*"begin_ns":"\([0-9]*\)".*/\1/p;q' "$dir/report")
sed -n 's/.*"ended":\([0-9]*\),"deadlock":"proved","member":1,.*"resource":"\([^"]*\)".*/\1 \2/p' "$dir/report" |
	while read -r at resource; do echo "$((begin + at)) $resource"; done | sort >"$dir/got"
agree deadlocks
