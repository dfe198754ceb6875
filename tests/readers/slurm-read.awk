# SPDX-License-Identifier: GPL-2.0-or-later
# awk -F '|' -f slurm-read.awk SACCT - the states of jobs and steps, on their hosts, as lines NS KIND ROW STATE DURATION MORE; the times are UTC.
# DURATION is - for a span that has not ended. Other awk rules than the program's: lists are expanded from their end.
function seconds(text, part) {
	if (text ~ /^[0-9]+$/) return text + 0
	if (text !~ /^[0-9]+-/) return -1
	gsub(/[-T:]/, " ", text)
	return mktime(text)
}
# the hosts of one name with brackets into list[]; 0: it is none
function expand(name, open, close_at, numbers, i, n, part, ends, number, rest, front) {
	if (name !~ /[][]/) { list[++hosts] = name; return 1 }
	close_at = 0
	for (i = length(name); i > 0 && substr(name, i, 1) != "]"; i--) ;
	close_at = i
	for (; i > 0 && substr(name, i, 1) != "["; i--) ;
	open = i
	if (!open || !close_at) return 0
	front = substr(name, 1, open - 1)
	numbers = substr(name, open + 1, close_at - open - 1)
	rest = substr(name, close_at + 1)
	n = split(numbers, part, ",")
	for (i = 1; i <= n; i++) {
		if (part[i] !~ /^[0-9]+(-[0-9]+)?$/) return 0
		if (split(part[i], ends, "-") == 1) ends[2] = ends[1]
		if (ends[2] + 0 < ends[1] + 0) return 0
		for (number = ends[1] + 0; number <= ends[2] + 0; number++)
			if (!expand(front sprintf("%0" length(ends[1]) "d", number) rest)) return 0
	}
	return n > 0
}
function expand_all(text, i, depth, c, name, ok) {
	hosts = 0
	ok = 1
	if (text == "" || text == "None assigned" || text == "Unknown") return
	for (i = 1; i <= length(text) + 1; i++) {
		c = substr(text, i, 1)
		if (c == "[") depth++
		if (c == "]") depth--
		if (c == "" || (c == "," && !depth)) { ok = ok && expand(name); name = "" }
		else name = name c
	}
	if (!ok) { kept++; hosts = 1; list[1] = text }
}
function said(from, to, kind, row, state, more) {
	printf "%d000000000 %s %s %s %s%s\n", from, kind, row, state, to < 0 ? "-" : to == from ? "0" : (to - from) "000000000", more
}
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
{
	id = $at["JobID"]
	submit = seconds($at["Submit"])
	start = seconds($at["Start"])
	end = seconds($at["End"])
	state = $at["State"]
	sub(/ .*/, "", state)
	bad = state ~ /^(FAILED|TIMEOUT|NODE_FAIL|OUT_OF_MEMORY)$/ ? " failed" : ""
	step = job = id
	sub(/[.].*/, "", job)
	if (!sub(/^[^.]*[.]/, "", step)) step = ""
	if (start < 0 && (step != "" || submit < 0)) { undated++; next }
	if (step == "") {
		title[job] = title[job] == "" ? job " " $at["JobName"] : title[job]
		if (submit >= 0 && (start < 0 || submit < start)) said(submit, start < 0 ? end : start, "job", job, "PENDING", "")
	}
	if (start < 0) next
	expand_all($at["NodeList"])
	more = bad " " $at["ExitCode"] " " hosts * (!($at["NodeList"] ~ /^None|^$/))
	said(start, end, step == "" ? "job" : "step", job (step == "" ? "" : "/" step), state, more)
	for (i = 1; i <= hosts; i++)
		said(start, end, step == "" ? "host_job" : "host_step", list[i] "/" job (step == "" ? "" : "/" step), state, more)
}
END { print "undated " undated + 0; print "kept " kept + 0 }
