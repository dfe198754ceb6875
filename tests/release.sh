#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The source of a release, which packaging/tarball.sh makes from HEAD: twice the same bytes; what git has, and the page; built, installed
# and used where esbuild and tsc are hidden, and in systems made for it. It stays in WORK_DIR.
# shellcheck disable=SC2317 # step() calls the functions
# usage: release.sh WORK_DIR [RELEASE...]     default: bookworm, as root and with debootstrap; otherwise only this machine is used
# Settings: MIRROR  of Debian, see debian.sh; KEEP=1  keeps the systems
# Status: 0 all works, 1 not, 77 nothing can be hidden, or a release of Debian cannot be reached
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/.." && pwd)
# shellcheck source=tests/debian.sh
. "$here/debian.sh"
mkdir -p "$1" && work=$(cd "$1" && pwd) || exit 1
shift
(($#)) || set -- bookworm
# shellcheck source=tests/bare/bare-lib.sh
. "$here/bare/bare-lib.sh"

version=$(sed -n 's/^project(iotrace VERSION \([0-9.]*\) .*/\1/p' "$source/CMakeLists.txt")
name=iotrace-$version
verdict=$(grep -m 1 '^Most waited for: ' "$source/README.md")
page=analyzer/sinks/html/page/iotrace-page.html
git=(git -C "$source" -c safe.directory='*')

made()
{
	"$source/packaging/tarball.sh" "$work" >> "$log" 2>&1 || return
	mkdir -p "$work/another folder"
	(umask 077 && TMPDIR=$work/another\ folder "$source/packaging/tarball.sh" "$work/another folder") >> "$log" 2>&1 || return
	cmp "$work/$name.tar.gz" "$work/another folder/$name.tar.gz" && rm -r "$work/another folder"
}

contents()
{
	local said
	rm -rf "${work:?}/$name" && tar -C "$work" -xf "$work/$name.tar.gz" || return
	local -x GIT_INDEX_FILE=$work/index
	said=$("${git[@]}" read-tree HEAD && "${git[@]}" --work-tree="$work/$name" status --porcelain --ignored --untracked-files=all) || return
	rm "$work/index"
	[[ $said == "?? $page" ]] || { echo "other files than git has: $said"; return 1; }
	said=$(tar -tvf "$work/$name.tar.gz" --numeric-owner | awk '{ print $2, $4, $5 }' | sort -u)
	[[ $said == "0/0 $(TZ='' date -d "@$("${git[@]}" log -1 --format=%ct)" '+%F %H:%M')" ]] || { echo "owners or times: $said"; return 1; }
}

# Programs are hidden in a namespace of this command.
hidden()
{
	local user=()
	((EUID == 0)) || user=(--map-root-user)
	# shellcheck disable=SC2016 # for the other shell
	unshare "${user[@]}" --mount sh -c '
		for program in esbuild tsc; do
			file=$(readlink -f "$(command -v $program)") && [ -f "$file" ] || continue
			mount --bind /dev/null "$file" || exit
		done
		! esbuild --version 2> /dev/null && exec "$@"' sh "$@" >> "$log" 2>&1
}

# A prefix may have blanks. docs/INSTALL.md's command removes all of it.
built()
{
	local to=$work/an\ empty\ folder remove
	rm -rf "$to" && mkdir "$to" && cd "$work/$name" || return
	hidden cmake --preset install && hidden cmake --build --preset install -j "$(nproc)" && hidden cmake --install build/install --prefix "$to" || return
	grep -q 'the page that is in the source is used' "$log" || { echo "esbuild was found"; return 1; }
	[[ $("$to/bin/iotrace-analyze" --version) == *"$version"* ]] || { echo "another version"; return 1; }
	"$to/bin/iotrace-analyze" --lockspace test,gfs -o "report:$work/report.txt" -o "html:$work/page.html" examples/dlm >> "$log" 2>&1 || return
	used "$work/report.txt" "$work/page.html" || return
	remove=$(sed -n 's/^`sudo \(xargs [^`]* build\/install\/install_manifest.txt\)`.*/\1/p' "$source/docs/INSTALL.md")
	[[ -n $remove ]] || { echo "docs/INSTALL.md has no command to remove an installation"; return 1; }
	sh -c "$remove" >> "$log" 2>&1 || return
	[[ -z $(find "$to" ! -type d) ]] || { echo "left: $(find "$to" ! -type d)"; return 1; }
	cd / && rm -rf "$to" "${work:?}/$name"
}

# used REPORT PAGE: the first line of the report as README.md shows it; the page is that of the source, with data in the place of a line
used()
{
	local before after
	[[ $(head -n 1 "$1") == "$verdict" ]] || { head -n 1 "$1"; return 1; }
	tar -xOf "$work/$name.tar.gz" "$name/$page" > "$work/page.source"
	before=$(sed '/^<!--data-->$/,$d' "$work/page.source" | wc -c) after=$(sed '1,/^<!--data-->$/d' "$work/page.source" | wc -c)
	((before > 1000 && after > 100000)) && cmp -n "$before" "$work/page.source" "$2" && cmp <(tail -c "$after" "$work/page.source") <(tail -c "$after" "$2")
}

make_system()
{
	debian_make "$release" "$root" "$cache" >> "$log" 2>&1 && tar -C "$root/root" -xf "$work/$name.tar.gz"
}

# README.md's first command, which installs what it needs: no esbuild
first_command()
{
	in_root sh -c "cd && cd $name && examples/dlm/analyse.sh && build/install/analyzer/iotrace-analyze --version > out/version" || return
	[[ ! -e $root/usr/bin/esbuild ]] || { echo "esbuild is installed, too"; return 1; }
	grep -qF "$version" "$root/root/$name/out/version" && used "$root/root/$name/out/report.txt" "$root/root/$name/out/iotrace.html"
}

"${git[@]}" rev-parse --quiet --verify HEAD > /dev/null || { echo "skipped: $source is no clone"; exit 77; }
systems=("$@")
release=source
step "$name.tar.gz, twice the same bytes" made &&
	step "what git has, and the page" contents || exit 1
if hidden true; then
	step "built without esbuild, installed, used" built
else
	echo "skipped: no program can be hidden here"
	skipped=1
fi
hindrance=$(debian_hindrance)
[[ -z $hindrance ]] || { echo "skipped: $hindrance"; systems=(); }
for release in "${systems[@]}"; do
	root=$work/$release.root cache=$work/$release.packages
	debian_reachable "$release" || { echo "skipped: $release: $mirror cannot be reached"; skipped=1; continue; }
	step "a bare system" make_system && step "examples/dlm/analyse.sh" first_command
	((KEEP)) || rm -rf --one-file-system "$root"
done
((failures)) && exit 1
exit $((skipped ? 77 : 0))
