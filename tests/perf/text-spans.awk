# SPDX-License-Identifier: GPL-2.0-or-later
# The lock spans of a text output as "PATH LKB_ID CATEGORY T0 T1", tab-separated. With asserted=1 only the certain
# ones: modes, and waits that are not marked as cut by a loss, as begun before, or as calls from an unknown mode (leaving),
# which may be releases.
$2 == "span" && match($0, /"([^"\\]|\\.)*"/) {
	t0 = $1
	path = substr($0, RSTART + 1, RLENGTH - 2)
	rest = substr($0, RSTART + RLENGTH)
	n = split(rest, word, " ")
	if (word[1] != "lock")
		next
	category = word[2]
	gsub(/"/, "", category)
	lkb = flags = ""
	for (i = 4; i <= n; i++) {
		if (word[i] ~ /^lkb_id=/)
			lkb = substr(word[i], 8)
		if (word[i] ~ /^flags=/ && i <= 5 && word[i] !~ /^flags="/)
			flags = substr(word[i], 7)
	}
	if (asserted && category == "unknown")
		next
	if (asserted && (category == "PENDING" || category == "RELEASING" || category == "KEEPING") && flags ~ /suspect|before|unknown|leaving/)
		next
	printf "%s\t%s\t%s\t%s\t%.0f\n", path, lkb, category, t0, t0 + word[3]
}
