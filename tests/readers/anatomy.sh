#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: anatomy.sh ANALYZE FILE...
# The parts of waits in a recording of the DLM: the table of the report, and an own calculation from the output of trace-cmd
# (anatomy.awk). Every number of waits and every sum must be equal, to the last nanosecond. Exit 77 (skipped) without trace-cmd.
set -u
export LC_ALL=C
analyze=$1
here=$(cd "$(dirname "$0")" && pwd)
shift
command -v trace-cmd >/dev/null || exit 77
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
arguments=()
for file; do
	report=$dir/${file##*/}.txt
	trace-cmd report -N -t "$file" 2>/dev/null >"$report" || { echo "anatomy: trace-cmd cannot read $file" >&2; exit 1; }
	arguments+=("node=$(sed -nE 's/.* dlm_send_message:.* h_nodeid=([0-9]+) .*/\1/p' "$report" | sort -u)" "$report")
done
awk -f "$here/anatomy-events.awk" "${arguments[@]}" | sort -s -n -k1,1 | awk -f "$here/anatomy.awk" | sort >"$dir/expected"
"$analyze" -q --index off -m dlm -o report,json:"$dir/report" "$@" || exit 1
sed -n 's/^{"master":"\([^"]*\)","part":"\([^"]*\)","waits":\([0-9]*\),"time":\([0-9]*\),.*/\1\t\2\t\3\t\4/p' "$dir/report" | sort >"$dir/got"
[[ -s $dir/expected ]] || { echo 'anatomy: no wait in the recording' >&2; exit 1; }
diff "$dir/expected" "$dir/got" || { echo 'anatomy: sums differ (< awk over trace-cmd report, > the program)' >&2; exit 1; }
echo "$(wc -l <"$dir/expected") sums agree"
