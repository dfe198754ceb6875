#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings cut at any length: either the recording cannot be read and nothing is written, or its good part is used and
# all outputs are complete. Always status 2 and one line that names the file.
# shellcheck source-path=SCRIPTDIR source=fault-lib.sh
. "${0%/*}/fault-lib.sh"

good=$examples/trace-5.dat
[[ -e $good ]] || skip_all "no recordings in $examples"
size=$(stat -c %s "$good")

# every byte of the first section, then ever larger steps, then the end
sizes()
{
	local at
	for ((at = 1; at < 24; at++)); do echo "$at"; done
	for ((at = 24; at < size; at += at / 8 + 1)); do echo "$at"; done
	for ((at = 1; at <= 20; at++)); do echo $((size * at / 21)); done
	for at in 4096 1024 100 10 5 4 3 2 1; do echo $((size - at)); done
}

# The last section of a file has only names of sections: if it is cut, no data are missing.
"$program" -q -o "text:$scratch/whole.txt" "$good" || fail "the whole file: status $?"
grep -q '^[0-9]* span ' "$scratch/whole.txt" || fail 'the whole file: nothing in it'

for at in $(sizes | sort -nu); do
	head -c "$at" "$good" > "$in/trace-5.dat"
	run -o text:out.txt -o slog2:out.slog2 "$in/trace-5.dat"
	if ((status == 0)); then
		cmp out.txt "$scratch/whole.txt" || fail "cut at $at: something is missing, but not reported"
		[[ -s $scratch/err ]] && fail "cut at $at: status 0 with a message"
	else
		check_status "cut at $at" 2
		check_message "cut at $at" "$in/trace-5.dat"
	fi
	if [[ -e out.txt || -e out.slog2 ]]; then
		((status == 0)) || grep -q '^# diag ' out.txt || fail "cut at $at: the text has no counters at its end"
		[[ -e out.txt && -e out.slog2 ]] || fail "cut at $at: only one of two outputs is there"
		rm -f out.*
	fi
	check_clean "cut at $at"
done

# a block in the middle that was overwritten
for at in 1000 20000 $((size / 3)) $((size / 2)) $((size - 20000)); do
	cp "$good" "$in/trace-5.dat"
	dd if=/dev/urandom of="$in/trace-5.dat" bs=1 seek="$at" count=3000 conv=notrunc status=none
	run -o text:out.txt "$in/trace-5.dat"
	check_status "overwritten at $at" '0 1 2'
	((status == 0)) || check_message "overwritten at $at" "$in/trace-5.dat"
	rm -f out.*
	check_clean "overwritten at $at"
done
summary
