# SPDX-License-Identifier: GPL-2.0-or-later
# Certain and leaving parts of the holds in the output "text" of the models dlm and call; knows only the names of modes.
# Prints a line for each part: drawn|certain RESOURCE BEGIN END NODE MODE (modes 0 to 5, times in ns). Ends with status 1 if
# the attribute "leaving" of a hold is not the time in which it was left.
#
# A hold is certain but for the spans RELEASING, and PENDING with the flag leaving, on its row and lane. While it goes down
# to another mode (RELEASING to=MODE) it is certain in that mode.

function number(name)
{
	if (name ~ /^mode [0-5]$/)
		return substr(name, 6) + 0
	return name in modes ? modes[name] : -1
}

function part(list, t0, t1, mode)
{
	if (t0 < t1 && mode >= 0)
		printf "%s %s %.0f %.0f %s %d\n", list, resource, t0, t1, node, mode
}

# The value of an attribute or of flags; "" if there is none.
function value(pattern)
{
	return match(rest, pattern) ? substr(rest, RSTART + index(substr(rest, RSTART), "="), RLENGTH - index(substr(rest, RSTART), "=")) : ""
}

BEGIN {
	split("NL CR CW PR PW EX", names, " ")
	for (i in names)
		modes[names[i]] = i - 1
}

$2 == "span" && match($0, / span "([^"\\]|\\.)*" (lock|call) "[^"]*" [0-9]+/) {
	split(substr($0, RSTART + 7, RLENGTH - 7), word, "\"")
	rest = substr($0, RSTART + RLENGTH)
	t0 = $1 + 0
	t1 = t0 + substr(word[4], 2)
	name = word[3]
	key = word[1] " " value(" lane=[0-9]+")
	gsub(/ /, "_", word[1])
	node = word[1]
	sub(/.*\//, "", node)
	resource = substr(word[1], 1, length(word[1]) - length(node) - 1)
	if (name == "RELEASING" || value(" flags=[a-z,-]+") ~ /leaving/) {
		# spans come by their ends: a hold after the calls in it
		begin[key, ++n[key]] = t0
		finish[key, n[key]] = t1
		to = value(" (to|mode)=\"?[A-Z0-9]+")
		sub(/"/, "", to)
		if (name == "RELEASING" && $0 !~ /op="unlock"|CONVDEADLK|ALTPR|ALTCW/)
			part("certain", t0, t1, to ~ /^[0-5]$/ ? to : number(to))
	} else if (name == "unknown" || number(name) >= 0) {
		since = t0
		left = 0
		for (i = 1; i <= n[key]; i++) {
			if (finish[key, i] <= t0)
				continue
			if (begin[key, i] < t0)
				begin[key, i] = t0
			left += finish[key, i] - begin[key, i]
			part("certain", since, begin[key, i], number(name))
			since = finish[key, i]
		}
		n[key] = 0
		part("certain", since, t1, number(name))
		part("drawn", t0, t1, number(name))
		if (value(" leaving=[0-9]+") + 0 != left) {
			printf "not left for %.0f ns: %s\n", left, $0 >"/dev/stderr"
			bad = 1
		}
	}
}

END {
	exit bad
}
