#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: slurm.sh ANALYZE DATA OUTPUTS
# Outputs of sacct: a real one, and random ones, have the states of jobs and steps, on their hosts, that a second reader finds. Then damaged ones,
# which are read but for the lines that are not whole, and what sacct can be asked for otherwise.
. "${0%/*}/readers-lib.sh"
analyze=$1 data=$2 outputs=$3
export TZ=UTC
central='CET-1CEST,M3.5.0,M10.5.0/3'
items="$(cat "$here/text-items.awk")"

# states TEXT - the spans as lines of slurm-read.awk, and counters
states()
{
	awk "$items"'
		kind == "span" {
			host = type ~ /^host/ ? level[2] "/" : ""
			job = level[host == "" ? 2 : 3]
			sub(/ .*/, "", job)
			step = type ~ /step$/ ? "/" level[depth] : ""
			print time " " type " " host job step " " cat " " (flags ~ /unfinished/ ? "-" : dur) \
				(cat == "PENDING" ? "" : (flags ~ /failed/ ? " failed" : "") " " attr["exit"] " " attr["n_hosts"] + 0)
		}
		END {
			while ((getline line < TEXT) > 0) {
				split(line, column, " ")
				if (column[2] == "diag") counted[column[3]] = column[4]
			}
			print "undated " counted["jobs_undated"] + 0
			print "kept " counted["node_lists_kept"] + 0
		}' TEXT="$1" "$1" | sort
}

# same FILE WHAT - the program finds in the file what the second reader does
same()
{
	awk -F '|' -f "$here/slurm-read.awk" "$1" | sort > "$dir/expected" || exit 1
	"$analyze" -q --index off -o "text:$dir/text" "$1" || exit 1
	states "$dir/text" > "$dir/got"
	(agree "states of $2") > "$dir/said" 2>&1 || { head -n 20 "$dir/said"; exit 1; }
	cat "$dir/got" >> "$dir/all"
}
fail() { echo "slurm: $*" >&2; exit 1; }

# without strftime and mktime of UTC there is no second reader
awk 'BEGIN { exit !(strftime("%H:%M", 3600, 1) == "01:00" && mktime("1970 01 01 00 00 01") == 1) }' 2> /dev/null || exit 77
same "$data/sacct.txt" 'sacct'
cat "$dir/said"
for ((seed = 1; seed <= outputs; seed++)); do
	awk -v seed=$seed -f "$here/slurm-make.awk" > "$dir/of$seed.txt" || exit 1
	same "$dir/of$seed.txt" "output $seed"
done
awk '{ n[$2]++ } END { for (kind in n) print n[kind], kind }' "$dir/all" | sort -k2 | grep -v ' [0-9]*$'
for what in 'PENDING -' 'RUNNING -' 'CANCELLED' 'failed' 'host_job n\[5-4\]' 'host_step r2x2-ib' 'host_job n098' 'kept [1-9]' 'undated [1-9]' ' 0 '; do
	grep -q -- "$what" "$dir/all" || fail "no output has: $what"
done

# other forms of the same: seconds since 1970, a bar at each end of line, another order
"$analyze" -q --index off -o "text:$dir/text" "$data/sacct.txt"
awk -F '|' -v OFS='|' 'NR > 1 { for (i = 7; i <= 9; i++) if ($i ~ /^[0-9]/) { t = $i; gsub(/[-T:]/, " ", t); $i = mktime(t) } } { print $0 "|" }' \
	"$data/sacct.txt" > "$dir/sacct.txt"
TZ=$central "$analyze" -q --index off -o "text:$dir/other" "$dir/sacct.txt" || exit 1
cmp "$dir/text" "$dir/other" || fail 'seconds since 1970 differ'
# local times: an hour later by the sun, two in summer
printf '%s\n' 'JobID|State|Start|End' '1|COMPLETED|2026-01-01T01:00:00|2026-07-01T02:00:01' > "$dir/local.txt"
TZ=$central "$analyze" -q --index off -o "text:$dir/text" "$dir/local.txt" || exit 1
grep -q '^1767225600000000000 span "local/1" job "COMPLETED" 15638401000000000$' "$dir/text" || fail "local times: $(cat "$dir/text")"
# one that comes twice, and one that does not come
printf '%s\n' 'JobID|State|Start|End' '1|COMPLETED|2026-10-25T02:30:00|2026-10-25T04:00:00' '2|COMPLETED|2026-03-29T02:30:00|2026-03-29T04:00:00' > "$dir/local.txt"
TZ=$central "$analyze" -q --index off -o "text:$dir/text" "$dir/local.txt" || exit 1
grep -q '^# diag times_ambiguous 2$' "$dir/text" && grep -q '^1792888200000000000 span "local/1" ' "$dir/text" || fail "twice: $(cat "$dir/text")"

# what cannot be read
refused()
{
	"$analyze" -q "$dir/bad.txt" 2> "$dir/stderr"
	[[ $? == 2 && $(wc -l < "$dir/stderr") == 1 ]] && grep -q -- "$1" "$dir/stderr" || { cat "$dir/stderr" >&2; fail "not refused: $1"; }
}
cut -d '|' -f 1-8 "$data/sacct.txt" > "$dir/bad.txt" && refused 'has no field End; ask for it'
head -n 1 "$data/sacct.txt" > "$dir/bad.txt" && refused 'no job in this output of sacct has a time'
RANDOM=1
declare -A statuses=()
for ((i = 0; i < outputs; i++)); do
	cp "$dir/of$((1 + i)).txt" "$dir/bad.txt"
	damage $i "$dir/bad.txt"
	"$analyze" -q --index off -o "text:$dir/text" "$dir/bad.txt" 2> "$dir/stderr"
	status=$?
	statuses[$status]=$((${statuses[$status]-0} + 1))
	[[ $status == 0 || ($status == 2 && $(wc -l < "$dir/stderr") == 1) ]] || { cat "$dir/stderr" >&2; fail "status $status, damaged at $at"; }
done
[[ ${statuses[2]-} ]] || fail 'no damage was seen'
echo "damaged: ${statuses[0]-0} read, ${statuses[2]} with status 2"
# a last line that was cut
head -c -3 "$data/sacct.txt" > "$dir/bad.txt"
"$analyze" -q --index off -o "text:$dir/text" "$dir/bad.txt" 2> /dev/null
[[ $? == 2 ]] && grep -q '^# diag lines_skipped 1$' "$dir/text" || fail 'a last line that was cut'
head -n -1 "$data/sacct.txt" | awk -F '|' -f "$here/slurm-read.awk" | sort > "$dir/expected"
states "$dir/text" > "$dir/got"
agree 'states before a cut'
