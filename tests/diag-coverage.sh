#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every counter of analyzer/base/diag-list.h must be raised by a test that expects it: a golden case with the counter in
# its section "expect diag", a unit test that asserts a count other than 0, or a script that looks for the name in what
# the program writes.
# usage: diag-coverage.sh SOURCE_DIR
cd "$1" || exit 2
bad=0
names=$(sed -n 's/^IOT_DIAG(\([a-z_]*\),.*/\1/p' analyzer/base/diag-list.h)
[[ $names ]] || { echo 'no counters in analyzer/base/diag-list.h'; exit 2; }

golden=$(awk '/^--- / { expects = $0 == "--- expect diag" } expects && $2 > 0 { print $1 }' tests/golden/*.case | sort -u)
# unit tests with each statement on one line, so that it does not matter where a line is broken
asserted=$(cat tests/unit/{input,order,timeline,locks,analysis,language,model,sinks,run}/*.[ch] | tr -s '\n\t ' ' ' | tr ';' '\n' |
	sed -n 's/.*CU_ASSERT_EQUAL[A-Z_]*(.*count\[IOT_DIAG_\([a-z_]*\)\], *[^0 ].*/\1/p' | sort -u)
for name in $names; do
	grep -qx "$name" <<< "$golden" || grep -qx "$name" <<< "$asserted" ||
		grep -qw -- "$name" tests/{fault,cli,readers,window}/*.sh && continue
	echo "analyzer/base/diag-list.h: no test expects $name"
	bad=1
done
exit $bad
