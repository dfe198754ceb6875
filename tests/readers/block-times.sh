#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Requests of block devices, by kind, with their bytes and the sums of the times in the queue and in flight: by trace-cmd report
# and awk, and by the program.
# usage: block-times.sh ANALYZE RECORDING...
analyze=$1
shift
command -v trace-cmd >/dev/null || { echo "trace-cmd is not installed"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0

# joined by the first sector; the second completion of a write with FUA has no sectors
by_report()
{
	bash "${0%/*}/../events-report.sh" -R -t "$1" 2>/dev/null | awk '
	function field(name,	i) {
		for (i = 1; i <= NF; i++)
			if (index($i, name "=") == 1)
				return substr($i, length(name) + 2)
	}
	function add(what, ns) { count[what]++; sum[what] += ns }
	match($0, / [0-9]+\.[0-9]+: block_/) {
		split(substr($0, RSTART + 1, RLENGTH - 9), t, ".")
		now = t[1] * 1000000000 + t[2]
		rwbs = field("rwbs")
		kind = rwbs ~ /^FF/ ? "flush" : rwbs ~ /^F?W/ ? "write" : rwbs ~ /^R/ ? "read" : rwbs ~ /^D/ ? "discard" : "other"
		id = field("dev") " " (kind == "flush" ? "flush" : field("sector"))
	}
	/ block_rq_insert: / { queued[id] = now }
	/ block_rq_issue: / {
		if (id in queued)
			add("queued", now - queued[id])
		delete queued[id]
		issued[id] = now
		bytes[kind] += field("bytes")
	}
	/ block_rq_complete: / && (field("nr_sector") != 0 || kind == "flush") && id in issued {
		add(kind, now - issued[id])
		delete issued[id]
	}
	END {
		for (i in count)
			printf "%s %d %.0f %.0f\n", i, count[i], sum[i], bytes[i]
	}' | sort
}

for recording; do
	"$analyze" -m block --index=off -o "text:$dir/text" "$recording" || status=1
	by_report "$recording" >"$dir/expected"
	awk '$2 == "span" {
		count[$5]++
		sum[$5] += $6
		if ($4 == "block-request" && match($0, / bytes=[0-9]+/))
			bytes[$5] += substr($0, RSTART + 7, RLENGTH - 7)
	}
	END {
		for (i in count) {
			name = i
			gsub(/"/, "", name)
			printf "%s %d %.0f %.0f\n", name, count[i], sum[i], bytes[i]
		}
	}' "$dir/text" | sort >"$dir/got"
	[ "$(wc -l <"$dir/expected")" -ge 3 ] || { echo "$recording: too little to compare"; status=1; }
	diff "$dir/expected" "$dir/got" || { echo "$recording: the requests differ"; status=1; }
	grep '^# diag' "$dir/text" && status=1
done
exit $status
