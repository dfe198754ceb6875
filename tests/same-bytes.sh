#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a change leaves the outputs as they were. Two builds of the program read every recording of the tree (examples,
# tests/data, golden cases), and SLOG2, its list of rows, Pajé, text and the table of --list must be the same bytes, the exit
# status the same number. The reports hold sentences, which may change, so they are compared only with -r.
#
# The formats and options are those that programs older than this script know. A case with an option that one of the two
# programs does not know is skipped and counted.
#
# With -s the second program skips its fast paths and caches (analyzer/base/fault.h), for which it must be built with
# IOT_FAULTS. The two may be the same program: its fast paths and slow paths then must give the same bytes.
#
# usage: same-bytes.sh [-s] [-r] OLD-ANALYZE NEW-ANALYZE [WORD]     only recordings whose name contains WORD
set -uo pipefail
export LC_ALL=C
unset IOTRACE_FAULT IOTRACE_MODELS IOTRACE_INDEX_DENSE NO_COLOR
# shellcheck disable=SC2054 # commas belong to the formats
outputs=(-o slog2:slog2 -o paje,events,counters:paje -o slog2,no-events:states.slog2 -o paje:states.paje
	-o text:text -o list,tsv:list.tsv)
declare -A fault=([old]='' [new]='')
if [[ ${1:-} == -s ]]; then
	fault[new]=slow
	# the paths differ before the outputs, so each format is written once
	# shellcheck disable=SC2054
	outputs=(-o slog2:slog2 -o paje,events,counters:paje -o text:text -o list,tsv:list.tsv)
	shift
fi
if [[ ${1:-} == -r ]]; then
	# shellcheck disable=SC2054
	outputs+=(-o report,all:report)
	shift
fi
(($# == 2 || $# == 3)) || { echo "usage: ${0##*/} [-s] [-r] OLD-ANALYZE NEW-ANALYZE [WORD]" >&2; exit 2; }
tree=$(readlink -f "$(dirname "$0")/..")
declare -A program=([old]=$(readlink -f "$1") [new]=$(readlink -f "$2"))
word=${3:-}
for which in old new; do
	"${program[$which]}" --version >/dev/null || { echo "cannot run ${program[$which]:-$1}" >&2; exit 2; }
done
dir=$(mktemp -d "${TMPDIR:-/tmp}/same-bytes.XXXXXX") || exit 2
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/in" "$dir/old" "$dir/new"
recordings=0 runs=0 skipped=0 files=0 bytes=0 differences=0

differ()
{
	echo "DIFFERENT: $*"
	differences=$((differences + 1))
}

# compare_files NAME - the two folders of outputs
compare_files()
{
	local file
	while read -r file; do
		files=$((files + 1))
		if [[ ! -e $dir/old/$file || ! -e $dir/new/$file ]]; then
			differ "$1: only one program wrote $file"
		elif cmp "$dir/old/$file" "$dir/new/$file" >"$dir/said" 2>&1; then
			bytes=$((bytes + $(stat -c %s "$dir/new/$file")))
		else
			differ "$1: $(sed "s|$dir/||g" "$dir/said")"
		fi
	done < <(cd "$dir" && find old new -type f -printf '%P\n' | sort -u)
}

# run NAME ARGUMENT... - both programs; recordings in $dir/in are named as ../in/FILE
run()
{
	local name=$1 which
	local -A status
	shift
	for which in old new; do
		find "$dir/$which" -mindepth 1 -delete
		(cd "$dir/$which" && IOTRACE_FAULT=${fault[$which]} exec "${program[$which]}" -q --index off "$@" "${outputs[@]}" >stdout 2>"$dir/$which.err")
		status[$which]=$?
	done
	if grep -qE 'there is no (option|output format)|has no option' "$dir/old.err" "$dir/new.err"; then
		skipped=$((skipped + 1))
		return
	fi
	runs=$((runs + 1))
	[[ ${status[old]} == "${status[new]}" ]] || differ "$name: status ${status[old]}, then ${status[new]}: $(<"$dir/new.err")"
	compare_files "$name"
}

# wanted NAME - whether the recording was asked for; counts it
wanted()
{
	[[ $1 == *"$word"* ]] || return
	recordings=$((recordings + 1))
}

# split_case FILE - input-N.txt for each section of events, and args; @repeat as in tests/golden/golden-case.c
split_case()
{
	awk -v dir="$dir/in" '
	function add(line, shift,    t) {
		if (line == "") return
		if (match(line, /^[0-9]+/)) {
			# times have up to 19 digits, more than a double holds: the last 15 are added, with their carry
			t = substr(line, 1, RLENGTH)
			line = plus(t, shift) substr(line, RLENGTH + 1)
		}
		print line >out
	}
	function plus(t, shift,    low, high) {
		if (!shift) return t
		if (length(t) <= 15) return sprintf("%.0f", t + shift)
		low = substr(t, length(t) - 14) + shift
		high = substr(t, 1, length(t) - 15) + int(low / 1e15)
		return sprintf("%.0f%015.0f", high, low % 1e15)
	}
	BEGIN { out = "/dev/null" }
	/^--- (node .*|recording)$/ { out = dir "/input-" ++n ".txt"; print "iotrace-text 1" >out; next }
	/^--- args$/ { out = dir "/args"; next }
	/^--- / { out = "/dev/null"; next }
	/^@repeat / { times = $2; step = $3; many = 0; repeat = 1; next }
	/^@end$/ && repeat {
		for (i = 0; i < times; i++) for (k = 0; k < many; k++) add(held[k], i * step)
		repeat = 0
		next
	}
	repeat { held[many++] = $0; next }
	{ add($0, 0) }' "$1"
}

# run_case FILE
run_case()
{
	local name=${1##*/} arguments=() inputs=() maps=() head kind i=0
	find "$dir/in" -mindepth 1 -delete
	split_case "$1"
	while read -r head; do
		i=$((i + 1))
		inputs+=("../in/input-$i.txt")
		kind=${head#--- }
		[[ $kind == recording ]] || maps+=(--map "${kind#node }=../in/input-$i.txt")
	done < <(grep -E '^--- (node .*|recording)$' "$1")
	[[ ! -s $dir/in/args ]] || mapfile -t arguments < <(xargs printf '%s\n' <"$dir/in/args")
	kind=$(sed -n 's/^--- model //p' "$1" | tail -n 1)
	[[ -z $kind ]] || arguments=(-m "$kind" "${arguments[@]}")
	run "$name" "${inputs[@]}" "${maps[@]}" "${arguments[@]}"
}

# run_session FOLDER - the recordings of one session: with the host's and without it, each alone, some windows and selections
run_session()
{
	local name=${1#"$tree"/} file guests=("$1"/trace-*.dat)
	run "$name, all" "$1"/*.dat
	run "$name, guests" "${guests[@]}"
	run "$name, window" --from 10 --to 11.5 "${guests[@]}"
	run "$name, window of a selection" --from 0.5 --select '*0*' "${guests[@]}"
	run "$name, top" --top 3 --max-open 100 --max-containers 50 "${guests[@]}"
	run "$name, little memory" --threads 1 --memory 64K "${guests[@]}"
	for file in "$1"/*.dat; do
		run "${file#"$tree"/}" "$file"
	done
}

for folder in "$tree"/examples/{dlm,fileio,nfs} "$tree"/tests/data/cpus*; do
	wanted "${folder#"$tree"/}" && run_session "$folder"
done
for file in "$tree"/tests/data/{agent,synthetic}/*.dat "$tree/tests/window/damage.txt"; do
	wanted "${file#"$tree"/}" && run "${file#"$tree"/}" "$file"
done
for file in "$tree"/tests/golden/*.case; do
	wanted "${file#"$tree"/}" && run_case "$file"
done
echo "$recordings recordings, $runs runs ($skipped skipped), $files files, $bytes bytes the same; $differences differences"
((runs && !differences))
