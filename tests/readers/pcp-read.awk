# SPDX-License-Identifier: GPL-2.0-or-later
# awk -f pcp-read.awk DESCRIPTIONS DUMP - what a PCP archive has, from "pmdumplog -d" and "pmdumplog -xxx", as lines NS KIND METRIC/INSTANCE MORE.
# Numbers of 64 bits are decimal texts here, as awk would round them.

function minus(a, b, high) { # a - b, of numbers without sign
	high = length(a) > 9 ? substr(a, 1, length(a) - 9) : 0
	high -= length(b) > 9 ? substr(b, 1, length(b) - 9) : 0
	return high * 1e9 + (length(a) > 9 ? substr(a, length(a) - 8) : a) - (length(b) > 9 ? substr(b, length(b) - 8) : b)
}
function between(from, to) { return minus(to, from) }
function said(ns, kind, series, more) { print ns " " kind " " series (more == "" ? "" : " " more) }
function give_up(series, why) {
	if (!(series in awaits))
		return
	if (why == "")
		said(awaits[series], "unknown", series, 2)
	else
		said(awaits[series], "gap", series, why " 2 " sprintf("%.0f", between(awaits[series], now)))
	delete awaits[series]
}
function forget(series, metric, why) {
	if (sem[metric] == "counter")
		give_up(series, why)
	else if (why == "")
		said(now, "unknown", series, real[metric] + 0)
	else
		said(now, "gap", series, why " " real[metric] + 0 " 0")
}
function number(text, metric) {
	if (type[metric] == "64-bit unsigned int" && (length(text) > 19 || (length(text) == 19 && text "x" > "9223372036854775807x")))
		return "9223372036854775807"
	return text
}
function value(metric, instance, text, series, grown) {
	series = metric "/" instance
	seen[metric, instance] = record
	if (sampled[metric] && present[metric, instance] != last_record[metric])
		said(now, "note", series, "came")
	if (sem[metric] == "counter") {
		grown = real[metric] ? text - last[series] : minus(text, last[series])
		if (series in awaits && grown < 0)
			give_up(series, "set back")
		if (series in awaits && between(awaits[series], now) > 0)
			said(awaits[series], "rate", series, sprintf("%.12g", grown * scale[metric] / (between(awaits[series], now) / 1e9)))
		awaits[series] = now
	}
	last[series] = text
	said(now, "value", series, number(text, metric))
	instances[metric, n[metric]++] = instance
}
# the values of a metric in one record are over
function close_metric(i, metric, instance, m) {
	metric = open
	open = ""
	if (metric == "" || type[metric] == "string")
		return
	if (sampled[metric])
		period[metric] = between(sampled[metric], now)
	said(now, "sample", metric "/", sampled[metric] ? sprintf("%.0f", period[metric]) : "")
	m = n_before[metric]
	for (i = 0; i < m; i++)
		if (seen[metric, before[metric, i]] != record)
			forget(metric "/" before[metric, i], metric, "gone")
	n_before[metric] = n[metric]
	for (i = 0; i < n[metric]; i++) {
		instance = instances[metric, i]
		before[metric, i] = instance
		present[metric, instance] = record
	}
	last_record[metric] = record
	sampled[metric] = now
}
function take(text, metric, instance, id) {
	instance = ""
	if (match(text, /inst \[-?[0-9]+ or "[^"]*"\] /)) {
		instance = substr(text, RSTART, RLENGTH)
		text = substr(text, RSTART + RLENGTH)
		sub(/^[^"]*"/, "", instance)
		sub(/"\] $/, "", instance)
	}
	sub(/^ *value /, "", text)
	if (type[metric] == "string")
		return
	value(metric, instance, text)
}

FILENAME != file { file = FILENAME; files++ }
files == 1 && /^PMID:/ { metric = $3; gsub(/[()]/, "", metric) }
files == 1 && /Data Type:/ {
	sub(/ *Data Type: /, "")
	sub(/ *InDom:.*/, "")
	type[metric] = $0
	real[metric] = $0 == "float" || $0 == "double"
}
files == 1 && /Semantics:/ {
	sem[metric] = $2
	scale[metric] = $4 == "millisec" ? 1e-3 : $4 == "nanosec" ? 1e-9 : 1
}
files == 1 || /^Note/ { next }
/^$/ { close_metric(); next }
/^[A-Z]/ {
	split($4, part, /[:.]/)
	now = $7 substr(part[4] "000000000", 1, 9)
	record++
	if (/<mark>/) {
		for (key in last_record)
			if (sampled[key]) {
				for (i = 0; i < n_before[key]; i++)
					forget(key "/" before[key, i], key, "")
				n_before[key] = 0
				sampled[key] = ""
			}
		if (marked == "")
			marked = now
	} else {
		if (marked != "")
			said(marked, "missing", "/", sprintf("%.0f", between(marked, now)))
		marked = ""
	}
	next
}
/^    [0-9]/ {
	close_metric()
	open = $2
	gsub(/[():]/, "", open)
	n[open] = 0
	text = $0
	sub(/^    [0-9.]+ \([^)]*\): ?/, "", text)
	if (text != "")
		take(text, open)
	next
}
/^        / { take($0, open) }
END {
	close_metric()
	for (series in awaits) {
		metric = series
		sub(/\/.*/, "", metric)
		if (between(awaits[series], now) > period[metric] + 0)
			give_up(series, "sampled no more")
	}
}
