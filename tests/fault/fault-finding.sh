#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# --cut: findings that do not exist, folders that cannot be made, and writes that fail. The folder is there as a whole, or not at all.
# shellcheck source-path=SCRIPTDIR source=fault-lib.sh
. "${0%/*}/fault-lib.sh"

check=(check -q --index off -m dlm)
text_recording one > "$in/legal.txt"
recordings=("$examples"/trace-[345].dat)
[[ -e ${recordings[0]} ]] || skip_all "no recordings in $examples"

refuse 'no finding' 1 'there are no findings' -- "${check[@]}" --cut 1 "$in/legal.txt"
refuse 'a number beyond the last one' 1 'the last finding is number 1' -- "${check[@]}" --cut 2 "${recordings[@]}"
refuse 'no output that looks for findings' 1 'needs the word check' -- report --cut 1 "${recordings[@]}"
for value in 0 -1 x '' 1: 4294967297; do
	refuse "the number $value" 1 -- "${check[@]}" "--cut=$value" "${recordings[@]}"
done
refuse 'a folder that is missing' 3 'nowhere/cut' 'No such file' -- "${check[@]}" --cut 1:nowhere/cut "${recordings[@]}"
refuse 'a file is no folder' 3 'legal.txt/cut' 'Not a directory' -- "${check[@]}" --cut "1:$in/legal.txt/cut" "${recordings[@]}"

mkdir finding-1
run "${check[@]}" --cut 1 "${recordings[@]}"
check_status 'the folder exists' 3
check_message 'the folder exists' 'finding-1 exists already'
rmdir finding-1 || fail 'the folder exists: something was written into it'
check_clean 'the folder exists'

run "${check[@]}" --cut 1:one// "${recordings[@]}"
check_status 'a folder with slashes at its end' 0
[[ $(left_over) == 'one one/node-2.txt one/node-3.txt one/recording.json' ]] || fail "a folder with slashes at its end: $(left_over)"
run "${check[@]}" -o check,tsv:again.tsv one
[[ $(cut -f 2,3 again.tsv) == $'possible\tdlm released' ]] || fail "the cut: $(cat again.tsv)"
events=$(cat one/*.txt | grep -c '^[0-9]')
((events == 5)) || fail "the cut has $events events: a call, its answer, the question, and the calls of the waiter and of the release are five"
mv one "$in/small"
rm again.tsv

echo 'iotrace-text 1' > "$in/empty.txt"
run "${check[@]}" --cut 1:one "$in"/small/*.txt "$in/empty.txt"
check_status 'a recording without events' 0
[[ $(left_over) == 'one one/node-node2.txt one/node-node3.txt one/recording.json' ]] || fail "a recording without events: $(left_over)"
rm -r one

if has_faults; then
	for ((n = 1; ; n = n < 20 ? n + 1 : n + n / 4)); do
		IOTRACE_FAULT=write:$n run "${check[@]}" --cut 1:one "$in/small"
		((status)) || break
		check_status "write $n" 3
		check_message "write $n"
		check_clean "write $n"
	done
	((n > 5)) || fail "writing failed $n times only"
	[[ -e one/recording.json ]] || fail 'no folder after the last fault'
fi
summary
