#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Names of virtual machines: of QEMUs, by their arguments, and of libvirt. The QEMUs and virsh are stand-ins.
# usage: record-guests.sh PROGRAM SOURCE_DIR
# shellcheck source=record-lib.sh
. "${0%/*}/record-lib.sh" "$@"
cd "$work" || exit 2
mkdir bin
cat > bin/virsh << 'END'
#!/bin/sh
printf '%s\n' "$*" >> "$VIRSH_ARGS"
case "$*" in
'-q list --name') printf 'web\ndata base;touch x\nplain\n\n' ;;
*'dumpxml --domain=web') echo "<domain><vsock model='virtio'><cid auto='no' address='4000000071'/></vsock></domain>" ;;
*'dumpxml --domain=data base;touch x') echo '<vsock><cid auto="yes" address="4000000072"/></vsock>' ;;
*'dumpxml --domain=plain') echo "<domain/>" ;;
*) exit 1 ;;
esac
END
chmod +x bin/virsh
export PATH=$work/bin:$PATH VIRSH_ARGS=$work/virsh.args

# start ARGUMENT...: a process with these arguments
qemus=()
trap 'kill "${qemus[@]}" 2> /dev/null; rm -rf "$work"' EXIT
mkfifo hold
start()
{
	bash -c 'read -r _ < "$1"' qemu-system-x86_64 hold "$@" &
	qemus+=($!)
}
start -name guest=node1,debug-threads=on -device vhost-vsock-pci,guest-cid=4000000081
start -name node2 -device vhost-vsock-device,id=v,guest-cid=4000000082
start -name guest=web2 -device virtio-net
start -name guest=other,x=y -device vhost-vsock-pci,guest-cid=4000000071
for process in "${qemus[@]}"; do
	while [[ $(tr '\0' ' ' < "/proc/$process/cmdline") != *qemu-system* ]]; do :; done
done

agent_of()
{
	"$record" --dry-run -m dlm -A "$1" 2> err | grep -o -e '-A [^ ]*'
}
[[ $(agent_of node1) == '-A node1@4000000081:823' ]] || fail "node1: $(agent_of node1) $(cat err)"
[[ $(agent_of node2) == '-A node2@4000000082:823' ]] || fail "node2: $(agent_of node2) $(cat err)"
[[ $(agent_of web) == '-A web@4000000071:823' ]] || fail "web: $(agent_of web) $(cat err)"
[[ $(agent_of 'data base;touch x') == '-A data_base_touch_x@4000000072:823' ]] || fail "data base: $(agent_of 'data base;touch x')"
refused 'a guest without VSOCK' 'web2: no virtual machine.*web (CID 4000000071)' -A web2
# libvirt knows this guest as web
refused 'a second name' 'no virtual machine' -A other
refused 'one guest, two ways' 'the same machine' -A web -A 4000000071
[[ ! -e x ]] || fail 'a shell saw a name'
grep -q 'data base' virsh.args || fail 'virsh was not asked'
# no guest has an agent
expect 'all' 2 'no virtual machine here has an agent.*node1 (CID 4000000081)' "$record" -m dlm -A all
ends 'names of guests are resolved without a shell'
