# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the counts of budget.sh with budget.tsv, or (write=1) makes a new budget.tsv of both. Its lines:
#   machine  NUMBER  COMBINATION
#   budget   NUMBER  CASE  PROGRAM  PER-EVENT  PER-RUN  FIRST-PER-EVENT  FIRST-PER-RUN
#   raised   NUMBER  CASE  PROGRAM  PER-EVENT or PER-RUN  FROM  TO  REASON
# usage: awk -f budget.awk -v combination=NUMBER -v small=EVENTS -v large=EVENTS [-v write=1 ...] COUNTS budget.tsv
BEGIN {
	OFS = "\t"
	above = 1.02; below = 0.95
	total_above = 1.005
	print "CASE          PROGRAM     INSTRUCTIONS/EVENT  BUDGET  SINCE FIRST   INSTRUCTIONS/RUN     BUDGET  SINCE FIRST"
}

FNR == NR {
	split($0, word, " ")
	count[word[1], word[2], word[3]] = word[4]
	next
}

FNR == 1 { FS = "\t"; $0 = $0 }

# judge WHAT - the figure against its budget; the value that belongs into the table
# worse: the smaller recording took more in all. A run's figure is the smaller recording's total without its events, so it rises
# by 20000 for each instruction that an event no longer takes, though nothing takes more.
function judge(what, figure, budget, worse,    where)
{
	figure += 0
	budget += 0
	where = $3 " " $4 ": " figure " instructions per " what ", the budget is " budget
	if (figure > budget * above && worse) {
		if (!write)
			complaint[++n_complaints] = where
		else if (reason == "")
			complaint[++n_complaints] = where "; a raise needs a reason"
		else
			raised[++n_raised] = "raised" OFS $2 OFS $3 OFS $4 OFS "per " what OFS budget OFS figure OFS reason
		return figure
	}
	if (figure < budget * below) {
		advice[++n_advice] = where ": lower it (budget.sh -w \"\")"
		return figure
	}
	return budget
}

function growth(figure, first)
{
	return first > 0 ? sprintf("%.2f x", figure / first) : "-"
}

$1 == "machine" { known[$2] = $3 }

$1 == "budget" && ($2 == combination || (combination == "" && $2 == 1)) {
	slope = sprintf("%.0f", (count[$3, $4, large] - count[$3, $4, small]) / (large - small))
	run = sprintf("%.0f", count[$3, $4, small] - slope * small)
	printf "%-13s %-11s %18d %7d %12s %18d %10d %12s\n", $3, $4, slope, $5, growth(slope, $7), run, $6, growth(run, $8)
	n_rows++
	if (combination == "") {
		fresh[n_rows] = "budget" OFS "NEW" OFS $3 OFS $4 OFS slope OFS run OFS slope OFS run
	} else {
		worse = count[$3, $4, small] > ($5 * small + $6) * total_above
		slope = judge("event", slope, $5, 1)
		# else the smaller recording would be above a budget whose events alone have become cheaper
		if (slope >= $5 || worse || run <= $6)
			run = judge("run", run, $6, worse)
		$5 = slope
		$6 = run
	}
}

{ line[++n_lines] = $0 }

END {
	for (i = 1; i <= n_advice; i++)
		print advice[i]
	for (i = 1; i <= n_complaints; i++)
		print "FAILED: " complaint[i]
	if (!n_rows) {
		print "FAILED: nothing was compared"
		exit 1
	}
	if (n_complaints)
		exit 1
	if (!write)
		exit 0
	for (i = 1; i <= n_lines; i++)
		print line[i] > out
	for (i = 1; i <= n_raised; i++)
		print raised[i] > out
	if (combination == "") {
		number = 1
		while (number in known)
			number++
		print "machine", number, machine > out
		for (i = 1; i <= n_rows; i++) {
			sub(/\tNEW\t/, "\t" number "\t", fresh[i])
			print fresh[i] > out
		}
	}
}
