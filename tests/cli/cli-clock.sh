#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# iotrace-clock over TCP on this machine, and over VSOCK if the kernel has its loopback. Both ends read one clock, so the two
# readings of each pair may differ by the stated error at most.
# usage: cli-clock.sh CLOCK_PROGRAM ANALYZE_PROGRAM
program=$1 analyze=$2
failures=0
work=$(mktemp -d) || exit 2
servers=()
stop()
{
	((${#servers[@]})) && kill "${servers[@]}" 2> /dev/null
	rm -rf "$work"
}
trap stop EXIT
cd "$work" || exit 2

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# start COMMAND: a server that prints a line with its port last; the port is in $port
start()
{
	local line
	exec {output}< <(exec "$@")
	servers+=($!)
	read -r -u "$output" line || fail "no server: $*"
	port=${line##* }
}

start "$program" --serve 127.0.0.1:0
good=127.0.0.1:$port server=${servers[-1]}

# ---- pairs before and after a command
pairs()
{
	awk -v n="$2" '
		/^#/ { next }
		{ r = $2 + 0; m = $4 + 0; e = $5 + 0
		  away = r - m; if (away < 0) away = -away
		  if ($1 != "a" || away > e || e > 1e9 || r <= last[$3]) bad = 1
		  last[$3] = r; lines++ }
		END { exit bad || lines != n }' "$1" || fail "pairs: $(cat "$1")"
}
"$program" -r a -o pairs b="$good" c="$good" -- sh -c 'test -s pairs && exit 7' 2> messages
(($? == 7)) || fail "the status of the command: $(cat messages)"
pairs pairs 4
"$program" -r a -o pairs --append b="$good" c="$good" || fail "--append: $?"
pairs pairs 6
for clock in mono_raw boot tai; do
	"$program" -r a -c $clock -n 20 b="$good" > out 2> messages || fail "$clock: $(cat messages)"
	grep -q "clock $clock\$" out || fail "$clock: $(cat out)"
	pairs out 1
done
"$program" "$good" > out || fail "no names: $?"
grep -q "^$(hostname) [0-9]*ns $(hostname) [0-9]*ns [0-9]*ns$" out || fail "no names: $(cat out)"

# the analyzer reads them: an event of a and b at one instant of one clock
at=$(awk '$3 == "b" { r = $2 + 0; if (!first) first = r } END { printf "%.0f", (first + r) / 2 }' pairs)
for node in a b c; do
	printf 'iotrace-text 1\nclock mono\nsync no\nhostname %s\n%s 0 42 dlm_lock_start ls_id=1 lkb_id=1 mode=5 flags=0 res_name="A"\n' \
		"$node" "$at" > $node.txt
done
"$analyze" --index off --sync pairs -o text:text -o sync,json:json a.txt b.txt c.txt 2> messages || fail "--sync: $(cat messages)"
awk -v at="$at" '
	FILENAME == "pairs" && /^a / { e = $5 + 0; if (e > most) most = e }
	FILENAME == "text" && $2 == "point" && /event "lock/ { away = $1 - at; if (away < 0) away = -away; if (away > most) bad = 1; n++ }
	END { exit bad || n < 3 }' pairs text || fail "times by the pairs: $(cat text)"
grep -q '"node":"b","method":"file"' json || fail "method: $(cat json)"

# ---- bad input: one sentence, and the file stays as it was
# refuse STATUS MESSAGE ARGUMENTS
refuse()
{
	local status
	cp pairs before
	"$program" "${@:3}" > out 2> messages < /dev/null
	status=$?
	((status == $1)) || fail "${*:3}: status $status, not $1: $(cat messages)"
	grep -q -- "$2" messages || fail "${*:3}: no \"$2\": $(cat messages)"
	(($(wc -l < messages) == 1)) || fail "${*:3}: not one sentence: $(cat messages)"
	cmp -s pairs before || fail "${*:3}: the pairs changed"
	[[ ! -s out && ! -e new ]] || fail "${*:3}: something was written"
	ls new.* pairs.* > /dev/null 2>&1 && fail "${*:3}: a temporary file stays"
}
# stand_in WHAT: a server that answers ANSWERS requests, and then: closes, says nothing, or rubbish
stand_in()
{
	start perl -e '
		use IO::Socket::INET;
		my ($answers, $then) = @ARGV;
		my $listen = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1") or die;
		$| = 1;
		print "port ", $listen->sockport, "\n";
		while (my $client = $listen->accept) {
			for my $i (1 .. $answers) {
				my $message = "";
				while (length $message < 88) { sysread $client, $message, 88 - length $message, length $message or last }
				substr($message, 16, 8) = pack "Q>", 5000 + $i;
				substr($message, 24, 64) = "x" . "\0" x 63;
				syswrite $client, $message;
			}
			syswrite $client, "HTTP/1.1 400 Bad Request\r\n" x 10 if $then eq "rubbish";
			sysread $client, my $rest, 88 if $then ne "silent";
			push @kept, $client if $then eq "silent";
		}' "$@"
}
refuse 2 'Connection refused; does iotrace-clock --serve run there' -o new web=127.0.0.1:1
refuse 2 'Connection refused' --append -o pairs b="$good" web=127.0.0.1:1
refuse 2 '99999 is not a port' -o new web=127.0.0.1:99999
refuse 2 'neither HOST:PORT nor vsock' -o new web=
refuse 2 'has no CID' -o new web=vsock:x
stand_in 5 close
refuse 2 'round trip 6 of 200: \(the connection was closed\|Connection reset\)' -o new web=127.0.0.1:"$port"
stand_in 3 rubbish
refuse 2 'round trip [34] of 200: what answers is not iotrace-clock' --append -o pairs web=127.0.0.1:"$port"
stand_in 0 rubbish
refuse 2 'round trip 1 of 200: what answers is not iotrace-clock' -o new web=127.0.0.1:"$port"
stand_in 2 silent
refuse 2 'round trip 3 of 200: no answer within 50 ms' -t 50 -o new web=127.0.0.1:"$port"
refuse 1 'pairs exists; --append adds to it' -o pairs web="$good"
refuse 1 '"local" is not one of: mono, mono_raw, boot, tai' -c local web="$good"
refuse 1 '"a b" is no name' -o new 'a b'="$good"
refuse 1 'name machines' -o new
refuse 1 'no COMMAND after --' -o new web="$good" --
refuse 1 '"0" is not 1 to' -n 0 web="$good"
refuse 3 'cannot write nowhere/new' -o nowhere/new web="$good"
refuse 3 'not a regular file' --append -o /dev/null web="$good"
[[ -c /dev/full ]] && { "$program" web="$good" > /dev/full 2> messages && fail "a full disk"; }
"$program" --serve "$good" 2> messages && fail "two servers at one port"
grep -q "cannot listen at $good: Address already in use" messages || fail "two servers: $(cat messages)"
# a request that is none
printf 'GET / HTTP/1.0\r\n%80s' '' > "/dev/tcp/${good/://}" || fail "no connection"
"$program" -r a b="$good" > out || fail "after a bad request: $?"

# ---- the machine goes while the command runs: the pairs from before it stay
rm -f new
"$program" -r a -o new b="$good" -- kill "$server" > out 2> messages
(($? == 2)) || fail "the server went: status"
pairs new 1
grep -q 'new has the pairs from before the command' messages || fail "the server went: $(cat messages)"
ls new.* > /dev/null 2>&1 && fail "a temporary file stays"

# ---- VSOCK
if [[ -d /sys/module/vsock_loopback ]]; then
	start "$program" --serve vsock:0
	"$program" -r a b=vsock:1:"$port" > out 2> messages || fail "VSOCK: $(cat messages)"
	pairs out 1
else
	echo "the kernel has no loopback of VSOCK: left out"
fi

"$program" --help | grep -q -- --append || fail "--help"
"$program" -h -n 20 | cmp - <("$program" --help) || fail "-h among others"
"$program" --version | grep -q '^iotrace-clock [0-9]' || fail "--version"
((failures)) && exit 1
echo "cli-clock: all as expected"
