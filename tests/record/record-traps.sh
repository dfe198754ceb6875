#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A failure of a recording ends in one sentence with a remedy, and the right status. trace-cmd is a
# stand-in here (fake-trace-cmd.sh), because agents cannot be made to fail in all these ways.
# usage: record-traps.sh PROGRAM SOURCE_DIR
# shellcheck source=record-lib.sh
. "${0%/*}/record-lib.sh" "$@"
can_trace
cd "$work" || exit 2
mkdir bin
ln -s "$source/tests/record/fake-trace-cmd.sh" bin/trace-cmd
PATH=$work/bin:$PATH
export FAKE_ARGS=$work/args FAKE_MODE FAKE_DATA=$source/examples/dlm
two=("$record" --no-check -m dlm -A 5 -A 4 -o rec)

# gone: nothing was left, in the folder or running
gone()
{
	[[ ! -e rec ]] || fail "$1: a folder was left: $(ls rec)"
	! pgrep -f "$work" > pids || fail "$1: still running: $(xargs ps -o args= -p < pids)"
}

FAKE_MODE=good expect 'good' 0 'complete' "${two[@]}" -- true
[[ $(member rec status) == 0 && $(member rec verdict) == complete ]] || fail "good: $(cat rec/recording.json)"
# by awk over trace-cmd report: lines of events of the guests
"$analyze" --index off -o report:- rec > report 2> err || fail "analyze: $(cat err)"
for guest in 5 4; do
	grep -q "^  rec/trace-$guest.dat *node [12] .*kvm, 2 samples" report || fail "guest $guest: $(sed -n 1,6p report)"
done
rm -r rec

# COMMAND's own status; it runs while it records, as the user who called sudo
for status in 1 2 3 77; do
	FAKE_MODE=good expect "command with status $status" $status 'complete' "${two[@]}" -- sh -c "exit $status"
	rm -r rec
done
# shellcheck disable=SC2016 # for the other shell
FAKE_MODE=good expect 'a killed command' 143 'complete' "${two[@]}" -- sh -c 'kill -TERM $$'
rm -r rec
expect 'no command' 127 'there is no command' "${two[@]}" -- ./nothing
gone 'no command'
: > text && chmod 644 text
expect 'no program' 126 'cannot be executed' "${two[@]}" -- ./text
gone 'no program'
chmod 755 "$work" # for the user
SUDO_UID=65534 SUDO_GID=65534 FAKE_MODE=good expect 'user' 0 'complete' "${two[@]}" -- sh -c 'id -u; id -G'
[[ $(cat out) == $'65534\n65534' ]] || fail "the command ran as $(cat out)"
[[ $(stat -c %u:%g rec rec/* | sort -u) == 65534:65534 ]] || fail "owner: $(ls -ln rec)"
rm -r rec

# signals
for signal in INT TERM HUP; do
	# shellcheck disable=SC2016
	FAKE_MODE=good expect "SIG$signal" 0 'complete' "${two[@]}" -- sh -c "sleep 3600 & trap 'kill \$!; exit 0' TERM; kill -$signal \$PPID; wait"
	rm -r rec
done
FAKE_MODE=good expect '--for' 0 'complete' "${two[@]}" --for 10ms
rm -r rec

# agents that do not record
FAKE_MODE=refused expect 'no agent' 1 '5: nothing was recorded: no guest with this CID answers: .*status 22' "${two[@]}"
grep -q 'Failed to connect to agent' err || fail "no agent: trace-cmd's words are missing: $(cat err)"
gone 'no agent'
FAKE_MODE=busy expect 'a busy agent' 1 'nothing was recorded.*status 141' "${two[@]}"
gone 'a busy agent'
FAKE_MODE=rubbish expect 'rubbish' 1 'nothing was recorded' "${two[@]}"
! grep -q '[^[:print:][:space:]]' <(LC_ALL=C tr -d '\200-\377' < err) || fail 'rubbish: control characters are printed'
gone 'rubbish'
FAKE_MODE=never expect 'no answer' 1 'within the time of --limit' "${two[@]}" --limit 200ms
grep -q 'restart the agent' err || fail "no answer: no advice: $(cat err)"
gone 'no answer'
FAKE_MODE=empty expect 'no files' 1 'nothing was recorded' "${two[@]}" --for 10ms
gone 'no files'

# parts are lost
FAKE_MODE=full expect 'full disk' 1 'trace-cmd restore -o rec/restored-trace-5.dat rec/trace-5.dat.cpu0' "${two[@]}"
[[ -s rec/trace-5.dat.cpu0 && -s rec/trace-4.dat.cpu0 ]] || fail "full disk: raw files are gone: $(ls rec)"
rm -r rec
FAKE_MODE=reboot expect 'a guest that reboots' 4 '4: nothing was recorded: it was restarted.*: start its agent' "${two[@]}" --for 10ms
grep -q '"file" : null' rec/recording.json || fail "reboot: $(cat rec/recording.json)"
"$analyze" --index off -o report:- rec > report 2> err || fail "reboot: analyze: $(cat err)"
rm -r rec
# texts instead of files of trace-cmd: the same reader, and a gap can be written by hand
mkdir lossy twins
for guest in 5 4; do
	printf 'iotrace-text 1\nhostname same\nsync yes\n1000 0 42 dlm_bast ls_id=1 lkb_id=1 mode=5 res_name="A"\n' > "twins/trace-$guest.dat"
	cp "twins/trace-$guest.dat" lossy/
done
cp "$FAKE_DATA/trace.dat" lossy/ && cp "$FAKE_DATA/trace.dat" twins/
printf '2000 0 - LOST 17\n3000 0 42 dlm_bast ls_id=1 lkb_id=1 mode=5 res_name="A"\n' >> lossy/trace-5.dat
FAKE_DATA=$work/lossy FAKE_MODE=good expect 'losses' 4 '5: 17 events were lost.*-b 400' "${two[@]}" -b 100 --for 10ms
[[ $(member rec status) == 4 ]] || fail "losses: $(cat rec/recording.json)"
rm -r rec
FAKE_DATA=$work/twins FAKE_MODE=good expect 'one name' 0 '5 and 4 both call themselves same: .*--map' "${two[@]}" --for 10ms
rm -r rec
FAKE_DATA=$work/twins FAKE_MODE=good expect 'one name, mapped' 0 'complete' "${two[@]}" --map 1=5,2=4 --for 10ms
! grep -q 'both call' err || fail 'mapped machines are complained about'
rm -r rec

# folders
mkdir rec && touch rec/mine
refused 'a folder with files' 'not empty' --no-check -m dlm -A 5 -o rec
[[ $(ls rec) == mine ]] || fail "a folder with files: $(ls rec)"
refused 'a file' 'is a file' --no-check -m dlm -A 5 -o rec/mine
refused 'no parent' 'cannot be made' --no-check -m dlm -A 5 -o none/rec
refused 'no name' 'name of a folder' --no-check -m dlm -A 5 -o ''
rm -r rec && mkdir rec
FAKE_MODE=good expect 'an empty folder' 0 complete "${two[@]}" --for 10ms
rm -r rec
mkdir sys && mount -t tmpfs -o ro none sys 2> /dev/null && {
	refused 'a read-only folder' 'Read-only' --no-check -m dlm -A 5 -o sys/rec
	refused 'a read-only folder' 'Read-only' --no-check -m dlm -A 5 -o sys
	umount sys
}
expect 'no trace-cmd' 2 'apt-get install trace-cmd' env PATH=/nowhere "${two[@]}"
gone 'no trace-cmd'
if command -v setpriv > /dev/null; then
	chmod 755 "$work"
	expect 'no privileges' 2 'needs root: sudo' setpriv --reuid 65534 --regid 65534 --clear-groups "${two[@]}"
	gone 'no privileges'
fi
ends 'each trap ends in a sentence'
