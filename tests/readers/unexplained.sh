#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: unexplained.sh ANALYZE FILE...
# Messages and callbacks in the unexplained time of waits of the DLM: the table of the report, and the overlap of two own calculations,
# from the output of trace-cmd (anatomy.awk) and from the text output (blame.awk). The resources of the report must be equal, to the
# last nanosecond, and so must the sums in the outputs folded and summary. Exit 77 (skipped) without trace-cmd.
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
	bash "$here/../events-report.sh" -N -t "$file" 2>/dev/null >"$report" || { echo "unexplained: trace-cmd cannot read $file" >&2; exit 1; }
	arguments+=("node=$(sed -nE 's/.* dlm_send_message:.* h_nodeid=([0-9]+) .*/\1/p' "$report" | sort -u)" "$report")
done
awk -f "$here/anatomy-events.awk" "${arguments[@]}" | sort -s -n -k1,1 | awk -v cuts="$dir/cuts" -f "$here/anatomy.awk" >/dev/null
"$analyze" -q --index off -m dlm -o report,json:"$dir/report" -o text:"$dir/text" -o folded:"$dir/folded" \
	-o summary:"$dir/summary" "$@" || exit 1
awk -v unexplained="$dir/unexplained" -f "$here/blame.awk" "$dir/text" >/dev/null
awk -f "$here/unexplained.awk" "$dir/cuts" "$dir/unexplained" | sort >"$dir/expected"
sed -n 's/^{"resource":"\([^"]*\)","waited":.*,"messages":\([0-9]*\),"callbacks":\([0-9]*\),"unexplained":\([0-9]*\),.*/\1\t\2\t\3\t\4/p' "$dir/report" |
	awk -F '\t' -v OFS='\t' '$2 + $3 + $4 { printf "%s\t%.0f\t%s\t%s\n", $1, $2 + $3 + $4, $2, $3 }' | sort >"$dir/got"
[[ -s $dir/got ]] || { echo 'unexplained: the report has no such time' >&2; exit 1; }
# the report has the first resources
awk 'FNR == NR { known[$0] = 1; next } !($0 in known) { print; bad = 1 } END { exit bad }' "$dir/expected" "$dir/got" ||
	{ echo 'unexplained: these sums of the program differ from those of awk' >&2; cat "$dir/expected" >&2; exit 1; }
# sums of all resources in the other outputs
awk -F '\t' '{ sum += $2; messages += $3; callbacks += $4 }
	END { printf "messages %.0f\ncallbacks %.0f\nunexplained %.0f\n", messages, callbacks, sum - messages - callbacks }' "$dir/expected" >"$dir/sums"
add='{ sum[$1] += $2 }
	END { for (i = 1; i <= split("messages callbacks unexplained", name, " "); i++) printf "%s %.0f\n", name[i], sum[name[i]] }'
sed -nE 's/.*;(messages|callbacks|unexplained) ([0-9]+)$/\1 \2/p' "$dir/folded" | awk "$add" | diff "$dir/sums" - ||
	{ echo 'unexplained: the sums of the stacks differ' >&2; exit 1; }
grep -oE '"cause":"(messages|callbacks|unexplained)","ns":[0-9]+' "$dir/summary" | sed -E 's/"cause":"(.*)","ns":/\1 /' | awk "$add" | diff "$dir/sums" - ||
	{ echo 'unexplained: the sums of the summary differ' >&2; exit 1; }
echo "$(wc -l <"$dir/got") resources agree"
