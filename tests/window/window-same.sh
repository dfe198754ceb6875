#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Windows of a real recording: all outputs are the same bytes for any number of threads, any memory and both readers, the
# report with its counters too, although reading ends soon behind the window and threads read ahead.
#
# usage: window-same.sh ANALYZE RECORDING...
set -euo pipefail
analyze=$(readlink -f "$1")
shift
recordings=("$@")
dir=$(mktemp -d "${TMPDIR:-/tmp}/window.XXXXXX")
trap 'rm -rf "$dir"' EXIT
failed=0

# analyse NAME OPTION... - all outputs into the folder NAME
analyse()
{
	local out=$dir/$1
	shift
	mkdir "$out"
	(cd "$out" && "$analyze" -q "$@" -o slog2:o.slog2 -o paje:o.paje -o text:o.text -o report,all:o.report \
		"${recordings[@]}")
}

for window in "--to 0.5" "--from 10 --to 11" "--from 99.5 --to 100" "--from 100 --to 170 --top 3" "--from 500"; do
	rm -rf "$dir"/*
	read -ra options <<<"$window"
	analyse first "${options[@]}" --threads 1
	for variant in "--threads 2" "--threads 8" "--threads 8 --memory 64K" "--threads 1 --memory 64K" \
		"--reader libtracecmd"; do
		read -ra more <<<"$variant"
		rm -rf "$dir/other"
		analyse other "${options[@]}" "${more[@]}"
		if ! diff -rq "$dir/first" "$dir/other"; then
			echo "FAIL: $window with $variant"
			failed=1
		fi
	done
done
exit $failed
