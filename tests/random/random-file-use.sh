#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Random programs that read and write files: constellations, needs, overlaps, numbers and advice are those that file-use.awk finds byte by byte.
# usage: random-file-use.sh ANALYZE RECORDINGS [FIRST_SEED]
. "$(dirname "$0")/random-lib.sh"
analyze=$(readlink -f "$1") left=$2 seed=${3:-1}

for ((n = 0; n < left; n++, seed++)); do
	rm -f "$dir"/*.txt "$dir"/{truth,json}
	bound=$((seed % 2 * 300))
	awk -v seed="$seed" -v bound=$bound -v truth="$dir/truth" -f "$here/file-use.awk" | sort -s -k1,1 -k2,2n | awk -v dir="$dir" -v bound=$bound '
		{ file = dir "/" $1 ".txt"; node = $1; $1 = "" }
		!(node in seen) { seen[node]; print "iotrace-text 1\nhostname " node "\nsync yes\nerror " bound > file }
		{ print substr($0, 2) > file }'
	touch "$dir/truth"
	"$analyze" -q --index off -m fileio -m "$here/file-use.model" -o "report,json:$dir/json" "$dir"/*.txt
	awk '
	function value(name) { return match($0, "\"" name "\":(\"[^\"]*\"|[0-9.]+)") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : "null" }
	function line(kind, names,   i, n, name, text) {
		n = split(names, name, " ")
		for (i = 1; i <= n; i++) text = text (i > 1 ? "|" : "") value(name[i])
		gsub(/"/, "", text)
		print kind " " text
	}
	/^"/ { table = $0; sub(/^"/, "", table); sub(/".*/, "", table) }
	!/^\{/ { next }
	table == "file_uses" { line("file", "file constellation needs readers writers processes nodes bytes_read bytes_written overwritten appended appends_to_others reread sequential strided random metadata_reads syncs synced_writes unaligned_4k position_unknown busiest_node time lock_time") }
	table == "all_file_overlaps" { line("overlap", "file after does before bytes calls from to same_time perhaps") }
	table == "advice" { text = value("rule") " " value("file"); gsub(/"/, "", text); print "advice " text }' "$dir/json" | sort > "$dir/found"
	sort -o "$dir/truth" "$dir/truth"
	same "files differ from the plan" "$dir/truth" "$dir/found"
	cat "$dir/truth" >> "$dir/all"
done
awk -F '|' -v n="$left" '/^file/ { files++; seen[$2]++; need[$3]++ } /^overlap/ { overlaps++ } /^advice/ { advice++ }
	END { printf "%s recordings: %d files, %d overlaps, %d pieces of advice;", n, files, overlaps, advice; for (i in seen) printf " %s %d,", i, seen[i]; for (i in need) printf " %s %d,", i, need[i]; print "" }' "$dir/all"
