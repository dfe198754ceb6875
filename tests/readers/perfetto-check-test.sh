#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: perfetto-check-test.sh PERFETTO-CHECK
# The reader accepts a trace made by hand, prints its items, and refuses packets that trace_processor drops or garbles.
set -u
check=$1
export ASAN_OPTIONS=detect_leaks=0
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failures=0

fail()
{
	echo "FAILED: $*" >&2
	failures=$((failures + 1))
}

# packet HEX: one packet of the file
packet()
{
	local hex=${1// }
	printf '0a%02x%s' $((${#hex} / 2)) "$hex"
}

# write HEX...: a file of these packets
write()
{
	local one
	for one; do
		packet "$one"
	done | sed 's/../\\x&/g' > "$dir/escaped"
	printf '%b' "$(cat "$dir/escaped")" > "$dir/trace"
}

refuse()
{
	local what=$1 text=$2
	shift 2
	write "$@"
	"$check" "$dir/trace" > /dev/null 2> "$dir/err" && fail "$what: accepted"
	grep -q "$text" "$dir/err" || fail "$what: $(cat "$dir/err")"
}

# sequence 1, state cleared; category 1 "lock", name 1 "EX"
first='5001 6801 6210 0a08 0801 1204 6c6f636b 1206 0801 1202 4558'
first=${first/6210/6212}
# track 1 "A" with ordered children, track 2 "n" below it
top='5001 6802 e203 07 0801 1201 41 5803'
row='5001 6802 e203 07 0802 1201 6e 2801'
begin='400a 5001 6802 5a08 4801 1801 5001 5802'
end='4013 5001 6802 5a04 4802 5802'

write "$first" "$begin" "$end" "$top" "$row"
"$check" "$dir/trace" > "$dir/out" 2> "$dir/err" || fail "a good trace: $(cat "$dir/err")"
[[ $(cat "$dir/out") == '10 span "n" lock "EX" 9' ]] || fail "a good trace: $(cat "$dir/out")"
# instants at 10 and 19, the second before the first in the file, with a flow 1 between them
leave='400a 5001 6802 5a12 4803 1801 5001 5802 f902 0100000000000000'
arrive='4013 5001 6802 5a12 4803 1801 5001 5802 8103 0100000000000000'
write "$first" "$arrive" "$leave" "$top" "$row"
"$check" "$dir/trace" > "$dir/out" 2> "$dir/err" || fail "a good flow: $(cat "$dir/err")"
[[ $(cat "$dir/out") == '10 link "n" lock "EX" 9 "n"' ]] || fail "a good flow: $(cat "$dir/out")"
refuse 'a flow without end' 'never end' "$first" "$leave" "$top" "$row"
refuse 'a flow without begin' 'before it begins' "$first" "$arrive" "$top" "$row"
refuse 'a flow that begins twice' 'begins twice' "$first" "$leave" "$leave" "$arrive" "$top" "$row"
refuse 'no state' 'before the state' "$begin" "$end" "$top" "$row"
refuse 'no end' 'without end' "$first" "$begin" "$top" "$row"
refuse 'no begin' 'without begin' "$first" "$end" "$top" "$row"
refuse 'no track' 'no track 2' "$first" "$begin" "$end" "$top"
refuse 'no name' 'no name 2' "$first" "${begin/5001 5802/5002 5802}" "$end" "$top" "$row"
refuse 'cut' 'longer than' "$first" "${begin/5a08/5a70}"
((failures)) || echo 'the reader of Perfetto traces sees every error'
exit $((failures > 0))
