# SPDX-License-Identifier: GPL-2.0-or-later
# Reads iotrace events as printed by trace-cmd report and prints each call in a line, start and end joined by id. Covers the
# processes that call access("/list-begins"), from there to access("/list-ends"). Needs LC_ALL=C.
match($0, /: [a-z]+_(start|end|late|done): +id=[0-9]+ /) {
	split(substr($0, RSTART + 2, RLENGTH), word, /[: =]+/)
	event = word[1]
	id = word[3]
	rest = substr($0, RSTART + RLENGTH)
	pair = event
	sub(/_.*/, "", pair)
	key = pair " " id
	if (event ~ /_start$/)
		begin()
	else if (event == "path_late")
		late[id] = rest
	else if (key in start)
		end()
}

function begin(	tgid)
{
	tgid = rest
	sub(/^tgid=/, "", tgid)
	sub(/ .*/, "", tgid)
	sub(/^tgid=[0-9]+ /, "", rest)
	if (rest ~ /^op=access .*path=\/list-begins /)
		listed[tgid] = 1
	else if (rest ~ /^op=access .*path=\/list-ends /)
		delete listed[tgid]
	else if (tgid in listed) {
		if (key in start)
			print "TWICE", key
		start[key] = rest
	}
}

function end(	text)
{
	text = start[key]
	if (id in late)
		sub(/path= path2=/, late[id], text)
	sub(/ gen=[0-9]+/, "", rest)	# 36-identity has it
	print pair, text, "->", rest
	delete start[key]
}

END {
	for (key in start)
		print "NO END", key, start[key]
}
