#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Random delegations of a server, by the model delegation: who held which file, each recall, and who was in its way, to the nanosecond.
# usage: random-delegation.sh ANALYZE RECORDINGS [FIRST_SEED]
. "$(dirname "$0")/random-lib.sh"
analyze=$(readlink -f "$1") left=$2 seed=${3:-1}

for ((n = 0; n < left; n++, seed++)); do
	rm -f "$dir"/{events.txt,truth,text}
	awk -v seed="$seed" -v events="$dir/events.txt" -v truth="$dir/truth" -f "$here/delegations.awk"
	"$analyze" -q --index off -m delegation --derive accounts -o "text:$dir/text" "$dir/events.txt"
	awk '
	function value(name) { return match($0, " " name "=[^ ]+") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : "" }
	function text(name, t) { t = value(name); gsub("\"", "", t); return t }
	{ split($3, place, "/"); file = substr($0, index($0, "\"file ") + 6); sub("/.*", "", file); split($0, quoted, "\""); split(quoted[5], tail, " ") }
	/ span / && quoted[4] != "waiting" { print "held", file, text("command"), quoted[4], $1, $1 + tail[1] }
	/ span / && quoted[4] == "waiting" { waits[file, $1 + tail[1], lane()] = "wait " file " " value("pid") " " $1 " " $1 + tail[1] }
	function lane() { return match($0, " lane=[0-9]+") ? substr($0, RSTART + 6, RLENGTH - 6) : 0 }
	/ point / { print waits[file, $1, lane()], (quoted[6] == "wait" ? "" : "?") "by", text("by_command"), text("by_mode"), value("part") }
	' "$dir/text" | sort > "$dir/found"
	sort "$dir/truth" > "$dir/wanted"
	same "delegations" "$dir/wanted" "$dir/found"
	cat "$dir/wanted" >> "$dir/all"
done
awk -v n="$left" '/^held/ { held++ } /^wait/ { waits++; ns += $NF } END { print n " recordings: " held " delegations, " waits " recalls, " ns " ns in the way" }' "$dir/all"
