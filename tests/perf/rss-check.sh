#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Memory must not grow with the recording: the peak of the analyser on a long one may be 2 % above that on one that is
# ten times shorter, not more. One thread: how full the queues between threads get depends on the machine's load, and they
# are bounded. Medians of three runs. Only SLOG2 is allowed more: its tree has one open node on each level, so its memory grows with the logarithm of the size.
#
# usage: rss-check.sh ANALYZE GEN-DAT MEASURE [SMALL LARGE [SCRATCH-DIR]]
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
. "$here/cases.sh"
export LC_ALL=C
analyze=$1 gen=$2 measure=$3 small=${4:-300000} large=${5:-3000000}
dir=$(mktemp -d "${6:-${TMPDIR:-/tmp}}/rss.XXXXXX")
trap 'rm -rf "$dir"' EXIT
failed=0

# peak OUTPUT-OPTION... - median KiB over the files of the current size
peak()
{
	local i
	for i in 1 2 3; do
		if ! "$measure" "$analyze" -q --threads 1 "$@" "$dir"/trace*.dat 2>"$dir/messages" >"$dir/measured"; then
			cat "$dir/messages" >&2
			return 1
		fi
		awk '{ print $4 }' "$dir/measured"
	done | sort -n | sed -n 2p
}

for name in $memories; do
	for size in "$small" "$large"; do
		rm -f "$dir"/trace*.dat
		make_case "$gen" memory "$name" "$dir/trace" --events "$size"
		for output in null text slog2 paje; do
			echo "$output $size $(peak -o "$output:$dir/out")"
			rm -f "$dir"/out*
		done
	done >"$dir/peaks"
	awk -v name="$name" -v small="$small" -v large="$large" '
		$3 !~ /^[0-9]+$/ { print "FAIL " name ": no result for " $1; bad = 1; next }
		$2 == small { before[$1] = $3 }
		$2 == large {
			grown = ($3 / before[$1] - 1) * 100
			allowed = before[$1] * 0.02
			if (allowed < 256)
				allowed = 256	# what the allocator takes at once is more than 2 % of a few MiB
			if ($1 == "slog2")
				allowed = 2048 * log(large / small) / log(2)
			verdict = $3 - before[$1] > allowed ? "FAIL" : "ok"
			bad += verdict == "FAIL"
			printf "%s %s %s: %d KiB for %d events, %d KiB for %d: %+.1f %%\n", verdict, name, $1,
				before[$1], small, $3, large, grown
		}
		END { exit bad > 0 }' "$dir/peaks" || failed=1
done
exit $failed
