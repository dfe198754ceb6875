#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: unexplained.sh ANALYZE FILE...
# Messages and callbacks in the unexplained time of waits of the DLM: the table of the report, and the overlap of two own calculations,
# from the output of trace-cmd (anatomy.awk) and from the text output (blame.awk). The resources of the report must be equal, to the
# last nanosecond. Exit 77 (skipped) without trace-cmd.
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
	trace-cmd report -N -t "$file" 2>/dev/null >"$report" || { echo "unexplained: trace-cmd cannot read $file" >&2; exit 1; }
	arguments+=("node=$(sed -nE 's/.* dlm_send_message:.* h_nodeid=([0-9]+) .*/\1/p' "$report" | sort -u)" "$report")
done
awk -f "$here/anatomy-events.awk" "${arguments[@]}" | sort -s -n -k1,1 | awk -v cuts="$dir/cuts" -f "$here/anatomy.awk" >/dev/null
"$analyze" -q --index off -m dlm -o report,json:"$dir/report" -o text:"$dir/text" "$@" || exit 1
awk -v unexplained="$dir/unexplained" -f "$here/blame.awk" "$dir/text" >/dev/null
awk -f "$here/unexplained.awk" "$dir/cuts" "$dir/unexplained" | sort >"$dir/expected"
sed -n 's/^{"resource":"\([^"]*\)","waited":.*,"unexplained":\([1-9][0-9]*\),"messages":\([0-9]*\),"callbacks":\([0-9]*\),.*/\1\t\2\t\3\t\4/p' \
	"$dir/report" | sort >"$dir/got"
[[ -s $dir/got ]] || { echo 'unexplained: the report has no such time' >&2; exit 1; }
# the report has the first resources
awk 'FNR == NR { known[$0] = 1; next } !($0 in known) { print; bad = 1 } END { exit bad }' "$dir/expected" "$dir/got" ||
	{ echo 'unexplained: these sums of the program differ from those of awk' >&2; cat "$dir/expected" >&2; exit 1; }
echo "$(wc -l <"$dir/got") resources agree"
