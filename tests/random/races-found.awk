# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the table all_races of JSON with the truth of races.awk, and prints what is wrong.
# usage: awk -v bound=NS -f races-found.awk TRUTH JSON
function value(name) { return match($0, "\"" name "\":(\"[^\"]*\"|[0-9.]+)") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : "-" }
function text(name,   t) { t = value(name); gsub(/"/, "", t); return t }
function wrong(what) { print what ": " key ", model " i ", truth " (true_of[key, i] == "" ? "no pair" : true_of[key, i]) ", found " (found[key, i] == "" ? "nothing" : found[key, i]) }
function check(   t, f) {
	t = true_of[key, i]; f = found[key, i]
	if (f == "" || f == "none") f = "-"
	if ((t == "sure" || (bound == 0 && t == "calls missing")) && f != "proved") wrong("not proved")
	else if ((t == "race" || t == "calls missing") && f == "-") wrong("not found")
	else if (t != "sure" && t != "race" && t != "calls missing" && f == "proved") wrong("proved")
	else if (t == "race" && bound == 0 && f != "possible") wrong("not possible")
	else if ((t == "never" || t == "" || bound == 0 && t == "none") && f != "-") wrong("found")
}
FNR == NR { split($0, part, "|"); key = part[1] "|" part[2] "|" part[3] "|" part[4]; keys[key]; for (i = 1; i <= 4; i++) true_of[key, i] = part[4 + i]; n[key] = part[9]; next }
/^"/ { table = $0; sub(/^"/, "", table); sub(/".*/, "", table) }
table != "all_races" || !/^\{/ { next }
{
	file = text("file"); sub(/.*\/f|.*:/, "", file)
	a = text("first"); b = text("second")
	pid_a = a; pid_b = b
	gsub(/.*pid |\)/, "", pid_a); gsub(/.*pid |\)/, "", pid_b)
	if (pid_a + 0 > pid_b + 0) { t = a; a = b; b = t }
	key = file "|" a "|" b "|" (text("does") == "writes") + (text("other_does") == "writes")
	keys[key]
	split("posix commit session mpi_io", names, " ")
	for (i = 1; i <= 4; i++) found[key, i] = text(names[i])
	if (bound == 0 && value("accesses") != n[key]) print "number: " key ", truth " n[key] ", found " value("accesses")
}
END { for (key in keys) for (i = 1; i <= 4; i++) check() }
