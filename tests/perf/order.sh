#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What rules of order cost: instructions of the analyser with the policy "report", and with all rules and the greatest repair
# ("adjust,inside"), over its instructions with --causality off. valgrind counts instructions, so the figure is the same on a
# busy machine. One thread, output null, no index. Judges nothing.
#
# usage: order.sh [-b BUILD-DIR] [-e EVENTS] [-d SCRATCH-DIR] [FILE...]
#   FILE...: only these recordings
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
. "$here/cases.sh"
export LC_ALL=C

build=$here/../../build/release events=200000 scratch=${TMPDIR:-/tmp}
while getopts b:e:d: option; do
	case $option in
	b) build=$OPTARG ;;
	e) events=$OPTARG ;;
	d) scratch=$OPTARG ;;
	*) sed -n '/^# usage/,/^set/s/^# //p' "$0" >&2; exit 1 ;;
	esac
done
shift $((OPTIND - 1))
command -v valgrind >/dev/null || { echo "${0##*/}: valgrind is missing" >&2; exit 1; }
dir=$(mktemp -d "$scratch/order.XXXXXX")
trap 'rm -rf "$dir"' EXIT

# instructions POLICY FILE...
instructions()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$build/analyzer/iotrace-analyze" -q --threads 1 --index off \
		-o "null:$dir/out" --causality "$@" 2>&1 | sed -n 's/.*Collected : //p'
}

# ratio NAME FILE...
ratio()
{
	local name=$1 off report all
	shift
	off=$(instructions off "$@")
	report=$(instructions report "$@")
	all=$(instructions adjust,inside "$@")
	awk -v name="$name" -v off="$off" -v report="$report" -v all="$all" 'BEGIN {
		printf "%s: %.0f million instructions without rules, report %.3f times, adjust,inside %.3f times\n",
			name, off / 1e6, report / off, all / off }'
}

if (($#)); then
	ratio "recordings" "$@"
	exit
fi
# calls and callbacks; the same with messages between the nodes
make_case "$build/tests/perf/gen-dat" case dense "$dir/dense" --events "$events"
make_case "$build/tests/perf/gen-dat" truth messages "$dir/messages" --events "$events"
ratio "dense" "$dir"/dense*.dat
ratio "messages" "$dir"/messages*.dat
