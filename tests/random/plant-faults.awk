# SPDX-License-Identifier: GPL-2.0-or-later
# Plants faults into a text recording of gen-dat, sorted by time. The events of generated clusters are at least 2 ns apart, so a
# planted one fits in between. Appends the expected findings to the file in @planted: RULE, GRADE, AT, ROW.
#   value   the flag VALNOTVALID of a grant
#   answer  a refusal after a grant
#   second  the call is accepted again before its answer
# usage: awk -v kind=KIND -v seed=N -v planted=FILE -f plant-faults.awk RECORDING
BEGIN { srand(seed) }

function field(name) {
	return match($0, " " name "=[^ ]*") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : ""
}

function want(rule, grade, at,    res) {
	res = field("res_name")
	gsub(/"/, "", res)
	printf "dlm %s\t%s\t%s\t0x%x/%s/%s\n", rule, grade, at, field("ls_id"), res, "node " node >> planted
}

function add(line, at) {
	sub(/^[0-9]+/, at, line)
	print line
}

# A time has more digits than a number of awk: the last nine are counted up.
function later(at) {
	return substr(at, 1, length(at) - 9) sprintf("%09d", substr(at, length(at) - 8) + 1)
}

$1 == "hostname" { node = substr($2, 5) }
{
	lock = field("ls_id") " " field("lkb_id")
	event = substr($4, 5)
}
event ~ /_start$/ { open[lock]++; if (event == "dlm_lock_start") start[lock] = $0; answered[lock] = 0 }
event ~ /_end$/ { open[lock]-- }
event == "dlm_ast" { answered[lock] = 1 }
event == "dlm_ast" && kind == "value" && field("sb_status") == 0 && rand() < 0.02 {
	sub(/ sb_flags=0/, " sb_flags=2")
	want("value block", "possible", $1)
}
{ print }
event == "dlm_ast" && kind == "answer" && field("sb_status") == 0 && !open[lock] && rand() < 0.02 {
	line = $0
	sub(/ sb_status=0/, " sb_status=-11", line)
	add(line, later($1))
	want("answer", "proved", later($1))
}
event == "dlm_lock_end" && kind == "second" && field("error") == 0 && !answered[lock] && !open[lock] && rand() < 0.02 {
	flags = " flags=" (int(field("flags") / 4) % 2 ? field("flags") : field("flags") + 4) " "
	line = start[lock]
	sub(/ flags=[^ ]* /, flags, line)
	sub(/^[0-9]+ [0-9]+/, $1 " " $2, line)
	add(line, later($1))
	line = $0
	sub(/ flags=[^ ]* /, flags, line)
	add(line, later($1))
	want("one call", "proved", later($1))
}
