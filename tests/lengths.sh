#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Lists the longest functions and files. Only a function of more than 150 lines fails.
# usage: lengths.sh SOURCE_DIR
cd "$1" || exit 2
limit=150
tree=()
for dir in analyzer events plugins tests; do
	[[ -d $dir ]] && tree+=("$dir")
done

# Kernel style: a function's braces stand alone in the first column, its name before the last "(" line above.
functions()
{
	find "${tree[@]}" -name '*.c' -exec awk '
	/^[A-Za-z_].*\(/ { head = $0; start = FNR }
	/^{/ { open = start }
	/^}/ {
		if (open) {
			name = head
			sub(/\(.*/, "", name)
			sub(/.*[ *]/, "", name)
			print FNR - open + 1, name, FILENAME ":" open
		}
		open = 0
	}' {} + | LC_ALL=C sort -k1,1nr -k3,3
}

list=$(functions)
count=$(wc -l <<< "$list")
((count > 50)) || { echo "only $count functions found in $1: is this the source tree?"; exit 1; }
echo "longest of $count functions (lines, name, place):"
head -n 10 <<< "$list"
echo "longest files:"
find "${tree[@]}" -name '*.[ch]' -exec wc -l {} + | grep -v ' total$' | sort -nr | head -n 5
awk -v n="$count" '$1 <= 40 { short++ } END { printf "%d %% have at most 40 lines\n", 100 * short / n }' <<< "$list"
if ((${list%% *} > limit)); then
	echo "FAILED: a function has more than $limit lines"
	exit 1
fi
