# SPDX-License-Identifier: GPL-2.0-or-later
# The calls of a truth file as "NODE/TGID/PID WHAT ID T0 T1 STATUS", tab-separated; STATUS "-": open at the end.
# WHAT: "call" of a client, "service", or "io", whose ID is the call that it is for, 0 for none.
BEGIN {
	what["request"] = "call"
	what["served"] = "service"
	what["io"] = "io"
}

$1 in what { line[++n] = $0 }
$1 == "end" { end = $2 }

END {
	for (i = 1; i <= n; i++) {
		split(line[i], c, "\t")
		k = c[1] == "io" ? 7 : 6
		print c[2] "/" c[3] "/" c[4] "\t" what[c[1]] "\t" c[5] "\t" c[k] "\t" (c[k + 1] == "-" ? end : c[k + 1]) "\t" c[k + 2]
	}
}
