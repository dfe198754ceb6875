#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Memory must not grow with the recording: the analyser's peak on a long recording may exceed the peak on a recording of a
# fifth of its length by at most 2 %. The short recording is long enough to contain all rows.
#
# Conditions: No index, because only long recordings get one, and it takes some memory whatever their length. One thread,
# because the fill of the bounded queues between threads depends on the machine's load. "default" means the outputs without
# -o, except the page, which is tested alone and whole: one that is made smaller needs memory for its sums. No random
# addresses, because they change peaks by a percent from run to run. Medians of three runs, but a single run of the long
# recording if its peak is small enough. One processor: since Linux 6.2 the kernel counts a process's pages separately for
# each processor, and shows the sum with an error of up to 32 pages a processor, for anonymous pages and for pages of files.
# A process that moved between processors was seen 768 KiB above its other runs.
#
# Memory is also bounded: 256 MiB, the default of --memory, with all outputs; for reading alone 64 MiB and 4 MiB for each
# file. Tested with files of many CPUs and with many files, with a thread for each processor; and for 3000 processes that want one
# lock.
#
# usage: rss-check.sh ANALYZE LOOP-SOURCE GEN-DAT MEASURE [SMALL LARGE [SCRATCH-DIR]]
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
. "$here/cases.sh"
export LC_ALL=C
analyze=$1 source=$2 gen=$3 measure=$4 small=${5:-2000000} large=${6:-10000000}
dir=$(mktemp -d "${7:-${TMPDIR:-/tmp}}/rss.XXXXXX")
trap 'rm -rf "$dir"' EXIT
failed=0
declare -A before

# the processors on which this script may run
mapfile -t cpus < <(taskset -cp $$ | sed 's/.*: *//' | tr , '\n' | while IFS=- read -r from to; do seq "$from" "${to:-$from}"; done)

# fix CPU - runs on this processor, without random addresses: equal peaks in all runs
fix()
{
	fixed=(setarch -R taskset -c "$1")
	"${fixed[@]}" true 2>/dev/null || fixed=()
}
fix "${cpus[0]}"

# the kernel's error in KiB: two runs, two kinds of pages, 32 pages
error=$((2 * 2 * 32 * $(getconf PAGESIZE) / 1024))

# peak OUTPUT - KiB of one run over the files of the current size
peak()
{
	local outputs=(-o "$1:$dir/out")
	if [ "$1" = default ]; then
		outputs=(-o "slog2:$dir/out.slog2" -o "paje,events,counters:$dir/out.paje" -o "report,tables:$dir/out.txt")
	fi
	if ! "${fixed[@]}" "$measure" "$analyze" -q --threads 1 --index off "${outputs[@]}" "$dir"/trace*.dat 2>"$dir/messages" >"$dir/measured"; then
		cat "$dir/messages" >&2
		exit 1
	fi
	rm -f "$dir"/out*
	awk '{ print $4 }' "$dir/measured"
}

# median OUTPUT
median()
{
	{ peak "$1"; peak "$1"; peak "$1"; } | sort -n | sed -n 2p
}

# bound WHAT KIB ALLOWED
bound()
{
	[ "$2" -gt "$3" ] || return 0
	echo "FAIL $1: $2 KiB, $3 KiB allowed"
	failed=1
}

# judge NAME OUTPUT - the long recording against the short one
judge()
{
	local kib=${before[$2]} allowed=$((before[$2] / 50)) grown verdict=ok
	# the allocator's steps and the kernel's error are more than 2 % of a few MiB
	[ "$allowed" -ge $((256 + error)) ] || allowed=$((256 + error))
	grown=$(peak "$2")
	[ "$grown" -le $((kib + allowed)) ] || grown=$(median "$2")
	bound "$1 $2" "$grown" $((256 * 1024))
	if [ "$grown" -gt $((kib + allowed)) ]; then
		verdict=FAIL failed=1
	fi
	echo "$verdict $1 $2: $kib KiB for $small events, $grown KiB for $large, $((kib + allowed)) KiB allowed"
}

# grow NAME CPU - all outputs of the short and of the long recording
grow()
{
	local output
	dir+=/$1
	mkdir "$dir"
	fix "$2"
	make_case "$gen" memory "$1" "$dir/trace" --events "$small"
	for output in null text html,max=0 summary default; do
		before[$output]=$(median "$output")
	done
	rm -f "$dir"/trace*.dat
	make_case "$gen" memory "$1" "$dir/trace" --events "$large"
	for output in null text html,max=0 summary default; do
		judge "$1" "$output"
	done
	rm -rf "$dir"
	exit $failed
}

# one recording on each processor
begun=0
for name in $memories; do
	grow "$name" "${cpus[begun % ${#cpus[@]}]}" &
	((++begun % ${#cpus[@]})) || { wait -n || failed=1; }
done
while (($(jobs -p | wc -l))); do
	wait -n || failed=1
done

# thousands of waits are open at once on one resource, each with hundreds of locks in its way
make_case "$gen" memory crowd "$dir/trace" --events 60000
kib=$(peak report)
bound "crowd report" "$kib" $((256 * 1024))
echo "crowd report: $kib KiB, $((256 * 1024)) KiB allowed"
rm -f "$dir"/trace*.dat

for name in many_cpus io_64; do
	make_case "$gen" case "$name" "$dir/trace" --events "$small"
	files=("$dir"/trace*.dat)
	"$measure" "$source" --merge --threads="$(nproc)" dat "${files[@]}" 2>/dev/null >"$dir/measured"
	kib=$(awk '{ print $4 }' "$dir/measured")
	allowed=$((64 * 1024 + 4 * 1024 * ${#files[@]}))
	bound "$name, reading alone" "$kib" "$allowed"
	echo "$name: $kib KiB to read ${#files[@]} files alone, $allowed KiB allowed"
	rm -f "${files[@]}"
done
exit $failed
