# SPDX-License-Identifier: GPL-2.0-or-later
# The calls and their service in text recordings of the events of libiotrace-calls, with what the recordings determine about them: links as
# "link SENT STARTED FROM TO ID", other ends as "ambiguous|unmatched from|to MACHINE TIME ID". Machines are numbered as the files
# are; times are those of the files.
# usage: awk -v error=NS -v within=NS -v unique=0|1 -f link-worlds.awk -f recorded-ends.awk RECORDING...
function link(f, t) { print "link", sent[f], came[t], from_at[f], to_at[t], key[f] }
function from_end(kind, f) { print kind, "from", from_at[f], sent[f], key[f] }
function to_end(kind, t) { print kind, "to", to_at[t], came[t], key[t] }

BEGIN { many = 1 }

FNR == 1 {
	machines++
	begin[machines] = 1e18
	split("", last)
	split("", lost)
	next
}
$2 !~ /^[0-9]+$/ { next }
# everything before the first event of its CPU may be lost
$4 == "LOST" {
	lost[$2] = 1
	next
}
{
	if ($2 in lost) {
		gap_from[machines, ++gaps[machines]] = last[$2] + 0
		gap_to[machines, gaps[machines]] = $1
		delete lost[$2]
	}
	last[$2] = $1
	if ($1 < begin[machines])
		begin[machines] = $1
	if ($1 > end[machines])
		end[machines] = $1
}
$4 == "iotrace:call_start" {
	n = ++all
	key[n] = substr($5, 4)
	used[key[n]]
	if (/ flags=2147483648 /) {
		has_to[n] = 1
		to_at[n] = machines
		came[n] = $1
	} else {
		has_from[n] = 1
		from_at[n] = machines
		sent[n] = $1
	}
}

END {
	for (k in used)
		solve(k)
}
