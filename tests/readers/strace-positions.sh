#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: strace-positions.sh ANALYZE STRACE-POSITIONS
# Where reads and writes at the position of a descriptor are in the file: what is told is what the kernel says, whatever the descriptors'
# copies, children and threads do, and much is told. With names of files (-yy) and without; in logs that may hide who moved a
# position (-ff, and without -f) less is told, and nothing wrong. Without strace, or the right to trace, the test is skipped.
. "${0%/*}/readers-lib.sh"
analyze=$1 program=$2
command -v strace > /dev/null && strace -o /dev/null true 2> /dev/null || exit 77

# compare WHAT LEAST LOG SEED: at least LEAST of 100 positions are told
compare()
{
	"$analyze" -q --index off -o jsonl:- "$3" 2> "$dir/stderr" | grep '"type":"io"' | grep -vE '"write".*"op":"sendfile"' |
		grep -E '"category":"(read|write)"' > "$dir/items"
	awk -v what="$1, seed $4" -v least="$2" '
		function number(name) { return match($0, "\"" name "\":-?[0-9]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : 0 }
		FNR == NR { at[$1] = $2; n++; next }
		{ len = number("len"); if (!(len in at) || /"op":"pread/) next }
		number("pos") == -1 { next }
		{ told++; if (number("pos") != at[len]) { print what ": a call of " len " bytes is at " number("pos") " instead of " at[len]; bad = 1 } }
		END { if (told < n * least / 100) { print what ": " told + 0 " of " n " positions are told"; bad = 1 } exit bad }
	' "$dir/truth" "$dir/items" >&2 || exit 1
}

mkdir "$dir/work"
cd "$dir/work"
for seed in $(seq ${SEEDS:-5}); do
	rm -f f1 f2 pattern "$dir"/log*
	strace -f -yy -ttt -T -o "$dir/log" "$program" $seed > "$dir/truth"
	compare 'with names' 20 "$dir/log" $seed
	rm -f f1 f2 pattern
	strace -f -ttt -T -o "$dir/log" "$program" $seed > "$dir/truth"
	compare 'without names' 20 "$dir/log" $seed
	rm -f f1 f2 pattern
	strace -ff -yy -ttt -T -o "$dir/logs" "$program" $seed > "$dir/truth"
	compare 'in several logs' 2 "$(echo "$dir"/logs.* | cut -d ' ' -f 1)" $seed
	rm -f f1 f2 pattern "$dir"/logs.*
	strace -yy -ttt -T -o "$dir/log" "$program" $seed > "$dir/truth"
	compare 'without -f' 2 "$dir/log" $seed
done
echo 'strace-positions: what is told is right'
