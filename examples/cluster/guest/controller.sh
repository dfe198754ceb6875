#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # settings come from init
# The recording machine: a separate guest in the flat lab, else the (real or emulated) host of the nodes.
# It waits for commands on standard input:
#   record   connect to the agents and record  -> LAB sync PROTOCOL GUEST, LAB recording; LAB ended STATUS if it cannot
#   stop     end the recording                 -> LAB ended STATUS, LAB recorded
#   off      end
# settings: lab_agents (GUEST,GUEST...), lab_events and lab_host_events (SYSTEM,SYSTEM...), lab_buffer (KiB per CPU),
# lab_clock (trace clock; empty: trace-cmd's choice), lab_data (folder to record in), lab_store (final folder of the files)

# words LIST: without commas
words()
{
	echo "$1" | tr ',' ' '
}

# trace-cmd starts its command when everything records. The command ends at "stop".
record()
{
	rm -f stop
	mkfifo stop
	# trace-cmd's messages time out after 5 seconds, which an emulated guest may need; the lab has its own time-outs
	set -- --notimeout -p nop
	[ -z "$lab_clock" ] || set -- "$@" -C "$lab_clock"
	for event in $(words "$lab_host_events"); do
		set -- "$@" -e "$event"
	done
	# without splice: at the stop libtracefs loses the data in the pipe between its two splices
	for agent in $(words "$lab_agents"); do
		set -- "$@" -A "$agent" -b "$lab_buffer" --nosplice
		for event in $(words "$lab_events"); do
			set -- "$@" -e "$event"
		done
	done
	echo "trace-cmd record $* COMMAND"
	{
		# shellcheck disable=SC2016 # for the other shell
		trace-cmd record "$@" sh -c '
			sed -n "s/^Negotiated \(.*\) time sync protocol with guest /LAB sync \1 /p" record.log >&3
			echo "LAB recording" >&3
			read -r _ < stop' 3>&1 > record.log 2>&1
		status=$?
		[ $status = 0 ] || tail -n 15 record.log
		echo "LAB ended $status"
	} &
	recorder=$!
}

# Opening the pipe for both directions does not wait for a reader, which may have gone.
stop()
{
	echo 1<> stop
	wait "$recorder"
	for file in *.dat; do
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
