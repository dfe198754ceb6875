#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# trace-cmd report with our plugins, for the recording of a real cluster: compares every event with a separate decoder in awk.
# Tests also the options and -N, and that the plugins change nothing else.
# usage: plugins-report.sh BUILD_DIR SOURCE_DIR
command -v trace-cmd > /dev/null || { echo "skipped: no trace-cmd"; exit 77; }
here=$2/tests/plugins
examples=$2/examples/dlm
formats=$2/tests/formats
export TRACEEVENT_PLUGIN_DIR=$1/plugins/traceevent LC_ALL=C
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export HOME=$work

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# same TEXT GOT EXPECTED: two files are equal, and not empty
same()
{
	[[ -s $2 ]] || fail "$1: nothing was shown"
	cmp -s "$2" "$3" || { fail "$1:"; diff "$2" "$3" | head -n 6; }
}

for n in 3 4 5; do
	trace-cmd report -N "$examples/trace-$n.dat" > "$work/kernel-$n"
	trace-cmd report "$examples/trace-$n.dat" > "$work/got-$n"
	awk -f "$here/dlm-words.awk" "$work/kernel-$n" > "$work/words-$n"
	same "trace-$n.dat" "$work/got-$n" "$work/words-$n"
done
events=$(cat "$work"/words-? | grep -c ': dlm_')
((events == 44945)) || fail "$events events instead of 44945 were compared"

# options, alone and together; also for each of several recordings
awk -f "$here/dlm-words.awk" -v raw=1 "$work/kernel-4" > "$work/raw"
awk -f "$here/dlm-words.awk" -v all=1 "$work/kernel-4" > "$work/all"
awk -f "$here/dlm-words.awk" -v raw=1 -v all=1 "$work/kernel-4" > "$work/both"

# with EXPECTED OPTION...
with()
{
	local expected=$1
	shift
	trace-cmd report "$@" "$examples/trace-4.dat" > "$work/got"
	same "trace-cmd report $*" "$work/got" "$work/$expected"
}

with raw -O dlm:raw
with raw -O raw=1
with all -O dlm:all
with both -O dlm:all -O dlm:raw=true
with words-4 -O dlm:raw=0 -O iotrace:raw
trace-cmd report -O dlm:raw -i "$examples/trace-4.dat" -i "$examples/trace-3.dat" > "$work/got"
grep -q 'mode=[A-Z]\|=-E\|"inode ' "$work/got" && fail "a second recording has words again"
grep -q 'mode=4' "$work/got" || fail "two recordings: nothing is raw"

# without our plugins their text is absent, and other events look as usual
with kernel-4 -N
trace-cmd report "$examples/trace.dat" | head -n 20000 > "$work/got"
TRACEEVENT_PLUGIN_DIR=/nowhere trace-cmd report "$examples/trace.dat" | head -n 20000 > "$work/expected"
same "trace.dat" "$work/got" "$work/expected"

trace-cmd list -O > "$work/options"
for option in dlm:raw dlm:all iotrace:raw iotrace:all; do
	awk -v name="$option" '/plugin:/ { plugin = $2 } /option:/ && plugin ":" $2 == name { found = 1 } END { exit !found }' \
		"$work/options" || fail "trace-cmd list -O does not show $option"
done

# the plugins load into every program, and export only the functions that libtraceevent calls
for file in "$TRACEEVENT_PLUGIN_DIR"/*.so; do
	[[ $(nm -D --defined-only "$file" | awk '{ print $3 }' | sort | paste -sd ' ') == "tep_plugin_loader tep_plugin_unloader" ]] ||
		fail "$file shows other symbols"
done

# the saved formats of DLM are those of the recordings
bash "$formats/save-formats.sh" "$examples/trace-5.dat" "$work/formats" || fail "formats cannot be read"
diff -r "$work/formats/dlm/6.1" "$formats/dlm/6.1" > "$work/diff" || { fail "formats differ"; head -n 6 "$work/diff"; }

((failures)) || echo "$events events are shown as they should be"
exit $((failures > 0))
