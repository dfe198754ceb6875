# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154 # the sourcing script makes the settings
# Sourced by the lab's scripts: messages, refusals, and guests (or other programs) that take commands on standard input
# and say "LAB STATE [DETAILS]" on their console.
#
# Settings: run (folder for temporary files, also the current folder), consoles (folder for the guests' output),
# patience (factor for all time-outs)

declare -A pid_of seen_of
meanwhile=:	# called again and again while something is awaited
watched=()	# guests that must not fail while others are awaited
factor=1	# how much slower the guests are than under KVM; measured, see measure_factor

say()
{
	echo "${say_prefix-== }$*"
}

# die SENTENCE: every failure ends here
die()
{
	echo "${die_prefix-run.sh: }$*" >&2
	exit 1
}

# launch NAME COMMAND...: starts a guest in the background; send and await use this name. The guest ends with this shell,
# even if the shell is killed.
launch()
{
	local name=$1
	shift
	mkfifo "$run/$name.control"
	: > "$consoles/$name"	# there at once, not when the guest's process gets a processor
	setpriv --pdeathsig KILL "$@" 0<> "$run/$name.control" > "$consoles/$name" 2> "$consoles/$name.err" &
	pid_of[$name]=$!
}

# send COMMAND NAME...: opening the pipe for both directions does not wait for a reader, which may have gone
send()
{
	local name
	for name in "${@:2}"; do
		echo "$1" 1<> "$run/$name.control"
	done
}

# state_count NAME STATE: how often the guest reached the state
state_count()
{
	grep -ac "LAB $2\\b" "$consoles/$1"
}

# details NAME STATE: the details after each report of the state, one per line
details()
{
	sed -n "s/.*LAB $2\\b *//p" "$consoles/$1" | tr -d '\r'
}

# failed NAME REASON: shows the guest's last output, and dies with the guest's own reason, if it gave one
failed()
{
	local name=$1 reason
	reason=$(details "$name" failed | head -n 1)
	{
		echo "-- the last lines of the console of $name ($consoles/$name):"
		tail -n 20 "$consoles/$name" | tr -d '\r'
		cat "$consoles/$name.err"
	} >&2
	die "$name failed: ${reason:-$2}"
}

# check NAME: dies if the guest has failed or ended
check()
{
	[[ $(state_count "$1" failed) == 0 ]] || failed "$1" "see its console"
	kill -0 "${pid_of[$1]}" 2> /dev/null || failed "$1" "it ended unexpectedly"
}

# reached NAME STATE: has the guest reached the state again since the last time?
reached()
{
	local key="$1 $2"
	(($(state_count "$1" "$2") > ${seen_of[$key]:-0})) && seen_of[$key]=$((${seen_of[$key]:-0} + 1))
}

# wait_until SECONDS NAME WHAT COMMAND...: waits until the command succeeds, while NAME and the guests in watched are well.
# SECONDS are for a machine with KVM
wait_until()
{
	local limit=$(($1 * factor * patience)) name=$2 what=$3 other deadline
	deadline=$((SECONDS + limit))
	shift 3
	until "$@"; do
		for other in "$name" "${watched[@]}"; do
			check "$other"
		done
		((SECONDS <= deadline)) ||
			failed "$name" "$what within $limit seconds: it hangs, or the machine is too busy (see --patience)"
		$meanwhile
		sleep 0.2
	done
}

# await STATE SECONDS NAME...
await()
{
	local name
	for name in "${@:3}"; do
		wait_until "$2" "$name" "no \"$1\"" reached "$name" "$1"
	done
}

either_reached()
{
	reached "$1" "$2" || reached "$1" "$3"
}

# await_either STATE OTHER SECONDS NAME: true for the first, false for the other
await_either()
{
	local before=${seen_of["$4 $1"]:-0}
	wait_until "$3" "$4" "neither \"$1\" nor \"$2\"" either_reached "$4" "$1" "$2"
	((${seen_of["$4 $1"]:-0} > before))
}

time_is_over()
{
	((SECONDS >= $1))
}

# await_time SECONDS: waits, without a factor, while the guests in watched are well
await_time()
{
	local end=$((SECONDS + $1))
	wait_until $(($1 + 60)) "${watched[0]}" "the time did not pass" time_is_over "$end"
}

# ended SECONDS NAME...: waits until each guest has ended by itself
ended()
{
	local limit=$(($1 * factor * patience)) name deadline
	deadline=$((SECONDS + limit))
	for name in "${@:2}"; do
		while kill -0 "${pid_of[$name]}" 2> /dev/null; do
			((SECONDS <= deadline)) || failed "$name" "it did not switch off within $limit seconds"
			sleep 0.2
		done
		unset "pid_of[$name]"
	done
}

# measure_factor SECONDS LEAST: computes the factor from the boot time of a guest; with KVM this is one second
measure_factor()
{
	factor=$(($1 > $2 ? $1 : $2))
}

# For traps: ends all guests.
kill_guests()
{
	local pid
	for pid in "${pid_of[@]}"; do
		kill "$pid" 2> /dev/null
	done
	for pid in "${pid_of[@]}"; do
		wait "$pid" 2> /dev/null
	done
	pid_of=()
}
