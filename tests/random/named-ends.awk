# SPDX-License-Identifier: GPL-2.0-or-later
# The ends that are no ends of a link, by name, as links.awk writes them to FOLDER/named: unmatched if the text output has a stub,
# ambiguous if it has nothing.
# usage: awk -f named-ends.awk TEXT EVENTS...
function field(name,    rest) {
	rest = $0
	return sub(".* " name "=", "", rest) ? rest + 0 : -1
}
FNR == 1 { files++ }
files == 1 && $2 == "link" {
	gsub(/"/, "")
	late = $1 + $6
	if (/unseen/)
		stub[(/to-unseen/ ? "from " : "to ") $3 " " $1 " " (/to-unseen/ ? field("from") : field("to"))]++
	else {
		linked["from " $3 " " (/backwards/ ? sprintf("%.0f", late) : $1) " " field("from")]++
		linked["to " $7 " " (/backwards/ ? $1 : sprintf("%.0f", late)) " " field("to")]++
	}
}
files == 1 { next }
$4 == "snd" || $4 == "rcv" {
	machine = FILENAME
	sub(/.*\//, "", machine)
	sub(/\.events/, "", machine)
	name = ($4 == "snd" ? "from m" : "to m") machine " " $1 " " field("n")
	if (linked[name] > 0 && !($4 == "snd" && many)) {
		linked[name]--
		next
	}
	if (linked[name] > 0)
		next
	if (stub[name]-- > 0)
		print "unmatched " name
	else
		print "ambiguous " name
}
