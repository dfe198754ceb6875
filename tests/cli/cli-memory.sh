#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# -v reports the use of memory on standard error: the sum of the parts does not exceed the peak, spilled data are counted, and
# outputs are the same with and without -v.
# usage: cli-memory.sh PROGRAM SOURCE_DIR
program=$1
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
recordings=("$2"/examples/dlm/trace-[345].dat)

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# bytes of "LABEL   1.25 MiB", 0 without such a line
bytes()
{
	awk -v label="$1" '
	index($0, label) {
		n = split($0, word, " ")
		# "memory: 11.2 MiB at most, ..."
		for (i = 2; i <= n && !(word[i] ~ /^([KMG]iB|B|bytes)$/); i++)
			;
		unit["KiB"] = 1024
		unit["MiB"] = 1048576
		unit["GiB"] = 1073741824
		said = int(word[i - 1] * (word[i] in unit ? unit[word[i]] : 1))
		exit
	}
	END { print said + 0 }' "$work/said"
}

"$program" -v --threads 1 -o "text:$work/with" "${recordings[@]}" 2> "$work/said" || fail "-v: status $?"
"$program" --threads 1 -o "text:$work/without" "${recordings[@]}" 2> "$work/quiet" || fail "status $?"
cmp "$work/with" "$work/without" || fail "-v changes an output"
[[ ! -s $work/quiet ]] || fail "without -v: $(cat "$work/quiet")"
"$program" -q -v -o "null:$work/null" "${recordings[@]}" 2> "$work/quiet"
[[ ! -s $work/quiet ]] || fail "-q -v: $(cat "$work/quiet")"

sum=0
for part in "records read ahead" "items waiting for their turn" "names and rows"; do
	((sum += $(bytes "$part")))
	(($(bytes "$part") > 0)) || fail "$part: nothing"
done
(($(bytes memory:) >= sum)) || fail "the parts are more than the peak: $(cat "$work/said")"
! grep -q 'waited on disk' "$work/said" || fail "something waited on disk"

"$program" -v --threads 1 --memory 64K -o "text:$work/little" "${recordings[@]}" 2> "$work/said" || fail "--memory 64K: status $?"
grep -qE '^  [1-9][0-9 ]* items waited on disk$' "$work/said" || fail "nothing waited on disk: $(cat "$work/said")"
(($(bytes "items that waited") <= 65536)) || fail "more waited in memory than allowed: $(cat "$work/said")"
cmp "$work/without" "$work/little" || fail "--memory changes an output"
((failures)) || echo "memory is accounted for"
exit $((failures > 0))
