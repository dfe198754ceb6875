#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: mpi-ranks.sh ANALYZE MPI-TURNS MPIEXEC
# A program of 4 ranks is recorded by EZTrace, whose archive has a clock for each rank, no date and no host, and by iotrace-mpi-ranks; the program
# itself says by the real time when it called MPI_Barrier. By the file of iotrace-mpi-ranks each barrier of the archive is on the node of
# its rank, and inside of what the program says, but for the bound that is printed. Without the file, and with one of another run, it is not.
set -u
export LC_ALL=C
here=${0%/*} analyze=$1 turns=$2 mpiexec=$3
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
fail() { echo "mpi-ranks: $*" >&2; exit 1; }
"$analyze" --formats | grep '^otf2' | grep -qv 'not in this program' || { echo 'mpi-ranks: skipped: no OTF2'; exit 77; }
command -v eztrace > /dev/null || { echo 'mpi-ranks: skipped: eztrace is not installed'; exit 77; }
module=mpich
"$mpiexec" --version 2>&1 | grep -qi 'open.*mpi' && module=openmpi
eztrace_avail 2> /dev/null | grep -q "^$module" || { echo "mpi-ranks: skipped: EZTrace has no module $module"; exit 77; }
echo 'leak:libopen-trace-format2' > "$dir/library"
export LSAN_OPTIONS=suppressions=$dir/library:print_suppressions=0
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cd "$dir" || exit 1
oversubscribe=()
[[ $module == openmpi ]] && oversubscribe=(--oversubscribe)
"$mpiexec" "${oversubscribe[@]}" -n 4 eztrace -t $module "${analyze%/*}/iotrace-mpi-ranks" -o ranks "$turns" said > log 2>&1 ||
	fail "the program failed: $(< log)"
[[ -d mpi-turns_trace && -s ranks ]] || fail "nothing was recorded: $(ls; cat log)"
# one recording, whose states have numbers of their own
{ sed '/^[0-9]/d' said.0; sed -n '/^[0-9]/p' said.? | sort -n | awk '{ $5 = "id=" substr($5, 4) + 100 * $3 } 1'; } > said.txt

# The file has each rank, its process and its host, as the program says them.
host=$(sed -n 's/^hostname //p' said.0)
for rank in 0 1 2 3; do
	printf '%s %s %s\n' $rank "$(awk '/^[0-9]/ { print $3; exit }' said.$rank)" "$host"
done > expected
awk '/^\[rank/ { sub(/]/, ""); rank = $2 } /^node =/ { node = $3 } /^process =/ { print rank, $3, node }' ranks > got
diff expected got || fail 'ranks, processes or hosts differ (< the program, > the file)'

# The greatest bound at the begin, in the middle or at the end, in ns.
"$analyze" -q --index off --names ranks -o sync,json:sync mpi-turns_trace || fail 'no table of clocks'
bound=$(awk '{
	text = $0
	while (match(text, /"bound_(begin|middle|end)":[0-9]+/)) {
		word = substr(text, RSTART, RLENGTH)
		sub(/.*:/, "", word)
		if (word + 0 > most) most = word + 0
		text = substr(text, RSTART + RLENGTH)
	}
} END { print most + 0 }' sync)
((bound > 0)) || fail "the bound is $bound ns: $(< sync)"

"$analyze" -q --index off --names ranks -o text:text mpi-turns_trace said.txt || fail "status $?"
awk -v bound="$bound" "$(cat "$here/../readers/text-items.awk")"'
	kind != "span" { next }
	# doubles do not hold such times: seconds since the first one
	{ second = substr(time, 1, 10); if (!zero) zero = second; at = (second - zero) * 1e9 + substr(time, 11) }
	type == "mpi" && cat == "MPI_Barrier" && attr["values"] ~ /MPI_COMM_WORLD/ {
		split(level[depth], words, " ")
		since[words[2], ++n[words[2]]] = at
		until[words[2], n[words[2]]] = at + dur
		node[level[1]]
	}
	type == "user" && cat == "said" {
		split(level[depth], words, " ")
		says[words[2], ++said[words[2]]] = at
		ended[words[2], said[words[2]]] = at + dur
		node[level[1]]
	}
	END {
		for (rank = 0; rank < 4; rank++) {
			if (n[rank] != 5 || said[rank] != 5)
				print "rank " rank " has " n[rank] + 0 " barriers, and says " said[rank] + 0
			for (i = 1; i <= n[rank]; i++) {
				early = says[rank, i] - since[rank, i]
				late = until[rank, i] - ended[rank, i]
				if (early > bound || late > bound)
					print "rank " rank ", barrier " i ": " early " ns early, " late " ns late"
			}
		}
		for (name in node)
			nodes++
		if (nodes != 1) print nodes + 0 " nodes"
	}' text > wrong || fail 'the comparison failed'
[[ ! -s wrong ]] || fail "$(< wrong)"
echo "20 barriers are inside of what the program says, to $bound ns"

# Without clocks the archive is where its own clock is, and so it is with those of another run, which is counted.
"$analyze" -q --index off -o text:alone mpi-turns_trace || fail "status $?"
grep -v '^#' alone | awk '$1 > 1e15 { exit 1 }' || fail 'an archive without a date has one'
# In that one the calls took less time, or are another time apart.
sed 's/took=[0-9]*/took=1/' ranks > quicker
awk '/^end/ { split($4, mono, "="); $4 = sprintf("mono=%.0f", mono[2] + 5e6) } 1' ranks > longer
for other in quicker longer; do
	"$analyze" -q --index off --names $other -o text:text mpi-turns_trace || fail "status $?"
	grep -q '^# diag rank_clocks_unused 1' text || fail "clocks of another run ($other) were used: $(grep '^#' text)"
	grep -v '^#' text | awk '$1 > 1e15 { exit 1 }' || fail 'clocks of another run were used'
done

# A recording of the machine has marks of its clock, which is 1000 s earlier than the real time: they place the archive, too.
"$analyze" -q --index off --names ranks -o text:placed mpi-turns_trace || fail "status $?"
real=$(awk '$2 == "span" { print $1; exit }' placed)
{
	printf 'iotrace-text 1\nhostname %s\nclock mono_raw\nsync yes\n' "$host"
	for at in $((real - 1000000000)) $((real - 999999900)) $((real + 5000000000)) $((real + 5000000100)); do
		echo "$((at - 1000000000000)) 0 1 ftrace:print buf=\"iotrace-clocks mono=1 boot=1 real=$at tai=1\""
	done
} > marks.txt
"$analyze" -q --index off --names ranks -o text:moved mpi-turns_trace marks.txt || fail "status $?"
# the same states, 1000 s earlier to 1 us
states() { grep '" mpi "' "$1" | awk -v zero="$2" '
	{ $1 = (substr($1, 1, length($1) - 9) - zero) * 1e9 + substr($1, length($1) - 8); print }'; }
states placed $((real / 1000000000)) > placed.ns
states moved $((real / 1000000000 - 1000)) > moved.ns
paste -d '\n' placed.ns moved.ns | awk '
	NR % 2 { time = $1; $1 = ""; row = $0; next }
	{
		late = $1 - time
		$1 = ""
		if (row != $0 || late < -1000 || late > 1000)
			print late " ns:" $0
		n++
	}
	END { if (!n) print "no states" }' > wrong
[[ ! -s wrong ]] || fail "marks of the machine do not place the archive: $(head -5 wrong)"
