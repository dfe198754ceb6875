#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: otf2-input.sh ANALYZE FOLDER
# OTF2 archives of EZTrace in FOLDER (*.tar.gz), against what otf2-print prints of them: all states, messages and operations on files with their rows and
# times. Then archives that are cut or not complete. Exit 77 (skipped) without otf2-print, or if the program was built without the library.
. "${0%/*}/readers-lib.sh"
analyze=$1 data=$2
"$analyze" --formats | grep '^otf2' | grep -qv 'not in this program' || exit 77
command -v otf2-print > /dev/null || exit 77

for archive in posixio mpi; do
	tar -xzf "$data/$archive.tar.gz" -C "$dir" || exit 1
done
data=$dir
items="$(cat "$here/text-items.awk")"
for archive in posixio mpi; do
	anchor=$data/$archive/eztrace_log.otf2
	# EZTrace defines some things twice, of which otf2-print warns
	{ otf2-print -G "$anchor" && otf2-print "$anchor"; } 2> /dev/null | awk -f "$here/otf2-input.awk" | sort > "$dir/expected"
	"$analyze" -q --index off -o "text:$dir/text" "$data/$archive" || exit 1
	awk "$items"'
		{ last = level[depth] }
		kind == "span" && (type == "user" || type == "mpi") { print "state\t" last "\t" cat "\t" time "\t" dur }
		kind == "link" { sub(/.*\//, "", to); print "message\t" last "\t" to "\t" time + (flags ~ /backwards/ ? dur : 0) "\t" (flags ~ /backwards/ ? -dur : dur) }
		kind == "span" && type == "io" && (cat == "read" || cat == "write") {
			sub(/ [0-9]+$/, "", last)
			print "call\t" last "\t" attr["path"] "\t" time "\t" dur "\t" attr["result"]
		}' "$dir/text" | sort > "$dir/got"
	agree "items of $archive"
	cut -f1 "$dir/got" | uniq -c
done

"$analyze" -q --index off -o "text:$dir/text" "$data/posixio" || exit 1
awk "$items"'kind == "span" && type == "io" && (cat == "open" || cat == "close") { print cat, attr["path"] }' "$dir/text" | sort > "$dir/got"
printf '%s\n' 'close f1' 'close f2' 'close f3' 'open f1' 'open f2' 'open f3' > "$dir/expected"
agree 'opens and closes'

# The library loses some memory when it cannot open an archive.
echo 'leak:libopen-trace-format2' > "$dir/library"
export LSAN_OPTIONS=suppressions=$dir/library:print_suppressions=0

# refused WHAT SAID: status 2, and one sentence
refused()
{
	"$analyze" -q --index off -o text:- "$dir/bad/eztrace_log.otf2" > "$dir/out" 2> "$dir/stderr"
	[[ $? == 2 && $(wc -l < "$dir/stderr") == 1 ]] && grep -q "$2" "$dir/stderr" && return
	echo "otf2-input: $1" >&2
	cat "$dir/stderr" >&2
	exit 1
}
bad() { rm -rf "$dir/bad"; cp -r "$data/posixio" "$dir/bad"; }
cut_file() { head -c "$2" "$dir/bad/$1" > "$dir/part" && mv "$dir/part" "$dir/bad/$1"; }

bad; rm "$dir/bad/eztrace_log/1.evt"
refused 'no events of a location' 'is not complete: .*/1.evt is missing$'
bad; rm "$dir/bad/eztrace_log/0.def"
refused 'no definitions of a location' 'is not complete: .*/0.def is missing$'
bad; rm "$dir/bad/eztrace_log.def"
refused 'no definitions' 'is not complete: .*/eztrace_log.def is missing$'
bad; cut_file eztrace_log.otf2 40
refused 'a part of the anchor' 'is damaged'
bad; cut_file eztrace_log.def 300
refused 'a part of the definitions' 'is damaged'
for bytes in 2 100 700; do
	bad; cut_file eztrace_log/0.evt $bytes
	refused "$bytes bytes of the events of a location" 'is damaged'
done
bad; cut_file eztrace_log/1.def 3
refused 'a part of the definitions of a location' 'is damaged'
