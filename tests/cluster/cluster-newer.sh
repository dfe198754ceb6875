#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The flat lab with the kernel of Debian's backports and two processors a node: the DLM handles messages in softirq there, and gives the id of a
# lock to a new one before the callbacks of the former one have run. Besides what cluster-run.sh checks, no rule is broken. The kernel's
# package is unpacked in OUT_DIR; nothing is installed.
# usage: cluster-newer.sh PROGRAM SOURCE_DIR OUT_DIR
program=$1 source_dir=$2 out=$3
suite=bookworm-backports keys=/usr/share/keyrings/debian-archive-keyring.gpg
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/debian.sh
. "$here/../debian.sh"
export LC_ALL=C

skip()
{
	echo "skipped: $*"
	exit 77
}

# archive PROGRAM ARGUMENT...: apt-get or apt-cache, which know this suite alone
archive()
{
	"$1" -qq -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$apt/lists" \
		-o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root "${@:2}"
}

# fetch: unpacks the kernel's newest package to the folder $kernel
fetch()
{
	local apt image package
	apt=$out/apt
	mkdir -p "$apt"/{lists,cache/archives}/partial "$kernel"
	echo "deb [signed-by=$keys] $mirror $suite main" > "$apt/sources.list"
	archive apt-get update || return
	image=$(archive apt-cache depends linux-image-amd64 | sed -n 's/^ *Depends: \(linux-image-.*\)/\1/p' | head -n 1)
	[[ -n $image ]] || return
	mapfile -t packages < <(archive apt-cache depends "$image" | sed -n "s/^ *Depends: \(linux-[a-z]*-${image#linux-image-}\)\$/\1/p")
	(cd "$apt" && archive apt-get download "$image" "${packages[@]}") || return
	for package in "$apt"/*.deb; do
		dpkg -x "$package" "$kernel" || return
	done
	[[ -e $kernel/lib ]] || ln -s usr/lib "$kernel/lib"
	depmod -b "$kernel" "${image#linux-image-}" && rm -r "$apt"
}

type -P apt-get depmod > /dev/null && [[ -e $keys ]] || skip "this is no Debian"
rm -rf "$out"
mkdir -p "$out"
kernel=$out/kernel
fetch > "$out/fetch.log" 2>&1 || skip "the kernel of $suite cannot be fetched from $mirror: $(tail -n 1 "$out/fetch.log")"
version=$(basename "$kernel"/lib/modules/*)
bash "$here/cluster-run.sh" flat "$program" "$source_dir" "$out/run" cluster --without-module --cpus 2 --kernel "$kernel" || exit
grep -qF " $version " "$out/run/report.txt" || { echo "FAILED: the nodes did not run $version"; exit 1; }
bash "$here/../check/check-nothing.sh" "$program" "$out/run" within-error || { echo "FAILED: check"; exit 1; }
rm -r "$kernel"
