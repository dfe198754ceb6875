#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# SIGINT, SIGTERM and SIGHUP in the middle of a run. A pipe that nobody reads holds the program there, so nothing depends on
# time. Shells start background jobs with SIGINT ignored, hence env.
# shellcheck source-path=SCRIPTDIR source=fault-lib.sh
. "${0%/*}/fault-lib.sh"

recordings=("$examples"/trace-[345].dat)
[[ -e ${recordings[2]} ]] || skip_all "no recordings in $examples"
env --default-signal=INT true 2> /dev/null || skip_all 'env cannot reset signals'

others=(-o slog2:out.slog2 -o paje:out.paje)
for format in sqlite otf2 parquet html; do
	"$program" --formats | grep -q "^$format	" && others+=(-o "$format:out.$format")
done

# start DISPOSITION [FILE...]: the run is in its middle when this returns; fd 3 holds the pipe
start()
{
	local files=("${@:2}")
	cases=$((cases + 1))
	mkfifo "$scratch/pipe"
	env "${1:---default-signal=INT}" "$program" -o "text:$scratch/pipe" "${others[@]}" \
		"${files[@]:-${recordings[@]}}" > "$scratch/out" 2> "$scratch/err" &
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

# the last phase: calls that nobody ended are drawn when the recording has been read, so the first line in the pipe is of
# that phase. A run that went on would also write the last call.
{
	echo 'iotrace-text 1'
	seq 20000 | awk '{ print 1000 * $1, 0, 7, "call_start id=" $1, "object=0 tgid=7 mode=-1 status=0 flags=0",
		"domain=\"d\" resource=\"r\" op=\"o\"" }'
} > "$in/open.txt"
start --default-signal=INT -m call "$in/open.txt"
kill -TERM "$pid"
cat <&3 > "$scratch/rest"
stop
check_status 'last phase' 143
check_message 'last phase' 'interrupted'
[[ -s $scratch/rest ]] || fail 'last phase: the run had ended before the signal'
grep -q ' id=20000 ' "$scratch/rest" && fail 'last phase: the run went on'
check_clean 'last phase'

# the second signal ends the process although the first one still waits for the pipe
for phase in middle last; do
	[[ $phase == middle ]] && start || start --default-signal=INT -m call "$in/open.txt"
	while kill -INT "$pid" 2> /dev/null; do :; done
	stop
	check_status "second signal, $phase" 130
	[[ -s $scratch/err ]] && fail "second signal, $phase: $(cat "$scratch/err")"
	check_clean "second signal, $phase"
done

# a signal that the parent ignores stays ignored: the run continues to its end
start --ignore-signal=TERM
kill -TERM "$pid"
cat <&3 > /dev/null
stop
check_status "ignored signal" 0
[[ -s out.slog2 && -s out.paje ]] || fail "ignored signal: outputs are missing"
rm -rf out.*
check_clean "ignored signal"
summary
