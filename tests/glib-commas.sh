#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Newer versions of GLib make macros of functions (g_string_append in 2.76). A comma between the braces of an argument, as in
# g_string_append(to, (char[]){ 'a', 0 }), then splits the argument. Finds such arguments of all g_ functions.
# usage: glib-commas.sh SOURCE_DIR
# Status: 0 there are none, 1 there are.
cd "$1" || exit 2
tree=()
for dir in analyzer events plugins tests examples; do
	[[ -d $dir ]] && tree+=("$dir")
done

# A stack of open brackets: the name in front of a "(", "{" for a brace.
find_commas()
{
	awk 'FNR == 1 { depth = 0; comment = 0 }
	{
		line = $0
		gsub(/\\./, "", line)
		while (line != "") {
			if (comment) {
				if (!(at = index(line, "*/")))
					next
				line = substr(line, at + 2)
				comment = 0
			} else if (line ~ /^\/\*/) {
				comment = 1
				line = substr(line, 3)
			} else if (line ~ /^(\/\/|#)/) {
				next
			} else if (match(line, /^("[^"]*"|\047[^\047]*\047)/)) {
				line = substr(line, RLENGTH + 1)
				word = ""
			} else if (match(line, /^[A-Za-z_0-9]+/)) {
				word = substr(line, 1, RLENGTH)
				line = substr(line, RLENGTH + 1)
			} else {
				char = substr(line, 1, 1)
				line = substr(line, 2)
				if (char == "(") {
					stack[++depth] = "(" word
				} else if (char == "{") {
					stack[++depth] = "{"
				} else if (char == ")" || char == "}") {
					if (depth)
						depth--
				} else if (char == "," && stack[depth] == "{") {
					for (i = depth; i && stack[i] == "{"; i--)
						;
					if (i && stack[i] ~ /^\(g_/)
						print FILENAME ":" FNR ": " $0
				}
				if (char !~ /[ \t]/)
					word = ""
			}
		}
	}' "$@"
}

# what it has to find, and what not
sample=$(printf '%s\n' 'void f(void) { int a[] = { 1, 2 }; g_free(a, b); g_x((char[]){ 1 }); g_x(y((int[]){ 1, 2 })); }' \
	'/* g_x((char[]){ 1, 2 }) */ g_x("{ , }"); g_x((int[]){ max(1, 2) });' \
	'	g_x(a,' '		&(struct s){ 1, "," }); /* found */' '	g_x ((struct s){ { 1 }, 2 }); /* found */')
[[ $(find_commas - <<< "$sample" | grep -c 'found') == 2 && $(find_commas - <<< "$sample" | wc -l) == 2 ]] || {
	echo "FAILED: the search itself: $(find_commas - <<< "$sample")"
	exit 1
}

mapfile -t files < <(find "${tree[@]}" -name '*.[ch]' -o -name '*.cpp')
((${#files[@]} > 300)) || { echo "only ${#files[@]} files found in $1: is this the source tree?"; exit 1; }
found=$(find_commas "${files[@]}" | sort -u)
if [[ -n $found ]]; then
	printf '%s\n' "$found" "FAILED: a newer GLib may make macros of these functions; put the argument into a variable or into parentheses"
	exit 1
fi
echo "${#files[@]} files have no argument with a comma between braces"
