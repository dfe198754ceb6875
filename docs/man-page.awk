#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes a manual page in roff from a text in docs/man. The texts use a subset of asciidoc: headings, paragraphs, lists of terms,
# literal blocks, tables of two columns, *bold*, _italic_, `code`. So building pages needs only awk.
# usage: awk -v tables=FILE -v source=TEXT [-v links=DIR] -f man-page.awk PAGE.txt
#   tables  the program's description of its options; included by tag
#   links   folder for a page for each further name of the section NAME

# Escapes text after markup is resolved. A dash that users type must not become a hyphen.
function escape(s)
{
	gsub(/\\/, "\\e", s)
	gsub(/-/, "\\-", s)
	return s
}

# The position of the closing mark in s, which begins with the opening mark; 0: none.
function closing(s, mark,  i, n)
{
	n = length(mark)
	for (i = n + 2; i <= length(s); i++) {
		if (substr(s, i, n) != mark || substr(s, i - 1, 1) == " ")
			continue
		if (n == 2 || substr(s, i + 1, 1) !~ /[A-Za-z0-9_]/)
			return i
	}
	return 0
}

function font(mark)
{
	return mark ~ /_/ ? "\\fI" : "\\fB"
}

# pass:c[TEXT]: no markup inside, but for \]
function passed(s,  i, text)
{
	for (i = 8; i <= length(s) && substr(s, i, 1) != "]"; i++) {
		if (substr(s, i, 2) == "\\]")
			i++
		text = text substr(s, i, 1)
	}
	taken = i
	return text
}

function inline(s,  i, out, rest, mark, end, before)
{
	for (i = 1; i <= length(s); i++) {
		rest = substr(s, i)
		if (rest ~ /^pass:c\[/) {
			out = out escape(passed(rest))
			i += taken - 1
			continue
		}
		if (rest ~ /^\*\*\*/) { # a bold asterisk
			out = out "\\fB*\\fR"
			i += 2
			continue
		}
		mark = substr(s, i, 1)
		before = i > 1 ? substr(s, i - 1, 1) : " "
		end = 0
		if (mark ~ /[*_`]/) {
			if (substr(s, i + 1, 1) == mark && mark != "`")
				mark = mark mark
			if ((length(mark) == 2 || before !~ /[A-Za-z0-9_]/) && substr(s, i + length(mark), 1) != " ")
				end = closing(rest, mark)
		}
		if (!end) {
			out = out escape(substr(s, i, 1))
			continue
		}
		rest = substr(rest, length(mark) + 1, end - length(mark) - 1)
		out = out font(mark) (mark ~ /`/ ? escape(rest) : inline_plain(rest)) "\\fR"
		i += end + length(mark) - 2
	}
	return out
}

# Inside a mark only pass:c[] is replaced.
function inline_plain(s,  at, head, text)
{
	at = index(s, "pass:c[")
	if (!at)
		return escape(s)
	head = substr(s, 1, at - 1)
	text = passed(substr(s, at))
	return escape(head) escape(text) inline_plain(substr(s, at + taken))
}

function put(s)
{
	print (s ~ /^[.']/ ? "\\&" : "") s
	headed = 0
}

function end_lists()
{
	if (depth == 2)
		print ".RE"
	depth = 0
}

# A blank line ends the paragraph; a list may continue after it.
function blank()
{
	if (literal_lines)
		print ".fi\n.RE"
	literal_lines = 0
	verse = 0
	fresh = 1
}

function heading(s,  level)
{
	blank()
	end_lists()
	level = s ~ /^===/ ? ".SS" : ".SH"
	sub(/^=+ /, "", s)
	section = s
	print level " \"" inline(s) "\""
	fresh = 0
	headed = 1
}

# A heading begins a paragraph by itself.
function new_paragraph()
{
	if (!headed)
		print ".PP"
}

function term(s, level)
{
	blank()
	s = substr(s, 1, length(s) - 2)
	if (level == 2 && depth < 2)
		print ".RS 4"
	if (level == 1 && depth == 2)
		print ".RE"
	depth = level
	print ".TP\n.PD"
	put(inline(s))
	fresh = 0
}

function cell(s)
{
	gsub(/\\\|/, "|", s)
	gsub(/^ +| +$/, "", s)
	return inline(s)
}

# "| left | right"; further lines belong to the right column.
function row(s,  at)
{
	if (s !~ /^\| /) {
		put(cell(s))
		return
	}
	s = substr(s, 3)
	at = match(s, / \| /)
	print ".TP"
	put(cell(substr(s, 1, at)))
	put(cell(substr(s, at + 3)))
}

function paragraph(s)
{
	if (fresh && depth != 0)
		end_lists()
	if (fresh)
		new_paragraph()
	fresh = 0
	put(inline(s))
	if (verse)
		print ".br"
}

function include(tag,  s, inside)
{
	while ((getline s < tables) > 0) {
		if (s == "// end::" tag "[]")
			inside = 0
		if (inside)
			line(s)
		if (s == "// tag::" tag "[]")
			inside = 1
	}
	close(tables)
}

function line(s)
{
	if (s == "....") {
		block = !block
		if (block)
			new_paragraph()
		print block ? ".RS 4\n.nf" : ".fi\n.RE"
		fresh = 1
	} else if (block) {
		put(escape(s))
	} else if (s == "|===") {
		table = !table
		fresh = 1
	} else if (table) {
		if (s != "")
			row(s)
	} else if (s ~ /^\/\/|^:[a-z]+:|^\[(cols|horizontal)/) {
		return
	} else if (s == "[verse]") {
		verse = 1
	} else if (s == "") {
		blank()
	} else if (s ~ /^= /) {
		title(s)
	} else if (s ~ /^===? /) {
		heading(s)
	} else if (s ~ /^include::/) {
		gsub(/.*tag=|\]$/, "", s)
		include(s)
	} else if (s ~ /::$/) {
		term(s, 1)
	} else if (match(s, /[^ :]:: [^ ]/)) {
		term(substr(s, 1, RSTART + 2), 1)
		put(inline(substr(s, RSTART + 4)))
	} else if (s ~ /;;$/) {
		term(s, 2)
	} else if (s ~ /^ / && (fresh || literal_lines)) {
		if (!literal_lines++) {
			new_paragraph()
			print ".RS 4\n.nf"
		}
		sub(/^    /, "", s)
		put(escape(s))
	} else {
		if (section == "NAME")
			names = names " " s
		paragraph(s)
	}
}

function title(s,  name)
{
	sub(/^= /, "", s)
	name = s
	sub(/\(.*/, "", name)
	number = s
	gsub(/.*\(|\).*/, "", number)
	page = name
	printf ".TH \"%s\" \"%s\" \"\" \"%s\" \"iotrace\"\n.ad l\n.nh\n", escape(toupper(name)), number, source
}

{ line($0) }

END {
	blank()
	end_lists()
	sub(/ - .*/, "", names)
	n = split(names, name, /[ ,]+/)
	for (i = 1; i <= n && links != ""; i++)
		if (name[i] != "" && name[i] != page)
			print ".so man" number "/" page "." number > (links "/" name[i] "." number)
}
