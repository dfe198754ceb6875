#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The output summary, and compare: of recordings, folders and summaries, limits, wrong files.
# usage: cli-compare.sh PROGRAM SOURCE_DIR
program=$1 source=$2
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
[[ -e $source/examples/dlm/trace-3.dat ]] || { echo "skipped: no recordings in $source/examples"; exit 77; }
export TMPDIR=$work/tmp
mkdir "$TMPDIR"
cd "$work" || exit 2

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

run()
{
	"$program" -q --index off "$@"
}

# refuses STATUS PATTERN ARGUMENT...: one line that matches
refuses()
{
	local status=$1 pattern=$2 got
	shift 2
	run "$@" > out 2> err
	got=$?
	((got == status)) && [[ $(wc -l < err) == 1 && ! -s out ]] && grep -q -- "$pattern" err ||
		fail "$*: status $got, $(cat out err)"
}

# ---- the summary has what the text output has
for example in dlm fileio; do
	recordings=("$source"/examples/$example/trace-*.dat)
	run -o "summary:$example.json" -o text:text -o report,json:report "${recordings[@]}" || fail "summary of $example: status $?"
	if command -v node > /dev/null; then
		node "$source/tests/cli/summary-check.mjs" $example.json 'node 1' 'node 2' 'node 3' < text || fail "summary of $example"
		node "$source/tests/cli/summary-waits.mjs" $example.json report || fail "waits in the summary of $example"
	fi
done

# ---- the ping-pong with and without an intruder: the row that cannot run, and the intruder
game() { echo "$source/examples/sched/$1.dat"; }
run compare -m sched --all-threads "$(game alone)" "$(game disturbed)" > out 2> err
(($? == 4)) || fail "ping-pong: status of longer waits, $(cat err)"
grep -q '^  runnable on pong takes 2[0-9][0-9] times as long' out || fail "ping-pong: no word of pong: $(head -5 out)"
sed -n '/^Only in B/,$p' out | grep -q '^  running *intruder *302 ' || fail "ping-pong: the intruder is not named"
run compare -m sched --all-threads "$(game disturbed)" "$(game alone)" > out
grep -q '^  .*takes.*pong' out && fail "ping-pong, the better run second: $(head -3 out)"
[[ -z $(ls -A "$TMPDIR") ]] || fail "temporary files are left: $(ls "$TMPDIR")"

# ---- hand-overs between two nodes: a reaction that takes twice as long, and another holder
handovers() # NAME VARIABLE...
{
	local name=$1 variables=() variable
	shift
	for variable; do variables+=(-v "$variable"); done
	mkdir "$name"
	awk -v dir="$name" -v waiter=1 -v n=100 -v sigma=0.5 "${variables[@]}" -f "$source/tests/readers/handover.awk"
	run -m dlm --map 'node 1=1' --map 'node 2=2' --map 'node 3=3' -o "summary:$name.json" "$name"/?.txt || fail "summary of $name"
}
handovers before seed=1 holder=3
handovers alike seed=2 holder=3
handovers slower seed=3 holder=3 late=reaction factor=2
handovers other seed=4 holder=2
run compare before.json alike.json > out || fail "hand-overs of one kind: status $? $(cat out)"
grep -q '^  None of [1-9][0-9]* comparisons differs' out || fail "hand-overs of one kind: $(cat out)"
run compare before.json before.json > out || fail "a run with itself: status $? $(cat out)"
grep -q '^  None of [1-9][0-9]* comparisons differs' out || fail "a run with itself: $(cat out)"
run compare before.json slower.json > out
(($? == 4)) || fail 'slower reaction: status'
grep -q '^  reaction of PENDING takes [12]\.[0-9]* times as long' out || fail "slower reaction: $(head -5 out)"
# the other parts have not changed
grep -E '^  (request|queue|block|release|grant|completion|return) of' out && fail 'slower reaction: other parts'
run compare before.json other.json > out
grep -q '^  node 1 waits because of node 2: [1-9][0-9]* % of a wait, was 0 % ([1-9][0-9]* to [0-9]* points more)' out || fail "other holder: $(head -9 out)"
sed -n '/wait for only in A/,/^$/p' out | grep -q '^  0x1/r *node 3 *100 ' || fail 'other holder: node 3 has vanished'
sed -n '/wait for only in B/,/^$/p' out | grep -q '^  0x1/r *node 2 *100 ' || fail 'other holder: node 2 is new'

# ---- limits of parts and causes; values from the report of the same recordings
limit() # STATUS LINE
{
	echo "$2" > limits
	run compare --limits limits before.json other.json > out
	local got=$?
	((got == $1)) && { ((got == 0)) || grep -qF "exceeds the limit \"$2\"" out; } || fail "limit $2: status $got, $(cat out)"
}
limit 4 'PENDING/block * p50 1us'
limit 0 'PENDING/block * p50 1s'
limit 4 'PENDING/bl* 0x1/r p50 1us'
limit 0 'PENDING/release * count 0'
limit 4 'because:node?2 * share 20%'
limit 0 'because:node?2 * share 90%'
limit 0 'because:node?3 * share 0%'
limit 4 'because:node?2 0x1/r share +20%'
limit 4 'because:node?2 * typical +10%'
limit 0 'because:node?2 * typical +60%'
limit 4 'because:node?2 * count 99'
limit 0 'because:node?2 * count 100'
limit 4 'because:node?2 * sum 1ms'
limit 0 'because:node?9 * sum 0'
grep -qF 'The limit "because:node?9 * sum 0" holds because neither run has' out || fail "a limit about nothing: $(cat out)"
limit 4 'PENDING/block * p50 1us'
grep -q 'holds because neither run has' out && fail "a limit that is exceeded is about nothing: $(cat out)"
for line in 'PENDNG * p99 1us' 'PENDING/blok * p99 1us' 'PENDING 0x1/s p99 1us'; do
	limit 0 "$line"
	grep -qF "The limit \"$line\" holds because neither run has" out || fail "a wrong name: $(cat out)"
done

# ---- a summary stands for its recordings; a folder is a run; a run does not differ from itself
cp dlm.json again.json
run compare dlm.json again.json > out || fail "a run and itself: status $?"
grep -q '^  None of [1-9][0-9]* comparisons differs' out && (($(grep -c . out) <= 4)) || fail "a run and itself: $(cat out)"
run compare dlm.json fileio.json > summaries
(($? == 4)) || fail "dlm and fileio"
run compare "$source/examples/dlm" "$source/examples/fileio" > folders
(($? == 4)) && cmp summaries folders || fail "folders differ from their summaries"
if command -v node > /dev/null; then
	run compare,json dlm.json fileio.json > json
	node -e 'const t = JSON.parse(fs.readFileSync(0)).tables; process.exit(t.verdict.rows.length < 2 ? 1 : 0)' < json ||
		fail "compare,json: $(head -c 300 json)"
fi

# ---- limits decide alone
printf '# none\n\nPENDING *  p99 1000s\nPENDING 0x3df8322a/*\tmax +0%%  # of A\n' > limits
run compare --limits limits dlm.json fileio.json > out || fail "limits that hold: status $? $(cat out)"
printf 'PENDING * p99 1us\n' > limits
run compare --limits limits dlm.json again.json > out
(($? == 4)) && grep -q 'PENDING exceeds the limit "PENDING \* p99 1us"' out || fail "a limit that is exceeded: $(cat out)"
printf 'runnable pong typical +1000%%\n' > limits
run compare -m sched --all-threads --limits limits "$(game alone)" "$(game disturbed)" > /dev/null
(($? == 4)) || fail "typical"
refuses 1 '/dev/null: there is no limit' compare --limits /dev/null dlm.json again.json
for line in PENDING 'PENDING * p98 1ms' 'PENDING * p99 10%' 'PENDING * typical 1ms' 'PENDING * p99 +x%' 'PENDING * count 1ms' \
	'because:x * p99 1ms' 'PENDING * share 1%' 'because:x * share 1ms' 'because:x * typical 5%'; do
	echo "$line" > limits
	refuses 1 '^iotrace-analyze: limits:1: ' compare --limits limits dlm.json again.json
done
printf 'PENDING * p99 1000s\n\0\nPENDING * p99 1us\n' > limits
refuses 1 '^iotrace-analyze: limits:2: .*UTF-8' compare --limits limits dlm.json again.json
printf 'PENDING \377 p99 1us\n' > limits
refuses 1 '^iotrace-analyze: limits:1: .*UTF-8' compare --limits limits dlm.json again.json
refuses 1 '--limits: .*No such file' compare --limits nothing dlm.json again.json
refuses 1 '--limits needs the word compare' --limits limits "$(game alone)"

# ---- the parts of operations of two runs, against the operations of each
nfs=$source/examples/nfs
run -o summary:first.json -o report,json:first.report --to 6 "$nfs" && run -o summary:second.json -o report,json:second.report --from 6 --to 20 "$nfs" ||
	fail "operations of two runs: status $?"
run compare,json first.json second.json > out
awk -F'"' '
function value(name) { return match($0, "\"" name "\":[0-9]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) + 0 : 0 }
/^"/ { table = $2 }
FNR == 1 { file++ }
table == "operations" && /^\{/ {
	of = $4; n = split("client client_queue network server_queue server disk rest", name, " ")
	split("client,client'"'"'s queue,network,server'"'"'s queue,server,disk,not explained", title, ",")
	for (i = 1; i <= n; i++) sum[of, title[i], file] = value(name[i])
}
table == "part_sums" && /^\{/ {
	if (value("sum_a") != sum[$4, $8, 1] + 0 || value("sum_b") != sum[$4, $8, 2] + 0) print "other sums than in the reports: " $0
	if (value("more") - value("less") != value("sum_b") - value("sum_a")) print "wrong difference: " $0
	rows++
}
END { if (rows != 20) print rows + 0 " rows" }' first.report second.report out > wrong
[[ -s wrong ]] && fail "sums of parts: $(head -n 3 wrong)"

# ---- a window after the end of the recording is 0 ns long
run -o summary:none.json --from 1000s "$nfs" && run compare,json none.json none.json > out || fail "compare a window after the end: status $?"
grep -q '"length_ns":0,' none.json || fail "a window after the end is $(grep -o '"length_ns":[0-9]*' none.json) long"

# ---- wrong runs
refuses 1 'compare needs two runs' compare dlm.json
refuses 1 'compare needs two runs' compare dlm.json again.json fileio.json
refuses 1 'compare has no other outputs' compare -o text:text dlm.json again.json
refuses 2 'nothing.json: .*No such file' compare dlm.json nothing.json
refuses 2 'nothing.dat: No such file' compare nothing.dat dlm.json
mkdir empty
refuses 2 'empty is a directory without recordings' compare empty dlm.json
echo '{}' > wrong.json
refuses 2 'wrong.json: it is not a summary' compare wrong.json dlm.json
sed 's/"version":2/"version":3/' dlm.json > wrong.json
refuses 2 'wrong.json: this program reads version 2' compare wrong.json dlm.json
head -c 5000 dlm.json > wrong.json
refuses 2 'wrong.json: ' compare wrong.json dlm.json
for change in 's/"cells":\[1/"cells":[-1/' 's/"cells":\[[0-9]*,/"cells":[/' 's/"cells":\[[0-9]*/"cells":["x"/' 's/"sum_ns":[0-9]*/"sum_ns":"x"/' \
	's/"part":"queue"/"part":""/' 's/"waits":\[/"waits":7,"x":[/' 's/"causes":\[/"causes":[7,/' 's/"n":[0-9]*/"n":0/' 's/"sum_ppm":[0-9]*/"sum_ppm":-1/' \
	's/"holder":"[^"]*"/"holder":""/' 's/"state":"NL"/"state":""/' 's/"cells":\[\([0-9]*\),1/"cells":[\1,-1/' 's/"cells":\[/"cells":{/' 's/"groups":\[/"groups":7,"x":[/'; do
	sed "$change" dlm.json > wrong.json
	cmp -s wrong.json dlm.json && fail "$change changes nothing"
	refuses 2 'wrong.json: ' compare wrong.json dlm.json
done
[[ -z $(ls -A "$TMPDIR") ]] || fail "temporary files are left: $(ls "$TMPDIR")"

exit $((failures > 0))
