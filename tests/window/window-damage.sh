#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A damaged index is not used: cut at any length, or with any byte changed, the outputs are the same as without an index.
# Without the checksums (only in builds with fault injection) a changed byte may be refused or give a wrong picture, but it
# does no harm.
#
# usage: window-damage.sh ANALYZE RECORDING.txt [PLACES]     PLACES: number of changes, default 40
set -euo pipefail
analyze=$(readlink -f "$1")
. "$(dirname "$0")/window-lib.sh"
recording=$(readlink -f "$2") places=${3:-40}
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}exitcode=99" UBSAN_OPTIONS="${UBSAN_OPTIONS:+$UBSAN_OPTIONS:}exitcode=99"
window=(--threads 1 --from 0.0000025 --to 0.000006 "$recording")
IOTRACE_INDEX_DENSE=1 "$analyze" -q --index "$dir/good" -o "null:$dir/x" "$recording"
said=$(note --index "$dir/good" "${window[@]}")
[[ $said == *"checkpoint"*"used" ]] || fail "not used: $said"
"$analyze" -q --index off "${window[@]}" -o text:"$dir/want" 2>"$dir/want.messages"
size=$(stat -c %s "$dir/good")

# flip AT - the index with another byte there
flip()
{
	local byte
	byte=$(od -An -tu1 -j "$1" -N 1 "$dir/good")
	cp "$dir/good" "$dir/bad"
	printf "\\x$(printf %02x $((byte ^ (1 + $1 % 255))))" |
		dd of="$dir/bad" bs=1 seek="$1" conv=notrunc status=none
}

check()
{
	local status=0
	rm -f "$dir/got"
	"$analyze" -q --index "$dir/bad" "${window[@]}" -o text:"$dir/got" 2>"$dir/messages" || status=$?
	if [[ $status != 0 ]] || ! cmp -s "$dir/want" "$dir/got"; then
		fail "$1: status $status; $(<"$dir/messages")"
	fi
}

for ((at = 17; at < size; at += 1 + size / places)); do
	flip "$at"
	check "byte $at changed"
	head -c "$at" "$dir/good" >"$dir/bad"
	check "cut at $at"
done
for ((at = size - 48; at < size; at++)); do
	flip "$at"
	check "byte $at changed"
done

export IOTRACE_INDEX_UNCHECKED=1
for ((at = 17; at < size - 48; at += 1 + size / (3 * places))); do
	flip "$at"
	status=0
	"$analyze" -q --index "$dir/bad" "${window[@]}" -o text:"$dir/got" 2>"$dir/messages" || status=$?
	((status <= 4)) || fail "unchecked, byte $at changed: status $status; $(head -n 5 "$dir/messages")"
done
exit $failed
