# SPDX-License-Identifier: GPL-2.0-or-later
# The master of each resource over time, from the texts of `trace-cmd report -N -t`:
# awk -f dlm-masters.awk FILE... | sort -n | awk -f dlm-masters.awk -v join=1
# First the messages that show a master, as "TIME MASTER RESOURCE"; the master 0 has forgotten the resource. Sorted by time, they become
# "BEGIN END MASTER RESOURCE": a master stays until another message shows another one. The END of the last master is a dash.

BEGIN {
	split("trans inode rgrp meta iopen flock plock quota journal", gfs2, " ")
	for (i = 0; i < 16; i++)
		nibble[substr("0123456789abcdef", i + 1, 1)] = i
}

function nanoseconds(    i, part)
{
	for (i = 1; i <= NF; i++)
		if ($i ~ /^[0-9]+\.[0-9]+:$/) {
			split(substr($i, 1, length($i) - 1), part, ".")
			return part[1] * 1000000000 + part[2]
		}
}

function field(name,    rest)
{
	rest = $0
	if (!sub(".*[ :]" name "=", "", rest))
		return ""
	sub(/ .*/, "", rest)
	return rest
}

function resource(hex,    i, text)
{
	for (i = 3; i < length(hex); i += 2)
		text = text sprintf("%c", nibble[substr(hex, i, 1)] * 16 + nibble[substr(hex, i + 1, 1)])
	if (length(text) != 24 || text !~ /^ *[1-9] *[0-9a-f]+$/)
		return text
	i = gfs2[substr(text, 8, 1)]
	text = substr(text, 9)
	sub(/^ */, "", text)
	return i " " text
}

join {
	name = $0
	sub(/^[0-9]+ [0-9]+ /, "", name)
	if (master[name] == $2)
		next
	if (master[name])
		print since[name], $1, master[name], name
	master[name] = $2
	since[name] = $1
	next
}

/ dlm_send_message: / {
	type = field("m_type")
	name = resource(field("res_name"))
	shown = ""
	if (type ~ /^(REQUEST|CONVERT|UNLOCK|CANCEL)_REPLY$/ || type == "GRANT" || type == "BAST")
		shown = field("h_nodeid")
	else if (type == "LOOKUP_REPLY" && field("m_result") ~ /^0?$/)
		shown = field("m_nodeid")
	else if (type == "REMOVE")
		shown = 0
	if (shown != "" && name != "")
		printf "%.0f %s %s\n", nanoseconds(), shown, name
}

END {
	for (name in master)
		if (join && master[name])
			print since[name], "-", master[name], name
}
