# SPDX-License-Identifier: GPL-2.0-or-later
# A process that has ended when it is named, but is still there for its parent: the next one of its number is not recorded.
. ./vm-lib.sh
echo one > /mnt/one
load || fail "insmod"
true &
ended=$!
# Nothing but builtins: the shell asks for all its children when it waits for one.
state=
until [ "$state" = Z ]; do
	read -r _ _ state _ < "/proc/$ended/stat"
done
set_to pids "$ended" || fail "pids"
wait "$ended"

again()
{
	local number=
	until [ "$number" = "$ended" ]; do
		echo $((ended - 1)) > /proc/sys/kernel/ns_last_pid
		sh -c 'echo $$ > /tmp/number; exec cat /mnt/one > /dev/null'
		read -r number < /tmp/number
	done
}
watch again
unseen 'path=/mnt/one'
rmmod iotrace || fail "rmmod"
