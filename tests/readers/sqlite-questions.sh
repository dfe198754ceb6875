#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: sqlite-questions.sh ANALYZE SOURCE_DIR
# The questions of docs/formats/sqlite.md, asked to databases of the example recordings, have the answers that awk finds in
# the text output of the same run. Exit 77 (skipped) without sqlite3, or if the program was built without it.
set -u
export LC_ALL=C
analyze=$1 source=$2
here=$(cd "$(dirname "$0")" && pwd)
command -v sqlite3 > /dev/null || exit 77
"$analyze" --formats | grep -q '^sqlite' || exit 77
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failures=0 asked=0

# question N: its SQL, the indented lines below its title
question()
{
	awk -v title="### $1." 'index($0, "### ") == 1 { inside = index($0, title) == 1 } inside && /^    /' \
		"$source/docs/formats/sqlite.md"
}

# answer N AWK-PROGRAM [SORT-OPTION...]: the rows, with | between the columns; at most the LIMIT of the question
answer()
{
	local n=$1 program=$2 limit
	shift 2
	question "$n" > "$dir/sql"
	[[ -s $dir/sql ]] || { echo "question $n is missing"; failures=$((failures + 1)); return; }
	sqlite3 "$dir/out.sqlite" < "$dir/sql" > "$dir/got" 2> "$dir/err"
	limit=$(sed -n 's/.*LIMIT \([0-9]*\);$/\1/p' "$dir/sql")
	awk -v begin="$begin" "$(cat "$here/text-items.awk") $program" "$dir/out.txt" | sort -s -t'|' "$@" |
		head -n "${limit:-1000000}" > "$dir/want"
	asked=$((asked + 1))
	[[ -s $dir/want ]] || { echo "question $n: the text output has no answer"; failures=$((failures + 1)); }
	cmp -s "$dir/want" "$dir/got" && return
	echo "question $n (< text output, > SQL): $(cat "$dir/err")"
	diff "$dir/want" "$dir/got" | head -n 10
	failures=$((failures + 1))
}

# record MODEL-FOLDER [OPTION...]: both outputs of one run
record()
{
	"$analyze" -q "${@:2}" -o "text:$dir/out.txt" -o "sqlite:$dir/out.sqlite" "$source/examples/$1"/trace-[345].dat || exit 1
	begin=$(sqlite3 "$dir/out.sqlite" "SELECT value FROM meta WHERE key = 'begin_ns'")
}

sums='END { for (k in sum) printf "%s|%d|%.0f\n", k, n[k], sum[k] }'
sum='END { for (k in sum) printf "%s|%.0f\n", k, sum[k] }'
count='END { for (k in n) print k "|" n[k] }'
pending='kind == "span" && type == "lock" && cat == "PENDING"'
dlm_point='kind == "point" && type == "event" && depth == 3 && "lkb_id" in attr'
io='kind == "span" && type == "io"'
use='kind == "span" && type == "use"'

dlm_questions()
{
	answer 1 "$pending { sum[level[1] \"|\" level[2]] += dur } $sum" -k3,3nr -k1,2
	answer 2 "$pending { print start \"|\" path \"|\" dur }" -k3,3nr -k1,1n
	answer 3 'kind == "span" && type == "lock" && cat !~ /^(PENDING|RELEASING|KEEPING)$/ {
			n[cat]++; sum[cat] += dur; left[cat] += attr["leaving"]
		}
		END { for (k in sum) printf "%s|%d|%.0f|%.0f\n", k, n[k], sum[k], sum[k] - left[k] }' -k1,1
	answer 4 "$pending { n[level[3]]++; sum[level[3]] += dur } $sums" -k1,1
	answer 5 "$pending { sum[level[3] \"|\" attr[\"pid\"] + 0] += dur } $sum" -k3,3nr -k1,1 -k2,2n
	answer 6 "$pending { n[length(dur)]++ } $count" -k1,1n
	answer 7 "$dlm_point"' && cat ~ /^ast/ { n[cat]++ }'" $count" -k1,1
	answer 8 'kind == "span" && type == "lock" && cat == "EX" && start <= 100000000000 && start + dur > 100000000000 {
		print level[1] "|" level[2] "|" level[3] }' -k1,1 -k2,2 -k3,3
	answer 9 'kind == "span" && type == "lock" {
			i++
			s[i] = start; e[i] = start + dur; c[i] = cat; node[i] = level[3]; res[i] = level[1] "|" level[2]
			if (cat == "PENDING" && (dur > longest || (dur == longest && start < s[w]))) { w = i; longest = dur }
		}
		END {
			for (k = 1; k <= i; k++)
				if (res[k] == res[w] && s[k] < e[w] && e[k] > s[w] && c[k] !~ /^(PENDING|RELEASING|KEEPING|NL)$/)
					n[node[k] "|" c[k]]++
			for (k in n) print k "|" n[k]
		}' -k1,1 -k2,2
	answer 10 'kind == "span" && flags ~ /unfinished/ { n[type "|" cat]++ }'" $count" -k1,1 -k2,2
	answer 11 'kind == "point" { n[int(start / 10000000000)]++ }'" $count" -k1,1n
	answer 12 "$dlm_point { print start \"|\" path \"|\" attr[\"took\"] + 0 }" -k3,3nr -k1,1n
	answer 13 "$pending"' { printf "%d.%09d|%s\n", int(time / 1000000000), time % 1000000000, path }' -k1,1n -k2,2
}

record dlm
dlm_questions
record fileio
dlm_questions
answer 14 "$io { print start \"|\" level[2] \"|\" attr[\"op\"] \"|\" dur }" -k4,4nr -k1,1n
answer 15 "$io { n[attr[\"op\"]]++; sum[attr[\"op\"]] += dur } $sums" -k1,1
answer 16 "$io"' && flags ~ /failed/ { n[attr["op"] "|" attr["result"]]++ }'" $count" -k1,1 -k2,2
answer 17 "$use"' && attr["op"] == "write" { sum[row] += attr["result"] }'" $sum" -k2,2nr -k1,1
answer 18 "$use"' && !seen[path]++ { n[row]++ } END { for (k in n) if (n[k] > 1) print k "|" n[k] }' -k1,1
answer 19 'kind == "sample" { k = path "|" type; if (!(k in top) || value > top[k]) top[k] = value }
	END { for (k in top) print k "|" top[k] }' -k1,1 -k2,2
answer 20 'kind == "span" && type == "glock" { n[level[3] "|" cat]++; sum[level[3] "|" cat] += dur }'" $sums" -k1,1 -k2,2
record fileio --derive accounts
answer 21 'kind == "point" && type == "part" && cat == "lock" && "by_node" in attr { k = attr["of"] "|" attr["what"] "|" attr["by_node"]; n[k]++; sum[k] += attr["part"] }
	'"$sums" -k5,5nr -k1,3
((failures)) || echo "$asked answers agree with the text output"
exit $((failures > 0))
