#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The command line of iotrace-record: wrong options are one line and status 2, --dry-run shows what trace-cmd gets, and no
# shell sees a name.
# usage: record-options.sh PROGRAM SOURCE_DIR
# shellcheck source=record-lib.sh
. "${0%/*}/record-lib.sh" "$@"
cd "$work" || exit 2

refused 'no time' 'nothing would be recorded' --for 0
refused 'no duration' 'for: .*soon' --for soon
refused 'little' 'at least 1M' --size 1
refused 'no size' 'size' --size much
refused 'small buffer' 'KiB' -b 1
refused 'unknown option' 'did you mean --for' --fro 3
refused 'unknown letter' 'no option -z' -z
refused 'no value' 'MACHINE' -A
refused 'value of a flag' 'takes no value' --check=1
# its processes have other numbers for the kernel, and so for events
if unshare --pid --fork --mount-proc true 2> /dev/null; then
	unshare --pid --fork --mount-proc "$record" --dry-run -e sched:sched_switch --pid 1 > out 2>&1
	[[ $? == 2 && $(wc -l < out) == 1 ]] && grep -q 'a container with process ids of its own' out || fail "--pid in a container: $(cat out)"
fi
refused 'a word' 'a command follows --' sleep 1
refused 'no command' 'no command follows' --
refused 'contradiction' 'contradict' --check --no-check
refused 'command of a check' 'records nothing' --check -- sleep 1
refused 'no model' 'did you mean dlm' -m dlmm
refused 'no event' 'SYSTEM:EVENT' -e 'sched switch'
refused 'event for a shell' 'SYSTEM:EVENT' -e 'a:b;touch x'
refused 'CID 0' 'CID of a guest' -A 0
refused 'CID 2' 'CID of a guest' -A 2
refused 'CID too large' 'CID of a guest' -A 99999999999
refused 'port' 'HOST:PORT' -A 5:99999
refused 'empty' 'HOST:PORT' -A ''
refused 'twice' 'the same machine' -A 5 -A 5:900
refused 'address twice' 'the same machine' -A 127.0.0.1:1 -A localhost:2
refused 'map' 'NODE=WHAT' --map 1 -A 5
refused 'map of none' 'no -A names' --map 1=6 -A 5
refused 'node twice' 'mapped twice' --map 1=5,1=4 -A 5 -A 4
refused 'process' 'MACHINE:N' --pid 0
refused 'filter without check' 'need the check' --no-check --pid 5 -A 5
refused 'process elsewhere' 'no -A names' --pid 6:1 -A 5
refused 'mount' 'absolute path' --mount home
for name in 'a b' "it's" 'x";touch x;"' '$(touch x)' $'new\nline' '-rf' ';touch x'; do
	refused "name <$name>" 'no virtual machine' -A "$name"
done
[[ ! -e x ]] || fail 'a shell saw a name'
cat > none.model <<- 'END'
	[model]
	name = none
	system = none
END
refused 'a model without events' 'none.model: the model has no events to record' -m ./none.model

# an iotrace-analyze that describes events in another way
mkdir other && cp "$record" other/
printf '#!/bin/sh\nprintf "%%b\\n" "$LINE"\n' > other/iotrace-analyze
chmod +x other/iotrace-analyze
for line in nocolon ':none' 'probe:p\tprobe\ta:b' 'none\tprobe\ta:b\t-\tn=f:u64' 'probe:p\tprobe\tab\t-\tn=f:u64' \
	'probe:p\tprobe\ta:b\tcd\tn=f:u64' 'probe:p\tprobe\ta:b\t-\tname' 'probe:p\tprobe\ta:b\t-\tn=f' 'probe:p\tprobe\ta:b\t-\tn:f=u64' \
	'probe:p\tprobe\ta:b\t-\tn=f:u64 ' 'probe:p\tprobe\ta:b\t-\tn=after.f:u64'; do
	LINE=$line expect "event <$line>" 2 'install both programs from one version' other/iotrace-record --dry-run -m made
done
# a dry run shows what trace-cmd can do alone: without an event that iotrace-record makes
for line in 'probe:p\tprobe\ta:b\t-\tn=f:u64 m=g:string' 'probe:p\tprobe\ta:b\tc:d\tn=after.f:u64'; do
	LINE=$line expect "event <$line>" 2 '\[probe p\] is an event that iotrace-record makes' other/iotrace-record --dry-run -m made
	LINE="$line\na:b\tspare\tp" expect "event <$line> with a spare one" 0 '^trace-cmd record' other/iotrace-record --dry-run -m made
done
LINE='a:b\toptional' expect "event <a:b\toptional>" 0 '^trace-cmd record' other/iotrace-record --dry-run -m made

# the events of dlm.model, found by awk in the model itself
expected=$(grep -owE 'dlm_(lock|unlock)_(start|end)|dlm_b?ast|dlm_(send|recv)_message' "$IOTRACE_MODELS/dlm.model" | sort -u | sed 's/^/-e dlm:/' | paste -sd ' ')' -e printk:console'
expect 'dry run' 0 '^trace-cmd record ' "$record" --dry-run -b 100 -m dlm -A 5 -A 4:900 -A 127.0.0.1:824 -o "$work/a folder"
grep -qF -e "-A 5@5:823 -i --nosplice -b 100 $expected -A 4@4:900 -i --nosplice -b 100 $expected -A 127.0.0.1:824 -i --nosplice -b 100 $expected" out ||
	fail "dry run: $(cat out)"
grep -qF -e "-o '$work/a folder/trace.dat' -p nop -C mono " out || fail "dry run, host: $(cat out)"
[[ ! -e "$work/a folder" ]] || fail 'dry run made a folder'
# KVM's synchronisation chooses the clock
expect 'dry run, VSOCK only' 0 '^trace-cmd record ' "$record" --dry-run -m dlm -A 5
! grep -q -e ' -C ' out || fail "VSOCK: $(cat out)"

expect 'help' 0 'Exit status' "$record" --help
expect 'version' 0 '^iotrace-record [0-9]' "$record" --version
expect 'completion' 0 'complete -F' "$record" --completion bash
bash -n out || fail 'the completion is no script'
# completion offers exactly the options of the help
words()
{
	grep -oE -e '(^|[ |])--?[a-zA-Z][a-z-]*' | tr -d ' |' | sort -u
}
bash -c '. ./out; COMP_LINE="iotrace-record -" COMP_POINT=16; _iotrace_record; printf "%s\n" "${COMPREPLY[@]}"' | words | grep -v '^--$' > offered
"$record" --help | sed -n 's/^  \(-[^ ].*\)/\1/p' | tr ',' '\n' | words > helped
diff helped offered || fail 'completion and help differ'
ends 'options are checked'
