#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: dlm-count.sh ANALYZE SLOG2-CHECK PAJE-CHECK FILE...
# A recording of a real DLM cluster, counted twice: by dlm-count.awk from the output of trace-cmd, and by the analyser.
# Every number of points and spans on every row and every total time must be equal, to the last nanosecond, in the text
# output and in the SLOG2 and Pajé files, as read by independent readers. Exit 77 (skipped) without trace-cmd.
set -u
export LC_ALL=C
analyze=$1 slog2_check=$2 paje_check=$3
here=$(cd "$(dirname "$0")" && pwd)
shift 3
command -v trace-cmd >/dev/null || exit 77
[[ $# -gt 0 && -r $1 ]] || { echo "no recording: $*" >&2; exit 1; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

fail()
{
	echo "dlm-count: $*" >&2
	exit 1
}

# compare WHO EXPECTED GOT
compare()
{
	[[ -s $2 ]] || fail "$1: nothing to compare"
	if ! diff "$2" "$3" >"$dir/diff"; then
		echo "dlm-count: $1 differs (< trace-cmd and awk, > the program):" >&2
		grep '^[<>]' "$dir/diff" | head -n 20 >&2
		exit 1
	fi
	echo "$1: $(wc -l <"$2") numbers agree"
}

# The items of a dump or of the text output as lines: KIND "PATH" "CATEGORY" COUNT [TOTAL]
totals()
{
	awk '/"not observed"/ { next } # by the program alone
	/\/lock master"/ { next } # below
	/\/recovery on / { next } # from messages of the kernel
	{
		key = $1 " " $2 " " $3
		for (i = 4; i < NF || (i <= NF && $1 == "point"); i++)
			key = key " " $i
		n[key]++
		if ($1 == "span")
			time[key] += $NF
	}
	END {
		for (key in n)
			if (key ~ /^span/)
				printf "%s %d %.0f\n", key, n[key], time[key]
			else
				printf "%s %d\n", key, n[key]
	}' | sort
}

# ---- trace-cmd

# report FILE: the events of all CPUs in the order of time
report()
{
	trace-cmd dump --options "$1" >"$dir/options" 2>/dev/null
	if ! grep -q "^0x1 \[peer's protocol flags\]" "$dir/options"; then
		bash "$here/../events-report.sh" -N -t "$1" 2>/dev/null
		return
	fi
	bash "$here/../events-report.sh" -N -t --raw-ts "$1" 2>/dev/null >"$dir/raw" && awk -f "$here/ptp-times.awk" "$dir/options" "$dir/raw"
}

arguments=()
for file; do
	report=$dir/${file##*/}.txt
	report "$file" >"$report" || fail "trace-cmd cannot read $file"
	# the sender of a message is the node that recorded it
	node=$(sed -nE 's/.* dlm_send_message:.* h_nodeid=([0-9]+) .*/\1/p' "$report" | sort -u)
	[[ $node =~ ^[0-9]+$ ]] || fail "the messages of $file do not name its node: $node"
	arguments+=("node=node $node" "$report")
done
awk -f "$here/dlm-count.awk" "${arguments[@]}" >"$dir/all" || fail "cannot count the recording"
sort "$dir/all" >"$dir/expected"
grep -E '^(point|span) ' "$dir/expected" >"$dir/expected-items"

# ---- the program

outputs=(-o "text:$dir/text")
[[ -x $slog2_check ]] && outputs+=(-o "slog2:$dir/file.slog2")
if [[ -x $paje_check ]] || command -v pj_dump >/dev/null; then
	outputs+=(-o "paje,events,paths:$dir/file.paje")
fi
"$analyze" -q -m dlm --lockspace test,gfs --no-links "${outputs[@]}" "$@" || fail "the program fails"

# TIME KIND "PATH" TYPE "CATEGORY" [DURATION] ATTRIBUTES
awk -F '"' '/^[0-9]+ (span|point) / {
	split($1, head, " ")
	split($5, tail, " ")
	print head[2], "\"" $2 "\" \"" $4 "\"" (head[2] == "span" ? " " tail[1] : "")
}' "$dir/text" | totals >"$dir/text-items"
compare "text, rows" "$dir/expected-items" "$dir/text-items"

awk -F '"' '
function attr(name,  rest, part) {
	rest = $0
	if (!sub(".* " name "=", "", rest))
		return ""
	split(rest, part, /[ "]+/)
	return rest ~ /^"/ ? part[2] : part[1]
}
/^# diag (clock|link|order|recording|thread)_/ { next } # not counted here; threads: dlm-contexts.sh
/^# diag / { sub(/^# /, ""); print; next }
$2 ~ /\/lock master$|\/recovery on / { next }
/^[0-9]+ (span|point) / {
	split($1, head, " ")
	split($5, tail, " ")
	if (head[2] == "span") {
		n[$4]++
		time[$4] += tail[1]
		if ($5 ~ /flags=unfinished/)
			cut[$4]++
	} else if ($4 ~ /^(un)?lock( failed)?$/) {
		kind = $4
		sub(/ .*/, "", kind)
		event[kind "_start"]++
		result = attr("result")
		call[kind " " (result == "" ? "-" : result)]++
		took[kind] += attr("took")
	} else if ($4 ~ / return$/) {
		kind = $4
		sub(/ .*/, "", kind)
		event[kind "_end"]++
	} else if ($4 ~ /^ast/) {
		event["ast"]++
		status[attr("result")]++
	} else {
		event[$4]++
	}
}
END {
	for (k in event) printf "event %s %d\n", k, event[k]
	for (k in call) printf "call %s %d\n", k, call[k]
	for (k in took) printf "took %s %.0f\n", k, took[k]
	for (k in status) printf "status %s %d\n", k, status[k]
	for (k in cut) printf "unfinished \"%s\" %d\n", k, cut[k]
	for (k in n) printf "all \"%s\" %d %.0f\n", k, n[k], time[k]
}' "$dir/text" | sort >"$dir/text-rest"
grep -v -E '^(point|span) ' "$dir/expected" >"$dir/expected-rest"
compare "text, calls" "$dir/expected-rest" "$dir/text-rest"

if [[ -x $slog2_check ]]; then
	"$slog2_check" --dump --rows "$dir/file.slog2.rows.tsv" "$dir/file.slog2" >"$dir/slog2" ||
		fail "slog2-check refuses the file"
	# KIND "PATH" lane=N "CATEGORY" TIME [DURATION]
	awk -F '"' '!/^arrow / {
		split($5, times, " ")
		kind = $1
		sub(/ $/, "", kind)
		print kind, "\"" $2 "\" \"" $4 "\"" (kind == "span" ? " " times[2] : "")
	}' "$dir/slog2" | totals >"$dir/slog2-items"
	compare "slog2" "$dir/expected-items" "$dir/slog2-items"
fi

if [[ -x $paje_check ]]; then
	"$paje_check" --dump "$dir/file.paje" >"$dir/paje" || fail "paje-check refuses the file"
	# KIND PATH "CATEGORY" TIME [DURATION]; further lanes are rows below the node
	awk -F '"' '!/^link / {
		split($3, times, " ")
		kind = $1
		sub(/ .*/, "", kind)
		path = substr($1, length(kind) + 2)
		sub(/ $/, "", path)
		sub(/\/lane [0-9]+ of .*$/, "", path)
		sub(/ of .*$/, "", path)
		print kind, "\"" path "\" \"" $2 "\"" (kind == "span" ? " " times[2] : "")
	}' "$dir/paje" | totals >"$dir/paje-items"
	compare "paje" "$dir/expected-items" "$dir/paje-items"
fi

# pj_dump prints only the name of the row, which contains its path: "lane 2 of node 1 of 0x5/res01".
if [[ -e $dir/file.paje ]] && command -v pj_dump >/dev/null; then
	pj_dump -o -u -l 9 "$dir/file.paje" >"$dir/pj_dump" || fail "pj_dump refuses the file"
	awk -F ', ' '
	function row(  at) {
		sub(/^lane [0-9]+ of /, "", $2)
		at = index($2, " of ")
		return "\"" substr($2, at + 4) "/" substr($2, 1, at - 1) "\""
	}
	$1 == "State" {
		split($6, part, ".")
		printf "span %s \"%s\" %.0f\n", row(), $8, part[1] * 1000000000 + part[2]
	}
	$1 == "Event" { print "point", row(), "\"" $5 "\"" }' "$dir/pj_dump" | totals >"$dir/pj_dump-items"
	compare "pj_dump" "$dir/expected-items" "$dir/pj_dump-items"
fi

# ---- messages

awk -f "$here/dlm-messages.awk" "${arguments[@]}" | sort >"$dir/expected-links" || fail "cannot join the messages"
"$analyze" -q --index off -m dlm --lockspace test,gfs -o "text:$dir/links" "$@" || fail "the program fails"
# TIME link "LOCKSPACE/RESOURCE/NODE" message "TYPE" DURATION "PATH" ...
awk -F '"' '$1 ~ / link $/ {
	from = to = $2
	sub(/.*\//, "", from)
	to = $6
	sub(/.*\//, "", to)
	a = $2
	b = $6
	sub(/\/[^\/]*$/, "", a)
	sub(/\/[^\/]*$/, "", b)
	sub(/^gfs\/(trans|inode|rgrp|meta|iopen|flock|plock|quota|journal) [0-9a-f]*$/, "gfs/GFS2", a)
	sub(/^gfs\/(trans|inode|rgrp|meta|iopen|flock|plock|quota|journal) [0-9a-f]*$/, "gfs/GFS2", b)
	split($1, head, " ")
	split($5, tail, " ")
	if ($3 == " message ")
		print head[1], tail[1], a == b ? a : "on two resources", from, to, $4, ($7 ~ /backwards/ ? "backwards" : "")
}' "$dir/links" | sort >"$dir/got-links"
compare "text, messages" "$dir/expected-links" "$dir/got-links"

# ---- causes: TIME link "ROW" cause "KIND" DURATION "ROW" ...

awk -f "$here/dlm-causes.awk" "${arguments[@]}" | sort >"$dir/expected-causes" || fail "cannot join causes"
awk -F '"' '$3 == " cause " {
	node = $2
	sub(/.*\//, "", node)
	split($1, head, " ")
	split($5, tail, " ")
	print head[1], tail[1], node, $4, $2 == $6 ? "" : "on two rows"
}' "$dir/links" | sort >"$dir/got-causes"
compare "text, causes on a node" "$dir/expected-causes" "$dir/got-causes"

# ---- masters: TIME span "LOCKSPACE/RESOURCE/lock master" master "node MASTER" DURATION ...

reports=()
for argument in "${arguments[@]}"; do
	[[ $argument == node=* ]] || reports+=("$argument")
done
awk -f "$here/dlm-masters.awk" "${reports[@]}" | sort -n >"$dir/shown" && awk -v join=1 -f "$here/dlm-masters.awk" "$dir/shown" |
	sort >"$dir/expected-masters" || fail "cannot find the masters"
awk -F '"' '/^[0-9]+ span / && $3 == " master " {
	sub(/\/lock master$/, "", $2)
	sub(/^[^\/]*\//, "", $2)
	sub(/^node /, "", $4)
	split($1, head, " ")
	split($5, tail, " ")
	print head[1], $5 ~ / flags=unfinished/ ? "-" : sprintf("%.0f", head[1] + tail[1]), $4, $2
}' "$dir/links" | sort >"$dir/got-masters"
compare "text, masters" "$dir/expected-masters" "$dir/got-masters"
