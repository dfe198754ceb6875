#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Long recordings, all outputs: the same bytes from both readers, for any number of threads, and with very little memory
# (items spill to disk, queues are full). The report is among the outputs, so all diagnostics are compared, too.
#
# usage: equal-check.sh ANALYZE GEN-DAT [EVENTS [SCRATCH-DIR]]
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
. "$here/cases.sh"
. "$here/../outputs-lib.sh"
export LC_ALL=C
analyze=$(readlink -f "$1") gen=$2 events=${3:-10000000}
dir=$(mktemp -d "${4:-${TMPDIR:-/tmp}}/equal.XXXXXX")
trap 'rm -rf "$dir"' EXIT
failed=0
every_output "$analyze" out. full

# sums OPTION... - checksums of all outputs
sums()
{
	(
		cd "$dir"
		"$analyze" -q --index off "$@" "${outputs[@]}"
		md5sum out.*
		rm out.*
	)
}

# compare OPTION...
compare()
{
	sums "$@" >"$dir/other" || { echo "FAIL: $* failed"; exit 1; }
	diff "$dir/wanted" "$dir/other" >"$dir/difference" && return
	echo "FAIL: $name: ${*##*/}: other outputs than those of one thread"
	cat "$dir/difference"
	failed=1
}

for name in $equals; do
	make_case "$gen" equal "$name" "$dir/trace" --events "$events"
	files=("$dir"/trace*.dat)
	sums --threads 1 "${files[@]}" >"$dir/wanted"
	compare --threads 2 "${files[@]}"
	compare --threads 8 --memory 64K "${files[@]}"
	compare --reader libtracecmd "${files[@]}"
	echo "$name: $events events in ${#files[@]} files, $(du -cm "${files[@]}" | tail -n 1 | cut -f 1) MiB"
	rm "${files[@]}"
done
exit $failed
