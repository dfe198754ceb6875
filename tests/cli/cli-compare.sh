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
	run -o "summary:$example.json" -o text:text "${recordings[@]}" || fail "summary of $example: status $?"
	if command -v node > /dev/null; then
		node "$source/tests/cli/summary-check.mjs" $example.json 'node 1' 'node 2' 'node 3' < text || fail "summary of $example"
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

# ---- a summary stands for its recordings; a folder is a run; a run does not differ from itself
cp dlm.json again.json
run compare dlm.json again.json > out || fail "a run and itself: status $?"
grep -q '^  None of [1-9][0-9]* comparisons differs' out && (($(grep -c . out) <= 3)) || fail "a run and itself: $(cat out)"
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
for line in PENDING 'PENDING * p98 1ms' 'PENDING * p99 10%' 'PENDING * typical 1ms' 'PENDING * p99 +x%' 'PENDING * count 1ms'; do
	echo "$line" > limits
	refuses 1 '^iotrace-analyze: limits:1: ' compare --limits limits dlm.json again.json
done
refuses 1 '--limits: .*No such file' compare --limits nothing dlm.json again.json
refuses 1 '--limits needs the word compare' --limits limits "$(game alone)"

# ---- wrong runs
refuses 1 'compare needs two runs' compare dlm.json
refuses 1 'compare needs two runs' compare dlm.json again.json fileio.json
refuses 1 'given twice' compare dlm.json dlm.json
refuses 1 'compare has no other outputs' compare -o text:text dlm.json again.json
refuses 2 'nothing.json: .*No such file' compare dlm.json nothing.json
refuses 2 'nothing.dat: No such file' compare nothing.dat dlm.json
mkdir empty
refuses 2 'empty is a directory without recordings' compare empty dlm.json
echo '{}' > wrong.json
refuses 2 'wrong.json: it is not a summary' compare wrong.json dlm.json
sed 's/"version":1/"version":2/' dlm.json > wrong.json
refuses 2 'wrong.json: this program reads version 1' compare wrong.json dlm.json
head -c 5000 dlm.json > wrong.json
refuses 2 'wrong.json: ' compare wrong.json dlm.json
for change in 's/"cells":\[1/"cells":[-1/' 's/"cells":\[[0-9]*,/"cells":[/' 's/"cells":\[[0-9]*/"cells":["x"/' 's/"sum_ns":[0-9]*/"sum_ns":"x"/' \
	's/"state":"NL"/"state":""/' 's/"cells":\[\([0-9]*\),1/"cells":[\1,-1/' 's/"cells":\[/"cells":{/' 's/"groups":\[/"groups":7,"x":[/'; do
	sed "$change" dlm.json > wrong.json
	cmp -s wrong.json dlm.json && fail "$change changes nothing"
	refuses 2 'wrong.json: ' compare wrong.json dlm.json
done
[[ -z $(ls -A "$TMPDIR") ]] || fail "temporary files are left: $(ls "$TMPDIR")"

exit $((failures > 0))
