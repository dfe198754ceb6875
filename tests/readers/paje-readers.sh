#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: paje-readers.sh SAMPLE-PROGRAM
# Foreign readers judge a file with all features, large enough for a head padded with blanks.
# Exit 77 (skipped) if there is no reader.
set -u
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
"$1" 60000 "$dir/a.trace" || exit 1
found=

fail() {
	echo "$*" >&2
	exit 1
}

grep -q '^%EndEventDef  ' "$dir/a.trace" || fail "the head has no blanks"

# The file as a whole is in time order (below the definitions, which have no time).
awk '!/^%/ && $1 >= 4 { if ($2 + 0 < t + 0) exit 1; t = $2 }' "$dir/a.trace" || fail "times run backwards"
awk 'length > 4094 { exit 1 }' "$dir/a.trace" || fail "a line is too long for ViTE"

if command -v pj_dump >/dev/null; then
	found=yes
	said=$(pj_dump -q "$dir/a.trace" 2>&1) || fail "pj_dump refuses the file: $said"
	[ -z "$said" ] || fail "pj_dump: $said"
	pj_dump -o -u -l 9 "$dir/a.trace" >"$dir/dump" || fail "pj_dump fails"
	# One row for each push, each new event, each link and each container.
	for what in State:PajePushState Event:PajeNewEvent Link:PajeStartLink Container:PajeCreateContainer; do
		ids=$(awk -v name="${what#*:}" '$2 == name { print $3 }' "$dir/a.trace")
		lines=$(awk -v ids="$ids" 'BEGIN { n = split(ids, a); for (i = 1; i <= n; i++) is[a[i]] = 1 }
			/^[0-9]/ && $1 in is' "$dir/a.trace" | wc -l)
		rows=$(grep -c "^${what%:*}," "$dir/dump")
		# pj_dump lists the root container only if it has states.
		[ "$lines" -gt 0 ] && [ "$lines" -eq "$rows" ] ||
			fail "${what%:*}: $lines lines, but $rows rows in pj_dump"
	done
fi
if command -v vite >/dev/null; then
	found=yes
	cd "$dir" || exit 1
	said=$(QT_QPA_PLATFORM=offscreen vite a.trace -e a.svg 2>&1)
	echo "$said" | grep -q '0 errors and 0 warnings' || fail "ViTE: $said"
	grep -q 'lane 2' a.svg || fail "ViTE drew no rows"
fi
[ -n "$found" ] || exit 77
