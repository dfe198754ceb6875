#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: ctf-random.sh ANALYZE MAKE TRACES
# Random CTF traces, written without a library: the program finds what MAKE (ctf-make) says that it has written, every event with thread, processor and
# fields at its exact time, and every loss; and so does babeltrace2, if it is there. Then the same traces with a file that is cut or has
# another byte somewhere: they are read or refused with one sentence.
. "${0%/*}/readers-lib.sh"
analyze=$1 make=$2 traces=$3
"$analyze" --version | grep -q ', libbabeltrace2' || exit 77

{
	printf '%s\n' '[model]' 'name = gen' 'title = Random events' 'system = gen' '[container node]' 'in = root' 'id = {@node}' 'name = {@node_name}' \
		'role = node' '[view Events]' 'columns = node'
	# points NAME ATTRIBUTE:TYPE...
	points()
	{
		printf '%s\n' "[points $1]" 'on = node' "attrs = cpu:uint thread:int ${*:2}" "value $1 = red" "[point $1]" "event = $1" "points = $1" "value = $1" \
			'set cpu = @cpu' 'set thread = @pid'
		for attr in "${@:2}"; do
			case $attr in
			*:text) echo "set ${attr%:*} = {${attr%:*}}" ;;
			*) echo "set ${attr%:*} = ${attr%:*}" ;;
			esac
		done
	}
	points zero a:int b:uint
	points one s:text n:int e:text f:text
	points two list:text text:text g:text
	points three pos_x:int pos_y:uint v:text
} > "$dir/gen.model"

# The one loss after the other, which share an end, are two gaps.
for ((seed = 1; seed <= traces; seed++)); do
	"$make" "$dir/of$seed" $seed 200 > "$dir/made" || exit 1
	awk -F '\t' '/^event/ {
			split($1, word, " ")
			print word[4] " point \"gen\" " word[6] " \"" word[6] "\"" (word[2] > 0 ? " cpu=" word[2] : "") (word[5] > 0 ? " thread=" word[5] : "") $2
		}
		/^gap/ { split($1, word, " "); print word[2] " gap \"gen\" - \"not observed\" " word[3] " " (word[4] == "known" ? "lost=" word[5] : "lost=?") }
	' "$dir/made" | sort > "$dir/expected"
	timeout 60 "$analyze" -q --index off -m "$dir/gen.model" -o "text:$dir/text" "$dir/of$seed" || exit 1
	grep -v '^#' "$dir/text" | sort > "$dir/got"
	(agree "lines of trace $seed") > "$dir/said" 2>&1 || { head -n 20 "$dir/said"; exit 1; }
	awk -v counted="$(awk '$2 == "diag" && ($3 == "events_lost" || $3 == "gaps") { printf "%s=%s ", $3, $4 }' "$dir/text")" '
		/^gap/ { gaps++; lost += $5 }
		END {
			if (counted != (lost ? "events_lost=" lost " " : "") (gaps ? "gaps=" gaps " " : "")) { print "counted " counted ", made " lost " in " gaps; exit 1 }
		}' "$dir/made" || exit 1
	cat "$dir/got" >> "$dir/all"
	command -v babeltrace2 > /dev/null || continue
	# babeltrace2 2.0 prints an empty text as what the field held before: such events are left out
	sed -nE 's/^event ([0-9]+) ([0-9]+) [0-9]+ ([0-9]+) ([a-z]+) (.*)\t.*/\2 \4 \1 \3 \5/p' "$dir/made" | sort > "$dir/made.sorted"
	grep '""' "$dir/made.sorted" | cut -d ' ' -f 1-3 > "$dir/empty"
	grep -v '""' "$dir/made.sorted" > "$dir/expected"
	timeout -s KILL 60 babeltrace2 --clock-cycles --no-delta "$dir/of$seed" 2> "$dir/warnings" |
		sed -E 's/^\[0*([0-9]+)\] gen gen:([a-z]+): \{ cpu_id = ([0-9]+) \}, (\{ vtid = ([0-9]+) \}, )?\{ (.*) \}$/\1 \2 \3 \5_ \6/; s/ _ / 0 /; s/_ / /' | awk -v empty="$dir/empty" '
			BEGIN { while ((getline line < empty) > 0) left_out[line] = 1 }
			!(($1 " " $2 " " $3) in left_out)' | sort > "$dir/got"
	(agree "lines of babeltrace2, of trace $seed") > "$dir/said" 2>&1 || { head -n 20 "$dir/said"; exit 1; }
done
cut -d ' ' -f 2 "$dir/all" | sort | uniq -c

# The library loses some memory when it refuses a trace, in a plugin that is unloaded before the sanitizer looks.
export ASAN_OPTIONS=detect_leaks=0
RANDOM=1
declare -A statuses=()
for ((i = 0; i < 6 * traces; i++)); do
	rm -rf "$dir/bad"
	cp -r "$dir/of$((1 + i % traces))" "$dir/bad"
	damage $i "$dir/bad"/*
	timeout 60 "$analyze" -q --index off -m "$dir/gen.model" -o "text:$dir/text" "$dir/bad" 2> "$dir/stderr"
	status=$?
	statuses[$status]=$((${statuses[$status]-0} + 1))
	[[ $status == 0 || ($status == 2 && $(wc -l < "$dir/stderr") == 1) ]] && continue
	echo "ctf-random: status $status of ${file##*/} of trace $((1 + i % traces)), damaged at $at" >&2
	cat "$dir/stderr" >&2
	exit 1
done
[[ -n ${statuses[2]-} ]] || { echo 'ctf-random: no damage was seen' >&2; exit 1; }
echo "damaged: ${statuses[0]-0} read, ${statuses[2]} refused"
