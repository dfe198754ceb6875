# SPDX-License-Identifier: GPL-2.0-or-later
# The files and lines of the recipes in CONTRIBUTING.md, as a source tree.
# usage: awk -v source=SOURCE_DIR -v to=FOLDER -f extract.awk CONTRIBUTING.md
# Writes each file of a recipe, and of each file that gets a line a copy with it, to FOLDER, which must have the folders.
function fail(sentence)
{
	print FILENAME ":" FNR ": " sentence > "/dev/stderr"
	failed = 1
	exit 1
}

# Insert @line before the last line of @path that begins with @before.
function insert(path, before, line,    n, at, i, text)
{
	while ((getline text < (path in seen ? to "/" path : source "/" path)) > 0)
		lines[++n] = text
	close(path in seen ? to "/" path : source "/" path)
	for (i = 1; i <= n; i++) {
		text = lines[i]
		sub(/^[ \t]+/, "", text)
		if (index(text, before) == 1)
			at = i
	}
	if (!at)
		fail("no line of " path " begins with " before)
	for (i = 1; i <= n; i++) {
		if (i == at)
			print line > (to "/" path)
		print lines[i] > (to "/" path)
	}
	close(to "/" path)
	seen[path] = 1
}

/^## / { reads = $0 == "## Four recipes" }
!reads { next }
/^File `.*`:$/ {
	split($0, part, "`")
	path = part[2]
	next
}
/^```/ && path != "" {
	if (inside) {
		close(to "/" path)
		path = ""
		files++
	}
	inside = !inside
	next
}
inside { print > (to "/" path); next }
/^- `.*`, before `.*`: `.*`$/ {
	split($0, part, "`")
	insert(part[2], part[4], part[6])
	inserted++
}
END {
	if (!failed && (files < 4 || inserted < 6))
		fail("only " files " files and " inserted + 0 " lines of recipes found")
}
