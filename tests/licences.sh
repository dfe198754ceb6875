#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every file has a copyright holder and one licence, whose text is in LICENSES (reuse.software); a file and .reuse/dep5 agree.
# usage: licences.sh SOURCE_DIR
cd "$1" || exit 2
command -v reuse > /dev/null || { echo "skipped: there is no reuse"; exit 77; }
# without git it cannot know what was built
git -c safe.directory='*' rev-parse > /dev/null 2>&1 || { echo "skipped: this is no clone"; exit 77; }
shown=$(reuse lint 2>&1) || { echo "$shown"; exit 1; }
several=$(reuse spdx 2> /dev/null | awk '
	/^FileName: / { file = $2; files++ }
	/^LicenseInfoInFile: / && $2 != "Linux-syscall-note" && count[file]++ { print file }
	END { if (files < 1000) print "only " files + 0 " files" }')
[[ -z $several ]] || { echo "not one licence: $several"; exit 1; }
echo "$shown" | tail -n 1
