#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: folder.sh ANALYZE SOURCE_DIR otf2|parquet
# The directory of an output appears when it is complete, and replaces an older one, but no other directory. Full disks,
# limits of files and interrupts leave nothing behind. Exit 77 (skipped) if the program has no such output.
set -u
export LC_ALL=C
analyze=$1 format=$3
recordings=("$2"/examples/dlm/trace-*.dat)
"$analyze" --formats | grep -q "^$format" || exit 77
dir=$(mktemp -d) || exit 1
mounted=
trap '[[ -n $mounted ]] && umount "$dir/disk"; rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failures=0

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# refuse WHAT STATUS MESSAGE COMMAND...: it fails so
refuse()
{
	local what=$1 want=$2 message=$3 status
	shift 3
	"$@" > out.log 2> err.log
	status=$?
	((status == want)) || fail "$what: status $status instead of $want"
	grep -q "$message" err.log || fail "$what: no \"$message\" in: $(cat err.log)"
	(($(wc -l < err.log) == 1)) || fail "$what: more than one line: $(cat err.log)"
	rm -f out.log err.log
}

# only NAME...: the folder has these entries
only()
{
	[[ $(ls -A) == "$(printf '%s\n' "$@")" ]] || fail "found $(ls -A | tr '\n' ' '), not $*"
}

"$analyze" -q -o "$format":a/ "${recordings[@]}" || fail 'a new directory'
only a
case $format in
otf2) [[ $(cd a && ls) == "$(printf '%s\n' traces traces.def traces.otf2)" ]] || fail "an archive has $(ls a)" ;;
parquet) [[ -s a/span.parquet && -s a/views.sql ]] || fail "a directory has $(ls a)" ;;
esac
[[ $(stat -c %a a) == "$(mkdir m && stat -c %a m && rmdir m)" ]] || fail 'the directory has another mode'
cp -r a good
mkdir empty
ln -s empty link
"$analyze" -q -o "$format":link "${recordings[@]}" || fail 'an empty directory by a link'
diff -r empty good || fail 'the result in an empty directory'
[[ -L link ]] || fail 'the link was replaced'
rm -r link empty
"$analyze" -q --to 5 -o "$format":a "${recordings[@]}" || fail 'an older one'
diff -rq a good > /dev/null && fail 'the older one was not replaced'
"$analyze" -q -o "$format":a "${recordings[@]}" || fail 'an older one'
diff -r a good || fail 'the older one left files'
only a good

touch a/mine
refuse 'a directory with other files' 3 'cannot write .*/a: .*directory' "$analyze" -q -o "$format":a "${recordings[@]}"
rm a/mine
if [[ $format == otf2 ]]; then
	touch a/traces/notes.txt
	refuse 'a directory with other files' 3 'cannot write .*/a: .*directory' "$analyze" -q -o "$format":a "${recordings[@]}"
	rm a/traces/notes.txt
else
	mv a/views.sql .
	refuse 'tables of another program' 3 'cannot write .*/a: .*directory' "$analyze" -q -o "$format":a "${recordings[@]}"
	mv views.sql a
fi
diff -r a good || fail 'a refused directory was touched'
touch file
refuse 'a file' 3 'file: Not a directory' "$analyze" -q -o "$format":file "${recordings[@]}"
rm file
refuse 'standard output' 1 "$format:-" "$analyze" -q -o "$format":- "${recordings[@]}"
only a good

# A limit is met in the middle of a file, a full disk at its end, too.
ASAN_OPTIONS=detect_leaks=0 refuse 'a limit of files' 3 'cannot write .*/a\(/[a-z.]*\)\?: File .*too large' \
	bash -c 'trap "" XFSZ; ulimit -f 8; exec "$@"' - "$analyze" -q -o "$format":a "${recordings[@]}"
diff -r a good || fail 'a limit of files: the older one was touched'
only a good
mkdir disk
if [[ $(id -u) == 0 ]] && mount -t tmpfs -o size=256k none disk 2> /dev/null; then
	mounted=yes
	# the library forgets a writer whose file it cannot close
	ASAN_OPTIONS=detect_leaks=0 refuse 'a full disk' 3 'cannot write .*disk/out\(/[a-z_.]*\)\?: No space' "$analyze" -q -o "$format":disk/out "${recordings[@]}"
	[[ -z $(ls -A disk) ]] || fail "a full disk: found $(ls -A disk)"
	umount disk && mounted=
fi
rmdir disk

# An interrupt while items come, by a pipe that never ends.
mkfifo pipe
env --default-signal=INT "$analyze" -q -o "$format":b -o text:pipe "${recordings[@]}" 2> /dev/null &
pid=$!
exec 3< pipe
read -r -u 3 _
kill -INT "$pid"
cat <&3 > /dev/null
wait "$pid"
status=$?
exec 3<&-
rm pipe
[[ $status == 130 ]] || fail "an interrupt: status $status"
only a good

# With little memory events go to a temporary file; the bytes are the same.
"$analyze" -q --memory 64K -o "$format":b "${recordings[@]}" || fail 'little memory'
diff -r b good || fail 'little memory: other bytes'
# nothing happened
"$analyze" -q --from 0.000000001 --to 0.000000002 -o "$format":c "${recordings[@]}" || fail 'an empty window'
if [[ $format == otf2 ]] && command -v otf2-print > /dev/null; then
	otf2-print -A c/traces.otf2 > print.log 2>&1 || fail "an empty window: $(tail -n 3 print.log)"
	rm -f print.log
fi
only a b c good
((failures)) || echo "directories are written whole or not at all"
exit $((failures > 0))
