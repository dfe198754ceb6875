#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Random locks on files, by the model filelock: what is held of each byte, each wait, and who was in the way of it for how long, to the
# nanosecond. Every second recording has the names of fields of kernels before 6.9.
# usage: random-filelock.sh ANALYZE RECORDINGS [FIRST_SEED]
. "$(dirname "$0")/random-lib.sh"
analyze=$(readlink -f "$1") left=$2 seed=${3:-1}

for ((n = 0; n < left; n++, seed++)); do
	rm -f "$dir"/{events.txt,truth,text}
	awk -v seed="$seed" -v old=$((seed % 2)) -v events="$dir/events.txt" -v truth="$dir/truth" -f "$here/file-locks.awk"
	"$analyze" -q --index off -m filelock --derive accounts -o "text:$dir/text" "$dir/events.txt"
	awk -f "$here/file-locks-found.awk" "$dir/truth" "$dir/text" > "$dir/wrong" 2>> "$dir/counts"
	[[ ! -s $dir/wrong ]] || fail "the locks differ from the truth" "$dir/wrong"
done
awk -v n="$left" '{ held += $1; waits += $2; ns += $3 } END { print n " recordings: " held " holds of bytes, " waits " waits, " ns " ns in the way" }' "$dir/counts"
