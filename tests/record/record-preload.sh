#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: record-preload.sh RECORD ANALYZE
# iotrace-record without root: what a command and its children do to files, its status, and one sentence where nothing can be recorded. As
# root the test becomes the user nobody for this; --preload does the same as root.
set -u
analyze=$2
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
chmod 777 "$dir"
# another user may not come to the build folder
cp "$1" "$2" "${1%/*}/libiotrace-preload.so" "$dir" || exit 1
record=$dir/${1##*/}

fail()
{
	echo "record-preload: $*" >&2
	exit 1
}

# run STATUS OPTIONS... - iotrace-record, without rights
run()
{
	local want=$1
	shift
	(cd "$dir" && if ((EUID)); then "$record" "$@"; else setpriv --reuid=65534 --regid=65534 --clear-groups "$record" "$@"; fi) > "$dir/out" 2> "$dir/err"
	local got=$?
	((got == want)) || fail "$*: status $got instead of $want: $(cat "$dir/err")"
}

said() { grep -qF -- "$1" "$dir/err" || fail "not said: $1; but: $(cat "$dir/err")"; }

# calls FOLDER CATEGORY - how many calls on files were recorded
calls() { "$analyze" -q --index off -o jsonl:- "$1" | grep '"type":"io"' | grep -c "\"category\":\"$2\""; }

run 0 -o "$dir/a" -- sh -c 'for i in 1 2 3; do echo $i > f$i; done; cat f1 f2 f3 > all; rm f1'
said 'without root, only what the command does to files is recorded'
said "recording into $dir/a; until the command ends"
said 'complete'
[[ $(cat "$dir/all") == $'1\n2\n3' ]] || fail 'the command did something else'
# the shell writes three times, cat copies three files: opens of f1 f2 f3, twice, and of all
n=$("$analyze" -q --index off -o jsonl:- "$dir/a" | grep '"category":"open"' | grep -cE '"path":"[^"]*/(f[123]|all)"')
((n == 7)) || fail "$n opens instead of 7"
n=$("$analyze" -q --index off -o jsonl:- "$dir/a" | grep -c '"op":"unlink[^"]*"')
((n >= 1)) || fail 'the removal of a file was not recorded'

# the status is that of the command
run 7 -q -o "$dir/b" -- sh -c 'exit 7'
run 137 -q -o "$dir/c" -- sh -c 'kill -9 $$'

# the file of a folder is found by itself, and by its name
[[ -s $dir/a/trace.preload ]] || fail 'there is no trace.preload'
[[ $("$analyze" -q --index off -o jsonl:- "$dir/a" | wc -l) == $("$analyze" -q --index off -o jsonl:- "$dir/a/trace.preload" | wc -l) ]] ||
	fail 'folder and file differ'

# nothing to record
run 127 -o "$dir/d" -- /no/such/program
said 'there is no command /no/such/program'
[[ -e $dir/d ]] && fail 'a folder without a recording stays'

# what cannot be
run 2 --preload
said '--preload records a command'
run 2 --preload -m sched -- true
said '--preload does not go with -m'
run 2 -o "$dir/e"
said 'recording needs root'

# root, too
if ((!EUID)); then
	(cd "$dir" && "$record" --preload -q -o "$dir/f" -- sh -c 'echo x > g') || fail 'as root'
	(($(calls "$dir/f" write) == 1)) || fail "as root: $(calls "$dir/f" write) writes"
fi
echo 'record-preload: a user without rights records'
