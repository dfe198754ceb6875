#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A recording of real machines in which nothing was lost and nothing went wrong: no rule is broken, not even possibly, and each unlock that
# the kernel accepted is seen to end. trace-cmd says how many there are.
# usage: check-nothing.sh ANALYZE FOLDER [within-error]     the second: events may come before their causes within the error of the clocks
set -u
export LC_ALL=C
analyze=$1 folder=$2
[[ -d $folder ]] || { echo "there is no $folder"; exit 77; }
command -v trace-cmd > /dev/null || { echo "there is no trace-cmd"; exit 77; }
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
files=("$folder"/trace-*.dat)

"$analyze" -q --index off --causality report,inside -o "check,tsv:$dir/found" -o "text:$dir/text" "${files[@]}" || { echo "status $?"; exit 1; }
if [[ ${3-} == within-error ]]; then
	sed -i '/\tpossible\tdlm order\t.*within the error of the clocks)$/d' "$dir/found"
else
	grep '^# diag order_' "$dir/text" && exit 1
fi
[[ ! -s $dir/found ]] || { cat "$dir/found"; exit 1; }
grep -E '^# diag (order_inside|object_reused) ' "$dir/text" && exit 1

# calls without CANCEL (flags & 2) whose end says 0
unlocks=$(for file in "${files[@]}"; do trace-cmd report -R "$file" 2> /dev/null; done |
	grep -aoE ' dlm_unlock_end: .* flags=[0-9]+ error=0 ' | awk -F '[ =]' '{ n += !(int($(NF - 3) / 2) % 2) } END { print n }')
ended=$(grep -c ' "RELEASING" .* to="unlock" .*result="EUNLOCK"' "$dir/text")
unfinished=$(grep -E ' "(RELEASING|PENDING)" .* flags=[^ ]*unfinished .*to="unlock"' "$dir/text" | wc -l)
[[ $unlocks -gt 0 && $ended == "$unlocks" && $unfinished == 0 ]] ||
	{ echo "$unlocks unlocks; $ended ended, $unfinished unfinished"; exit 1; }
echo "no finding; $unlocks unlocks have ended"
