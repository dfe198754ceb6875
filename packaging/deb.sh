#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes Debian packages of the work tree, in a folder of their own: the source is copied to FOLDER/iotrace-VERSION, where
# packaging/debian becomes debian/. CMakeLists.txt has the version, NEWS.md the date and the changes, .reuse/dep5 the licences.
# usage: deb.sh FOLDER [OPTION of dpkg-buildpackage...]     default options: -us -uc
source=$(cd "$(dirname "$0")/.." && pwd) || exit 1
[[ -n $1 ]] || { echo "usage: deb.sh FOLDER [OPTION of dpkg-buildpackage...]" >&2; exit 2; }
mkdir -p "$1" && folder=$(cd "$1" && pwd) || exit 1
shift
(($#)) || set -- -us -uc
command -v dpkg-buildpackage > /dev/null || { echo "deb.sh: there is no dpkg-buildpackage: apt-get build-dep ./packaging" >&2; exit 1; }

version=$(sed -n 's/^project(iotrace VERSION \([0-9.]*\) .*/\1/p' "$source/CMakeLists.txt")
date=$(sed -n "s/^## $version, \([0-9-]*\)$/\1/p" "$source/NEWS.md")
[[ -n $date ]] || { echo "deb.sh: NEWS.md has no heading \"## $version, YEAR-MONTH-DAY\"" >&2; exit 1; }
# times in packages are at most this date; they would be those of the build otherwise
(($(date -u -d "$date" +%s) <= $(date +%s))) || { echo "deb.sh: NEWS.md: $date is in the future" >&2; exit 1; }
tree=$folder/iotrace-$version
rm -rf "$tree" && mkdir -p "$tree" || exit 1
# what a clone has, as it is in the work tree; the package makes the page itself
if git -C "$source" -c safe.directory='*' rev-parse 2> /dev/null; then
	comm -z -23 <(git -C "$source" -c safe.directory='*' ls-files -z | sort -zu) <(git -C "$source" -c safe.directory='*' ls-files -dz | sort -zu) |
		tar -C "$source" --null -T - -c | tar -C "$tree" --no-same-owner -x
else
	tar -C "$source" --exclude='./build*' --exclude=./out --exclude=iotrace-page.html -c . | tar -C "$tree" --no-same-owner -x
fi || exit 1
mv "$tree/packaging/debian" "$tree/debian" || exit 1
# Debian writes an exception otherwise than SPDX
sed 's/^\(License: .*\) WITH \(.*\)/\1 with \2 exception/' "$tree/.reuse/dep5" > "$tree/debian/copyright" || exit 1

# maintainer: of the package, as in debian/control
maintainer=$(sed -n 's/^Maintainer: //p' "$tree/debian/control")
{
	echo "iotrace ($version) unstable; urgency=medium"
	echo
	# each item of NEWS.md, in lines of Debian's length
	awk -v heading="## $version," '
		/^## / { reads = index($0, heading) == 1; next }
		reads && /^- / { printf "\n" }
		reads { sub(/^(- |  )/, ""); printf "%s ", $0 }
		END { print "" }' "$source/NEWS.md" |
		while read -r item; do
			[[ -z $item ]] || fold -s -w 74 <<< "$item" | sed -e 's/ *$//' -e '1s/^/  * /' -e '2,$s/^/    /'
		done
	echo
	echo " -- $maintainer  $(LC_ALL=C date -u -d "$date" '+%a, %d %b %Y %H:%M:%S +0000')"
} > "$tree/debian/changelog"
cd "$tree" && dpkg-buildpackage "$@"
