#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: rastro.sh ANALYZE DATA RANDOM
# Files of libRastro: those that the library wrote have the events that rastro_read, a table of exact times and a table of true times say; random
# ones those that their generator wrote. Damaged ones are read as far as they are whole.
. "${0%/*}/readers-lib.sh"
analyze=$1 data=$2 random=$3

# points FILE... - time, row, type and values of all events
points()
{
	"$analyze" -q --index off -o "text:$dir/text" "$@" || exit 1
	grep -v '^#' "$dir/text"
}

tar -xzf "$data/rastro.tar.gz" -C "$dir" || exit 1
here=$(readlink -f "$here")
cd "$dir" || exit 1

# ---- types, texts and times of every file; rastro_read has its seconds in a double
for file in rastro-*.rst; do
	awk '/ type: / { if (n++) print line ")"; line = $3 " (" }
		/strings->/ { sub(/^[^>]*-> /, ""); sub(/ $/, ""); gsub(/\) \(/, ", "); gsub(/^\(|\)$/, ""); if ($0 != "") line = line $0 ", " }
		END { if (n) print line ")" }' "${file%.rst}.txt" > expected
	[[ $file == rastro-7-1.rst ]] && continue # its texts have ends of lines
	mkdir -p alone && cp "$file" "alone/one.rst"
	points alone/one.rst > items
	awk "$(cat "$here/text-items.awk")"'
		{
			n = split(attr["values"], part, ", ")
			line = ""
			for (i = 1; i <= n && part[i] !~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/; i++)
				line = line part[i] ", "
			print substr(cat, 6) " (" line ")"
		}' items > got
	agree "events of $file" > said || { cat said; exit 1; }
	awk '/ type: / { print $5 }' "${file%.rst}.txt" | paste -d ' ' - <(awk '{ print $1 }' items) | awk '
		{
			split($1, at, ".")
			# the seconds are equal, or the fraction has been rounded to the next one
			off = (at[1] - substr($2, 1, length($2) - 9)) * 1e9 + at[2] * 10 ^ (9 - length(at[2])) - substr($2, length($2) - 8)
			if (off > 240 || off < -240) { print "rastro: " $1 " is not " $2; bad = 1 }
		}
		END { exit bad }' || exit 1
done
echo 'types, texts and times are those of rastro_read'

# ---- times to the ns: several bases
awk 'NR > 1 { print $3, "type " $2 }' rastro-7-1.ns.tsv > expected
points rastro-7-1.rst | sed -E 's/^([0-9]+) .* event "(type [0-9]+)".*/\1 \2/' > got
agree 'times of rastro-7-1'

# ---- the threads of a process are one recording, in order of time
awk '/ type: / { split($6, id, /[=,)]/); print $3, id[4] }' rastro-3-all.txt > expected
points rastro-3-2.rst | sed -E 's/^[0-9]+ point ".*thread ([0-9]+)" event "type ([0-9]+)".*/\2 \1/' > got
agree 'events of four threads'
"$analyze" inputs rastro-3-2.rst > items || exit 1
grep -q ' libRastro, 4 threads, complete  nodeA ' items || { echo 'rastro: no four threads'; cat items; exit 1; }

# ---- clocks of three machines, by the file of rastro_timesync
awk 'NR > 1 { split($1, part, /[-.]/); print $5, part[2], $3 }' east-true.tsv | sort -k2,2 -k1,1 > expected
points --sync timesync.txt rastro-1-0.rst rastro-2-0.rst rastro-4-0.rst |
	sed -E 's/^([0-9]+) point ".*process ([0-9]+).*" event "type ([0-9]+)".*/\1 \2 \3/' | sort -k2,2 -k1,1 > got
paste -d ' ' expected got | awk '
	NF != 6 || $2 != $5 || $3 != $6 { print "rastro: other events: " $0; exit bad = 1 }
	{ off = substr($1, 8) - substr($4, 8) }
	off > 5 || off < -5 { print "rastro: " $4 " instead of " $1; exit bad = 1 }
	END { exit bad }' || exit 1
echo "$(wc -l < expected) times of three machines are true, to 5 ns"

# ---- states by a model of the program's own, in the documentation
awk '/^<!-- model -->$/ { on = 1; next } /^<!-- end -->$/ { on = 0 } on { sub(/^    /, ""); print }' "$here/../../docs/formats/rastro.md" > work.model
"$analyze" -q --index off -m ./work.model -o text:text rastro-3-0.rst || exit 1
awk -F'"' '/ span / { n[$2 " " $4]++ } END { for (row in n) print row, n[row] }' text | sort > got
printf 'nodeA/process 3/thread %d work 6\n' 1 2 3 | sort > expected
agree 'threads with six states'

# ---- random files: two threads in one recording
for ((seed = 1; seed <= random; seed++)); do
	rm -f rastro-77-*
	for thread in 0 1; do
		awk -v seed=$((2 * seed + thread)) -v id1=77 -v id2=$thread -v truth=truth-$thread -f "$here/binary.awk" -f "$here/rastro-make.awk" > rastro-77-$thread.rst || exit 1
	done
	grep -hv ^left truth-? | sort > expected
	awk '/^left/ { sum += $2 } END { if (sum) print "left " sum }' truth-? >> expected
	[[ -s expected ]] || continue
	{ points rastro-77-1.rst | sort; sed -n 's/^# diag values_left_out /left /p' text; } > got
	agree "events of random files $seed" > said || { head -n 20 said; exit 1; }
	wc -l < expected
done | awk '{ n++; sum += $1 } END { print n " random recordings: " sum " events are those that were written" }'

# ---- damaged files: the whole records before are read, and the damage is said
RANDOM=1 n_damaged=0
for ((n = 0; n < random; n++)); do
	cp rastro-3-1.rst whole.rst
	damage $n whole.rst
	"$analyze" -q --index off -o text:text whole.rst 2> err
	status=$?
	((status == 0 || status == 2)) || { echo "rastro: damage $n: status $status"; cat err; exit 1; }
	((status != 2)) || grep -q 'iotrace-analyze: whole.rst' err || { echo "rastro: damage $n: no sentence"; exit 1; }
	((n_damaged += status == 2))
done
((n_damaged > random / 4)) || { echo "rastro: only $n_damaged damaged files were noticed"; exit 1; }
head -c 300 rastro-3-1.rst > cut.rst
"$analyze" -q --index off -o text:text cut.rst 2> err
(($? == 2)) && grep -q '1 file_cut' err || { echo 'rastro: a cut file'; cat err; exit 1; }
(($(grep -c ' point ' text) == 10)) || { echo "rastro: $(grep -c ' point ' text) events of a cut file"; exit 1; }
cp rastro-3-1.rst strange.rst
byte strange.rst 76 377 # codes that there are not
"$analyze" -q --index off -o text:text strange.rst 2> err
(($? == 2)) && grep -q '1 blocks_skipped' err || { echo 'rastro: codes that there are not'; cat err; exit 1; }
echo "$random damaged files, $n_damaged noticed"
