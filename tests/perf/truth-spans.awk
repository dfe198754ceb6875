# SPDX-License-Identifier: GPL-2.0-or-later
# The spans of a truth file (tab-separated) as "PATH LKB_ID CATEGORY T0 T1": names as the text output quotes them.
BEGIN {
	for (i = 0; i < 256; i++)
		value[sprintf("%02x", i)] = i
	split("trans inode rgrp meta iopen flock plock quota journal", gfs2_type, " ")
}

# "%8x%16x": GFS2's locks, by type and number
function gfs2_name(text,    type, number) {
	type = substr(text, 1, 8)
	number = substr(text, 9)
	if (length(text) != 24 || type !~ /^ *[0-9a-f]+$/ || number !~ /^ *[0-9a-f]+$/)
		return ""
	gsub(/ /, "", type)
	gsub(/ /, "", number)
	return (type in gfs2_type ? gfs2_type[type] : "type " type) " " number
}

# Bytes that are not printable are escaped in the name; then quotes and backslashes for the quoting.
function shown(hex,    i, code, plain, escaped) {
	for (i = 1; i < length(hex); i += 2) {
		code = value[substr(hex, i, 2)]
		if (code < 32 || code > 126) {
			plain = plain "?"
			escaped = escaped "\\\\x" substr(hex, i, 2)
		} else if (code == 92) {
			plain = plain "\\"
			escaped = escaped "\\\\\\\\"
		} else if (code == 34) {
			plain = plain "\""
			escaped = escaped "\\\""
		} else {
			plain = plain sprintf("%c", code)
			escaped = escaped sprintf("%c", code)
		}
	}
	if (gfs2_name(plain) != "")
		return gfs2_name(plain)
	return escaped == "" ? "(unnamed)" : escaped
}

$1 == "span" {
	if (!($4 in name))
		name[$4] = shown($4)
	printf "0x%s/%s/node %s\t0x%s\t%s\t%s\t%s\n", $3, name[$4], $2, $5, $6, $7, $8
}
