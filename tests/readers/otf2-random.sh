#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: otf2-random.sh ANALYZE MAKE ARCHIVES
# Random OTF2 archives as Score-P writes them: the program finds what MAKE (otf2-make) says that it has written. Then the same archives with a
# file that is cut, or has another byte somewhere: they are read or refused with one sentence.
. "${0%/*}/readers-lib.sh"
analyze=$1 make=$2 archives=$3
"$analyze" --formats | grep '^otf2' | grep -qv 'not in this program' || exit 77
# The library loses some memory when it cannot open an archive.
echo 'leak:libopen-trace-format2' > "$dir/library"
export LSAN_OPTIONS=suppressions=$dir/library:print_suppressions=0

# Each rank is on its machine, by which rows are named: n0, or n0 and n1.
items="$(cat "$here/text-items.awk")"
for ((seed = 1; seed <= archives; seed++)); do
	"$make" "$dir/of$seed" $seed 60 | sort > "$dir/expected" || exit 1
	"$analyze" -q --index off -o "text:$dir/text" "$dir/of$seed" || exit 1
	awk "$items"'
		function fail(what) { print "no such " what ": " $0 }
		{ last = level[1] "/" level[depth]; above = level[1] "/" level[depth - 1] }
		kind == "span" && (type == "user" || type == "mpi") {
			if ((type == "mpi") != (cat ~ /^MPI_/)) fail("type")
			print "state\t" last "\t" cat "\t" time "\t" dur "\t" attr["values"]
		}
		kind == "link" {
			back = flags ~ /backwards/
			print "message\t" last "\t" to "\t" time + (back ? dur : 0) "\t" (back ? -dur : dur) "\t" attr["tag"] + 0 " " attr["size"]
		}
		kind == "sample" && type == "value" {
			value = $0
			sub(/.* /, "", value)
			printf "value\t%s\t%s\t%s\t%.2f\n", above, level[depth], time, value
		}
		kind == "span" && type == "io" && cat != "open" {
			calls++
			print "call\t" last "\t" attr["path"] "\t" time "\t" dur "\t" cat " " attr["result"]
		}
		kind == "span" && type == "io" && cat == "open" { print "open\t" last "\t" attr["path"] "\t" time "\t" dur }' "$dir/text" > "$dir/named"
	# threads are numbered in the order of locations; their names are those of locations
	awk -F '\t' -v OFS='\t' '
		$1 == "call" || $1 == "open" {
			n = host = $2
			sub(/.* /, "", n)
			sub(/\/.*/, "/", host)
			rank = int((n - 1) / 2)
			if ($2 != host ((n - 1) % 2 ? "OMP thread 1 " : "Master thread ") n) print "no such thread: " $0
			$2 = host "rank " rank ((n - 1) % 2 ? " thread 1" : "")
		}
		{ print }' "$dir/named" | sort > "$dir/got"
	agree "items of archive $seed" > "$dir/said" || { cat "$dir/said"; exit 1; }
	grep -q '^# diag' "$dir/text" && grep '^# diag' "$dir/text" | grep -v link_backwards && exit 1
	cat "$dir/got" >> "$dir/all"
done
cut -f1 "$dir/all" | sort | uniq -c

RANDOM=1
declare -A statuses=()
for ((i = 0; i < 3 * archives; i++)); do
	rm -rf "$dir/bad"
	cp -r "$dir/of$((1 + i % archives))" "$dir/bad"
	damage $i "$dir/bad/traces.otf2" "$dir/bad/traces.def" "$dir/bad/traces"/*
	"$analyze" -q --index off -o "text:$dir/text" "$dir/bad/traces.otf2" 2> "$dir/stderr"
	status=$?
	statuses[$status]=1
	[[ $status == 0 || ($status == 2 && $(wc -l < "$dir/stderr") == 1) ]] && continue
	echo "otf2-random: status $status of ${file##*/} of archive $((1 + i % archives)), damaged at $at" >&2
	cat "$dir/stderr" >&2
	exit 1
done
[[ -n ${statuses[2]-} ]] || { echo 'otf2-random: no damage was seen' >&2; exit 1; }
