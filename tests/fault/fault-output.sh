#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Outputs that cannot be written: status 3, the message names the path, an older result stays.
# shellcheck source-path=SCRIPTDIR source=fault-lib.sh
. "${0%/*}/fault-lib.sh"

recordings=("$examples"/trace-[345].dat)
[[ -e ${recordings[0]} ]] || skip_all "no recordings in $examples"
small=$in/one
text_recording one > "$small"
every_output "$program" out.

for format in $(formats "$program"); do
	refuse "$format: folder is missing" 3 'nowhere/out' 'No such file' -- -o "$format:nowhere/out" "$small"
	refuse "$format: a file is not a folder" 3 "$small/out" -- -o "$format:$small/out" "$small"
	mkdir out
	touch out/mine # a format that makes a directory may take an empty one
	run -o "$format:out" "$small"
	check_status "$format: output is a folder" 3
	check_message "$format: output is a folder" 'out' 'directory'
	rm out/mine
	rmdir out || fail "$format: something was written into the folder"
	check_clean "$format: output is a folder"
done
# one bad output fails the run, and no output is left
refuse 'second output is bad' 3 'nowhere/out' -- -o text:good.txt -o slog2:nowhere/out -o paje:good.paje "$small"

for format in $(formats "$program" any); do
	refuse "full device, $format" 3 '/dev/full' 'No space' -- -o "$format:/dev/full" "$small"
	refuse "full device, $format of a recording" 3 '/dev/full' 'No space' -- -o "$format:/dev/full" "${recordings[@]}"
	cases=$((cases + 1))
	"$program" -o "$format:-" "$small" > /dev/full 2> "$scratch/err"
	status=$?
	check_status "full standard output, $format" 3
	check_message "full standard output, $format" 'standard output' 'No space'
done
for format in $(formats "$program" file); do
	refuse "$format to standard output" 1 "$format:-" 'file' -- -o "$format:-" "$small"
done

# the reader goes away
for source in "$small" "${recordings[*]}"; do
	cases=$((cases + 1))
	# shellcheck disable=SC2086 # a list of files
	{ "$program" -o text:- $source 2> "$scratch/err"; echo $? > "$scratch/status"; } | :
	status=$(cat "$scratch/status")
	check_status 'reader went away' '0 141'		# 0: the pipe took all before it was closed
	[[ -s $scratch/err ]] && fail "reader went away: $(cat "$scratch/err")"
	check_clean 'reader went away'
done
{ "$program" -o text:- "${recordings[@]}" 2> "$scratch/err"; echo $? > "$scratch/status"; } | head -n 1 > /dev/null
status=$(cat "$scratch/status")
check_status 'head' 141
[[ -s $scratch/err ]] && fail "head: $(cat "$scratch/err")"
{ "$program" -o text:- -o slog2:out "${recordings[@]}" 2> "$scratch/err"; echo $? > "$scratch/status"; } | head -n 1 > /dev/null
status=$(cat "$scratch/status")
check_status 'head with another output' 3
check_message 'head with another output' 'standard output'
check_clean 'head with another output'

# a read-only folder; root may write everywhere, so it changes its user for this case
mkdir "$scratch/locked"
echo old > "$scratch/locked/out"
chmod 444 "$scratch/locked/out"
chmod 555 "$scratch/locked"
as_user=("$program")
if [[ $(id -u) == 0 ]]; then
	# only root may be able to enter the folder of the tree
	cp "$program" "$source_dir/events/models/dlm.model" "$scratch"
	as_user=(setpriv --reuid 65534 --regid 65534 --clear-groups "$scratch/${program##*/}" -m "$scratch/dlm.model")
	chmod 755 "$scratch" "$in"
fi
if "${as_user[@]}" --version > /dev/null 2>&1; then
	cases=$((cases + 2))
	for target in new out; do
		"${as_user[@]}" -o "slog2:$scratch/locked/$target" "$small" > "$scratch/out" 2> "$scratch/err"
		status=$?
		check_status "locked folder, $target" 3
		check_message "locked folder, $target" "$scratch/locked/$target" 'ermission'
	done
	[[ $(ls "$scratch/locked") == out && $(cat "$scratch/locked/out") == old ]] || fail 'locked folder: touched'
else
	skip 'locked folder: cannot run as another user'
fi
chmod 755 "$scratch/locked"

# a full disk, for the formats whose files are larger than it; the older result stays
run "${outputs[@]}" "${recordings[@]}"
large=$(find . -name 'out.*' -size +256k -printf '%f\n' | grep -xF "$(formats "$program" | sed 's/^/out./')" | sed 's/^out\.//')
[[ $large == *slog2* ]] || fail "only these files are larger than 256 KiB: $large"
rm -f out.*
mkdir "$scratch/disk"
if [[ $(id -u) == 0 ]] && mount -t tmpfs -o size=256k none "$scratch/disk" 2> /dev/null; then
	cleanup+=("umount '$scratch/disk'")
	for format in $large; do
		echo old > "$scratch/disk/out"
		run -o "$format:$scratch/disk/out" "${recordings[@]}"
		check_status "full disk, $format" 3
		check_message "full disk, $format" "$scratch/disk" 'No space'
		[[ $(ls -A "$scratch/disk") == out && $(cat "$scratch/disk/out") == old ]] ||
			fail "full disk, $format: found $(ls -lA "$scratch/disk")"
		check_clean "full disk, $format"
		rm -f "$scratch/disk"/*
	done
else
	skip 'full disk: cannot mount a tmpfs'
fi
summary
