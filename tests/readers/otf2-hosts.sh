#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: otf2-hosts.sh ANALYZE MAKE
# An archive of two machines (otf2-make: ranks 0 and 1 on n0, 2 and 3 on n1) beside a recording of one of them: they are one node only if
# --names says so; a file that machines share by its name is two files; names, maps and shifts mean the archive or one of its machines.
. "${0%/*}/readers-lib.sh"
analyze=$1 make=$2
"$analyze" --formats | grep '^otf2' | grep -qv 'not in this program' || exit 77
echo 'leak:libopen-trace-format2' > "$dir/library"
export LSAN_OPTIONS=suppressions=$dir/library:print_suppressions=0
cd "$dir" || exit 1
"$make" job 1 40 | sort > said || exit 1
cat > mine.txt <<'TEXT'
iotrace-text 1
hostname n0
complete yes
1000000000001000 0 77 iotrace:lock_start id=2 ino=77 pos=0 len=5 tgid=77 fd=3 dev=0x800001 op=81 cmd=0 whence=0
1000000000002000 0 77 iotrace:lock_end id=2 ret=0
TEXT

fail() { echo "otf2-hosts: $*" >&2; exit 1; }
# how many states, messages and calls there are on each machine
counts() { awk "$(cat "$here/text-items.awk")"'
	kind == "span" && (type == "user" || type == "mpi") { print "state " level[1] }
	kind == "link" { print "message " level[1] " " to_node(to) }
	kind == "span" && type == "io" { print "call " level[1] }
	function to_node(text) { sub(/\/.*/, "", text); return text }' "$1" | sort | uniq -c; }
of_said() { awk -F '\t' -v a="$1" -v b="$2" '
	function node(row) { return row ~ /^n0/ ? a : b }
	$1 == "state" { print "state " node($2) }
	$1 == "message" { print "message " node($2) " " node($3) }
	$1 == "call" || $1 == "open" { print "call " node($2) }
	END { print "call " (a == "job/n0" ? "mine" : a) }' said | sort | uniq -c; }
run() { "$analyze" -q --index off -o text:text -o report,tables:report "$@" job mine.txt 2> stderr; }

# Equal host names prove no machine, so both are named by their files, and this is said.
run || fail "status $?"
of_said job/n0 n1 | sort -k2 > expected
sed 's|"job/n0/|"job%n0/|g' text > flat # no level of rows ends within its name
counts flat | sed 's|job%n0|job/n0|g' | sort -k2 > got
agree 'sums of machines that are kept apart'
grep -q '^# diag host_name_shared 2' text || fail "host_name_shared: $(grep '^# diag' text)"
tr -s ' \n' ' ' < report | grep -q 'is kept apart as job/n0: other recordings have its host name (n0), too' || fail 'it is not said'

# With a file of names they are one, and the other one has its name from the file. A rank goes where the file says.
cat > names <<'NAMES'
[node n0]
host = n0
[node n1]
name = beta
[rank 1]
node = n1
of = job
process = 4711
[rank 2]
node = n0
of = elsewhere
NAMES
run --names names || fail "status $? with names"
sed 's|^\(state\t\)n0/rank 1|\1n1/rank 1|' said | awk -F '\t' -v OFS='\t' '
	$1 == "message" { sub(/^n0\/rank 1$/, "n1/rank 1", $2); sub(/^n0\/rank 1$/, "n1/rank 1", $3) } { print }' > moved
mv moved said
of_said n0 beta | sort -k2 > expected
counts text | sort -k2 > got
agree 'sums with names'
grep -q '^[0-9]* span "beta/rank 1 pid 4711"' text || fail 'rank 1 is not on beta'
grep -q '# diag names_unused 1' text || fail "names_unused: $(grep '^# diag' text)"

# A shift is one of the archive: its machines have one clock.
"$analyze" -q --index off -o text:first job && "$analyze" -q --index off --shift job=1s -o text:second job || fail 'no shift of an archive'
awk '/^#/ { next } { $1 = sprintf("%.0f", $1 + 1e9); print }' first > expected
grep -v '^#' second > got
agree 'items of a shifted archive'
"$analyze" -q --index off --shift n1=1s -o text:text job 2> stderr && fail 'a machine of an archive was shifted'
grep -q 'job/traces.otf2 tells of n1 and of other machines, by one clock; shift the recording: --shift job=TIME' stderr || fail "$(cat stderr)"

# --map names a machine, too.
"$analyze" -q --index off --map 7=n1 -o text:text job || fail 'no map of a machine'
sed 's|"n1/|"node 7/|g; s|/n1" |/node 7" |g' first | grep -v '^#' | sort > expected
grep -v '^#' text | sort > got
agree 'items with a mapped machine'

# Clocks of ranks whose calls are not in the archive (tests/mpi) are of another run: they change nothing, and this is counted.
"$make" plain 2 40 > /dev/null && "$analyze" -q --index off -o text:first plain || fail 'no archive without a date'
{
	echo '[node n0]'
	for rank in 0 1 2 3; do printf '[rank %d]\nof = plain\nnode = n0\nbegin = real=5000 mono=40 took=7 barrier=3/4\n' $rank; done
} > ranks
"$analyze" -q --index off --names ranks -o text:text plain || fail "status $?"
grep -q '^# diag rank_clocks_unused 1' text || fail "clocks that do not fit were used: $(grep '^#' text)"
awk '!/^#/ { print $1, $2 }' first | sort > expected
awk '!/^#/ { print $1, $2 }' text | sort > got
agree 'items with clocks of another run'

# A model that does not declare the value of a metric as a real number takes it for a text: as many as the archive has, and none else.
cat > texts.model <<'MODEL'
[model]
name = texts
title = texts
system = mpi
[container node]
in = root
id = {@node}
name = {@node_name}
role = node
[container rank]
in = node
id = {row}
name = {row}
[view texts]
columns = node rank
[points value]
on = rank
attrs = value:text
[point value]
event = metric
points = value
value = {name}
set value = {value}
MODEL
"$make" job2 1 40 | awk -F '\t' '$1 == "value"' | sort > expected
"$analyze" -q --index off -m ./texts.model -o text:text job2 || fail "status $? of a model without real numbers"
awk "$(cat "$here/text-items.awk")"'
	kind == "point" && (!((path, cat) in last) || last[path, cat] != attr["value"]) {
		last[path, cat] = attr["value"]
		printf "value\t%s\t%s\t%s\t%.2f\n", path, cat, time, attr["value"]
	}' text | sort > got
agree 'values as texts'
