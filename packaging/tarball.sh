#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the source of a release, iotrace-VERSION.tar.gz: what git has in a commit, and the page of the output html, so that a build needs no
# esbuild. The same commit and esbuild give the same bytes.
# usage: tarball.sh FOLDER [COMMIT]     default: HEAD
source=$(cd "$(dirname "$0")/.." && pwd) || exit 1
[[ -n $1 ]] || { echo "usage: tarball.sh FOLDER [COMMIT]" >&2; exit 2; }
mkdir -p "$1" && folder=$(cd "$1" && pwd) || exit 1
git=(git -C "$source" -c safe.directory='*')
commit=$("${git[@]}" rev-parse --verify --quiet "${2:-HEAD}^{commit}") || { echo "tarball.sh: ${2:-HEAD} is no commit of $source" >&2; exit 1; }
[[ -n $2 || -z $("${git[@]}" status --porcelain --untracked-files=no) ]] || echo "tarball.sh: changes that are not committed are left out" >&2
command -v esbuild > /dev/null || { echo "tarball.sh: there is no esbuild, which makes the page: apt-get install esbuild" >&2; exit 1; }

trap 'rm -rf "$temporary"' EXIT
trap 'exit 130' INT TERM HUP
temporary=$(mktemp -d) && "${git[@]}" archive --prefix=tree/ "$commit" | tar -C "$temporary" -x || exit 1
version=$(sed -n 's/^project(iotrace VERSION \([0-9.]*\) .*/\1/p' "$temporary/tree/CMakeLists.txt")
name=iotrace-$version
mv "$temporary/tree" "$temporary/$name" && cd "$temporary/$name" || exit 1
grep -qE "^## $version, [0-9-]+$" NEWS.md || { echo "tarball.sh: NEWS.md has no heading \"## $version, YEAR-MONTH-DAY\"" >&2; exit 1; }
{ cmake --preset install && cmake --build --preset install --target page; } > "$temporary/log" 2>&1 || { cat "$temporary/log" >&2; exit 1; }
mv build/install/analyzer/iotrace-page.html analyzer/sinks/html/page/ && rm -r build || exit 1
cd .. && tar --format=ustar --sort=name --mtime="@$("${git[@]}" log -1 --format=%ct "$commit")" --owner=0 --group=0 --numeric-owner \
	--mode=u+rwX,go+rX,go-w -c "$name" | gzip -9n > "$folder/$name.tar.gz.part" && mv "$folder/$name.tar.gz.part" "$folder/$name.tar.gz" || exit 1
echo "$folder/$name.tar.gz"
