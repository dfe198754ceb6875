#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: clog2.sh ANALYZE FILES
# CLOG2 files, by the program and by a second reader (clog2-read.awk): FILES random ones, whole and cut, and damaged ones. Where there are files
# that MPE wrote, these too, and against what MPE's own converter makes of them.
. "${0%/*}/readers-lib.sh"
analyze=$1 files=$2

# second FILE: lines of the second reader, and its counters in $dir/counters
second()
{
	od -An -v -tu1 -w1 "$1" | awk -f "$here/clog2-read.awk" > "$dir/second"
	grep '^#' "$dir/second" > "$dir/counters"
	grep -v '^#' "$dir/second" | sort
}

# program FILE: the same lines from the program's text output, which it leaves in $dir/text
program()
{
	: > "$dir/text" # stays empty if there is no event
	"$analyze" -q --index off -o text:"$dir/text" "$1" 2> "$dir/stderr"
	sed -E 's/^([0-9]+ [a-z]+ ")[^"\/]*\//\1/; s/ lane(_to)?=[0-9]+//g' "$dir/text" | awk '
		function rest(i) { sub(/^.*" [0-9]+ */, ""); sub(/flags=[a-z,]+ */, ""); return $0 == "" ? "" : " " $0 }
		$2 == "span" {
			row = name = $0
			sub(/^[^"]*/, "", row); sub(/" .*/, "\"", row)
			sub(/^[^"]*"[^"]*" [a-z]+ /, "", name); sub(/" .*/, "\"", name)
			took = $0
			sub(/^[^"]*"[^"]*" [a-z]+ "[^"]*" /, "", took)
			open = took ~ /flags=unfinished/
			n = took; sub(/ .*/, "", n)
			sub(/^[0-9]+ */, "", took); sub(/^flags=[a-z,]+ */, "", took)
			print $1, "state", row, name, (open ? "open" : n) (took == "" ? "" : " " took)
		}
		$2 == "point" { sub(/ point /, " event "); sub(/" event "/, "\" \""); print }
		$2 == "link" {
			begin = $1
			back = / flags=backwards/
			sub(/ flags=backwards/, "")
			sub(/ message "message" /, " ")
			sub(/^[0-9]+ link /, "")
			split($0, part, "\"")
			n = part[3] + 0
			to = part[4]; sub(/^[^\/]*\//, "", to)
			print begin + (back ? n : 0), "message", "\"" part[2] "\"", back ? -n : n, "\"" to "\"" part[5]
		}' | sort
}

# counted COUNTER NUMBER: in $dir/text, if it is not 0
counted()
{
	[[ $(sed -n "s/^# diag $1 //p" "$dir/text") == "${2/#0/}" ]] && return
	echo "clog2: ${seed:+of file $seed, }$1 is not $2" >&2
	tail -n 5 "$dir/text" >&2
	exit 1
}

counter() { sed -n "s/^# $1 //p" "$dir/counters"; }

# same FILE: both readers find the same
same()
{
	second "$1" > "$dir/expected"
	program "$1" > "$dir/got"
	diff "$dir/expected" "$dir/got" > "$dir/diff" || { echo "clog2: ${1##*/} ${seed:+(seed $seed) }(< second reader, > the program)" >&2; cat "$dir/diff" >&2; exit 1; }
	[[ -s $dir/expected ]] || return # nothing to draw is an error
	cat "$dir/expected" >> "$dir/all"
	counted event_undefined "$(counter undefined)"
	counted pair_end_without_start "$(counter lone_ends)"
	counted pair_start_without_end "$(counter open)"
	counted link_unmatched "$(counter lone)"
}

: > "$dir/all"
for ((seed = 1; seed <= files; seed++)); do
	awk -v seed=$seed -f "$here/binary.awk" -f "$here/clog2-make.awk" > "$dir/random.clog2"
	same "$dir/random.clog2"
done
for kind in state event message; do
	n=$(grep -c "^[0-9]* $kind " "$dir/all")
	((n >= files)) || { echo "clog2: only $n of kind $kind in $files files" >&2; exit 1; }
	echo "$n of kind $kind agree"
done

# What is left of a file that is cut is the same, and it is said that it is cut. Its definitions may be lost.
for ((seed = 1; seed <= files / 4; seed++)); do
	awk -v seed=$seed -f "$here/binary.awk" -f "$here/clog2-make.awk" > "$dir/whole.clog2"
	size=$(stat -c %s "$dir/whole.clog2")
	head -c $((1024 + seed * 7919 % (size - 1024))) "$dir/whole.clog2" > "$dir/cut.clog2"
	same "$dir/cut.clog2"
	[[ ! -s $dir/expected ]] || counted file_cut "$(counter cut)"
done

# A record that is none: the rest of its block is skipped, which is a gap. Events behind it are drawn.
for ((seed = 1; seed <= files / 4; seed++)); do
	awk -v seed=$seed -f "$here/binary.awk" -f "$here/clog2-make.awk" > "$dir/bad.clog2"
	printf '\377\377\377\377' | dd of="$dir/bad.clog2" bs=1 seek=$((1024 + 20)) conv=notrunc status=none
	second "$dir/bad.clog2" | grep ' event ' > "$dir/expected"
	program "$dir/bad.clog2" | grep ' event ' > "$dir/got"
	diff "$dir/expected" "$dir/got" || { echo "clog2: events after a gap, of file $seed" >&2; exit 1; }
	[[ ! -s $dir/expected ]] || counted blocks_skipped "$(counter skipped)"
done

# refused WHAT SAID: status 2, and one sentence
refused()
{
	"$analyze" -q -o text:- "$dir/bad.clog2" > "$dir/out" 2>&1
	[[ $? == 2 && $(wc -l < "$dir/out") == 1 ]] && grep -q "$2" "$dir/out" && return
	echo "clog2: $1" >&2
	cat "$dir/out" >&2
	exit 1
}
awk -v seed=1 -f "$here/binary.awk" -f "$here/clog2-make.awk" > "$dir/whole.clog2"
head -c 1023 "$dir/whole.clog2" > "$dir/bad.clog2"
refused 'a part of the preamble' 'is a log of MPE (CLOG2) that is cut'
sed '1s/^CLOG-02.44/CLOG-02.20/' "$dir/whole.clog2" > "$dir/bad.clog2"
refused 'another version' 'of another version than CLOG-02.44'
sed '1s/block_size=/block-size=/' "$dir/whole.clog2" > "$dir/bad.clog2"
refused 'no size of blocks' 'whose first 1024 bytes are damaged'

# A file has no date: --shift places it. One that is not merged may miss something before and after.
n=$(program "$dir/whole.clog2" | sort -n | head -n 1 | cut -d' ' -f1)
"$analyze" -q --index off --shift whole=1000s -o text:- "$dir/whole.clog2" | sort -n | grep -q "^$((n + 1000000000000)) " ||
	{ echo 'clog2: --shift' >&2; exit 1; }
format() { "$analyze" -v --index off -o report,json:- "$1" 2> /dev/null | grep -o '"CLOG-02.44[^"]*"'; }
[[ $(format "$dir/whole.clog2") == *', complete"' ]] || { echo 'clog2: a whole file is not complete' >&2; exit 1; }
sed '1s/is_finalzed=\x00TRUE /is_finalzed=\x00FALSE/' "$dir/whole.clog2" > "$dir/bad.clog2"
[[ $(format "$dir/bad.clog2") == *', not merged"' ]] || { echo 'clog2: a file that is not merged' >&2; exit 1; }

# Pictures have the ranks in their order, whoever waited longest.
{
	echo 'iotrace-text 1'
	for rank in 1 2 10; do
		echo "$((1000 + rank)) 0 $rank mpi:state_start id=$rank rank=$rank thread=0 row=\"rank $rank\" user=0 name=MPI_Recv values=\"\""
	done
	for rank in 1 2 10; do
		echo "$((5000 + 1000 * rank)) $rank $rank mpi:state_end id=$rank rank=$rank thread=0 row=\"rank $rank\" user=0 name=MPI_Recv values=\"\""
	done
} > "$dir/ranks.txt"
printf '%s\n' '"rank 1"' '"rank 2"' '"rank 10"' > "$dir/expected"
"$analyze" -q --index off -o paje:- "$dir/ranks.txt" | sed -n 's/^4 .*\("rank [0-9]*"\)$/\1/p' > "$dir/got"
agree 'rows of ranks'

# Files of MPE. The converter's own counts by category, and its times: every state, event and arrow that slog2print prints.
converted()
{
	local name=$1 counts=$2 printed=$3
	sed -nE 's/^(State|Event|Arrow)\t([0-9]+)\t([^\t]*).*/\1 \2 \3/p' "$counts" | sort > "$dir/expected"
	awk '{ kind = $2; name = $0; sub(/^[^"]*"[^"]*" "/, "", name); sub(/".*/, "", name); if (kind == "message") name = kind; n[kind " " name]++ }
		END { for (k in n) { kind = name = k; sub(/ .*/, "", kind); sub(/^[a-z]+ /, "", name)
			print (kind == "state" ? "State" : kind == "event" ? "Event" : "Arrow"), n[k], name } }' "$dir/program" | sort > "$dir/got"
	agree "counts of $name"
	[[ -f $printed ]] || return
	zcat "$printed" | awk '/^[0-9]+: Primitive/ {
			time = name = $0
			sub(/.*TimeBBox\(/, "", time); split(time, t, /[,)]/)
			sub(/.*Category\[ index=[-0-9]+, name=/, "", name); topology = name; sub(/, topo=.*/, "", name); sub(/.*topo=/, "", topology); sub(/,.*/, "", topology)
			printf "%s %.0f %.0f %s\n", topology, int(t[1] * 1e9 + 0.5), int(t[2] * 1e9 + 0.5), name
		}' | sort > "$dir/expected"
	awk '{ name = $0; sub(/^[^"]*"[^"]*" "/, "", name); sub(/".*/, "", name); rest = $0; sub(/^[^"]*"[^"]*" ("[^"]*" )?/, "", rest)
			end = $1 + ($2 == "event" ? 0 : rest + 0)
			printf "%s %.0f %.0f %s\n", $2 == "state" ? "State" : $2 == "event" ? "Event" : "Arrow", end < $1 ? end : $1, end < $1 ? $1 : end,
				$2 == "message" ? $2 : name }' "$dir/program" | sort > "$dir/got"
	comm -23 "$dir/expected" "$dir/got" > "$dir/missing"
	[[ -s $dir/expected && ! -s $dir/missing ]] && return
	echo "clog2: not drawn of $name, or at other times" >&2
	head "$dir/missing" >&2
	exit 1
}
unset seed
real=$here/../../../shared/reviews/inputs/sources
for file in "$real"/pp.clog2 "$real"/clog2/*.clog2*; do
	[[ -f $file ]] || continue
	name=${file##*/}
	name=${name%%.clog2*}
	case $file in *.gz) zcat "$file" ;; *) cat "$file" ;; esac > "$dir/$name.clog2"
	same "$dir/$name.clog2"
	program "$dir/$name.clog2" > "$dir/program"
	converted "$name" "$(ls "$real/clog2/$name.slog2count.txt" "$real/$name.slog2count.txt" 2> /dev/null)" "$real/clog2/$name.slog2print.txt.gz"
done
exit 0
