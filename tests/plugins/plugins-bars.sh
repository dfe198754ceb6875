#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# KernelShark's bars for the recording of a real cluster: compares each lock request until its ast with a pairing in awk.
# usage: plugins-bars.sh LIST_BARS SOURCE_DIR
command -v trace-cmd > /dev/null || { echo "skipped: no trace-cmd"; exit 77; }
examples=$2/examples/dlm
failures=0
# not ours: memory that KernelShark's library keeps at its end
export ASAN_OPTIONS=detect_leaks=0 LC_ALL=C
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

for n in 3 4 5; do
	"$1" "$examples/trace-$n.dat" | sort > "$work/got" || fail "trace-$n.dat: list-bars: status ${PIPESTATUS[0]}"
	bash "${0%/*}/../events-report.sh" -N -t "$examples/trace-$n.dat" | awk '
		/: dlm_(lock_start|unlock_start|ast):/ {
			pid = $1
			sub(/.*-/, "", pid)
			time = $3
			gsub(/[.:]/, "", time)
			key = $5 " " $6
			if ($4 == "dlm_ast:") {
				if (key in begin)
					print owner[key], 7, begin[key], time
				delete begin[key]
			} else if (!(key in begin)) {
				begin[key] = time
				owner[key] = pid
			}
		}' | sort > "$work/expected"
	[[ -s $work/expected ]] || fail "trace-$n.dat: nothing to compare"
	cmp -s "$work/got" "$work/expected" || { fail "trace-$n.dat:"; diff "$work/got" "$work/expected" | head -n 6; }
	bars=$((bars + $(wc -l < "$work/got")))
done
[[ $("$1" "$examples/trace.dat") == "nothing to draw" ]] || fail "the host's recording has bars"
((failures)) || echo "$bars bars are drawn as they should be"
exit $((failures > 0))
