#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2034 # settings for sourced scripts
# A cluster of three nodes on this machine, recorded and analysed: see README.md in this folder, and --help.
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
export LC_ALL=C

usage()
{
	cat <<-END
	usage: run.sh [OPTION...]
	Boots three nodes with corosync, DLM and GFS2, puts them under load, records them with iotrace-record and analyses
	the recordings. Nothing is installed or changed on this machine.

	  --lab FOLDER      another lab of this kind: nfs-lab has an NFS client and a server
	  --mode MODE       kvm: guests under KVM, agents over VSOCK, clocks by KVM (needs root)
	                    nested: the same inside of an emulated host, needs neither KVM nor root; slow
	                    flat: emulated guests, agents over TCP, clocks by PTP; needs neither
	                    auto (default): kvm if it works here, else flat
	  --out DIR         for recordings, pictures, report and consoles (default: out/ of the source tree, with the lab's name)
	  --seconds N       of load under recording (default: 20; nested: 60)
	  --seed N          of the load (default: 1)
	  --models LIST     models whose events are recorded on the nodes (default: dlm,gfs2 and, with the module, fileio)
	  --events LIST     further events, as SYSTEM:EVENT
	  --buffer KIB      trace buffer of a node (default: 8192)
	  --memory MIB      of a node (default: 320)
	  --cpus N          virtual processors of a node (default: 1)
	  --cids A,B,C      VSOCK CIDs of node 1, 2, 3 (default: 5,4,3)
	  --patience N      multiplies all time-outs, for a busy machine (default: 1)
	  --small           without the names of kernel symbols, which are 0.9 MB of each recording
	  --without-module  do not build and load iotrace.ko
	  --kernel FOLDER   the guests' kernel: an unpacked package linux-image-*, instead of the newest one of this machine; only
	                    with --without-module
	  --analyzer FILE   the iotrace-analyze to use, next to its iotrace-record (default: build/install, built if missing)
	  --download        use Debian packages of the archive even where they are installed
	  --cache DIR       for unpacked packages (default: ~/.cache/iotrace-lab)
	  --keep            keep the temporary folder
	  --help
	END
}

lab="" mode=auto out="" seconds="" seed=1 models="" events="" buffer=8192 memory=320 cpus=1 cids=(5 4 3) patience=1
small=0 with_module=1 analyzer="" download=0 system="" cache=${XDG_CACHE_HOME:-$HOME/.cache}/iotrace-lab keep=0
# shellcheck source=examples/cluster/lib.sh
. "$here/lib.sh"

refuse()
{
	echo "run.sh: $*; see --help" >&2
	exit 1
}

# number OPTION VALUE MIN MAX
# shellcheck disable=SC2015 # the last failing test decides
number()
{
	[[ $2 =~ ^[0-9]{1,9}$ ]] && ((10#$2 >= $3 && 10#$2 <= $4)) ||
		refuse "$1 takes a number from $3 to $4, not \"$2\""
}

read_options()
{
	local option
	while (($#)); do
		option=$1
		case $option in
		--help) usage; exit ;;
		--without-module) with_module=0; shift; continue ;;
		--small) small=1; shift; continue ;;
		--download) download=1; shift; continue ;;
		--keep) keep=1; shift; continue ;;
		--lab|--mode|--out|--seconds|--seed|--models|--events|--buffer|--memory|--cpus|--cids|--patience|--analyzer|--kernel|--cache) ;;
		*) refuse "unknown argument \"$option\"" ;;
		esac
		(($# > 1)) || refuse "$option needs a value"
		case $option in
		--lab) lab=$2 ;;
		--mode) mode=$2 ;;
		--out) out=$2 ;;
		--seconds) number "$option" "$2" 1 86400; seconds=$2 ;;
		--seed) number "$option" "$2" 0 65535; seed=$2 ;;
		--events) events=$2 ;;
		--models) models=$2 ;;
		--buffer) number "$option" "$2" 64 1048576; buffer=$2 ;;
		--memory) number "$option" "$2" 256 1048576; memory=$2 ;;
		--cpus) number "$option" "$2" 1 64; cpus=$2 ;;
		--cids) IFS=, read -ra cids <<< "$2" ;;
		--patience) number "$option" "$2" 1 1000; patience=$2 ;;
		--analyzer) analyzer=$(realpath -m "$2") ;;
		--kernel) [[ -d $2 ]] || refuse "there is no folder \"$2\""; system=$(realpath "$2") ;;
		--cache) cache=$2 ;;
		esac
		shift 2
	done
	[[ -z $lab || $lab =~ ^[a-z-]+$ && -e $here/../$lab/lab.sh ]] || refuse "there is no lab \"$lab\""
	out=${out:-$source/out/${lab:-cluster}}
	[[ -z $system ]] || ((!with_module)) || refuse "--kernel wants --without-module: it has no headers"
	[[ $mode =~ ^(auto|kvm|nested|flat)$ ]] || refuse "there is no mode \"$mode\""
	[[ $models$events =~ ^[a-z0-9_:,]*$ ]] || refuse "--models takes a list like dlm,gfs2, --events one like sched:sched_switch"
	((${#cids[@]} == 3)) || refuse "--cids takes three numbers"
	for option in "${cids[@]}"; do
		number --cids "$option" 3 2147483647
	done
}

# shellcheck disable=SC2317 # called by trap
cleanup()
{
	local status=$?
	trap '' INT TERM HUP
	kill_guests
	cd /
	if ((keep)); then
		echo "kept: $run"
	else
		rm -rf "$run"
	fi
	exit "$status"
}

make_folders()
{
	mkdir -p "$out" "$cache" 2> /dev/null || die "the folders $out and $cache cannot be made"
	out=$(cd "$out" && pwd) cache=$(cd "$cache" && pwd)
	run=$(mktemp -d "${TMPDIR:-/tmp}/iotrace-lab.XXXXXX" 2> /dev/null) || die "no temporary folder"
	trap cleanup EXIT
	trap 'echo "run.sh: stopped by a signal" >&2; exit 130' INT TERM HUP
	consoles=$out/consoles store=$out images=$run
	rm -rf "$consoles" "$out"/*.dat "$out/recording.json"
	mkdir "$consoles" 2> /dev/null || die "$out cannot be written to"
	cd "$run" || exit
}

# need_space FOLDER MIB WHAT
need_space()
{
	local free
	free=$(df -P -m "$1" | awk 'NR == 2 { print $4 }')
	((free >= $2)) || die "$3 needs $2 MiB, and $1 has only $free MiB free"
}

# Free memory, or the rest of a control group's limit (containers).
free_memory()
{
	local free limit used
	free=$(awk '/^MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
	limit=$(cat /sys/fs/cgroup/memory.max 2> /dev/null)
	used=$(cat /sys/fs/cgroup/memory.current 2> /dev/null)
	if [[ $limit =~ ^[0-9]+$ && $used =~ ^[0-9]+$ ]]; then
		limit=$(((limit - used) / 1048576))
		((limit < free)) && free=$limit
	fi
	echo "$free"
}

# An emulator needs further memory for translated code. Mode auto may become flat.
need_memory()
{
	local need free
	case $mode in
	kvm) need=$((${#nodes[@]} * (memory + 64))) ;;
	nested) need=$((host_memory + 1024 + 256)) ;;
	flat|auto) need=$((${#nodes[@]} * (memory + 128) + 512 + 128)) ;;
	esac
	free=$(free_memory)
	((free >= need)) || die "the guests need $need MiB of memory, and only $free MiB are free"
}

check_programs()
{
	need_program qemu-system-x86_64 qemu-system-x86
	qemu-system-x86_64 -netdev help 2> /dev/null | grep -qx stream ||
		die "QEMU is too old: version 7.2 or newer is needed, this is $(qemu-system-x86_64 --version | head -n 1)"
	need_program gcc gcc
	need_program cpio cpio
	need_program setpriv util-linux
	need_program apt-get apt
}

build()
{
	[[ -d $source/events/module ]] || with_module=0
	need_space "$cache" 100 "the cache of packages"
	provide trace-cmd iproute2 kmod busybox-static "${lab_packages[@]}"
	use_unpacked
	find_kernel
	say "building the guests: Debian's kernel $kernel"
	ln -s "$(kernel_image "$kernel_root" "$kernel")" "$run/kernel"
	if ((with_module)); then
		build_module
	else
		say "without iotrace.ko: only the kernel's own events are recorded"
	fi
	build_load
	measure_tsc
	build_node
	[[ $mode == kvm || $mode == nested ]] || build_recorder
	[[ $mode != nested ]] || build_host
	build_disk
	disk=$run/disk.img
}

# Does an ordinary guest run under this machine's KVM? A device alone proves nothing. Sets no_kvm to the reason.
kvm_works()
{
	no_kvm=
	[[ -e /dev/kvm ]] || no_kvm="there is no /dev/kvm"
	[[ -n $no_kvm || ( -r /dev/kvm && -w /dev/kvm ) ]] || no_kvm="no permission for /dev/kvm (group kvm)"
	[[ -z $no_kvm ]] || return
	# in its own shell, which does not report that QEMU was aborted
	(timeout $((30 * patience)) qemu-system-x86_64 -machine microvm,acpi=on,rtc=on -accel kvm -cpu host -m "$memory" -nodefaults \
		-no-user-config -display none -no-reboot -serial "file:$consoles/kvm" -kernel "$images/kernel" \
		-initrd "$images/node.cpio" -append "console=ttyS0 quiet panic=1 reboot=t lab.role=probe" \
		> "$consoles/kvm.err" 2>&1 < /dev/null; true) 2> /dev/null
	grep -q "LAB up" "$consoles/kvm" ||
		no_kvm="a guest does not boot under /dev/kvm ($(grep -v 'terminating on signal' "$consoles/kvm.err" | grep -m 1 . || echo "no sign of life"))"
	[[ -z $no_kvm ]]
}

# The other requirements of mode kvm.
host_can_record()
{
	no_kvm=
	((EUID == 0)) || no_kvm="recording this machine, which takes the clocks of the guests, needs root"
	[[ -n $no_kvm || -e /dev/vhost-vsock ]] || no_kvm="there is no /dev/vhost-vsock; as root: modprobe vhost_vsock"
	[[ -z $no_kvm ]]
}

choose_mode()
{
	accel=tcg
	case $mode in
	nested) accel=kvm; return ;;	# the emulated host's
	kvm) { kvm_works && host_can_record; } || die "mode kvm is not possible: $no_kvm" ;;
	auto|flat) kvm_works || { say "no KVM: $no_kvm"; mode=flat; return; } ;;
	esac
	accel=kvm
	[[ $mode == auto ]] || return
	mode=kvm
	host_can_record || { say "no mode kvm: $no_kvm"; mode=flat; }
}

# Reads the emulated host's messages about its session.
relay()
{
	details host say | tail -n +$((relayed + 1)) | sed 's/^/== host: /'
	relayed=$(state_count host say)
}

run_nested()
{
	local variable
	for variable in "${settings_of_session[@]}" PATH LD_LIBRARY_PATH; do
		declare -p "$variable" 2> /dev/null
	done > "$run/settings"
	say "booting the emulated host ($host_memory MiB); everything takes minutes"
	# With more than one processor, or a thread for each, nested SVM corrupts memory now and then. Without tsc=reliable
	# perf offers no scale of the TSC, and trace-cmd falls back to PTP.
	launch host qemu-system-x86_64 -machine q35 -accel tcg,thread=single,tb-size=1024 -cpu max -smp 1 \
		-m "$host_memory" -kernel "$images/kernel" -initrd "$images/host.cpio" \
		-append "console=ttyS0 quiet panic=1 tsc=reliable lab.here=$here lab.images=$images" \
		-nodefaults -no-user-config -display none -no-reboot -serial stdio \
		-virtfs local,path=/,mount_tag=root,security_model=none,readonly=on,multidevs=remap \
		-virtfs "local,path=$store,mount_tag=store,security_model=none"
	relayed=0 meanwhile=relay
	await up 600 host
	# its own time-outs are shorter, and name the guest
	await finished 7200 host
	relay
	ended 60 host
}

need_analyzer()
{
	[[ -n $analyzer ]] || build_analyzer
	analyzer=$(realpath "$analyzer")
	recorder=${analyzer%/*}/iotrace-record
	[[ -x $recorder ]] || die "there is no iotrace-record next to $analyzer"
}

build_analyzer()
{
	analyzer=$source/build/install/analyzer/iotrace-analyze
	[[ -x $analyzer && -x ${analyzer%/*}/iotrace-record ]] && return
	# shellcheck source=tests/packages.sh
	. "$source/tests/packages.sh"
	need_program cmake "${packages_build[*]}"
	say "building iotrace-analyze"
	(cd "$source" && cmake --preset install && cmake --build --preset install -j "$(nproc)" --target iotrace-record) \
		> "$run/analyzer.log" 2>&1 || { first_error "$run/analyzer.log" >&2; die "iotrace-analyze could not be built; it needs ${packages_build[*]}"; }
}

analyse()
{
	say "iotrace-analyze $out"
	"$analyzer" -o slog2:iotrace.slog2 -o paje:iotrace.paje -o report:- -o report,tables:report.txt "$out" ||
		die "iotrace-analyze ended with status $?"
	say "in $out: trace*.dat, recording.json, iotrace.slog2, iotrace.paje, report.txt, what the load did ($lab_results), consoles/"
}

# One function, so that the script may be edited while it runs.
main()
{
	read_options "$@"
	host_memory=4096
	make_folders
	# shellcheck source=examples/cluster/session.sh
	. "$here/session.sh"
	# shellcheck source=examples/cluster/build.sh
	. "$here/build.sh"
	# shellcheck source=examples/nfs-lab/lab.sh
	[[ -z $lab ]] || . "$here/../$lab/lab.sh"
	check_programs
	need_memory
	need_space "$run" 400 "the shared disk and the guests"
	need_space "$out" 200 "what is recorded and drawn"
	need_analyzer
	build
	choose_mode
	seconds=${seconds:-$([[ $mode == nested ]] && echo 60 || echo 20)}
	models=${models:-$lab_models$( ((with_module)) && echo ,fileio)}
	events=${events:-$lab_events}
	say "mode $mode, guests by $accel"
	if [[ $mode == nested ]]; then
		run_nested
	else
		session
	fi
	describe_load
	analyse
	exit
}

main "$@"
