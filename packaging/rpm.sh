#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes RPM packages in a folder of their own, from the source of a release: packaging/tarball.sh makes it from HEAD in a clone, otherwise it is
# this source tree itself. packaging/rpm/iotrace.spec gets the version from CMakeLists.txt, and the date and the changes from NEWS.md.
# usage: rpm.sh FOLDER [OPTION of rpmbuild...]     default option: -ba
source=$(cd "$(dirname "$0")/.." && pwd) || exit 1
[[ -n $1 ]] || { echo "usage: rpm.sh FOLDER [OPTION of rpmbuild...]" >&2; exit 2; }
mkdir -p "$1" && folder=$(cd "$1" && pwd) || exit 1
shift
(($#)) || set -- -ba
command -v rpmbuild > /dev/null || { echo "rpm.sh: there is no rpmbuild, of the package rpm-build (Debian: rpm)" >&2; exit 1; }

version=$(sed -n 's/^project(iotrace VERSION \([0-9.]*\) .*/\1/p' "$source/CMakeLists.txt")
date=$(sed -n "s/^## $version, \([0-9-]*\)$/\1/p" "$source/NEWS.md")
[[ -n $date ]] || { echo "rpm.sh: NEWS.md has no heading \"## $version, YEAR-MONTH-DAY\"" >&2; exit 1; }
if [[ -e $source/.git ]]; then
	"$source/packaging/tarball.sh" "$folder"
else
	tar -C "$source" --exclude='./build*' --exclude=./out --sort=name --mtime="$date 00:00Z" --owner=0 --group=0 --numeric-owner \
		--transform="s,^\./,iotrace-$version/," -c . | gzip -9n > "$folder/iotrace-$version.tar.gz"
fi || exit 1

maintainer=$(sed -n 's/^Maintainer: //p' "$source/packaging/debian/control")
{
	sed "s/@VERSION@/$version/" "$source/packaging/rpm/iotrace.spec"
	echo "* $(LC_ALL=C date -u -d "$date" '+%a %b %d %Y') $maintainer - $version-1"
	# each item of NEWS.md
	awk -v heading="## $version," '
		/^## / { reads = index($0, heading) == 1; next }
		reads && /^- / { printf "%s%s", (n++ ? "\n" : ""), $0; next }
		reads && n && NF { sub(/^ +/, ""); printf " %s", $0 }
		END { print "" }' "$source/NEWS.md" |
		while read -r item; do
			fold -s -w 76 <<< "${item//%/%%}" | sed -e 's/ *$//' -e '2,$s/^/  /'
		done
} > "$folder/iotrace.spec"
rpmbuild --define "_topdir $folder" --define "_sourcedir $folder" "$@" "$folder/iotrace.spec"
