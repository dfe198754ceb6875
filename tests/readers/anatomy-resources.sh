#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: anatomy-resources.sh ANALYZE
# Parts of waits by resource, of a generated recording with more resources than the table has rows for: the first 512 that were waited
# for have rows of their own, and one row is the sum of the others, also of their later waits. Waits, sums and longest parts equal
# those from the text output. All resources together are the waits of all modes.
. "${0%/*}/readers-lib.sh"
analyze=$1
first=512 all=600

# Each resource has one wait, in the order of their numbers; then each third one has two more. Each fifth wait has a callback
# before its call returns, so it has a second part.
awk -v all=$all 'function wait(id,    lock, ns, ast, end) {
	lock = " ls_id=1 lkb_id=" id " res_name=\"r" id "\" "
	ns = 1000 + id * 7
	ast = ++n % 5 ? 2 * ns : ns
	end = n % 5 ? ns : 2 * ns + n
	print now " 0 7 dlm_lock_start" lock "mode=5 flags=0"
	lines[ast] = now + ast " 1 0 dlm_ast" lock "sb_flags=0 sb_status=0"
	lines[end] = now + end " 0 7 dlm_lock_end" lock "mode=5 flags=0 error=0"
	print lines[ast < end ? ast : end]
	print lines[ast < end ? end : ast]
	print now + 20000 " 0 7 dlm_unlock_start" lock "flags=0"
	print now + 20001 " 0 7 dlm_unlock_end" lock "flags=0 error=0"
	print now + 20002 " 1 0 dlm_ast" lock "sb_flags=0 sb_status=-65538"
	now += 30000
} BEGIN {
	print "iotrace-text 1"
	now = 1000000
	for (i = 1; i <= all; i++) wait(i)
	for (pass = 0; pass < 2; pass++)
		for (i = 3; i <= all; i += 3) wait(i)
}' >"$dir/recording.txt"
"$analyze" -q --index off -m dlm -o report,json:"$dir/report" -o text:"$dir/text" "$dir/recording.txt" || exit 1

# A wait is PENDING; what is left until its call returns is a part of its own. Items come by their ends.
awk -v first=$first 'function add(row, part, ns,    key) {
	key = row "\t" part
	n[key]++
	sum[key] += ns
	if (ns > max[key]) max[key] = ns
}
function path() { split($0, quoted, "\""); sub(/\/[^\/]*$/, "", quoted[2]); return quoted[2] }
$2 == "point" && / event "lock return" / { returned[path(), ++n_returns[path()]] = $1 }
$2 == "span" && / lock "PENDING" / {
	resource = path()
	split($0, quoted, "\"")
	split(quoted[5], after, " ")
	from[++n_waits] = $1
	until[n_waits] = $1 + after[1]
	of[n_waits] = resource
}
END {
	for (i = 1; i <= n_waits; i++) {
		resource = of[i]
		if (!(resource in row))
			row[resource] = ++n_rows <= first ? resource : "others"
		if (row[resource] == "others" && !(resource in counted))
			counted[resource] = ++n_others
		back = returned[resource, ++n_seen[resource]]
		add(row[resource], "not recorded", until[i] - from[i])
		if (back > until[i])
			add(row[resource], "return to the caller", back - until[i])
		add(row[resource], "all parts", (back > until[i] ? back : until[i]) - from[i])
	}
	for (key in n)
		printf "%s\t%d\t%.0f\t%.0f\n", key, n[key], sum[key], max[key]
	printf "resources of the others\t%d\n", n_others
}' "$dir/text" | sort >"$dir/expected"
rows='s/^\{"resource":("[^"]*"|null),"part":"([^"]*)","waits":([0-9]*),"time":([0-9]*),.*"max":([0-9]*)(,"others":[0-9]*)?\}.*/\1\t\2\t\3\t\4\t\5/p'
{
	sed -nE "$rows" "$dir/report" | sed -E 's/^null/others/; s/^"0x1 \/ /"0x1\//; s/^"([^"]*)"/\1/'
	sed -nE '/^\{"resource"/s/.*"others":([0-9]*).*/resources of the others\t\1/p' "$dir/report" | sort -u
} | sort >"$dir/got"
agree 'parts of resources'
[[ $(grep -c 'all parts' "$dir/got") == $((first + 1)) ]] || { echo "$name: not $first resources and the others" >&2; exit 1; }

# the same waits, added up by another table
sed -n 's/^{"mode":"EX","part":"\([^"]*\)","waits":\([0-9]*\),"time":\([0-9]*\),.*/\1\t\2\t\3/p' "$dir/report" | sort >"$dir/expected"
awk -F'\t' 'NF == 5 { n[$2] += $3; sum[$2] += $4 } END { for (part in n) printf "%s\t%d\t%.0f\n", part, n[part], sum[part] }' "$dir/got" |
	sort >"$dir/sums"
mv "$dir/sums" "$dir/got"
agree 'sums of all resources'
