#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each output alone, with so little memory that it spills: operations of one kind fail, among them the last ones, which read
# back what was spilled and put the result together. A page that must be small reads all its items back.
# usage: fault-writers.sh PROGRAM SOURCE_DIR write|read|alloc LAST     LAST: how many of the last operations fail, one in each run
# shellcheck source-path=SCRIPTDIR source=fault-lib.sh
. "${0%/*}/fault-lib.sh"
kind=$3 last=$4

has_faults || skip_all 'built without fault injection'
small=("$examples/trace-4.dat") large=("$source_dir"/examples/fileio/trace-[345].dat)
[[ -e ${small[0]} && -e ${large[2]} ]] || skip_all "no recordings in $source_dir/examples"

# attempt N SPEC - the N-th operation fails; one thread, so that each run counts the same operations. A run that succeeds
# has the result of a run without faults.
attempt()
{
	IOTRACE_FAULT=$kind:$1 run -q --threads 1 --index off --memory 64K -o "$2:out" "${recordings[@]}"
	((status)) && return
	((!$1)) && mv out "$scratch/good" && rm -rf out* && return
	diff -rq out "$scratch/good" || fail "$2, $kind $1: a failure was not noticed"
	rm -rf out*
}

# operations SPEC - sets total to their number in one run
operations()
{
	local most=64 middle
	total=0
	while attempt "$most" "$1"; ((status)); do
		((total = most, most *= 2))
	done
	while ((total + 1 < most)); do
		((middle = (total + most) / 2))
		attempt "$middle" "$1"
		((status ? (total = middle) : (most = middle)))
	done
}

# sweep SPEC - few of the early operations, which are similar, and each of the last ones
sweep()
{
	local spec=$1 n name step
	recordings=("${small[@]}")
	# its smallest cache is 1 MiB
	[[ $spec != sqlite ]] || recordings=("${large[@]}")
	attempt 0 "$spec"
	check_status "$spec without faults" 0
	operations "$spec"
	for ((n = 1; n <= total; n += step)); do
		name="$spec, $kind $n of $total"
		attempt "$n" "$spec"
		check_status "$name" "$([[ $kind == read ]] && echo '2 3' || echo 3)"
		check_message "$name"
		check_clean "$name"
		((failures > 20)) && return
		((step = n + 1, step = n + step < total - last ? step : n < total - last ? total - last - n : 1))
	done
	rm -rf "$scratch/good"
	((total)) || [[ $kind != write ]] || fail "$spec: no $kind ever failed"
	echo "$spec: $kind 1 to $total failed as they should"
}

for spec in $(formats "$program") html,max=1; do
	[[ $spec == null ]] || sweep "$spec"
done
summary
