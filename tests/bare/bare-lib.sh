# SPDX-License-Identifier: GPL-2.0-or-later
# What bare.sh and bare-packages.sh share: a system that is made for a test in $root, commands in it, and the steps of the test; sourced after
# debian.sh, with $source, $work and $release.
# shellcheck shell=bash disable=SC2034,SC2154 # variables of the scripts
failures=0
skipped=0
child=
root=

# Nothing is mounted here, see debian.sh; processes of the system end with the one that is killed.
end()
{
	[[ -z $child ]] || { kill -KILL "$child" 2> /dev/null && wait "$child" 2> /dev/null; }
	[[ -z $root ]] || ((KEEP)) || rm -rf --one-file-system "$root"
}
trap end EXIT
trap 'exit 130' INT TERM HUP

# in_root COMMAND...: as root of the system, with the output in the step's log; ends at once with a signal
in_root()
{
	in_debian "$root" "$cache" "$@" >> "$log" 2>&1 &
	child=$!
	wait "$child"
	local status=$?
	child=
	return $status
}

# as_user COMMAND: of the shell, in the home of an ordinary user
as_user()
{
	in_root setpriv --reuid user --regid user --init-groups env HOME=/home/user USER=user sh -c "cd && $1"
}

# The files that a clone would have, as they are in the work tree.
copy_source()
{
	mkdir -p "$1" || return
	if git -C "$source" -c safe.directory='*' rev-parse 2> /dev/null; then
		comm -z -23 <(git -C "$source" -c safe.directory='*' ls-files -z | sort -zu) <(git -C "$source" -c safe.directory='*' ls-files -dz | sort -zu) |
			tar -C "$source" --null -T - -c | tar -C "$1" --no-same-owner -x
	else
		tar -C "$source" --exclude='./build*' --exclude=./out -c . | tar -C "$1" --no-same-owner -x
	fi
}

# cpu_seconds: of all children so far, in $cpu
cpu_seconds()
{
	times > "$work/$release.times"
	cpu=$(awk 'NR == 2 { split($1 $2, t, /[ms]/); printf "%d", t[1] * 60 + t[2] + t[3] * 60 + t[4] }' "$work/$release.times")
}

# step NAME FUNCTION: the release "source" is this machine
step()
{
	local begun=$SECONDS said cpu before
	cpu_seconds
	before=$cpu
	log=$work/$release-$2.log
	: > "$log"
	if "$2" > "$log.said"; then
		cpu_seconds
		echo "$release: $1: $((SECONDS - begun)) s, $((cpu - before)) s of processors"
		rm "$log.said"
		return
	fi
	[[ $release == source ]] || debian_reachable "$release" || { echo "skipped: $release: $1: $mirror cannot be reached"; skipped=1; return 1; }
	said=$(cat "$log.said")
	echo "FAILED: $release: $1${said:+: $said}; see $log"
	tail -n 25 "$log"
	failures=$((failures + 1))
	return 1
}
