#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: sample.sh [-n DUMPS] [-e SECONDS] [HOST[:PORT]] > series.xml
# Saves what Ganglia's gmond sends to who connects to it, every 5 seconds, until Ctrl-C or the number of dumps. One gmond knows all hosts of its
# cluster. Then: iotrace-analyze view series.xml
dumps=-1 every=5 status=1
while getopts n:e: option; do
	case $option in
	n) dumps=$OPTARG ;;
	e) every=$OPTARG ;;
	*) sed -n 's/^# //p' "$0" | sed -n 2,4p >&2; exit 1 ;;
	esac
done
shift $((OPTIND - 1))
host=${1-localhost} port=8649
[[ $host == *:* ]] && port=${host##*:} host=${host%:*}

# only whole dumps are printed, also at Ctrl-C
trap 'exit $status' INT TERM
while ((dumps--)); do
	# bash says why it cannot connect
	if whole=$(cat < "/dev/tcp/$host/$port"); then
		if [[ $whole == *'</GANGLIA_XML>' ]]; then
			printf '%s\n' "$whole"
			status=0
		else
			echo "sample.sh: $host:$port sent a dump that is not whole; it is left out" >&2
		fi
	fi
	((dumps)) && sleep "$every"
done
exit $status
