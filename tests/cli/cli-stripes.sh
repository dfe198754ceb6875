#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# example-rpc with a striped file, recorded as text: each call of the client, its parts in the servers, and the file I/O of each
# part, against what the program says and what awk finds in the recordings.
# usage: cli-stripes.sh IOTRACE_ANALYZE EXAMPLE_RPC
analyze=$1 example=$2
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
unset IOTRACE_DEVICE IOTRACE_TEXT
[[ -e /dev/iotrace ]] && { echo "the module is loaded: the example records there"; exit 77; }

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

equal()
{
	[[ $2 == "$3" ]] || fail "$1: $2, expected $3"
}

"$example" both 3 2> messages && fail "example-rpc both: status 0 although nothing was recorded"
grep -q 'IOTRACE_TEXT=FILE' messages || fail "example-rpc both does not say what to do: $(cat messages)"
IOTRACE_TEXT=both.txt "$example" both 3 2> messages || fail "example-rpc both: status $?: $(cat messages)"
equal "calls of both" "$(grep -c ' call_start \| iotrace:call_start ' both.txt)" 6

said=$("$example" stripes made 23 2>messages) || fail "example-rpc: status $?: $(cat messages)"
read -r calls parts syncs failed < <(sed -E 's/[^0-9]+/ /g' <<< "$said")
# three threads; every fifth of 23 requests is a sync, the others have four parts
equal "calls" "$calls" $((3 * 23))
equal "parts" "$parts" $((3 * (4 + 19 * 4)))
equal "syncs of the other server" "$syncs" $((3 * 4))
equal "failed calls" "$failed" 0

"$analyze" -q --index off -o text:all.txt made/client.txt made/server-0.txt made/server-1.txt || fail "analyze: status $?"
count()
{
	grep -cE "$1" all.txt
}
equal "calls of the client" "$(count ' request "[a-z]+" .* domain="store" ')" $((calls + syncs))
equal "calls served" "$(count ' request "[a-z]+ part" .* flags="served"')" $((parts + syncs))
equal "arrows" "$(count ' link .* serves "request" ')" $((parts + syncs))
equal "syncs inside a call" "$(count ' request "sync" .* caller=')" "$syncs"
# every part is one read, write or fsync
equal "file I/O of calls" "$(count ' served "(read|write|sync)" ')" $((parts + syncs))
grep '^# diag' all.txt && fail "something was odd"

# Who does what for whom, by the recordings alone: the stack of calls of each thread.
# shellcheck disable=SC2016 # awk
awk '
function value(name,    at) {
	at = index($0, " " name "=")
	return at ? substr($0, at + length(name) + 2, match(substr($0, at + length(name) + 2) " ", / /) - 1) : ""
}
$4 == "iotrace:call_start" { stack[$3, ++depth[$3]] = value("id") }
$4 == "iotrace:call_end" { depth[$3]-- }
$4 ~ /^iotrace:(read|write|sync)_start$/ {
	kind = $4; gsub(/iotrace:|_start/, "", kind)
	print $1, kind, $3, depth[$3] ? stack[$3, depth[$3]] : "none"
}' made/client.txt made/server-0.txt made/server-1.txt | sort > expected
sed -nE 's/^([0-9]+) span "[^"]* ([0-9]+)" served "([a-z]+)" .* call=([0-9]+) .*/\1 \3 \2 \4/p' all.txt |
	grep -v ' open ' | sort > found
diff expected found > differences || fail "file I/O and its calls: $(head -n 4 differences)"

# Each arrow leads from the start of the call to that of the part; each piece of file I/O is inside its call, on a lane below.
# shellcheck disable=SC2016 # awk
awk '
function value(name,    at) {
	at = index($0, " " name "=")
	return at ? substr($0, at + length(name) + 2, match(substr($0, at + length(name) + 2) " ", / /) - 1) : ""
}
function lane() { return value("lane") + 0 }
function duration(text) {
	text = $0
	sub(/^[0-9]+ [a-z]+ "[^"]*" [a-z]+ "[^"]*" /, "", text)
	return text + 0
}
{ split($0, quoted, "\""); row = quoted[2] }
$2 == "span" && / request "/ {
	id = value("id")
	n = ++spans[row, id]
	from[row, id, n] = $1 + 0; to[row, id, n] = $1 + duration(); at[row, id, n] = lane()
	start[id, row, $1 + 0] = 1
}
$2 == "span" && / served "/ {
	id = value("call"); inside = 0
	io++; io_row[io] = row; io_id[io] = id; io_t0[io] = $1 + 0; io_t1[io] = $1 + duration(); io_lane[io] = lane()
}
$2 == "link" { links++; l_id[links] = value("id"); l_from[links] = row; l_t0[links] = $1 + 0
	l_to[links] = quoted[6]; l_t1[links] = $1 + duration() }
END {
	for (i = 1; i <= io; i++) {
		inside = 0
		for (n = 1; n <= spans[io_row[i], io_id[i]]; n++)
			inside += from[io_row[i], io_id[i], n] <= io_t0[i] && io_t1[i] <= to[io_row[i], io_id[i], n] &&
				at[io_row[i], io_id[i], n] < io_lane[i]
		if (inside != 1) { print "file I/O at " io_t0[i] " is inside of " inside " calls"; bad = 1 }
	}
	for (i = 1; i <= links; i++)
		if (!((l_id[i], l_from[i], l_t0[i]) in start) || !((l_id[i], l_to[i], l_t1[i]) in start)) {
			print "the arrow at " l_t0[i] " has an end beside its call"; bad = 1
		}
	exit bad
}' all.txt || fail "places"

((failures)) || echo "$said: all of it is in the picture"
exit $((failures > 0))
