#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The index of a real recording: with the index all outputs of a window have the same bytes as without. The index of a longer,
# generated recording grows. An index is used only for its own inputs and settings. If it cannot be written, nothing is lost.
#
# usage: window-index.sh ANALYZE GEN-DAT WINDOWS RECORDING...     WINDOWS: of random places
set -euo pipefail
analyze=$(readlink -f "$1") gen=$(readlink -f "$2") windows=$3
shift 3
. "$(dirname "$0")/../perf/cases.sh"
. "$(dirname "$0")/window-lib.sh"
mkdir "$dir/in"
cp "$@" "$dir/in"
recordings=("$dir"/in/*)
unset IOTRACE_INDEX_DENSE
export XDG_CACHE_HOME=$dir/cache

# compare ARGUMENT... - a window with the index $index and without
compare()
{
	analyse off --index off "$@" "${recordings[@]}"
	analyse on --index "$index" "$@" "${recordings[@]}"
	same "--index $index $*" off on
}

# expect PATTERN ARGUMENT... - the note about the index matches
expect()
{
	local pattern=$1 said
	shift
	said=$(note "$@")
	[[ $said == $pattern ]] || fail "$* says \"$said\", not \"$pattern\""
}

# windows of all kinds, with a checkpoint before every record
index=$dir/dense
IOTRACE_INDEX_DENSE=1 "$analyze" -q --index "$index" -o "null:$dir/x" "${recordings[@]}"
expect "*: checkpoint * used" --index "$index" --from 50 --to 51 "${recordings[@]}"
more=("" "--threads 1" "--select */res0?" "--top 3" "--node 1" "--memory 64K" "--slower-than 300ms")
for ((i = 1; i <= windows; i++)); do
	read -r from to < <(awk -v seed="$i" 'BEGIN { srand(seed); a = rand() * 127; print a, a + rand() ^ 3 * 20 + 0.001 }')
	read -ra options <<<"${more[i % ${#more[@]}]}"
	compare --from "$from" --to "$to" "${options[@]}"
done
# after the last event known to a model there are others, which are counted, too
compare --from 126.936 --to 127.302
rm "$index"

# it grows as more is read
real=("${recordings[@]}")
make_case "$gen" case cluster_zstd "$dir/in/long" --events 400000
recordings=("$dir"/in/long*)
index=$dir/grown
"$analyze" -q --index "$index" --to 0.1 -o "null:$dir/x" "${recordings[@]}"
expect "*: checkpoint [12] of [12] used; *: @([3-9]|1?) checkpoints, *" --index "$index" --from 1.36 --to 1.37 "${recordings[@]}"
# a checkpoint may be added where the state was larger when the run before passed
expect "*: checkpoint @([2-9]|1?) of @([3-9]|1?) used*" --index "$index" --from 1 --to 1.01 "${recordings[@]}"
compare --from 1 --to 1.01
compare --from 1.36
expect "*: checkpoint @([3-9]|1?) of @([3-9]|1?) used" --index "$index" --from 1.36 --to 1.37 "${recordings[@]}"

# nothing else uses it: another order, another file, other names, limits, model, a changed file; then the index is replaced
for options in "--max-open 100" "--force-map --map 7=${recordings[0]}" "--max-containers 50"; do
	cp "$index" "$dir/other"
	read -ra words <<<"$options"
	expect "*made for other recordings*" --index "$dir/other" --from 1.36 --to 1.37 "${words[@]}" "${recordings[@]}"
done
cp "$index" "$dir/other"
expect "*made for other recordings*" --index "$dir/other" --from 1.36 --to 1.37 "${recordings[@]:1}"
cp "$(dirname "$analyze")/../share/iotrace/models/dlm.model" "$dir/my.model"
"$analyze" -q --index "$dir/other" -m "$dir/my.model" -o "null:$dir/x" "${recordings[@]}"
expect "*: checkpoint * used" --index "$dir/other" -m "$dir/my.model" --from 0.6 --to 0.61 "${recordings[@]}"
sed -i '/^value PENDING/s/= wait /= red /' "$dir/my.model"
expect "*made for other recordings*" --index "$dir/other" -m "$dir/my.model" --from 0.6 --to 0.61 "${recordings[@]}"
touch "${recordings[0]}"
expect "*made for other recordings*" --index "$index" --from 1.36 --to 1.37 "${recordings[@]}"

# --reader libtracecmd cannot start in the middle, and works without an index
expect "" --index "$index" --reader libtracecmd --from 1.36 --to 1.37 "${recordings[@]}"

recordings=("${real[@]}")

# a file that is no index stays as it is
echo "my notes" >"$dir/notes"
if "$analyze" -q --index "$dir/notes" -o "null:$dir/x" "${recordings[@]}" 2>"$dir/messages"; then
	fail "a file that is no index was accepted"
fi
grep -q "notes: this file exists and is not an index" "$dir/messages" || fail "message: $(<"$dir/messages")"
[[ $(<"$dir/notes") == "my notes" ]] || fail "a file that is no index was overwritten"

# no folder for the index: the result is complete, and -v says why
expect "*not written*" --index "$dir/no/such/folder/index" --to 100 "${recordings[@]}"

# auto: next to the first recording, or in the cache folder; not for small recordings
"$analyze" -q -o "null:$dir/x" "${recordings[@]}"
[[ ! -e ${recordings[0]}.iotrace-index ]] || fail "an index of a small recording"
export IOTRACE_INDEX_DENSE=1
"$analyze" -q --to 2 -o "null:$dir/x" "${recordings[@]}"
[[ -s ${recordings[0]}.iotrace-index ]] || fail "no index next to the recording"
rm "${recordings[0]}.iotrace-index"
mkdir "${recordings[0]}.iotrace-index"
expect "*$dir/cache/iotrace/*.index: * checkpoints, *" --to 2 "${recordings[@]}"
expect "*$dir/cache/iotrace/*.index: checkpoint * used*" --from 1.9 --to 2 "${recordings[@]}"
index=auto
compare --from 1.5 --to 2
rmdir "${recordings[0]}.iotrace-index"
rm -r "$dir/cache"

# several at once
analyse off --index off --from 1.5 --to 2 "${recordings[@]}"
for i in 1 2 3 4; do
	analyse "at-once-$i" --from 1.5 --to 2 "${recordings[@]}" &
done
wait
for i in 1 2 3 4; do
	same "several at once" off "at-once-$i"
done
expect "*: checkpoint * used" --from 1.72 --to 1.73 "${recordings[@]}"
left=("$dir"/in/*.iotrace-index.*)
[[ ! -e ${left[0]} ]] || fail "temporary files are left: ${left[*]}"
exit $failed
