#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the analyser with the truth of generated recordings. Without losses, every lock mode and every wait must be
# exact to the nanosecond, with none missing or added, and every event must be one point. With losses, the gaps must match
# the truth, and no assertion may be wrong. In both cases, a message is a link exactly if both of its ends are recorded.
# The same holds for calls of clients, their service, and the file I/O of the service, which names the call that it is for.
#
# usage: truth-check.sh exact|loss ANALYZE GEN-DAT [EVENTS [SEED [SCRATCH-DIR]]]
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
. "$here/cases.sh"
export LC_ALL=C
what=$1 analyze=$2 gen=$3 events=${4:-60000} seed=${5:-1}
dir=$(mktemp -d "${6:-${TMPDIR:-/tmp}}/truth.XXXXXX")
trap 'rm -rf "$dir"' EXIT
tab=$(printf '\t')
failed=0

# fail NAME TEXT [FILE] - with the first lines of FILE
fail()
{
	echo "FAIL $1: $2"
	[ $# -lt 3 ] || head -20 "$3"
	failed=1
}

# Both sides as lines "PATH LKB_ID CATEGORY T0 T1", tab-separated. PATH is written as between the quotes.
is_calls()
{
	grep -q '^request' "$dir/truth"
}

truth_spans()
{
	if is_calls; then
		awk -F'\t' -f "$here/truth-calls.awk" "$dir/truth" | sort
	else
		awk -F'\t' -f "$here/truth-spans.awk" "$dir/truth" | sort
	fi
}

# text_spans [asserted=1]
text_spans()
{
	local name=spans
	! is_calls || name=calls
	awk -v "${1:-asserted=0}" -f "$here/text-$name.awk" "$dir/text" | sort
}

# "NODE N" of the points, and of the events of locks and calls
truth_points()
{
	awk -F'\t' '$1 == "count" && $3 ~ /^(dlm|call)_/ && $3 !~ /message/ { n[$2] += $4 } END { for (i in n) print i, n[i] }' \
		"$dir/truth" | sort
}

text_points()
{
	awk '$2 == "point" && match($0, /\/node [0-9]+" event "/) {
			n[substr($0, RSTART + 6) + 0]++
		}
		END { for (i in n) print i, n[i] }' "$dir/text" | sort
}

# "NODE T0 T1 LOST"; overlapping gaps of two CPUs of a node are one gap
truth_gaps()
{
	awk -F'\t' '$1 == "gap" { print $2 ? $2 : "host", $4, $5, $6 }' "$dir/truth" | sort -k1,1 -k2,3n |
		awk '
		function flush() {
			if (node != "")
				print node, t0, t1, unknown ? "?" : lost
		}
		$1 != node || $2 + 0 > t1 + 0 {
			flush()
			node = $1
			t0 = $2
			t1 = $3
			lost = unknown = 0
		}
		{
			if ($3 + 0 > t1 + 0)
				t1 = $3
			lost += $4
			unknown = unknown || $4 == "?"
		}
		END { flush() }' | sort
}

text_gaps()
{
	awk '$2 == "gap" {
			t0 = $1
			match($0, /" - "not observed" [0-9]+/)
			duration = substr($0, RSTART + 19, RLENGTH - 19)
			match($0, /"[^"]*"/)
			node = substr($0, RSTART + 1, RLENGTH - 2)
			sub(/^node /, "", node)
			sub(/.*lost=/, "")
			printf "%s %s %.0f %s\n", node, t0, t0 + duration, $1
		}' "$dir/text" | sort
}

generate()
{
	local group=$1 name=$2 maps="" cid i
	rm -f "$dir"/trace* "$dir/text"
	make_case "$gen" "$group" "$name" "$dir/trace" --events "$events" --seed "$seed" --truth "$dir/truth"
	for i in "$dir"/trace-*; do
		cid=${i##*/trace-}
		cid=${cid%.*}
		maps="$maps${maps:+,}$((cid - 2))=$cid"
	done
	if ! "$analyze" -q --map "$maps" -o "text:$dir/text" "$dir"/trace* >"$dir/messages" 2>&1; then
		fail "$name" "the analyser failed" "$dir/messages"
		return 1
	fi
}

# Items must come by rising end.
check_order()
{
	awk '$2 == "span" || $2 == "point" || $2 == "gap" {
			t = $1
			if ($2 != "point") {
				gsub(/"([^"\\]|\\.)*"/, "-")
				t += $6
			}
			if (t < last) {
				printf "line %d: %.0f after %.0f\n", NR, t, last
				exit
			}
			last = t
		}' "$dir/text" >"$dir/order"
	[ ! -s "$dir/order" ] || fail "$1" "not in order of the end" "$dir/order"
}

check_points()
{
	truth_points >"$dir/expected"
	text_points >"$dir/found"
	diff "$dir/expected" "$dir/found" >"$dir/diff" ||
		fail "$1" "an event is one point: numbers differ (< truth, > analyser)" "$dir/diff"
}

# Two messages may have the same key. If nothing decides between them, the program leaves both out and counts them.
check_links()
{
	grep -qE '^(message|serves)' "$dir/truth" || return 0
	awk -F'\t' -f "$here/truth-links.awk" "$dir/truth" | sort >"$dir/expected"
	awk -F'"' -f "$here/text-links.awk" "$dir/text" | sort >"$dir/found"
	comm -13 "$dir/expected" "$dir/found" >"$dir/diff"
	[ ! -s "$dir/diff" ] || fail "$1" "invented links (SENT RECEIVED FROM TO TYPE)" "$dir/diff"
	comm -23 "$dir/expected" "$dir/found" >"$dir/diff"
	ambiguous=$(sed -n 's/^# diag link_ambiguous //p' "$dir/text")
	[ "$(wc -l <"$dir/diff")" -le $((${ambiguous:-0} / 2)) ] ||
		fail "$1" "missing links (SENT RECEIVED FROM TO TYPE)" "$dir/diff"
	echo "ok $1: $(wc -l <"$dir/found") links, $(wc -l <"$dir/diff") ambiguous"
}

# The master that is shown is the true one, whatever was lost.
check_shown_masters()
{
	grep -q '^own' "$dir/truth" || return 0
	awk -F'\t' -f "$here/truth-masters.awk" "$dir/truth" FS=' ' "$dir/text" >"$dir/diff"
	[ ! -s "$dir/diff" ] || fail "$1" "wrong lock masters" "$dir/diff"
	grep -q '/lock master" master "node ' "$dir/text" || fail "$1" "no lock master is shown"
}

check_master()
{
	grep -q '^own' "$dir/truth" || return 0
	awk -F'\t' '{ print ($1 == "part" ? $8 : $7) "\t" $0 }' "$dir/truth" | sort -n |
		awk -F'\t' -f "$here/truth-compatible.awk" >"$dir/diff"
	[ ! -s "$dir/diff" ] || fail "$1" "the generator breaks its own rules" "$dir/diff"
}

check_exact()
{
	local name=$1
	generate truth "$name" || return 0
	check_order "$name"
	check_points "$name"
	check_links "$name"
	check_master "$name"
	check_shown_masters "$name"
	truth_spans >"$dir/expected"
	text_spans >"$dir/found"
	if ! diff "$dir/expected" "$dir/found" >"$dir/diff"; then
		fail "$name" "spans differ (< truth, > analyser; PATH LKB_ID CATEGORY T0 T1, or as truth-calls.awk says)" "$dir/diff"
		echo "... $(grep -c '^<' "$dir/diff" || true) missing, $(grep -c '^>' "$dir/diff" || true) too many"
	elif [ ! -s "$dir/expected" ]; then
		fail "$name" "the truth has no spans"
	else
		echo "ok $name: $(wc -l <"$dir/expected") spans"
	fi
}

# Prints the analyser's spans that lie in no span of the truth. Both are sorted by lock, category and begin; at the same
# begin the truth comes first.
contradictions()
{
	{
		sed "s/\$/${tab}1truth/" "$dir/expected"
		sed "s/\$/${tab}2found/" "$dir/asserted"
	} | sort -t"$tab" -k1,3 -k4,4n -k6,6 | awk -F'\t' '
		{ key = $1 "\t" $2 "\t" $3 }
		$6 == "1truth" { in_key = key; t0 = $4; t1 = $5; next }
		key != in_key || $4 + 0 < t0 + 0 || $5 + 0 > t1 + 0 { print }'
}

# A call whose start and end were seen is in the truth. Nothing is said about file I/O that seems to be for no call.
wrong_calls()
{
	comm -13 "$dir/expected" "$dir/asserted" | awk -F'\t' '
		FNR == NR { if ($2 == "io") io[$1, $4, $5, $6]; next }
		!($2 == "io" && $3 == 0 && ($1, $4, $5, $6) in io)' "$dir/expected" -
}

check_loss()
{
	local name=$1
	generate loss "$name" || return 0
	check_order "$name"
	check_points "$name"
	check_links "$name"
	check_shown_masters "$name"
	truth_gaps >"$dir/expected"
	text_gaps >"$dir/found"
	diff "$dir/expected" "$dir/found" >"$dir/diff" ||
		fail "$name" "gaps differ (< truth, > analyser; NODE T0 T1 LOST)" "$dir/diff"
	truth_spans >"$dir/expected"
	# all modes; waits unless they are marked as cut or as begun earlier
	text_spans asserted=1 >"$dir/asserted"
	if is_calls; then
		wrong_calls >"$dir/diff"
	else
		contradictions >"$dir/diff"
	fi
	if [ -s "$dir/diff" ]; then
		fail "$name" "asserted, but not so (PATH LKB_ID CATEGORY T0 T1)" "$dir/diff"
		echo "... $(wc -l <"$dir/diff") in all"
	elif [ ! -s "$dir/asserted" ]; then
		fail "$name" "nothing is asserted at all"
	else
		echo "ok $name: $(wc -l <"$dir/asserted") spans asserted of $(wc -l <"$dir/expected")"
	fi
}

case $what in
exact)
	for name in $truths; do
		check_exact "$name"
	done ;;
loss)
	for name in $losses; do
		check_loss "$name"
	done ;;
*)
	sed -n '/^# usage/s/^# //p' "$0" >&2
	exit 1 ;;
esac
exit $failed
