# SPDX-License-Identifier: GPL-2.0-or-later
# awk -f ganglia-read.awk DUMPS - the events of a series of dumps of gmond, line by line, as NS KIND PATH MORE; texts are counted.
function attribute(name, from) {
	if (!match($0, " " name "=\"[^\"]*\""))
		return ""
	from = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
	gsub(/&lt;/, "<", from)
	gsub(/&gt;/, ">", from)
	gsub(/&quot;/, "\"", from)
	gsub(/&amp;/, "\\&", from)
	return from
}
function said(s, kind, path, more) { event[++n] = sprintf("%d000000000 %s %s%s", s, kind, path, more == "" ? "" : " " more) }
function limit(age, most, kept, most4) { # how old it may be; 0: as it likes
	most4 = 4 * most
	if (kept && (!most4 || kept < most4)) most4 = kept
	return most4 && age > most4 ? most4 : 0
}
function later(a, b) { return a > b ? a : b }
function forget(key, s, why) {
	if (!known[key])
		return
	known[key] = 0
	said(s, why == "" ? "unknown" : "gap", path[key], (why == "" ? "" : why " ") real[key] + 0)
}
function take(key, s, is_new) {
	is_new = !(key in last) || s > last[key] + 1 || val != value[key]
	if (!is_new)
		return
	if (key in last) s = later(s, last[key])
	said(s, "sample", path[key], key in last && s > last[key] ? (s - last[key]) "000000000" : "")
	said(s, "value", path[key], sprintf("%.15g", val))
	last[key] = s
	value[key] = val
	known[key] = 1
}
/^<CLUSTER/ { cluster = attribute("NAME"); now = attribute("LOCALTIME") + 0; dump++ }
/^<HOST / {
	host = attribute("NAME")
	age = attribute("TN") + 0
	seen_host[host] = dump
	old = limit(age, attribute("TMAX") + 0, attribute("DMAX") + 0)
	if (old && (host_known[host] || !(host in host_known))) {
		silent[host] = later(now - age + old, before)
		said(silent[host], "host", cluster "/" host, "silent")
	} else if (!old && host in host_known && !host_known[host])
		said(later(now - age, before), "host", cluster "/" host, "heard of again")
	host_known[host] = !old
}
/^<METRIC / {
	name = attribute("NAME")
	type = attribute("TYPE")
	val = attribute("VAL")
	age = attribute("TN") + 0
	unit = attribute("UNITS")
	sub(/^ *$/, "", unit)
	old = limit(age, attribute("TMAX") + 0, attribute("DMAX") + 0)
	group = "other"
	if (type == "string") texts++
}
/^<EXTRA_ELEMENT NAME="GROUP"/ { group = attribute("VAL") }
/^<\/METRIC>/ && type != "string" {
	key = host "\t" name
	path[key] = cluster "/" host "/" group "/" name (unit == "" ? "" : " (" unit ")")
	real[key] = type == "float" || type == "double"
	seen[key] = dump
	take(key, now - age)
	if (old)
		forget(key, later(now - age + old, before), "too old")
	else if (!host_known[host])
		forget(key, later(last[key], silent[host]))
}
/^<\/CLUSTER>/ {
	for (host in host_known)
		if (host_known[host] && seen_host[host] != dump) {
			said(now, "host", cluster "/" host, "gone")
			host_known[host] = 0
		}
	for (key in known)
		if (seen[key] != dump)
			forget(key, now, "gone")
	before = now
}
END {
	for (i = 1; i <= n; i++)
		print event[i]
	print "texts " texts + 0
}
