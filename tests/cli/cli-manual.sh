#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples of the manual pages are correct: each block after a line "// example: FILE" is that file. Each kind of section of
# a model, with each setting that the program knows, is explained in iotrace-model(5).
# usage: cli-manual.sh PROGRAM SOURCE_DIR
program=$1
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

for page in "$2"/docs/man/*.txt; do
	awk '/^\/\/ example: / { file = $3; inside = 0; next }
	file != "" && /^\.\.\.\.$/ { if (inside++) { close(file); file = "" } next }
	file != "" && inside { print > file }' "$page"
done
for file in lease.model lease.txt lease.out jobs.model jobs.txt jobs.out lock.txt lock.out; do
	[[ -s $file ]] || fail "no example $file in the manual pages"
done

"$program" --check-model ./lease.model lease.txt > shown || fail "--check-model: status $?"
grep -q 'call ask: lease_ask to lease_asked, completed by lease_told' shown || fail "--check-model shows: $(cat shown)"
"$program" --check-model dlm > shown || fail "--check-model dlm: status $?"
grep -qx 'link blocks: event dlm_recv_message to event dlm_bast, one to one, unique, within 60s, until event dlm_bast dlm_ast' shown &&
	grep -qx '  from key: @node (text), h_lockspace (as recorded), m_remid (as recorded), @ts (number)' shown ||
	fail "--check-model dlm shows: $(grep -A3 '^link blocks' shown)"
"$program" -m ./lease.model --map A=lease.txt -o text:- lease.txt | diff lease.out - || fail "the example lease"
"$program" -m ./jobs.model --map A=jobs.txt -o text:- jobs.txt | diff jobs.out - || fail "the example jobs"
"$program" -m dlm -o text:- lock.txt | diff lock.out - || fail "the example lock"

for kind in $(sed -n 's/.*&iot_section_kind_\([a-z]*\),/\1/p' "$2/analyzer/model/section-table.c"); do
	awk -v kind="$kind" '/^==/ { inside = index($0, "[" kind " ") || index($0, "[" kind "]") } inside' "$2/docs/man/iotrace-model.5.txt" > section
	[[ -s section ]] || fail "iotrace-model(5) does not explain [$kind]"
	# [names] has numbers instead of settings
	printf '[model]\nname = m\nsystem = s\n[%s x]\nwrong = 1\n' "$kind" > wrong.model
	"$program" --check-model ./wrong.model 2> err && fail "[$kind] has the setting wrong"
	while read -r setting; do
		grep -qF "*$setting*" section || fail "iotrace-model(5) does not explain \"$setting\" of [$kind]"
	done < <(sed -n 's/.*(it has \(.*\))$/\1/p' err | sed 's/ \*//g; s/, /\n/g')
done
((failures)) || echo "the examples of the manual pages are right"
exit $((failures > 0))
