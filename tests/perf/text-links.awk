# SPDX-License-Identifier: GPL-2.0-or-later
# The links of a text output as truth-links.awk writes those of the truth. TIME link "PATH" message "TYPE" DURATION "TO-PATH" ...
$1 ~ / link $/ && ($3 == " message " || $3 == " serves ") {
	split($1, head, " ")
	split($5, tail, " ")
	if ($3 == " serves ") {
		sub(/\/.*/, "", $2)
		sub(/\/.*/, "", $6)
		sub(/.* id=/, "", $7)
		$4 = $7 + 0
	}
	sub(/.*node ?/, "", $2)
	sub(/.*node ?/, "", $6)
	gsub(/ /, "_", $4)
	t0 = head[1]
	t1 = sprintf("%.0f", t0 + tail[1])
	print($7 ~ /backwards/ ? t1 " " t0 : t0 " " t1) " " $2 " " $6 " " $4
}
