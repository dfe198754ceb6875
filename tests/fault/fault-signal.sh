#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# SIGINT, SIGTERM and SIGHUP in the middle of a run. A pipe that nobody reads holds the program there, so nothing depends on
# time. Shells start background jobs with SIGINT ignored, hence env.
# shellcheck source-path=SCRIPTDIR source=fault-lib.sh
. "${0%/*}/fault-lib.sh"

recordings=("$examples"/trace-[345].dat)
[[ -e ${recordings[2]} ]] || skip_all "no recordings in $examples"
env --default-signal=INT true 2> /dev/null || skip_all 'env cannot reset signals'

# start DISPOSITION: the run is in its middle when this returns; fd 3 holds the pipe
start()
{
	cases=$((cases + 1))
	mkfifo "$scratch/pipe"
	env "${1:---default-signal=INT}" "$program" -o "text:$scratch/pipe" -o slog2:out.slog2 -o paje:out.paje \
		"${recordings[@]}" > "$scratch/out" 2> "$scratch/err" &
	pid=$!
	exec 3< "$scratch/pipe"
	head -c 1 <&3 > /dev/null
}

stop()
{
	wait "$pid"
	status=$?
	exec 3<&-
	rm "$scratch/pipe"
}

for signal in INT:130 TERM:143 HUP:129; do
	start
	kill -"${signal%:*}" "$pid"
	cat <&3 > /dev/null
	stop
	check_status "SIG${signal%:*}" "${signal#*:}"
	check_message "SIG${signal%:*}" 'interrupted'
	check_clean "SIG${signal%:*}"
done

# the second signal kills, although the first one still waits for the pipe; temporary files may stay then
start
while kill -INT "$pid" 2> /dev/null; do :; done
stop
check_status 'second signal' 130
[[ -s $scratch/err ]] && fail "second signal: $(cat "$scratch/err")"
[[ -e out.slog2 || -e out.paje ]] && fail 'second signal: an output was completed'
find . "$TMPDIR" -mindepth 1 -delete

# a signal that the parent ignores stays ignored: the run continues to its end
start --ignore-signal=TERM
kill -TERM "$pid"
cat <&3 > /dev/null
stop
check_status "ignored signal" 0
[[ -s out.slog2 && -s out.paje ]] || fail "ignored signal: outputs are missing"
rm -f out.*
check_clean "ignored signal"
summary
