#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings written by hand, and the findings that follow from the rules. A case has sections as in tests/golden:
#   --- node NAME     a text recording
#   --- model         a model of the case; default: dlm
#   --- args          more arguments
#   --- status N      default: 4 if a line of findings says proved, else 0
#   --- findings      all findings: GRADE RULE AT
#   --- tap           the output tap, if it is to be compared
#   --- junit         the output junit
# usage: check-cases.sh ANALYZE CASE...
set -uo pipefail
analyze=$(readlink -f "$1")
shift
failed=0

for case in "$@"; do
	dir=$(mktemp -d "${TMPDIR:-/tmp}/check.XXXXXX")
	awk -v dir="$dir" '
		/^--- node / { out = dir "/" $3 ".txt"; print "iotrace-text 1" > out; next }
		/^--- status / { print $3 > (dir "/status"); next }
		/^--- / { out = dir "/" $2; printf "" > out; next }
		out && (out !~ /findings$/ || !/^#|^$/) { print > out }
	' "$case"
	[[ -e $dir/findings ]] || { echo "$case: no findings section"; failed=1; }
	wanted=$(cat "$dir/status" 2> /dev/null || (grep -q ^proved "$dir/findings" && echo 4 || echo 0))
	maps=()
	for file in "$dir"/*.txt; do
		node=${file##*/}
		maps+=(--map "${node%.txt}=$file")
	done
	model=dlm args=()
	[[ -e $dir/model ]] && { mv "$dir/model" "$dir/own.model"; model=$dir/own.model; }
	[[ -e $dir/args ]] && read -ra args < "$dir/args"
	"$analyze" -q --index off -m "$model" -o "check,tsv:$dir/got.tsv" -o "check:$dir/got.check" -o "tap:$dir/got.tap" \
		-o "junit:$dir/got.junit" "${args[@]}" "${maps[@]}" "$dir"/*.txt 2> "$dir/err"
	status=$?
	[[ $status == "$wanted" ]] || { echo "$case: status $status, not $wanted: $(< "$dir/err")"; failed=1; }
	awk -F '\t' '{ print $2, $3, $4 }' "$dir/got.tsv" | sort | diff - <(sort "$dir/findings") > "$dir/diff" ||
		{ echo "$case: found (<) and to be found (>)"; cat "$dir/diff"; failed=1; }
	# for people all findings of order within the error of the clocks are one line
	n=$(awk -F '\t' '$2 == "possible" && $3 ~ / order$/ && /within the error of the clocks\)$/' "$dir/got.tsv" | wc -l)
	[[ $(sed -n 's/^[a-z]* order: \(.*\) possible, within the error of the clocks, .*/\1/p' "$dir/got.check") == "${n/#0/}" ]] ||
		{ echo "$case: not $n within the error of the clocks"; cat "$dir/got.check"; failed=1; }
	grep -q ' order .*(possible: within the error of the clocks)' "$dir/got.check" && { echo "$case: too many lines"; failed=1; }
	# each finding alone shows itself again, and nothing else that is proved or possible and not in the whole. If the message that
	# contradicts the clocks lies outside, the part states no errors of clocks instead
	sed -i 's/(possible: messages contradict .*)$/(possible: within the error of the clocks)/' "$dir/got.tsv"
	while IFS=$'\t' read -r n finding; do
		"$analyze" -q --index off -m "$model" -o "check,tsv:$dir/again.tsv" --cut "$n:$dir/cut-$n" "${args[@]}" "${maps[@]}" "$dir"/*.txt \
			2> "$dir/err" || [[ $? == 4 ]] || { echo "$case: --cut $n: $(< "$dir/err")"; failed=1; continue; }
		"$analyze" -q --index off -m "$model" -o "check,tsv:$dir/again.tsv" "${args[@]}" "$dir/cut-$n" 2> "$dir/err" ||
			[[ $? == 4 ]] || { echo "$case: the cut $n: $(< "$dir/err")"; failed=1; continue; }
		sed -i 's/(possible: messages contradict .*)$/(possible: within the error of the clocks)/' "$dir/again.tsv"
		cut -f 2- "$dir/again.tsv" | grep -qxF "$finding" || { echo "$case: the cut $n does not show $finding"; failed=1; }
		cut -f 2- "$dir/again.tsv" | grep -v ^undecided | grep -vxF -f <(cut -f 2- "$dir/got.tsv") &&
			{ echo "$case: the cut $n shows more"; failed=1; }
	done < "$dir/got.tsv"
	for format in tap junit; do
		[[ ! -e $dir/$format ]] || diff "$dir/got.$format" "$dir/$format" || { echo "$case: $format differs"; failed=1; }
	done
	rm -r "$dir"
done
exit $failed
