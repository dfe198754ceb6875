#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # settings come from init
# The recording machine: a separate guest in the flat lab, else the (real or emulated) host of the nodes.
# It waits for commands on standard input:
#   record   check the agents and record       -> LAB recording; LAB ended STATUS if it cannot
#   stop     end the recording                 -> LAB verdict SENTENCE, LAB ended STATUS, LAB recorded
#   off      end
# settings: lab_agents (GUEST,GUEST...), lab_models and lab_events (lists), lab_buffer (KiB per CPU), lab_limit (seconds until
# all record), lab_data (folder to record in), lab_store (final folder of the files)

# iotrace-record starts its command when everything records. The command ends at "stop".
record()
{
	rm -rf stop recording
	mkfifo stop
	# trace-cmd's messages time out after 5 seconds, which an emulated guest may need
	set -- --notimeout --limit "${lab_limit}s" -o recording -b "$lab_buffer" -m "$lab_models"
	[ -z "$lab_events" ] || set -- "$@" -e "$lab_events"
	for agent in $(echo "$lab_agents" | tr ',' ' '); do
		set -- "$@" -A "$agent"
	done
	echo "iotrace-record $* -- COMMAND"
	{
		iotrace-record "$@" -- sh -c 'echo "LAB recording"; read -r _ < stop' 2> record.log
		status=$?
		tail -n 15 record.log
		echo "LAB verdict $(tail -n 1 record.log)"
		echo "LAB ended $status"
	} &
	recorder=$!
}

# Opening the pipe for both directions does not wait for a reader, which may have gone.
stop()
{
	echo 1<> stop
	wait "$recorder"
	for file in recording/*.dat recording/recording.json; do
		cp "$file" "$lab_store/" || { echo "LAB failed $file could not be stored"; exit 1; }
		echo "stored: $file, $(wc -c < "$file") bytes"
	done
	sync
	echo "LAB recorded"
}

cd "$lab_data" || exit 1
while read -r command; do
	case $command in
	record) record ;;
	stop) stop ;;
	off) exit 0 ;;
	esac
done
