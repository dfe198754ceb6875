# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154,SC2034 # the sourcing script makes and uses the settings
# Sourced by run.sh: makes the files of guests from Debian packages, which are installed or unpacked in a cache folder. It
# installs nothing and needs no privileges.
#
# Settings: here (folder of these scripts), source (top of the source tree), cache, run, download (1: unpack packages even
# if installed), system (root folder of the installed kernels; empty: this machine)

library_dirs=(lib/x86_64-linux-gnu usr/lib/x86_64-linux-gnu)
unpacked=$cache/root
system=${system:-}

# need_program PROGRAM PACKAGE
need_program()
{
	type -P "$1" > /dev/null || die "the program $1 is missing; as root: apt-get install $2"
}

is_installed()
{
	[[ $(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2> /dev/null) == ii* ]]
}

# unpack PACKAGE...: unpacks into the cache, unless this version is there
unpack()
{
	local package version todo=() stamps=()
	for package; do
		version=$(apt-cache show --no-all-versions "$package" 2> /dev/null | sed -n 's/^Version: //p' | head -n 1)
		[[ -n $version ]] || die "apt knows no package $package; as root: apt-get update"
		[[ -e $cache/unpacked/${package}_$version ]] && continue
		todo+=("$package")
		stamps+=("$cache/unpacked/${package}_$version")
	done
	((${#todo[@]})) || return 0
	say "downloading to $cache: ${todo[*]}"
	mkdir -p "$cache/unpacked" "$unpacked" "$run/packages"
	(
		cd "$run/packages" || exit
		apt-get -qq download "${todo[@]}" || exit
		for package in *.deb; do
			dpkg -x "$package" "$unpacked" || exit
		done
	) > "$run/apt.log" 2>&1 ||
		die "packages could not be downloaded and unpacked in $cache: $(tail -n 1 "$run/apt.log")"
	rm -r "$run/packages"
	touch "${stamps[@]}"
}

# provide PACKAGE...: unpacks packages that are not installed, with all their dependencies
provide()
{
	local package missing=() all
	for package; do
		{ ((!download)) && is_installed "$package"; } || missing+=("$package")
	done
	((${#missing[@]})) || return 0
	all=$(apt-get -s -o Debug::NoLocking=1 --no-install-recommends install "${missing[@]}" 2> /dev/null) ||
		die "apt cannot find ${missing[*]}; as root: apt-get update"
	mapfile -t all < <(awk '/^Inst/ { print $2 }' <<< "$all"; printf '%s\n' "${missing[@]}")
	mapfile -t all < <(printf '%s\n' "${all[@]}" | LC_ALL=C sort -u)
	unpack "${all[@]}"
}

# file_of PACKAGE PATH: the full path of a file of a package
file_of()
{
	if ((!download)) && is_installed "$1"; then
		echo "$2"
	else
		echo "$unpacked$2"
	fi
}

# Programs of the cache can be run by name. The cache has only libraries that the machine lacks, so nothing is replaced.
use_unpacked()
{
	local dir
	PATH=$PATH:/usr/sbin:/sbin
	[[ -d $unpacked ]] || return 0
	for dir in usr/bin usr/sbin bin sbin; do
		PATH+=:$unpacked/$dir
	done
	for dir in "${library_dirs[@]}"; do
		LD_LIBRARY_PATH+=${LD_LIBRARY_PATH:+:}$unpacked/$dir
	done
	export LD_LIBRARY_PATH
}

# Finds the newest installed kernel of Debian that has everything, or as a fallback the archive's current kernel. Sets
# kernel (its version) and kernel_root (the folder of its /boot and /lib/modules).
find_kernel()
{
	local image headers=()
	kernel_root=
	kernel=
	[[ -z $system ]] && ((download)) || kernel=$(newest_complete_kernel)
	[[ -z $kernel ]] || { kernel_root=$system; return 0; }
	[[ -z $system ]] || die "$system has no complete kernel: an image, and the module gfs2"
	kernel_root=$unpacked
	image=$(depends_of linux-image-amd64 linux-image-)
	[[ -n $image ]] || die "apt knows no package linux-image-amd64; as root: apt-get update"
	kernel=${image#linux-image-}
	((!with_module)) || headers=("linux-headers-$kernel" "$(depends_of "linux-headers-$kernel" linux-headers-)"
		"$(depends_of "linux-headers-$kernel" linux-kbuild-)")
	need_space "$cache" 700 "Debian's kernel"
	unpack "$image" "${headers[@]}"
	depmod -b "$unpacked" "$kernel"
	((!with_module)) || relocate_headers
}

newest_complete_kernel()
{
	local version
	while read -r version; do
		kernel_is_complete "$version" && echo "$version" && return
	done < <(printf '%s\n' "$system"/lib/modules/*[0-9]-amd64 | sed 's|.*/||' | sort -rV)
}

# A module may be compressed: gfs2.ko.xz
kernel_is_complete()
{
	kernel_image "$system" "$1" > /dev/null && compgen -G "$system/lib/modules/$1/kernel/fs/gfs2/gfs2.ko*" > /dev/null &&
		{ ((!with_module)) || [[ -e $system/lib/modules/$1/build/Makefile ]]; }
}

# kernel_image ROOT VERSION: newer packages have it next to the modules
kernel_image()
{
	local file
	for file in "$1/boot/vmlinuz-$2" "$1/usr/lib/modules/$2/vmlinuz" "$1/lib/modules/$2/vmlinuz"; do
		[[ ! -r $file ]] || { echo "$file"; return; }
	done
	return 1
}

# depends_of PACKAGE PREFIX: the first dependency with this prefix
depends_of()
{
	apt-cache depends "$1" 2> /dev/null | awk -v prefix="$2" '$1 == "Depends:" && index($2, prefix) == 1 { print $2; exit }'
}

# The headers' packages refer to each other by absolute names.
relocate_headers()
{
	sed -i "s|^include /usr/src/|include $unpacked/usr/src/|" \
		"$unpacked/usr/src/linux-headers-$kernel/Makefile"
}

# build_module: iotrace.ko for that kernel, in a copy of its sources
build_module()
{
	local kbuild=/lib/modules/$kernel/build
	[[ -z $kernel_root ]] || kbuild=$unpacked/usr/src/linux-headers-$kernel
	need_program make make
	say "building iotrace.ko for $kernel"
	cp -r "$source/events" "$run/events"
	make -C "$kbuild" M="$run/events/module" modules > "$run/module.log" 2>&1 ||
		{ tail -n 20 "$run/module.log" >&2; die "iotrace.ko could not be built"; }
	mv "$run/events/module/iotrace.ko" "$run/iotrace.ko"
}

# build_program FOLDER/PROGRAM LIBRARY...
build_program()
{
	local directories=() dir name=${1##*/}
	for dir in "${library_dirs[@]}"; do
		directories+=(-L "$unpacked/$dir")
	done
	gcc -std=gnu11 -O2 -D_GNU_SOURCE -D_REENTRANT -I "$unpacked/usr/include" -I "$here" -o "$run/$name" "$1.c" \
		"${directories[@]}" "${@:2}" || die "$name could not be built"
}

# measure_tsc: sets tsc_khz, an argument of emulated guests
measure_tsc()
{
	build_program "$here/tsckhz"
	tsc_khz=$("$run/tsckhz") || die "the frequency of the time stamp counter could not be measured"
}

# tree_begin: starts an initramfs with busybox; the functions below add files
tree_begin()
{
	local applet
	tree=$run/tree
	mkdir -p "$tree"/{bin,sbin,usr/bin,usr/sbin,etc,proc,sys,dev,tmp,run,mnt,var/run,var/lib,lib/modules}
	mkdir -p "$tree/lib/modules/$kernel"
	cp "$(file_of busybox-static /bin/busybox)" "$tree/bin/busybox"
	"$tree/bin/busybox" --list | while read -r applet; do
		[[ $applet == busybox ]] || ln -s busybox "$tree/bin/$applet"
	done
	ln -s ../bin/busybox "$tree/sbin/modprobe"	# where the kernel looks for it
	tree_add "$here/guest/init" /init
}

# tree_add FILE TARGET: an existing target is a link to busybox, and must be replaced, not overwritten
tree_add()
{
	mkdir -p "$tree${2%/*}"
	rm -f "$tree$2"
	cp -L "$1" "$tree$2"
}

# tree_programs PACKAGE PROGRAM...: adds programs with their libraries
tree_programs()
{
	local program
	for program in "${@:2}"; do
		rm -f "$tree/bin/${program##*/}"
		tree_add "$(file_of "$1" "$program")" "$program"
		tree_libraries "$(file_of "$1" "$program")"
	done
}

tree_libraries()
{
	local library
	ldd "$1" > "$run/ldd" 2>&1
	if library=$(grep 'not found' "$run/ldd"); then
		die "$1 needs a library that is missing: ${library%% =>*}"
	fi
	while read -r library; do
		[[ -e $tree${library#"$unpacked"} ]] || tree_add "$library" "${library#"$unpacked"}"
	done < <(grep -o '/[^ ]*' "$run/ldd")
}

# tree_modules MODULE...: adds modules with their dependencies
tree_modules()
{
	local module file
	for module; do
		modprobe -d "${kernel_root:-/}" -S "$kernel" --show-depends "$module" > "$run/modprobe" 2>&1 ||
			die "the kernel $kernel has no module $module"
		while read -r file; do
			tree_module "$file" "/lib/modules/$kernel/${file#*"/modules/$kernel/"}"
		done < <(awk '/^insmod/ { print $2 }' "$run/modprobe")
	done
}

# tree_module FILE TARGET: adds a module, unpacked, because busybox loads no compressed modules
tree_module()
{
	tree_add "$1" "$2"
	case $2 in
	*.xz) need_program xz xz-utils; xz -d -f "$tree$2" ;;
	*.zst) need_program zstd zstd; zstd -q -d -f --rm "$tree$2" ;;
	*.gz) gzip -d -f "$tree$2" ;;
	esac
}

# kernel_has MODULE
kernel_has()
{
	modprobe -d "${kernel_root:-/}" -S "$kernel" --show-depends "$1" > /dev/null 2>&1
}

# tree_end NAME: packs the initramfs, uncompressed: an emulated guest reads faster than it unpacks
tree_end()
{
	cp "$kernel_root/lib/modules/$kernel"/modules.{builtin,builtin.modinfo,order} "$tree/lib/modules/$kernel/"
	depmod -b "$tree" "$kernel"
	(cd "$tree" && find . | cpio -o -H newc -R 0:0 --quiet > "$run/$1") || die "the initramfs $1 could not be packed"
	rm -r "$tree"
}


# trace-cmd's threads load libgcc_s when they end; ldd cannot know.
tree_trace_cmd()
{
	tree_programs trace-cmd /usr/bin/trace-cmd
	tree_programs iproute2 /bin/ip
	tree_add "$(ldconfig -p | awk '/libgcc_s.so.1 .*x86-64/ { print $NF; exit }')" /lib/x86_64-linux-gnu/libgcc_s.so.1
}

build_recorder()
{
	local program model
	tree_begin
	tree_modules virtio_mmio virtio_net 9p 9pnet_virtio
	tree_trace_cmd
	for program in "$recorder" "$analyzer"; do
		tree_add "$program" "/usr/bin/${program##*/}"
		tree_libraries "$program"
	done
	for model in "$source"/events/models/*.model; do
		tree_add "$model" "/models/${model##*/}"
	done
	tree_add "$here/guest/recorder.sh" /role.sh
	tree_add "$here/guest/controller.sh" /controller.sh
	tree_end recorder.cpio
}

# The emulated host: all other files are on the file system that it shares with this machine.
build_host()
{
	tree_begin
	tree_modules virtio_pci 9p 9pnet_virtio kvm_amd vhost_vsock
	tree_add "$here/guest/host.sh" /role.sh
	tree_end host.cpio
}

# ---- what is particular to the cluster; another lab replaces it

lab_models=dlm,gfs2	# recorded by default
lab_events=
lab_results="totals.txt and script-*.txt"
lab_packages=(corosync dlm-controld libdlm-dev gfs2-utils)

build_load()
{
	build_program "$here/dlmload" -l:libdlm.so.3 -lpthread
	build_program "$here/fileload"
}

build_node()
{
	local program
	tree_begin
	tree_modules virtio_mmio virtio_net virtio_blk vmw_vsock_virtio_transport configfs dlm gfs2
	! kernel_has crc32c_generic || tree_modules crc32c_generic
	tree_trace_cmd
	tree_programs corosync /usr/sbin/corosync /usr/sbin/corosync-quorumtool
	tree_programs dlm-controld /usr/sbin/dlm_controld /usr/sbin/dlm_tool
	for program in dlmload fileload; do
		tree_add "$run/$program" "/usr/bin/$program"
		tree_libraries "$run/$program"
	done
	tree_add "$here/guest/common.sh" /common.sh
	tree_add "$here/guest/node.sh" /role.sh
	[[ ! -e $run/iotrace.ko ]] || tree_add "$run/iotrace.ko" /iotrace.ko
	tree_end node.cpio
}

# One journal for each node
build_disk()
{
	{ truncate -s 300M "$run/disk.img" && mkfs.gfs2 -O -q -p lock_dlm -t lab:gfs -j 3 -J 16 "$run/disk.img"; } \
		> "$run/mkfs.log" 2>&1 || die "the shared file system could not be made: $(tail -n 1 "$run/mkfs.log")"
}

# The load's own counts, and the script of each of its threads.
describe_load()
{
	local number rounds
	cd "$out" || exit
	for number in 1 2 3; do
		details "node$number" totals | sed "s/^/node$number: /"
	done > totals.txt
	for number in 1 2 3; do
		rounds=$(sed -n "s/^node$number: dlmload rounds=\([0-9]*\) .*/\1/p" totals.txt)
		"$run/dlmload" --seed "$seed" --node "$number" --print "$rounds" test > "script-node$number.txt"
	done
}
