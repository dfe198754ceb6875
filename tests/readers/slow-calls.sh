#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: slow-calls.sh ANALYZE FILE...
# The table of the slowest calls that waited, and an own computation from the text output (slow-calls.awk).
set -u
export LC_ALL=C
analyze=$1
here=$(cd "$(dirname "$0")" && pwd)
shift
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
"$analyze" -q --index off -o report,json:"$dir/report" -o text:"$dir/text" "$@" || exit 1
begin=$(sed -n 's/.*"begin_ns":"\([0-9]*\)".*/\1/p' "$dir/report" | head -1)
awk -f "$here/slow-calls.awk" "$dir/text" | sort -t$'\t' -k1,1nr -k2,2n | head -10 >"$dir/expected"
sed -n 's/^{"begin":\([0-9]*\),"took":\([0-9]*\),"call":.*"waited":\([0-9]*\),"share":[0-9.]*,"waits":\([0-9]*\),.*/\2 \1 \4 \3/p' "$dir/report" |
	awk -v begin="$begin" '{ printf "%s\t%.0f\t%s\t%s\n", $1, $2 + begin, $3, $4 }' >"$dir/got"
[[ -s $dir/expected ]] || { echo 'slow-calls: no call in the recording waited' >&2; exit 1; }
diff "$dir/expected" "$dir/got" || { echo 'slow-calls: they differ (< awk over the text, > the program)' >&2; exit 1; }
echo "$(wc -l <"$dir/expected") calls agree"
