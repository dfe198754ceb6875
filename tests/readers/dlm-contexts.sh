#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: dlm-contexts.sh ANALYZE FILE...
# A recording of a DLM that handles messages in softirq. What sent each message, a call of a thread or the handling of another message, is
# counted by node and type: by dlm-contexts.awk from the output of trace-cmd, which nests by context, and from the program's
# arrows. Both contexts send. Exit 77 (skipped) without trace-cmd.
set -u
export LC_ALL=C
analyze=$1
here=$(cd "$(dirname "$0")" && pwd)
shift
command -v trace-cmd >/dev/null || exit 77
[[ $# -gt 0 && -r $1 ]] || { echo "no recording: $*" >&2; exit 1; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

arguments=()
for file; do
	report=$dir/${file##*/}.txt
	bash "$here/../events-report.sh" -N -t -l "$file" >"$report" 2>/dev/null || { echo "trace-cmd cannot read $file" >&2; exit 1; }
	node=$(sed -nE 's/.* dlm_send_message:.* h_nodeid=([0-9]+) .*/\1/p' "$report" | sort -u)
	arguments+=("node=$node" "$report")
done
awk -f "$here/dlm-contexts.awk" "${arguments[@]}" >"$dir/all" || exit 1
grep '^sent in' "$dir/all" | sort
[[ $(grep -c '^sent in' "$dir/all") == 2 ]] || { echo "messages are sent in one context only" >&2; exit 1; }
grep '^node ' "$dir/all" | sort | uniq -c >"$dir/expected"

"$analyze" -q --index off -m dlm -o "text:$dir/text" "$@" || exit 1
interrupted=$(sed -n 's/^# diag thread_interrupted //p' "$dir/text")
grep -qx "interrupted $interrupted" "$dir/all" ||
	{ echo "$(grep '^interrupted' "$dir/all") by trace-cmd, $interrupted by the program" >&2; exit 1; }
# TIME link "LOCKSPACE/RESOURCE/node NODE" cause "KIND" ... message="TYPE"
awk -F '"' '/^[0-9]+ link .* cause "(lock|unlock|message) sends"/ {
	n = split($2, path, "/")
	type = $0
	sub(/.* message="/, "", type)
	sub(/".*/, "", type)
	gsub(/ reply/, "_REPLY", type)
	print path[n] " " $4 " " type
}' "$dir/text" | sort | uniq -c >"$dir/got"
diff "$dir/expected" "$dir/got" >"$dir/diff" && exit 0
echo "the causes of messages differ (< trace-cmd and awk, > the program):" >&2
head -n 20 "$dir/diff" >&2
exit 1
