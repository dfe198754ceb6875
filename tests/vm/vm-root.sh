#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The root file system of the guest: busybox, kernel modules with dependencies, programs with their libraries.
# usage: vm-root.sh OUT KERNEL_VERSION ROOT "MODULE..." "PROGRAM..." INIT
# ROOT: the parent of the kernel's /lib/modules, empty for this machine. A missing module is built in, or not needed.
set -e
out=$1 kernel=$2 from=$3 modules=$4 programs=$5 init=$6
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

# put FILE: copies to the same path, follows links, never overwrites a link of busybox
put()
{
	[[ -e $root$1 && ! -L $root$1 ]] && return
	mkdir -p "$root${1%/*}"
	rm -f "$root$1"
	cp -L "$1" "$root$1"
}

# put_module FILE: copies it unpacked, because busybox loads no compressed modules
put_module()
{
	local target=$root/lib/modules/$kernel/${1#*"/modules/$kernel/"}
	mkdir -p "${target%/*}"
	cp "$1" "$target"
	case $1 in
	*.xz) xz -d "$target" ;;
	*.zst) zstd -q -d --rm "$target" ;;
	esac
}

mkdir -p "$root"/{bin,sbin,usr/bin,usr/sbin,lib64,etc,proc,sys,dev,tmp,root,run,var,mnt,host}
cp "$(command -v busybox)" "$root/bin/busybox"
for applet in $(busybox --list); do
	[[ $applet == busybox ]] || ln -s busybox "$root/bin/$applet"
done

for module in $modules; do
	modprobe -d "${from:-/}" -S "$kernel" --show-depends "$module" 2> /dev/null | awk '/^insmod/ { print $2 }'
done | sort -u | while read -r file; do
	put_module "$file"
done
for list in modules.builtin modules.builtin.modinfo modules.order; do
	cp "$from/lib/modules/$kernel/$list" "$root/lib/modules/$kernel/"
done
depmod -b "$root" "$kernel"

# pthread_exit() loads libgcc_s at run time.
for program in $programs "$(ldconfig -p | awk '/libgcc_s.so.1 .*x86-64/ { print $NF; exit }')"; do
	put "$program"
	{ ldd "$program" 2> /dev/null || true; } | grep -o '/[^ ]*' | while read -r library; do
		put "$library"
	done
done
cp "$init" "$root/init"
chmod +x "$root/init"
(cd "$root" && find . | cpio --quiet -o -H newc | gzip -1) > "$out"
