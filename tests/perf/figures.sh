#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The tables of docs/FIGURES.md and docs/PERFORMANCE.md that compare the analysis with trace-cmd report and libtracecmd: written from one
# run of bench.sh, with the date, the commit, the machine, and the instructions that an event takes then (budget.tsv). A table
# stands between two lines, "<!-- figures.sh -->" and "<!-- end of figures -->". PERFORMANCE.md also has the budget of instructions as a
# table, between "<!-- budget.tsv -->" and "<!-- end of budget -->".
#
# usage: figures.sh [BENCH-OPTION...]   write the tables
#        figures.sh --budget            write the table of the budget only; budget.sh does it after each change of the budget
#        figures.sh --check             fail if an event takes over 10 % more or fewer instructions now than noted beside a table, or
#                                       if the table of the budget is not that of budget.tsv
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
root=$(readlink -f "$here/../..")
export LC_ALL=C
pages=("$root/docs/FIGURES.md" "$root/docs/PERFORMANCE.md")

# cost PROGRAM - instructions for each event of the cluster, by the budget
cost()
{
	awk -F '\t' -v program="$1" '$1 == "budget" && $3 == "cluster_zstd" && $4 == program { print $5; exit }' "$here/budget.tsv"
}

# labels PAGE - "CASE<tab>WORDS" for each row
labels()
{
	if [ "$1" = "$root/docs/FIGURES.md" ]; then
		printf '%s\t%s\n' \
			cluster "three nodes and the host, 30 % of the events are DLM" \
			cluster_zstd "the same, zstd, as trace-cmd writes by default" \
			dense "three nodes, all events are DLM" \
			io_zstd "two nodes, all events are file I/O, zstd" \
			rare_1 "one node, 1 % of the events are file I/O, zstd" \
			many_cpus "two nodes with 64 CPUs each, half DLM and file I/O"
	else
		printf '%s\t%s\n' \
			cluster "cluster: 3 nodes and host, 30 % DLM" \
			cluster_zstd "the same, zstd: trace-cmd's default" \
			dense "3 nodes, all DLM" \
			io "2 nodes, all file I/O" \
			io_zstd "the same, zstd" \
			many_cpus "2 nodes of 64 CPUs, half DLM and I/O" \
			rare_1 "1 file, 1 % file I/O, zstd" \
			rare_3 "the same in 3 files" \
			rare_64 "the same in 64 files" \
			rare_cpu "the same in one file of one CPU"
	fi
}

# table PAGE TSV - the rows: ratios alone in FIGURES.md; seconds with both ratios in PERFORMANCE.md
table()
{
	labels "$1" | awk -F '\t' -v short="$([ "$1" = "$root/docs/FIGURES.md" ] && echo 1 || echo 0)" '
	function ratio(x) { return x >= 20 ? sprintf("%.0f", x) : x >= 1 ? sprintf("%.1f", x) : sprintf("%.2f", x) }
	function cell(key) { return key in seconds ? seconds[key] " (" ratio(report[key]) "; " ratio(library[key]) ")" : "-" }
	NR == FNR { key = $1 " " $2; seconds[key] = $4; report[key] = $8; library[key] = $9; next }
	FNR == 1 && short {
		print "| recordings | trace-cmd report | bare loop on libtracecmd | our reader alone | analysis, no output | analysis, SLOG2 and Pajé |"
		print "|---|---|---|---|---|---|"
	}
	FNR == 1 && !short {
		print "| case | report | KernelShark loads | libtracecmd | unpack only | own reader, 1 core | own reader, 2 | analysis, no output | SLOG2 and Pajé |"
		print "|---|---|---|---|---|---|---|---|---|"
	}
	short {
		printf "| %s | 1 | %s | %s | %s | %s |\n", $2, ratio(report[$1 " libtracecmd"]), ratio(report[$1 " source-dat"]), \
			ratio(report[$1 " analyze-null"]), ratio(report[$1 " analyze-slog2-paje"])
		next
	}
	{
		printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", $2, seconds[$1 " report"], \
			$1 " kernelshark" in seconds ? seconds[$1 " kernelshark"] : "-", seconds[$1 " libtracecmd"], \
			$1 ~ /zstd|rare/ ? seconds[$1 " unpack"] : "-", cell($1 " source-dat"), cell($1 " source-dat-2"), \
			cell($1 " analyze-null"), cell($1 " analyze-slog2-paje")
	}' "$2" -
}

# peaks TSV - a sentence about the peak memory of the cases
peaks()
{
	awk -F '\t' '
	function take(name) {
		if (!(name in least) || $7 < least[name])
			least[name] = $7
		if ($7 > most[name])
			most[name] = $7
	}
	function range(name) { return sprintf("%.0f to %.0f MiB", least[name] / 1024, most[name] / 1024) }
	$2 == "report" || $2 == "analyze-slog2-paje" { take($2) }
	END { printf "Peak memory of all cases: %s with both outputs, %s for trace-cmd report.\n", range("analyze-slog2-paje"), range("report") }' "$1"
}

# put PAGE BEGIN END - replace the lines between two marks of the page by standard input
put()
{
	local new
	new=$(mktemp)
	cat > "$new"
	awk -v new="$new" -v begin="<!-- $2 -->" -v end="<!-- $3 -->" '
	$0 == begin { print; while ((getline line < new) > 0) print line; skip = 1; next }
	$0 == end { skip = 0 }
	!skip' "$1" > "$new.page"
	cat "$new.page" > "$1"
	rm -f "$new" "$new.page"
}

# figures PAGE TSV - the table, and how it was made
figures()
{
	table "$1" "$2"
	echo
	echo "Written by \`tests/perf/figures.sh\` on $(date +%F) at commit $(git -C "$root" rev-parse --short HEAD), $(nproc) virtual CPUs" \
		"($(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)), $(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release). An event of the zstd" \
		"cluster took $(cost null) instructions without output then, and $(cost timelines) with SLOG2 and Pajé. $(peaks "$2")"
}

# budget_table - the budget with the first values
budget_table()
{
	awk -F '\t' '
	BEGIN {
		words["null"] = "no output"; words["timelines"] = "SLOG2 and Pajé"; words["page"] = "page (HTML)"
		words["database"] = "SQLite"; words["report"] = "report"; words["analyses"] = "report, all analyses"
		print "| case | output | an event | the first | times | a run, millions | the first |"
		print "|---|---|---|---|---|---|---|"
	}
	$1 == "budget" && $2 == 1 {
		printf "| %s | %s | %d | %d | %.1f | %.1f | %.1f |\n", $3, words[$4], $5, $7, $5 / $7, $6 / 1e6, $8 / 1e6
	}' "$here/budget.tsv"
}

# check_budget - whether the page has that table
check_budget()
{
	if diff <(sed -n '/^<!-- budget.tsv -->$/,/^<!-- end of budget -->$/p' "$root/docs/PERFORMANCE.md" | sed '1d;$d') <(budget_table); then
		echo "ok docs/PERFORMANCE.md: the table of the budget is that of budget.tsv"
	else
		echo "FAIL docs/PERFORMANCE.md: the table of the budget is not that of budget.tsv (tests/perf/figures.sh --budget writes it)"
		return 1
	fi
}

# check PAGE PROGRAM NOTED
check()
{
	local now
	now=$(cost "$2")
	if [ -z "$3" ]; then
		echo "FAIL $1: no instructions are noted beside the table"
		return 1
	fi
	awk -v page="${1#"$root/"}" -v program="$2" -v noted="$3" -v now="$now" 'BEGIN {
		bad = now > 1.1 * noted || now < 0.9 * noted
		printf "%s %s, %s: %d instructions for each event are noted, %d is the budget%s\n", bad ? "FAIL" : "ok", page, program, \
			noted, now, bad ? "; write the tables again (tests/perf/figures.sh)" : ""
		exit bad
	}'
}

if [ "${1:-}" = --check ]; then
	failed=0
	for page in "${pages[@]}"; do
		noted=$(tr '\n' ' ' < "$page" | sed -n -E 's/.*cluster took ([0-9]+) instructions without output then, and ([0-9]+) with SLOG2.*/\1 \2/p')
		check "$page" null "${noted% *}" || failed=1
		check "$page" timelines "${noted#* }" || failed=1
	done
	check_budget || failed=1
	exit $failed
fi
if [ "${1:-}" = --budget ]; then
	budget_table | put "$root/docs/PERFORMANCE.md" budget.tsv "end of budget"
	exit
fi
tsv=$(mktemp)
trap 'rm -f "$tsv"' EXIT
bash "$here/bench.sh" "$@" --tsv "$tsv"
for page in "${pages[@]}"; do
	figures "$page" "$tsv" | put "$page" figures.sh "end of figures"
done
budget_table | put "$root/docs/PERFORMANCE.md" budget.tsv "end of budget"
