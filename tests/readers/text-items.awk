# SPDX-License-Identifier: GPL-2.0-or-later
# The lines of the text output as variables: kind, time, start (time without -v begin), path, level[1..depth] and row (the names
# of the path, and all but the last; right where no name has a slash), type, cat, dur, to (of a link), flags, attr[NAME], value.
BEGIN { CONVFMT = OFMT = "%.0f" }
function unquoted(word)
{
	if (word !~ /^"/)
		return word
	word = substr(word, 2, length(word) - 2)
	gsub(/\\\\/, "\001", word)
	gsub(/\\"/, "\"", word)
	gsub(/\001/, "\\", word)
	return word
}
function next_word(    word)
{
	match(rest, /^([^" ]|"([^"\\]|\\.)*")+/)
	word = substr(rest, 1, RLENGTH)
	rest = substr(rest, RLENGTH + 2)
	return word
}
{
	if ($0 ~ /^#/)
		next
	rest = $0
	time = next_word()
	kind = next_word()
	path = unquoted(next_word())
	type = next_word()
	cat = dur = flags = value = ""
	split("", attr)
	if (kind == "sample")
		value = next_word() + 0
	else
		cat = unquoted(next_word())
	if (kind == "span" || kind == "gap" || kind == "link")
		dur = next_word() + 0
	to = kind == "link" ? unquoted(next_word()) : ""
	while (rest != "") {
		word = next_word()
		name = word
		sub(/=.*/, "", name)
		sub(/^[^=]*=/, "", word)
		if (name == "flags" && word !~ /^"/)
			flags = word
		else
			attr[name] = unquoted(word)
	}
	start = time - begin
	depth = split(path, level, "/")
	row = path
	sub(/\/[^\/]*$/, "", row)
}
