#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel that loads signed modules only, as after a secure boot: iotrace.ko is refused, the agent says so and serves, what needs the
# module is refused in a sentence, and the rest is recorded.
# usage: record-secure.sh PROGRAM SOURCE_DIR      RECORD_MODULE: iotrace.ko
# shellcheck source=record-lib.sh
. "${0%/*}/record-lib.sh" "$@"
[[ $(cat /sys/module/module/parameters/sig_enforce 2> /dev/null) == Y ]] || skip 'the kernel loads modules without a signature, too'
real_trace_cmd
own_network
cd "$work" || exit 2

expect 'the module' 1 'Key was rejected by service\|Required key not available' insmod "$RECORD_MODULE"
# as an installed module would be found
mkdir -p /run/modprobe.d && echo "install iotrace insmod $RECORD_MODULE" > /run/modprobe.d/iotrace.conf
trap 'kill $agent; rm -rf "$work" /run/modprobe.d/iotrace.conf' EXIT
"${record%/*}/iotrace-agent" -N 127.0.0.1 -p 18241 -M iotrace > log 2>&1 & agent=$!
wait_listen 18241 $agent || fail "no agent: $(cat log)"
grep -qx 'iotrace-agent: the module iotrace could not be loaded' log && grep -q 'Key was rejected\|Required key' log || fail "the agent says: $(cat log)"
kill $agent
wait $agent
expect 'events of the module' 2 'this machine has none of the wanted events: load the modules there first' "$record" -m fileio --for 1s -o none
[[ ! -e none ]] || fail 'a folder without a recording is left'
expect 'events of the kernel' 0 complete "$record" -m syscalls -o calls -- true
ends 'a refused module costs its events only'
