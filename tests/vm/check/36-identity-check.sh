#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each file is one row, with all its calls; the event fs is there once, with the UUID of its superblock.
# usage: 36-identity-check.sh OUT_DIR PROGRAM
program=$2
export LC_ALL=C
[[ $(sort -u inodes | wc -l) == 1 ]] || { echo "the file system did not give the inode number again: $(cat inodes)"; exit 1; }
trace-cmd report identity.dat 2> /dev/null | grep -o ' fs: .* type=ext4 .*' | sort | uniq -c | sed 's/^ *//; s/  */ /g' > fs
[[ $(cat fs) == "1 fs: dev="*" type=ext4 source=vda uuid=$(cat uuid)" ]] || { echo "other file systems than ext4 on vda, $(cat uuid): $(cat fs)"; exit 1; }
"$program" -q --index off -m fileio -o list:- identity.dat | awk '$1 ~ /^\/mnt/ { print $1 }' | sort > rows
printf '%s\n' /mnt/id-gone /mnt/id-new /mnt/id-old /mnt/id-one | diff - rows > differ || { echo "rows of files (<) and of the program (>)"; cat differ; exit 1; }
"$program" -q --index off -m fileio --select /mnt/id-one -o text:- identity.dat | awk '/ use "read" / { n++ } END { exit n < 3 }' || { echo "/mnt/id-one was not read under all its names"; exit 1; }
"$program" -q --index off -m fileio --select /mnt/id-gone -o text:- identity.dat | grep -q ' use "read" ' || { echo "the deleted file is not read in its row"; exit 1; }
