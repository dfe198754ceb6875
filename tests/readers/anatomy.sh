#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: anatomy.sh ANALYZE FILE...
# The parts of waits in a recording of the DLM: the table of the report, and an own calculation from the output of trace-cmd
# (anatomy.awk). Every number of waits and every sum must be equal, to the last nanosecond. Exit 77 (skipped) without trace-cmd.
. "${0%/*}/readers-lib.sh"
analyze=$1
shift
dlm_lines "$@"
awk -f "$here/anatomy.awk" "$dir/lines" | sort >"$dir/expected"
"$analyze" -q --index off -m dlm -o report,json:"$dir/report" "$@" || exit 1
sed -n 's/^{"master":"\([^"]*\)","part":"\([^"]*\)","waits":\([0-9]*\),"time":\([0-9]*\),.*/\1\t\2\t\3\t\4/p' "$dir/report" | sort >"$dir/got"
agree sums
