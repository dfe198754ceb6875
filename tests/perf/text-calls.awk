# SPDX-License-Identifier: GPL-2.0-or-later
# The calls of a text output as truth-calls.awk writes those of the truth, on the rows of threads. With asserted=1 only calls
# whose start and end were seen.
BEGIN {
	number["\"EIO\""] = -5
	number["\"ETIMEDOUT\""] = -110
}

function attr(name,    i, n, word) {
	n = split($0, word, " ")
	for (i = 7; i <= n; i++)
		if (index(word[i], name "=") == 1)
			return substr(word[i], length(name) + 2)
	return ""
}

$2 == "span" && match($0, /^[0-9]+ span "[^"]*\/process [0-9]+\/task [0-9]+" (request|io|served) /) {
	split($0, part, "\"")
	path = part[2]
	gsub(/[a-z ]/, "", path)
	split(part[3], type, " ")
	split(part[5], tail, " ")
	flags = attr("flags")
	if (asserted && flags ~ /suspect|before|unfinished|unknown/ && flags !~ /^"/)
		next
	what = type[1] == "request" ? (/ flags="served"/ ? "service" : "call") : "io"
	result = flags ~ /^unfinished/ ? "-" : attr("result")
	if (result in number)
		result = number[result]
	gsub(/"/, "", result)
	id = what == "io" ? attr("call") + 0 : attr("id")
	print path "\t" what "\t" id "\t" $1 "\t" sprintf("%.0f", $1 + tail[1]) "\t" result
}
