#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Boots an emulated guest with iotrace.ko and runs tests in it; vm-check.sh checks their results afterwards.
# usage: vm.sh OUT_DIR [TEST...]     TEST: name in tests/vm/guest without .sh, or path of a script; default: all
# Settings: VM_KERNEL  version of an installed kernel with its headers; default: the newest 6.1 there is
#           VM_ROOT    folder with the kernel's packages, instead of /: boot, lib/modules
#           VM_BUILD   folder of a system with the kernel's headers and a compiler, in which modules are built
#           VM_APPEND  more words for the kernel's command line
#           VM_TIMEOUT seconds for the guest; default 2400, for busy machines
#           VM_QEMU    more options of QEMU
#           VM_DEBUG   no: without the kernel's checks of memory, for measuring
# Status: 0 the guest ran to its end, 1 not, 77 a program is missing.
shopt -s nullglob
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
out=$(realpath -m "$1")
root=$VM_ROOT
# folder in which the modules are built, and its name inside
top=$out inside=$out
[[ -z $VM_BUILD ]] || top=$VM_BUILD/iotrace inside=/iotrace
shift

skip()
{
	echo "skipped: $*; tests/run.sh installs the packages"
	echo "$*" > "$out/skipped"
	exit 77
}

fail()
{
	echo "vm: $*" >&2
	exit 1
}

newest_kernel()
{
	local image
	for image in $(printf '%s\n' /boot/vmlinuz-6.1.* | sort -rV); do
		image=${image#/boot/vmlinuz-}
		[[ -d /lib/modules/$image/build ]] && { echo "$image"; return; }
	done
}

# kernel_image VERSION: newer packages have it next to the modules
kernel_image()
{
	local file
	for file in "$root/boot/vmlinuz-$1" "$root/usr/lib/modules/$1/vmlinuz"; do
		[[ ! -r $file ]] || { echo "$file"; return; }
	done
}

# kbuild ARGUMENT...: runs make
kbuild()
{
	# shellcheck disable=SC2016 # for the other shell
	if [[ -n $VM_BUILD ]]; then
		unshare --mount sh -c 'mount -t proc proc "$1/proc" && exec chroot "$@"' sh "$VM_BUILD" \
			env LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin make "$@"
	else
		make "$@"
	fi
}

check_tools()
{
	local tool
	for tool in qemu-system-x86_64 busybox trace-cmd cpio modprobe depmod mke2fs make strace; do
		command -v "$tool" > /dev/null || skip "there is no $tool"
	done
	# the guest has no libraries when it starts
	! ldd "$(command -v busybox)" > /dev/null 2>&1 || skip "busybox is not linked statically (package busybox-static)"
	kernel=${VM_KERNEL:-$(newest_kernel)}
	[[ -n $kernel ]] && image=$(kernel_image "$kernel") && [[ -n $image ]] ||
		skip "there is no readable kernel 6.1 in /boot with its headers (linux-image-amd64, linux-headers-amd64)"
}

# The module is built from a copy, so that nothing appears in the source tree; a warning is an error.
build_module()
{
	rm -rf "$top/events"
	mkdir -p "$top/events/module"
	cp "$source"/events/*.h "$top/events/"
	cp "$source"/events/module/{*.[ch],Kbuild,Makefile} "$top/events/module/"
	kbuild -C "$inside/events/module" KVERSION="$kernel" W=1 KCFLAGS=-DIOTRACE_CHECK_PROBES > "$out/module.log" 2>&1 &&
		! grep -E 'warning|error' "$out/module.log" ||
		{ cat "$out/module.log"; fail "iotrace.ko does not build without warnings"; }
	cp "$top/events/module/iotrace.ko" "$out/share/"
	strip --strip-debug "$out/share/iotrace.ko"
}

# variant NAME FILE SED_SCRIPT: iotrace-NAME.ko, as if the kernel were another one
variant()
{
	local file=$top/events/module/$2
	cp "$file" "$out/original"
	sed -i "$3" "$file"
	! cmp -s "$file" "$out/original" || fail "variant $1 is no other module"
	kbuild -C "$inside/events/module" KVERSION="$kernel" > "$out/variant.log" 2>&1 || { cat "$out/variant.log"; fail "variant $1 does not build"; }
	cp "$top/events/module/iotrace.ko" "$out/share/iotrace-$1.ko"
	strip --strip-debug "$out/share/iotrace-$1.ko"
	cp "$out/original" "$file"
}

build_variants()
{
	variant renamed uring.c 's/"io_uring_submit_[a-z]*"/"io_uring_submit_other"/g'
	variant moved uring.c '/"io_rw"/s/offsetof([^)]*)/& + 8/'
	variant late ids.c 's/cpu_bits = .*/cpu_bits = 13;/; s/first = .*/first = 1ULL << 50;/'
}

# Each program of tests/vm comes twice: NAME and NAME-static; so does the example of libiotrace-calls. All may use the library.
build_programs()
{
	local file name flags=(-O1 -g -Wall -Wextra -Werror -pthread -I"$source/events" -I"$source/events/user")
	mkdir -p "$out/share/bin" "$out/user"
	(cd "$out/user" && gcc -D_GNU_SOURCE "${flags[@]}" -c "$source"/events/user/{iotrace-calls,user-device,user-text}.c &&
		ar rc libiotrace-calls.a ./*.o) || fail "libiotrace-calls does not compile"
	for file in "$here"/*.c "$source/events/user/example-rpc.c"; do
		name=$(basename "$file" .c)
		gcc "${flags[@]}" -o "$out/share/bin/$name" "$file" "$out/user/libiotrace-calls.a" &&
			gcc "${flags[@]}" -static -o "$out/share/bin/$name-static" "$file" "$out/user/libiotrace-calls.a" 2> "$out/static.log" ||
			fail "$name.c does not compile: $(cat "$out/static.log")"
	done
}

# A module that uses iotrace.ko.
build_other_module()
{
	rm -rf "$top/module"
	cp -r "$here/module" "$top/module"
	kbuild -C "/lib/modules/$kernel/build" M="$inside/module" KCFLAGS="-I$inside/events/module -Werror" \
		KBUILD_EXTRA_SYMBOLS="$inside/events/module/Module.symvers" modules > "$out/other-module.log" 2>&1 ||
		{ cat "$out/other-module.log"; fail "call-source.ko does not build"; }
	cp "$top/module/call-source.ko" "$out/share/"
}

build_disk()
{
	rm -f "$out/disk"
	truncate -s 64M "$out/disk"
	mke2fs -q -F -t ext4 "$out/disk" || fail "cannot make a file system in $out/disk"
}

copy_tests()
{
	local test
	mkdir -p "$out/share/tests" "$out/share/out"
	cp "$here/vm-lib.sh" "$out/share/"
	# shellcheck disable=SC2046 # one word for each test
	(($#)) || set -- $(basename -s .sh -a "$here"/guest/*.sh)
	for test; do
		[[ $test == */* ]] || test=$here/guest/$test.sh
		cp "$test" "$out/share/tests/" || fail "there is no test $test"
	done
}

boot()
{
	local append="console=ttyS0 quiet panic=-1 oops=panic softlockup_panic=1"
	[[ $VM_DEBUG == no ]] || append+=" panic_on_warn=1 slub_debug=FZP page_poison=1"
	# shellcheck disable=SC2086 # several options
	timeout --foreground "${VM_TIMEOUT:-2400}" qemu-system-x86_64 -machine q35 -accel tcg,thread=single \
		-cpu max -smp 2 -m 1024 -nodefaults -no-user-config -display none -no-reboot \
		-kernel "$image" -initrd "$out/root.cpio.gz" -append "$append $VM_APPEND" \
		-serial "file:$out/console" \
		-drive if=none,id=disk,format=raw,file="$out/disk" -device virtio-blk-pci,drive=disk \
		-fsdev local,id=host,path="$out/share",security_model=none,multidevs=remap \
		-device virtio-9p-pci,fsdev=host,mount_tag=host $VM_QEMU < /dev/null > "$out/qemu.log" 2>&1
}

rm -rf "$out"
mkdir -p "$out/share"
check_tools
build_module
build_other_module
build_variants
build_programs
build_disk
copy_tests "$@"
bash "$here/vm-root.sh" "$out/root.cpio.gz" "$kernel" "$root" \
	"virtio_pci 9pnet_virtio 9p virtio_blk crc32c_generic ext4 loop vsock_loopback" \
	"$(command -v trace-cmd) $(command -v strace)" "$here/vm-init.sh" || fail "cannot build the root file system"
boot
status=$?
grep '^vm:' "$out/console"
[[ -s $out/qemu.log ]] && cat "$out/qemu.log"
((status == 124)) && { tail -n 20 "$out/console"; fail "the guest did not end in time"; }
grep -q '^vm: done' "$out/console" || { tail -n 40 "$out/console"; fail "the guest died, see $out/console"; }
exit 0
