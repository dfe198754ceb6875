#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The n-th operation of one kind fails, for n = 1, 2, ... until a run has fewer operations and succeeds.
# usage: fault-inject.sh PROGRAM SOURCE_DIR write|read|alloc|thread
# shellcheck source-path=SCRIPTDIR source=fault-lib.sh
. "${0%/*}/fault-lib.sh"
kind=$3

has_faults || skip_all 'built without fault injection'
recordings=("$examples"/trace-[45].dat)
[[ -e ${recordings[1]} ]] || skip_all "no recordings in $examples"

every_output "$program" out.

# drop_complete NAME: an output that was finished before another one failed is complete, or absent
drop_complete()
{
	local file
	for file in out.*; do
		[[ -e $scratch/good/$file ]] || continue
		cmp -s "$file" "$scratch/good/$file" || fail "$1: $file differs from that of a run without faults"
		rm -f "$file"
	done
}

# sweep NAME ARGUMENT...: every n up to 30, then steps of a fifth, because later operations are similar
sweep()
{
	local name=$1 n=1 seen=0 step file
	shift
	run "${outputs[@]}" "$@"
	check_status "$name without faults" 0
	mkdir "$scratch/good"
	mv out.* "$scratch/good/"
	check_clean "$name without faults"
	while :; do
		IOTRACE_FAULT=$kind:$n run "${outputs[@]}" "$@"
		((status)) || break
		seen=$n
		# reading back written data concerns the output, reading a recording concerns the input
		if [[ $kind == read ]]; then
			check_status "$name, $kind $n" '2 3'
		else
			check_status "$name, $kind $n" 3
		fi
		check_message "$name, $kind $n"
		drop_complete "$name, $kind $n"
		check_clean "$name, $kind $n"
		((failures > 20)) && break
		((step = n < 30 ? 1 : n / 5, n += step))
	done
	((seen)) || fail "$name: no $kind ever failed"
	for file in "$scratch"/good/*; do
		cmp "$file" "${file##*/}" || fail "$name: ${file##*/} of the last run differs from a run without faults"
	done
	rm -rf "$scratch/good" out.*
	echo "$name: $kind 1 to $seen failed as they should"
}

text_recording one > "$in/one"
[[ $kind == read ]] || sweep 'small text' "$in/one"
sweep 'two recordings' "${recordings[@]}"
# little memory: buffers spill to temporary files, which can fail as well
sweep 'two recordings, little memory' --memory 64K "${recordings[@]}"
summary
