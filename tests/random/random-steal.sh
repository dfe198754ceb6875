#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Random schedules of a host: the stolen time of each virtual CPU must be what the guest's own steal counter shows, and the states of
# a virtual CPU must add up to the time that is shown. Each wait and each time that a process of a guest ran has the stolen part that its
# guest's counter showed, to the nanosecond, and no unknown time.
# usage: random-steal.sh ANALYZE RECORDINGS [FIRST_SEED]
. "$(dirname "$0")/random-lib.sh"
analyze=$(readlink -f "$1") left=$2 seed=${3:-1}
ns=0 spans=0

for ((n = 0; n < left; n++, seed++)); do
	rm -f "$dir"/*
	: > "$dir/shares"
	awk -v seed="$seed" -v folder="$dir" -f "$here/steal.awk"
	read -ra args < "$dir/args"
	"$analyze" -q --index off -m kvm -m dlm -m sched -o "text:$dir/text" "${args[@]}" "$dir/host"
	awk -F'"' '
		function number_of(name) { return match($0, " " name "=[0-9]+") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : 0 }
		/ span / && $0 !~ /flags=[a-z,-]*(unfinished|before|cut)/ && ($4 == "PENDING" && $2 ~ /B\/node/ || $4 == "running" && $2 ~ /^node [0-9]+\/w /) {
			split($1, head, " ")
			split($5, tail, " ")
			node = $2
			sub(/.*node /, "", node)
			sub(/\/.*/, "", node)
			process = $2
			sub(/.* /, "", process)
			printf "node %d %s %s %s %s%s\n", node, $4 == "PENDING" ? $4 : $4 " " process, head[1], tail[1],
				number_of("stolen"), number_of("stolen_unknown") ? " and unknown time" : ""
		}' "$dir/text" | sort > "$dir/found"
	sort "$dir/shares" > "$dir/expected"
	same "begin, length and stolen ns of spans" "$dir/expected" "$dir/found"
	spans=$((spans + $(wc -l < "$dir/shares")))
	# the host's states are shown while some guest is recorded; a guest's counter rises while this guest is
	for guest in "$dir"/[0-9]*; do
		read -r begin end < <(awk '/lkb_id=1 / { print $1 }' "$guest" | paste -sd ' ')
		awk -F'"' -v node="node ${guest##*/}/" -v begin="$begin" -v end="$end" '
			index($2, node) == 1 && $3 ~ / vcpu / {
				split($1, head, " ")
				split($5, tail, " ")
				t0 = head[1] < begin ? begin : head[1]
				t1 = head[1] + tail[1]
				t1 = t1 > end ? end : t1
				if (t1 <= t0)
					next
				time[$2] += t1 - t0
				if ($4 == "stolen")
					stolen[$2] += t1 - t0
			}
			END {
				for (row in time) {
					printf "%s %.0f\n", row, stolen[row]
					if (time[row] != end - begin)
						printf "%s: its states last %.0f of %.0f ns\n", row, time[row], end - begin
				}
			}' "$dir/text"
	done | sort > "$dir/found"
	sort "$dir/wanted" > "$dir/expected"
	same "stolen ns" "$dir/expected" "$dir/found"
	ns=$((ns + $(awk '{ sum += $NF } END { printf "%.0f", sum }' "$dir/wanted")))
done
echo "$n hosts: $ns ns stolen, as the steal counters of the guests; so have $spans spans"
