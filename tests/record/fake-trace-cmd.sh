#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A stand-in for trace-cmd, for failures that a test machine cannot have: agents of guests and how they fail.
# FAKE_MODE chooses one; FAKE_DATA is the folder of the recordings that it "makes"; its words go to FAKE_ARGS. FAKE_VERSION: its version.
# usage, as the real one: trace-cmd record ... | --version | restore ...
[[ $1 != record ]] || printf '%s\n' "$@" > "$FAKE_ARGS"
if [[ $1 == --version ]]; then
	echo "trace-cmd version ${FAKE_VERSION:-3.1.6} (stand-in)"
	exit
fi
[[ $1 == record ]] || exit 1
out='' agents=()
while (($#)); do
	case $1 in
	-o) out=$2; shift ;;
	-A) agents+=("$2"); shift ;;
	esac
	shift
done

# the file that the real one makes for an agent: SAFE@CID:PORT or ADDRESS:PORT
file_of()
{
	local name=${1%@*}
	echo "${out%.dat}-${name%:*}.dat"
}

# finish FILE...: copy the recording of a guest to the first, of another guest to the second ...
finish()
{
	local guest=5 agent
	for agent in "${agents[@]}"; do
		cp "$FAKE_DATA/trace-$guest.dat" "$(file_of "$agent")"
		guest=$((guest - 1))
	done
	cp "$FAKE_DATA/trace.dat" "$out"
	exit "${1:-0}"
}

for agent in "${agents[@]}"; do
	echo "Negotiated ${FAKE_PROTOCOL:-kvm} time sync protocol with guest ${agent%@*}"
done
case $FAKE_MODE in
refused) echo "  Failed to connect to agent" >&2; exit 22 ;;
busy) kill -PIPE $$ ;;
rubbish) head -c 3000 /dev/urandom; exit 1 ;;
never) exec sleep 3600 ;;
full)
	echo "Hit Ctrl^C to stop recording"
	for agent in "${agents[@]}"; do head -c 8192 /dev/zero > "$(file_of "$agent").cpu0"; done
	echo "trace-cmd: No space left on device" >&2
	exit 28
	;;
reboot) # the second guest is gone at the end and has no file
	trap 'unset "agents[1]"; finish' INT
	;;
empty) trap 'exit 0' INT ;;
huge) # a processor with FAKE_BYTES
	truncate -s "$FAKE_BYTES" "$(file_of "${agents[0]}").cpu0"
	trap 'truncate -s 0 "$(file_of "${agents[0]}").cpu0"; finish' INT
	;;
*) trap finish INT ;;
esac
echo "Hit Ctrl^C to stop recording"
while :; do
	sleep 3600 &
	wait
done
