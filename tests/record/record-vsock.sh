#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# iotrace-agent over VSOCK: a user of the machine itself, who gets to it by vsock_loopback, is not served; the CID that may
# connect is recorded, and all its connections go through the check.
# usage: record-vsock.sh PROGRAM SOURCE_DIR
# shellcheck source=record-lib.sh
. "${0%/*}/record-lib.sh" "$@"
program=${record%/*}/iotrace-agent
for tool in perl setpriv strace; do command -v $tool > /dev/null || skip "no $tool"; done
# CID 1 by vsock_loopback, as a user without privileges: connects to the agent, reads until the other side closes
cat > "$work/knock.pl" <<- 'END'
	socket(my $socket, 40, 1, 0) or exit 77;
	connect($socket, pack("SSLLx4", 40, 0, 823, 1)) or die "no connection: $!\n";
	print "connected\n";
	my $got = sysread($socket, my $bytes, 100);
	print defined $got ? "closed after $got bytes\n" : "broken: $!\n";
END
chmod 755 "$work"
can_trace
real_trace_cmd
cd "$work" || exit 2
knock()
{
	timeout 60 setpriv --reuid 65534 --regid 65534 --clear-groups perl "$work/knock.pl"
}
knock > out 2>&1
[[ $? != 77 ]] || skip 'no VSOCK'
grep -q 'no connection' out || skip "something listens at port 823 of VSOCK, or nothing can: $(cat out)"

# start_agent OPTION...: without a terminal its words stay in its buffer, so it listens when it waits in accept
start_agent()
{
	"${tracer[@]}" "$program" "$@" > agent.log 2>&1 & agent=$!
	until listener=$(pgrep -P "$(pgrep -o -f "^$program")" -x trace-cmd) && grep -q accept "/proc/$listener/wchan"; do
		kill -0 $agent || break
	done 2> /dev/null
}

end_agent()
{
	kill -TERM "$(pgrep -o -f "^$program")"
	wait $agent || fail "the agent ended with status $?: $(cat agent.log)"
}

# the host may connect, nobody here: not root either
start_agent
knock > out 2>&1
[[ $(cat out) == $'connected\nclosed after 0 bytes' || $(cat out) == $'connected\nbroken: Connection reset by peer' ]] ||
	fail "a user of the machine was served: $(cat out)"
! timeout 60 trace-cmd record -o one.dat -e sched:sched_switch -A 1 --nosplice -e sched:sched_switch true > trace.log 2>&1 && [[ ! -s one-1.dat ]] ||
	fail "root by loopback was served: $(ls; tail -n 3 trace.log)"
# handlers that have ended would show in the faults of the listener's children
[[ $(sed 's/.*) //' "/proc/$listener/stat" | cut -d ' ' -f 9) == 0 ]] || fail 'a handler was started'
end_agent

# the same way, if it is the one that may connect; all connections go through the check, which calls accept4
tracer=(env "ASAN_OPTIONS=detect_leaks=0" strace -f -o calls -e "trace=accept,accept4")
start_agent --cid 1 --notimeout --buffer-percent 1
# until each processor has sent something: trace-cmd that ends earlier may find no file
cat > sent.sh <<- 'END'
	for ((cpu = 0; cpu < $(nproc); cpu++)); do
		until [[ -s two-1.dat.cpu$cpu ]]; do kill -0 $PPID || exit; done
	done
END
trace-cmd record --notimeout -o two.dat -B "iotrace_test_$$" -e sched:sched_waking -A 1 --nosplice -b 100 -e sched:sched_switch \
	bash sent.sh > trace.log 2>&1 ||
	fail "the CID that may: no recording: $(tail -n 3 trace.log)"
trace-cmd report two-1.dat 2> /dev/null | grep -q sched_switch || fail 'the CID that may: nothing was recorded'
end_agent
! grep -w 'accept(' calls || fail 'a connection was accepted without the check'
# the connection of the request, one for the clocks, one for each processor
(($(grep -c 'accept4.*{sa_family=AF_VSOCK,.*= [0-9]' calls) >= 2 + $(nproc))) || fail "connections: $(cat calls)"

# a library that is not loaded into trace-cmd
mkdir static
printf '#include <stdio.h>\nint main(void) { return puts("trace-cmd version 3.1.6") < 0; }\n' > static/main.c
if cc -static -o static/trace-cmd static/main.c 2> /dev/null; then
	tracer=()
	PATH=$PWD/static:$PATH expect 'a static trace-cmd' 2 'cannot be loaded into trace-cmd, and without it every user' "$program"
fi
ends 'only the host is served'
