#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A folder instead of recordings: with recording.json and without; and the events of a model.
# usage: cli-folder.sh PROGRAM SOURCE_DIR
program=$1 source=$2
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export IOTRACE_MODELS=$source/events/models

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# shows WHAT NODES ARGUMENT...: the nodes that the list of inputs names, in their order
shows()
{
	local what=$1 nodes=$2 shown
	shift 2
	"$program" --index off -o report,tables:- "$@" > "$work/out" 2> "$work/err" || fail "$what: status $?: $(cat "$work/err")"
	shown=$(awk '/^Inputs/ { on = 1; next } on && /^$/ { exit } on && !/FILE/ { print $1 }' "$work/out" |
		sed 's|.*/||' | paste -sd ' ')
	[[ $shown == "$nodes" ]] || fail "$what: inputs \"$shown\" instead of \"$nodes\""
}

# refuses WHAT STATUS PATTERN ARGUMENT...: one line that matches
refuses()
{
	local what=$1 status=$2 pattern=$3 got
	shift 3
	"$program" --index off -o "report:$work/none" "$@" > "$work/out" 2> "$work/err"
	got=$?
	((got == status)) || fail "$what: status $got instead of $status"
	[[ $(wc -l < "$work/err") == 1 ]] || fail "$what: not one line: $(cat "$work/err")"
	grep -q "$pattern" "$work/err" || fail "$what: no \"$pattern\" in: $(cat "$work/err")"
	[[ ! -e $work/none ]] || fail "$what: an output was written"
}

# without a description: natural order, the host last
mkdir "$work/plain" && cd "$work" || exit 2
for name in trace-10 trace-9 trace; do
	printf 'iotrace-text 1\nhostname h%s\n1000 0 42 dlm_bast ls_id=1 lkb_id=%d mode=5 res_name="A"\n' "${name#trace}" 1 > "plain/$name.dat"
done
shows 'a folder without description' 'trace-9.dat trace-10.dat trace.dat' plain
shows 'a folder with a slash' 'trace-9.dat trace-10.dat trace.dat' plain/

# with one: its order, its nodes; --map replaces them
cp -r plain described
cat > described/recording.json << 'END'
{ "format": "iotrace-recording", "version": 1, "unknown": [1, {}],
  "machines": [ { "name": "10", "file": "trace-10.dat", "node": "a" }, { "name": "8", "file": null, "node": "c" },
                { "name": "9", "file": "trace-9.dat", "node": null } ] }
END
shows 'a described folder' 'trace-10.dat trace-9.dat' described
grep -q 'trace-10.dat *a ' out || fail "recording.json: no node a: $(sed -n 1,4p out)"
"$program" --index off -o report,tables:out --map z=9 described 2> err || fail "--map: $(cat err)"
grep -q 'trace-9.dat *z ' out || fail "--map: no node z: $(sed -n 1,4p out)"
grep -q 'trace-10.dat *a ' out && fail '--map: recording.json still names node a'

# samples of machines: files that a description names, and others of the folder; each once, after the recordings, on the node of its host
cp -r plain sampled
printf 'iotrace-text 1\nhostname %s\nbeside %s\n1000 0 0 metrics:blocked group="load" blocked=1\n' x trace.dat > sampled/metrics.txt
printf 'iotrace-text 1\nhostname %s\nbeside %s\n1000 0 0 metrics:blocked group="load" blocked=1\n' h-9 h-9 > sampled/metrics-h-9.txt
shows 'samples without a description' 'trace-9.dat trace-10.dat trace.dat metrics-h-9.txt metrics.txt' sampled
grep -q '/metrics-h-9.txt *h-9 ' out || fail "samples beside a host: $(sed -n 1,8p out)"
cat > sampled/recording.json << 'END'
{ "machines": [ { "file": "trace-9.dat", "node": "1" }, { "file": "trace.dat", "metrics": "metrics.txt", "node": null },
                { "file": null, "metrics": null } ] }
END
shows 'described samples' 'trace-9.dat trace.dat metrics.txt metrics-h-9.txt' sampled
grep -q '/metrics-h-9.txt *node 1 ' out || fail "samples beside a mapped recording: $(sed -n 1,8p out)"
grep -q '/metrics.txt *h ' out || fail "samples beside a file: $(sed -n 1,8p out)"
echo '{ "machines": [ { "file": null, "metrics": "metrics.txt" } ] }' > sampled/recording.json
shows 'samples only' 'metrics.txt metrics-h-9.txt' sampled
echo '{ "machines": [ { "file": null, "metrics": "../x" } ] }' > sampled/recording.json
refuses 'samples elsewhere' 2 'the metrics of a machine are not the name' sampled

# of two files with the name it is the one in the same folder
for host in x y; do
	mkdir two-$host
	printf 'iotrace-text 1\nhostname %s\n1000 0 0 dlm:dlm_bast ls_id=1 lkb_id=1 mode=5 res_name="A"\n' $host > two-$host/trace.dat
	printf 'iotrace-text 1\nhostname %s\nbeside trace.dat\n1000 0 0 metrics:blocked group="load" blocked=1\n' $host > two-$host/metrics.txt
done
shows 'samples in two folders' 'trace.dat metrics.txt trace.dat metrics.txt' two-x two-y
[[ $(grep -c '/trace.dat *[xy] \|/metrics.txt *[xy] ' out) == 4 ]] || fail "samples in two folders: $(sed -n 1,8p out)"

# calls that iotrace-record only counted, in the verdict; also if a recording of the folder is given itself. Strange members are skipped
cp -r plain counted
printf '{ "other_calls": [ %s { "name": "mmap", "count": 3 }, 7, { "name": "lseek", "count": 40 }, { "name": 5, "count": 5 },
	{ "name": "x", "count": -5 }, { "name": "dup", "count": "5" } ], "machines": [ { "file": "trace-9.dat" } ] }' \
	"$(printf '{ "name": "c%d", "count": 2 }, ' 1 2 3 4 5 6 7)" > counted/recording.json
counts='57 calls of other kinds were not looked at: lseek 40, mmap 3, c1 2, c2 2, c3 2, c4 2, c5 2, c6 2 ...'
for input in counted counted/trace-9.dat; do
	"$program" --index off -o report,tables:out $input 2> err || fail "$input: $(cat err)"
	grep -q "^No event was lost; .*$counts\$" out || fail "$input: $(head -n 4 out)"
done
"$program" --index off -o report,tables:out counted/trace-10.dat 2> err || fail "another file: $(cat err)"
! grep -q 'other kinds' out || fail "another file of the folder: $(grep 'other kinds' out)"

# a folder equals the names of its files, on a real recording
mkdir real && ln -s "$source"/examples/dlm/trace-[345].dat real/
"$program" --index off -o text:one real 2> err || fail "real: $(cat err)"
"$program" --index off -o text:two real/trace-3.dat real/trace-4.dat real/trace-5.dat 2> err || fail "real: $(cat err)"
cmp -s one two || fail 'a folder and its files give different texts'

# the word inputs: each file with its kind, models, systems without a model, and the placing of its clock; files that are not read
mkdir told
cat > told/trace-1.dat << 'END'
iotrace-text 1
hostname one
sync yes
5000 0 42 dlm:dlm_bast ls_id=1 lkb_id=1 mode=5 res_name="A"
5500 0 42 odd:event x=1
7000 0 42 dlm:dlm_bast ls_id=1 lkb_id=1 mode=5 res_name="A"
END
cat > told/trace-2.dat << 'END'
iotrace-text 1
hostname two
5250 0 0 metrics:blocked group="load" blocked=1
5300 0 0 metrics:blocked group="load" blocked=2
END
echo '42 1700000000.000000 read(3, "", 10) = 0 <0.000010>' > told/log
echo nothing > told/.hidden
echo text > told/notes.txt
"$program" inputs told > told.out || fail "inputs: status $?"
cat > expected << 'END'
Recordings
  FILE              WHAT IT IS      NODE  BEGINS AFTER    LASTS  DRAWN BY MODELS  NOT DRAWN  PLACED BY
  told/trace-1.dat  iotrace-text 1  one           0 ns  2.00 us  dlm              odd        its own statement
  told/trace-2.dat  iotrace-text 1  two         250 ns    50 ns  metrics                     nothing: --sync or --shift

Not read
  FILE            WHAT IT IS
  told/log        strace, 6 digits of a second; it is read if it is named, too
  told/notes.txt  no recording
END
diff expected told.out || fail 'inputs: other tables'
"$program" inputs,json told > told.json || fail "inputs,json: status $?"
node -e '
	const tables = JSON.parse(require("fs").readFileSync("told.json")).tables
	if (tables.recordings.rows.length !== 2 || tables.left_out.rows.length !== 2)
		throw new Error("rows")' || fail 'inputs,json: other rows'
"$program" inputs told told/log > told.out || fail "inputs, the log too: status $?"
grep -q '^  told/log  *strace, 6 digits of a second  *log ' told.out || fail "inputs: the log that is named is not read: $(cat told.out)"
"$program" --index off -o report,json:out told 2> err
grep -q '"counter":"recordings_left_out"' out || fail "the log is left out silently: $(cat err)"
: > told/trace-3.dat
"$program" inputs told > told.out 2> err && fail 'inputs: status 0 with an empty file'
grep -q '^  told/trace-3.dat  *cannot be read' told.out || fail "inputs: $(cat told.out)"
grep -q 'trace-3.dat is empty' err || fail "inputs: $(cat err)"
refuses 'inputs and an output' 1 'inputs has no other outputs' inputs told

mkdir empty
refuses 'an empty folder' 2 'empty is a directory without recordings' empty
refuses 'the same file twice' 1 'given twice' plain plain/trace-9.dat
for text in '' '[1' '[]' '{}' '{"machines": 3}' '{"machines": [3]}' '{"machines": [{"file": "../plain/trace.dat"}]}' \
	'{"machines": [{"file": ""}]}'; do
	printf '%s' "$text" > described/recording.json
	refuses "description <$text>" 2 'described/recording.json' described
done
echo '{"machines": [{"file": null}]}' > described/recording.json
refuses 'nothing recorded' 2 'nothing was recorded' described
echo '{"machines": [{"file": "trace-7.dat"}]}' > described/recording.json
refuses 'a missing recording' 2 'described/trace-7.dat' described
echo '{"machines": [{"file": "trace-9.dat", "node": "1"}, {"file": "trace-10.dat", "node": "1"}]}' > described/recording.json
refuses 'a node twice' 1 'are both node "1" and have the same events' described

# the events of a model, counted by hand in dlm.model: two pairs with their completion, the bast; messages and recoveries
# are optional
"$program" --model-events dlm > events || fail "--model-events: status $?"
cat > expected << 'END'
dlm:dlm_ast
dlm:dlm_bast
dlm:dlm_lock_end
dlm:dlm_lock_start
dlm:dlm_recv_message	optional
dlm:dlm_send_message	optional
dlm:dlm_unlock_end
dlm:dlm_unlock_start
printk:console	optional
END
diff expected events || fail '--model-events dlm'
"$program" --model-events kvm | grep -q '^kvm:kvm_entry	optional$' || fail '--model-events kvm: kvm_entry is not optional'
refuses 'no such model' 1 'did you mean dlm' --model-events dlmm
((failures)) || echo "folders are read with and without a description"
exit $((failures > 0))
