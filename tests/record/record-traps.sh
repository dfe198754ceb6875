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
"$analyze" --index off -o report,tables:- rec > report 2> err || fail "analyze: $(cat err)"
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
# nobody else reads names of files and commands of all users; the command keeps the mask of the caller
(umask 022; FAKE_MODE=good expect 'mode' 0 'complete' "${two[@]}" -- sh -c 'umask'; exit $failures) || failures=1
[[ $(cat out) == 0022 ]] || fail "the command had the mask $(cat out)"
[[ $(stat -c %a rec) == 700 && $(stat -c %a rec/* | sort -u) == 600 ]] || fail "mode: $(ls -la rec)"
rm -r rec

# signals
for signal in INT TERM HUP; do
	# shellcheck disable=SC2016
	FAKE_MODE=good expect "SIG$signal" 0 'complete' "${two[@]}" -- sh -c "sleep 3600 & trap 'kill \$!; exit 0' TERM; kill -$signal \$PPID; wait"
	rm -r rec
done
FAKE_MODE=good expect '--for' 0 'complete' "${two[@]}" --for 10ms
rm -r rec

# SIGKILL: the command ends, too, also one of another user
for user in 0 65534; do
	# shellcheck disable=SC2016 # for the other shell
	SUDO_UID=$user SUDO_GID=$user FAKE_MODE=good "${two[@]}" -- sh -c 'echo $$ >&5; exec sleep 3600' 5> command 2> err & recorder=$!
	until [[ -s command ]]; do kill -0 $recorder || break; done
	group=$(pgrep -P $recorder -f 'trace-cmd record')
	kill -9 $recorder
	{ wait $recorder; } 2> /dev/null
	while [[ -e /proc/$(cat command) ]]; do :; done
	kill -9 -- "-$group"
	while pgrep -g "$group" > left; do :; done
	rm -rf rec command
done

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
"$analyze" --index off -o report,tables:- rec > report 2> err || fail "reboot: analyze: $(cat err)"
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

# trace-cmd before 3.3.1 spoils compressed data of 2 GiB of a processor; 2 GiB less 128 MiB and the buffer of 100 KiB are allowed
export FAKE_BYTES
FAKE_BYTES=$(((2048 - 128) * 1048576 - 100 * 1024)) FAKE_MODE=huge expect 'huge' 4 'because trace-cmd before 3.3.1 spoils compressed data .*--uncompressed' \
	"${two[@]}" -b 100 --for 1h
rm -r rec
FAKE_BYTES=$(((2048 - 128) * 1048576 - 100 * 1024 - 1)) FAKE_MODE=huge expect 'not quite huge' 0 complete "${two[@]}" -b 100 --for 1s
rm -r rec
FAKE_VERSION=3.3 FAKE_BYTES=3G FAKE_MODE=huge expect 'huge, 3.3' 4 'spoils compressed data' "${two[@]}" --for 1h
rm -r rec
for version in 3.3.1 3.3.3 3.4 4.0.0; do
	FAKE_VERSION=$version FAKE_BYTES=3G FAKE_MODE=huge expect "huge, $version" 0 complete "${two[@]}" --for 1s
	rm -r rec
done
FAKE_BYTES=3G FAKE_MODE=huge expect 'huge, not compressed' 0 complete "${two[@]}" --uncompressed --for 1s
grep -qx none args || fail "not compressed: $(cat args)"
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
	# a user may be unable to enter the folder of the build
	mkdir -p user/bin user/share/iotrace
	cp "$record" "$analyze" user/bin
	cp -r "$IOTRACE_MODELS" user/share/iotrace
	IOTRACE_MODELS=$work/user/share/iotrace/models expect 'no privileges' 2 'needs root: sudo' setpriv --reuid 65534 --regid 65534 --clear-groups user/bin/iotrace-record "${two[@]:1}"
	gone 'no privileges'
fi
ends 'each trap ends in a sentence'
