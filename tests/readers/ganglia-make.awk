# SPDX-License-Identifier: GPL-2.0-or-later
# awk -v seed=N -f ganglia-make.awk - a random series of dumps in the form that gmond 3.7.2 sends them: hosts that fall silent and come back, metrics
# that stop, end or begin late, all types, names with entities and bytes of Latin-1.
function any(n) { return int(rand() * n) }
function header() {
	print "<?xml version=\"1.0\" encoding=\"ISO-8859-1\" standalone=\"yes\"?>"
	print "<!DOCTYPE GANGLIA_XML ["
	print "   <!ELEMENT GANGLIA_XML (GRID|CLUSTER|HOST)*>"
	print "      <!ATTLIST GANGLIA_XML VERSION CDATA #REQUIRED>"
	print "      <!ATTLIST METRIC TYPE (string | int8 | float | timestamp) #REQUIRED>"
	print "      <!ATTLIST METRIC SOURCE (gmond) 'gmond'>"
	print "]>"
}
function value(type) {
	if (type == "string") return any(3) ? "Linux &lt;6.1&gt;" : "x86_64"
	if (type == "float") return sprintf("%.*f", any(4), any(1000000) / 1000 - 100)
	if (type == "double") return sprintf("%.6e", any(1000000) / 7)
	if (type == "int8" || type == "int32") return any(100) - 50
	return any(1000000)
}
BEGIN {
	srand(seed)
	split("string int8 uint8 int32 uint32 float double timestamp", types, " ")
	split("cpu memory net &quot;own&quot; ", groups, " ")
	split("% KB bytes/sec", units, " ")
	hosts = 1 + any(4)
	metrics = 1 + any(5)
	for (m = 1; m <= metrics; m++) {
		# not all are texts: nothing would be drawn
		type[m] = types[m == 1 ? 2 + any(7) : 1 + any(8)]
		group[m] = any(4) ? groups[1 + any(4)] : ""
		unit[m] = any(3) ? units[1 + any(3)] : " "
		every[m] = 1 + any(30)
		most[m] = any(8) ? every[m] * (1 + any(2)) : 0
		kept[m] = any(4) ? 0 : 20 + any(100)
	}
	now = 1700000000 + any(1000)
	for (h = 1; h <= hosts; h++)
		alive[h] = 1
	for (dump = 1; dump <= 40; dump++) {
		before = now
		now += 1 + any(15)
		for (t = before + 1; t <= now; t++)
			for (h = 1; h <= hosts; h++) {
				if (!any(40)) alive[h] = !alive[h]
				if (!alive[h]) continue
				if (!any(5)) heard[h] = t
				for (m = 1; m <= metrics; m++)
					if (!any(every[m])) {
						heard[h] = came[h, m] = t
						if (any(3)) val[h, m] = value(type[m])
						else if (!((h, m) in val)) val[h, m] = value(type[m])
					}
			}
		header()
		print "<GANGLIA_XML VERSION=\"3.7.2\" SOURCE=\"gmond\">"
		if (seed % 5 == 0) print "<GRID NAME=\"all\" AUTHORITY=\"x\" LOCALTIME=\"" now "\">"
		print "<CLUSTER NAME=\"east\" LOCALTIME=\"" now "\" OWNER=\"x\" LATLONG=\"x\" URL=\"x\">"
		for (h = 1; h <= hosts; h++) {
			if (!heard[h] || (h == 2 && dump > 30 && seed % 3 == 0)) continue
			printf "<HOST NAME=\"n%d%s\" IP=\"10.0.0.%d\" TAGS=\"\" REPORTED=\"%d\" TN=\"%d\" TMAX=\"20\" DMAX=\"0\" LOCATION=\"unspecified\" GMOND_STARTED=\"0\">\n",
				h, h == 3 ? sprintf("%c", 228) : "", h, heard[h], now - heard[h]
			for (m = 1; m <= metrics; m++) {
				if (!((h, m) in came) || (kept[m] && now - came[h, m] > kept[m] + 20)) continue
				printf "<METRIC NAME=\"m%d\" VAL=\"%s\" TYPE=\"%s\" UNITS=\"%s\" TN=\"%d\" TMAX=\"%d\" DMAX=\"%d\" SLOPE=\"both\">\n",
					m, val[h, m], type[m], unit[m], now - came[h, m], most[m], kept[m]
				print "<EXTRA_DATA>"
				if (group[m] != "") print "<EXTRA_ELEMENT NAME=\"GROUP\" VAL=\"" group[m] "\"/>"
				print "<EXTRA_ELEMENT NAME=\"TITLE\" VAL=\"A &amp; B\"/>\n</EXTRA_DATA>\n</METRIC>"
			}
			print "</HOST>"
		}
		print "</CLUSTER>"
		if (seed % 5 == 0) print "</GRID>"
		print "</GANGLIA_XML>"
	}
}
