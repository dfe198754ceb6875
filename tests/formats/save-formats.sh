#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Saves the format texts of the events of a recording, one file for each: FOLDER/SYSTEM/KERNEL/EVENT.
# usage: save-formats.sh RECORDING.dat FOLDER [SYSTEM...]     default: all systems of the recording
set -o pipefail
(($# >= 2)) || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
recording=$1 folder=$2
shift 2
wanted=" $* "

kernel=$(trace-cmd dump --options "$recording" | grep -a -A1 '\[Option UNAME' | awk 'NR == 2 { print $(NF - 1) }')
[[ $kernel =~ ^[0-9]+\.[0-9]+ ]] || { echo "$recording does not say of which kernel it is" >&2; exit 1; }
kernel=${BASH_REMATCH[0]}

# One list has the systems with their numbers of events, another has all events in the same order.
systems=$(trace-cmd dump --systems "$recording" | awk '/\[system, events\]/ { print $1, $2 }')
[[ $systems ]] || { echo "$recording holds no events" >&2; exit 1; }
while read -r system _; do
	[[ $wanted == "  " || $wanted == *" $system "* ]] && mkdir -p "$folder/$system/$kernel"
done <<< "$systems"
trace-cmd dump --events "$recording" | awk -v systems="$(tr '\n' ' ' <<< "$systems")" -v wanted="$wanted" \
	-v folder="$folder" -v kernel="$kernel" '
BEGIN {
	n = split(systems, word)
	for (i = 1; i < n; i += 2)
		for (j = 0; j < word[i + 1]; j++)
			system_of[events++] = word[i]
}
/^name: / {
	if (file)
		close(file)
	blank = ""
	system_name = system_of[seen++]
	file = wanted == "  " || index(wanted, " " system_name " ") ? folder "/" system_name "/" kernel "/" $2 : ""
}
file && !/^$/ { print blank $0 > file; blank = "" }
file && /^$/ { blank = "\n" }
END {
	if (seen != events) {
		printf "%d events, but %d formats\n", events, seen > "/dev/stderr"
		exit 1
	}
}'
