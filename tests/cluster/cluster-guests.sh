#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The lab with guests that fail, hang or end: shell scripts instead of guests, and the lab's own lib.sh. Each run must end
# with one sentence that names the guest, after the last lines of its console, and leave no process.
# usage: cluster-guests.sh SOURCE_DIR
# shellcheck disable=SC2016 # text in single quotes is for the other shell
here=$1/examples/cluster
failures=0
scratch=$(mktemp -d "${TMPDIR:-/tmp}/cluster.XXXXXX") || exit 2
trap 'rm -rf "$scratch"' EXIT

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# drive COMMAND...: runs the command with lib.sh in a new lab; sets status, out and err
drive()
{
	rm -rf "$scratch/run"
	mkdir "$scratch/run" "$scratch/run/consoles"
	(bash -c 'run=$1 consoles=$1/consoles patience=1 here=$2
		cd "$run"
		. "$here/lib.sh"
		trap kill_guests EXIT
		say_prefix=
		eval "$3"' lab "$scratch/run" "$here" "$1" > "$scratch/out" 2> "$scratch/err"
	exit $?) 2> /dev/null	# without the outer shell's report of a signal
	status=$?
}

# expect NAME STATUS TEXT...: standard error has the texts, and no guest is left
expect()
{
	local name=$1 text
	((status == $2)) || fail "$name: status $status: $(cat "$scratch/err")"
	for text in "${@:3}"; do
		grep -qF -- "$text" "$scratch/err" || fail "$name: \"$text\" is missing in: $(cat "$scratch/err")"
	done
	! pgrep -f "$scratch/run/guest" > /dev/null || fail "$name: a guest is left over"
}

# A guest is a shell with its folder in its command line, so that a leftover guest can be found. It hangs in read.
guest='guest() { launch "$1" sh -c "$2" "$run/guest"; };'

drive "$guest"' guest one "echo LAB up; read -r word; echo LAB got \$word; read -r word"
	await up 9 one; send hello one; await got 9 one; details one got; send off one; ended 9 one'
expect "a good guest" 0
[[ $(cat "$scratch/out") == hello ]] || fail "a good guest: $(cat "$scratch/out")"

drive "$guest"' guest one "echo first; echo LAB up; echo last words; read -r word; read -r word"; await up 9 one; await ready 1 one'
expect "a hanging guest" 1 "run.sh: one failed: no \"ready\" within 1 seconds" "last words" "consoles/one"

drive "$guest"' guest one "echo LAB up; echo LAB failed module gfs2; read -r word; read -r word"; await up 9 one; await ready 9 one'
expect "a guest that gives a reason" 1 "run.sh: one failed: module gfs2"

drive "$guest"' guest one "echo LAB up; echo Kernel panic"; await up 9 one; await ready 9 one'
expect "a guest that ends" 1 "run.sh: one failed: it ended unexpectedly" "Kernel panic"

drive "$guest"' guest one "read -r word; read -r word"; guest two "echo LAB failed disk"
	watched=(two); await up 9 one'
expect "another guest fails meanwhile" 1 "run.sh: two failed: disk"

drive "$guest"' guest one "echo LAB up; read -r word; read -r word; read -r word"; await up 9 one; send off one; ended 1 one'
expect "a guest that does not switch off" 1 "run.sh: one failed: it did not switch off"

# killed so that no trap can run
drive "$guest"' guest one "echo LAB up; read -r word; read -r word"; await up 9 one; kill -KILL $$'
for _ in {1..100}; do
	pgrep -f "$scratch/run/guest" > /dev/null || break
	sleep 0.1
done
expect "a lab that is killed" 137

((failures)) || echo "guests that fail are named, and none is left over"
exit $((failures > 0))
