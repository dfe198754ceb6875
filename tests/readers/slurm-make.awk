# SPDX-License-Identifier: GPL-2.0-or-later
# awk -v seed=N -f slurm-make.awk - a random output of sacct --parsable2: jobs of all states, arrays, steps, lists of hosts with ranges, jobs that wait,
# run, or were cancelled while they waited; times in UTC. Columns in any order, and columns that nobody asks for.
function any(n) { return int(rand() * n) }
function pick(list, n, part) { n = split(list, part, " "); return part[1 + any(n)] }
function date(s) { return s < 0 ? "Unknown" : strftime("%Y-%m-%dT%H:%M:%S", s, 1) }
function hosts() {
	return pick("n1 n[1-3] n[01-03,7] login1,n[2,4] r[1-2]n[08-11] r[0,2]x[1-2]-ib None~assigned n[098-102] n[5-4] n[1,x]")
}
function line(id, name, state, code, nodes, submit, start, end, i, out, cell) {
	cell["JobID"] = id; cell["JobName"] = name; cell["State"] = state; cell["ExitCode"] = code; cell["NodeList"] = nodes
	cell["Submit"] = date(submit); cell["Start"] = date(start); cell["End"] = date(end); cell["User"] = id ~ /[.]/ ? "" : "ann"
	cell["Partition"] = id ~ /[.]/ ? "" : "all"; cell["AllocCPUS"] = any(64); cell["Elapsed"] = "00:00:01"
	out = ""
	for (i = 1; i <= columns; i++)
		out = out (i > 1 ? "|" : "") cell[column[i]]
	gsub(/~/, " ", out)
	print out
}
BEGIN {
	srand(seed)
	columns = split(seed % 2 ? "JobID JobName User Partition State ExitCode Submit Start End NodeList" : "NodeList AllocCPUS End Start Submit JobName State ExitCode JobID Elapsed User Partition", column, " ")
	for (i = 1; i <= columns; i++)
		printf "%s%s", (i > 1 ? "|" : ""), column[i]
	print ""
	now = 1700000000
	for (job = 1; job <= 25; job++) {
		now += any(20)
		id = job + 99 (any(5) ? "" : "_" any(4))
		submit = now - any(60)
		start = any(4) ? now : submit
		end = start + any(4) * any(90)
		state = pick("COMPLETED FAILED TIMEOUT OUT_OF_MEMORY NODE_FAIL CANCELLED~by~1000 PREEMPTED RUNNING PENDING CANCELLED")
		nodes = hosts()
		if (state == "RUNNING") end = -1
		if (state == "PENDING" || state == "CANCELLED") {
			start = -1
			nodes = "None~assigned"
			end = state == "PENDING" ? -1 : submit + any(50)
			if (!any(6)) submit = -1
		}
		line(id, pick("solve my~job x"), state, state == "FAILED" ? "1:0" : "0:0", nodes, submit, start, end)
		if (start < 0)
			continue
		for (step = any(4); step > 0; step--) {
			from = start + any(3)
			line(id "." pick("batch extern 0 1 2"), "step", any(3) ? "COMPLETED" : "FAILED", any(3) ":0", hosts(), submit, any(9) ? from : -1, end < 0 && any(2) ? -1 : from + any(30))
		}
	}
}
