#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: preload.sh ANALYZE LIBRARY PROGRAM STATIC-PROGRAM
# Recordings of libiotrace-preload: the calls of random programs are those that strace sees of the same run, with their arguments, results
# and positions; threads, and children by fork, vfork, posix_spawn, exec and clone, are recorded once, under their own numbers; nothing is
# lost when a program is killed; a full disk, a cut file and a spoiled one are said and harm nobody.
. "${0%/*}/readers-lib.sh"
analyze=$1 library=$2 program=$3 static=$4
mkdir "$dir/work"
cd "$dir/work"

fail()
{
	echo "preload: $*" >&2
	exit 1
}

# record FILE COMMAND...
record()
{
	local file=$1
	shift
	LD_PRELOAD=$library IOTRACE_PRELOAD=$file "$@"
}

# The calls on files of a recording, a line for each, in order of begin: thread, category, attributes.
items() { "$analyze" -q --index off -o jsonl:- "$@" 2> "$dir/stderr" | grep '"type":"io"'; }

expect()
{
	[[ $2 == "$3" ]] || fail "$1: $2 instead of $3"
}

# ---- the same calls as in strace

# Of a program that runs in one thread. In the path of an open file the two differ after a rename, in that of an open by links.
comparable()
{
	sed "s|\"$PWD/|\"|; s|-> $PWD/|-> |" | awk '
		function text(name) { return match($0, "\"" name "\":\"[^\"]*") ? substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 4) : "" }
		function number(name) { return match($0, "\"" name "\":-?[0-9]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : "-" }
		{ op = text("op") }
		op == "mkdir" && !begun { begun = 1 }
		!begun || op == "fstat" || (op == "mmap" && number("fd") == -1) { next }
		op == "stat" || op == "lstat" { op = "newfstatat" }
		op == "open" { op = "openat" }
		# buffers of a call that failed are not looked at
		op ~ /v2?$/ && text("category") ~ /failed/ { sub(/"len":[0-9]*/, "") }
		{ print op, text("category"), number("fd"), number("len"), text("result"), /"category":"open/ ? text("flags") : "-", /"category":"meta/ && op != "fchmod" ? text("path") : "-", number("pos") }
	'
}

if command -v strace > /dev/null && strace -o /dev/null true 2> /dev/null; then
	for seed in $(seq 400 $((399 + ${SEEDS:-5}))); do
		rm -rf -- * "$dir"/r.*
		strace -f -yy -ttt -T -o "$dir/log" env LD_PRELOAD="$library" IOTRACE_PRELOAD="$dir/r.pre" "$program" calls $seed
		items "$dir/r.pre" | comparable > "$dir/ours"
		items "$dir/log" | comparable > "$dir/theirs"
		(($(wc -l < "$dir/ours") > seed / 2)) || fail "only $(wc -l < "$dir/ours") calls of seed $seed"
		diff <(sed 's/ [^ ]*$//' "$dir/theirs") <(sed 's/ [^ ]*$//' "$dir/ours") > "$dir/diff" ||
			fail "seed $seed: strace (<) and preload (>) differ: $(head -20 "$dir/diff")"
		paste -d ' ' "$dir/theirs" "$dir/ours" | awk -v seed=$seed '
			function known(at) { return at != -1 && at != "-" }
			$1 !~ /read|write|sendfile|copy/ || / failed / || $5 == 0 || /^sendfile write/ { next }
			{ theirs = $(NF / 2); ours = $NF; n += known(theirs); told += known(ours) }
			known(theirs) && known(ours) && ours != theirs {
				print "seed " seed ": position " ours " instead of " theirs ": " $0; bad = 1 }
			END { print told + 0, n + 0 > "/dev/stderr"; exit bad }
		' > "$dir/diff" 2>> "$dir/told" || fail "$(head -5 "$dir/diff")"
	done
	# a call from a descriptor into a copy of it (sendfile) leaves a position that is not known
	awk '{ told += $1; n += $2 } END { if (!n || told < n * 0.9) { print "only " told " of " n " positions that strace tells"; exit 1 } }' "$dir/told" ||
		fail 'too few positions are told'
else
	echo 'preload: without strace, the same calls are not compared'
fi

# ---- threads and children

rm -rf -- * "$dir"/r.*
record "$dir/r.pre" "$program" threads 1000
items "$dir/r.pre" > "$dir/items"
expect 'writes of four threads' "$(grep -c '"category":"write"' "$dir/items")" 4000
expect 'threads' "$(grep '"category":"write"' "$dir/items" | grep -o '"row":"[^"]*"' | sort -u | wc -l)" 4
# where a thread writes alone every position is known, and is the next one, but for the first, which only its end would tell
expect 'positions of a thread alone' "$(grep '"category":"write"' "$dir/items" | grep '/t1"' | grep -oE '"pos":[0-9]+' | cut -d: -f2 | sort -nu | wc -l)" 999
wrong=$(grep '"path":"[^"]*/t0"' "$dir/items" | grep '"category":"write"' | grep -oE '"pos":[0-9]+' | sort | uniq -d | head -1)
[[ -z $wrong ]] || fail "two threads write at one position: $wrong"

children()
{
	rm -rf -- * "$dir"/r.*
	"$@" children
	items "$dir/r.pre" | grep '"category":"write"' | grep '/children"' > "$dir/items"
	expect 'writes of children' "$(grep -o '"len":[0-9]*' "$dir/items" | cut -d: -f2 | sort -n | tr '\n' ' ')" '100 101 102 103 104 105 106 110 111 '
	expect 'processes' "$(grep -o '"row":"[^"]*"' "$dir/items" | sort -u | wc -l)" 7
	parent=$(grep '"len":100,' "$dir/items" | grep -o '"row":"[^"]*"')
	for n in 110 111; do
		expect "the parent's write of $n" "$(grep "\"len\":$n," "$dir/items" | grep -o '"row":"[^"]*"')" "$parent"
	done
}
children record "$dir/r.pre" "$program"
# a static program records by itself
children env IOTRACE_PRELOAD="$dir/r.pre" "$static"

# many processes, one file: a shell that calls programs
rm -rf -- * "$dir"/r.*
for i in 1 2 3 4 5; do
	record "$dir/r.pre" sh -c 'for i in 1 2 3 4 5 6 7 8; do echo "$i" > f; cat f; done > all' &
done
wait
expect 'opens by 5 shells' "$(items "$dir/r.pre" | grep '"category":"open"' | grep -c '"flags":"O_WRONLY|O_CREAT|O_TRUNC"')" 45

# ---- programs that end at once

for how in killed exits; do
	rm -rf -- * "$dir"/r.*
	record "$dir/r.pre" "$program" $how 5000 2> /dev/null
	expect "writes before a program is $how" "$(items "$dir/r.pre" | grep -c '"category":"write"')" 5000
done

# ---- streams

rm -rf -- * "$dir"/r.*
record "$dir/r.pre" "$program" cost 1 > out
"$analyze" -q --index off -o jsonl:- "$dir/r.pre" 2> "$dir/stderr" | grep '"type":"stdio"' > "$dir/items"
expect 'bytes that printf writes' "$(grep '"category":"printf"' "$dir/items" | grep -o '"moved":[0-9]*')" "\"moved\":$(wc -c < out)"

# ---- no space: recorded calls stay, lost ones are counted, the program does not notice

rm -rf -- * "$dir"/r.*
if mkdir small && mount -t tmpfs -o size=6m none small 2> /dev/null; then
	record "$PWD/small/r.pre" "$program" exits 100000 || fail 'a full disk: the program failed'
	n=$(items small/r.pre | grep -c '"category":"write"')
	((n > 50000 && n < 100000)) || umount small
	((n > 50000 && n < 100000)) || fail "a full disk: $n of 100000 writes"
	"$analyze" --index off -o report:- small/r.pre > "$dir/out" 2>&1
	umount small
	grep -q '^Lost: [0-9]* events' "$dir/out" || fail "a full disk: no word of what is lost: $(cat "$dir/out")"
else
	echo 'preload: without the right to mount, no disk is full'
fi
(ulimit -f 4096; record "$dir/limit.pre" "$program" exits 100 2> /dev/null) || fail 'with a limit for files the program fails'

# ---- files that are not whole

record "$dir/r.pre" "$program" exits 3000
for size in 100 65536 65600 70000 131072; do
	head -c $size "$dir/r.pre" > "$dir/cut.pre"
	"$analyze" --index off -o report:- "$dir/cut.pre" > "$dir/out" 2>&1
	status=$?
	((status == 2 || (size == 65536 && status < 3))) || fail "cut to $size bytes: status $status: $(cat "$dir/out")"
	[[ -s $dir/out ]] || fail "cut to $size bytes: nothing is said"
done
for seed in $(seq ${SPOILED:-20}); do
	cp "$dir/r.pre" "$dir/bad.pre"
	awk -v seed=$seed 'BEGIN { srand(seed); for (i = 0; i < 40; i++) print int(16 + rand() * 200000), int(rand() * 256) }' |
		while read -r at byte; do
			# shellcheck disable=SC2059 # a byte is meant
			printf "\\x$(printf %x "$byte")" | dd of="$dir/bad.pre" bs=1 seek="$at" conv=notrunc status=none
		done
	"$analyze" --index off -o report:- "$dir/bad.pre" > "$dir/out" 2>&1
	(($? < 5)) || fail "spoiled with seed $seed: $(tail -3 "$dir/out")"
done
# the first word of a record is written last: another kind, and none
counted() # COUNTER NUMBER FILE
{
	"$analyze" -q --index off -o report,json:- "$3" 2> /dev/null |
		grep -q "\"count\":$2,\"meaning\":\"[^\"]*\",\"inputs\":\[[^]]*\],\"counter\":\"$1\"" || fail "not counted: $1 $2"
}
cp "$dir/r.pre" "$dir/bad.pre"
for slot in 200 300; do
	printf '\xc8' | dd of="$dir/bad.pre" bs=1 seek=$((65536 + 64 * slot)) conv=notrunc status=none
done
printf '\0' | dd of="$dir/bad.pre" bs=1 seek=$((65536 + 64 * 400)) conv=notrunc status=none
counted records_skipped 2 "$dir/bad.pre"
counted records_unfinished 1 "$dir/bad.pre"

# ---- a file that is none of ours, and a name with the host

echo text > other
record "$PWD/other" env true 2> "$dir/out"
grep -q 'other: it is there, and is not a recording' "$dir/out" || fail "another file: $(cat "$dir/out")"
expect 'another file' "$(cat other)" text
# another boot, and another version
for at in 24 16; do
	cp "$dir/r.pre" other.pre
	printf x | dd of=other.pre bs=1 seek=$at conv=notrunc status=none
	before=$(cksum < other.pre)
	record "$PWD/other.pre" env true 2> "$dir/out"
	grep -qE 'other.pre: (it is of another machine or an earlier boot|it is there, and is not a recording)' "$dir/out" ||
		fail "byte $at of another recording: $(cat "$dir/out")"
	expect "a recording with another byte $at" "$(cksum < other.pre)" "$before"
done
record "$PWD/none/r.pre" env true 2> "$dir/out"
grep -q 'there is no such folder' "$dir/out" || fail "a folder that is not there: $(cat "$dir/out")"
record "$PWD/%h.pre" env true
[[ -s $(uname -n).pre ]] || fail 'a name with the host'
echo 'preload: all calls are recorded'
