#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# An installation stays below its prefix: nothing of the system changes, and everything promised is installed.
# usage: cli-install.sh BUILD_DIR SOURCE_DIR
build=$1 source=$2
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# with DESTDIR a file outside the prefix shows without being written into the system
DESTDIR=$work/staged cmake --install "$build" --prefix /opt/x > "$work/log" 2>&1 || fail "install: $(tail -n 3 "$work/log")"
DESTDIR=$work/staged cmake --install "$build" --prefix /opt/x --component module > "$work/log" 2>&1 ||
	fail "install of the module: $(tail -n 3 "$work/log")"
outside=$(find "$work/staged" ! -type d ! -path "$work/staged/opt/x/*")
[[ -z $outside ]] || fail "outside the prefix: $outside"
((failures)) && exit 1

root="$work/my root" # a blank in the prefix
# a real installation: none of its files appears in the system
touch "$work/begin"
cmake --install "$build" --prefix "$root" > "$work/log" 2>&1 || fail "install: $(tail -n 3 "$work/log")"
find "$root" ! -type d -printf '%f\n' | sort -u > "$work/installed"
find /usr /etc /opt "$HOME" -xdev ! -type d -cnewer "$work/begin" ! -path "$work/*" ! -path "$build/*" -printf '%f\n' 2> /dev/null |
	sort -u > "$work/changed"
also=$(comm -12 "$work/installed" "$work/changed")
[[ -z $also ]] || fail "changed outside the prefix: $also"

for file in bin/iotrace-analyze bin/iotrace-record bin/iotrace-clock sbin/iotrace-agent lib/systemd/system/iotrace-agent.service \
	share/man/man8/iotrace-agent.8 share/iotrace/models/dlm.model lib/traceevent/plugins/plugin_dlm.so \
	share/man/man1/iotrace-clock.1 share/bash-completion/completions/iotrace-{analyze,record,clock,agent}; do
	[[ -f $root/$file ]] || fail "no $file"
done
[[ -n $(find "$root/lib" -name iotrace-accept.so) ]] || fail 'no iotrace-accept.so'
# NEWS.md has the changes of this version
version=$("$root/bin/iotrace-analyze" --version | sed -n '1s/^iotrace-analyze //p')
[[ $(grep -m 1 -E '^## ' "$source/NEWS.md") =~ ^"## $version, "[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]] || fail "NEWS.md does not begin with version $version"
# docs/INSTALL.md names what the RPM spec needs, but for the plugin of KernelShark
sed -n '/^| Fedora/s/.*| `\(.*\)` |$/\1/p' "$source/docs/INSTALL.md" | tr ' ' '\n' | sort > "$work/named"
sed -n -e '/^%if/,/^%endif/d' -e '/rpm-macros/d' -e 's/^BuildRequires: \([^ ]*\).*/\1/p' "$source/packaging/rpm/iotrace.spec" | sort | diff "$work/named" - > "$work/log" && [[ -s $work/named ]] ||
	fail "docs/INSTALL.md and the RPM spec name other packages: $(cat "$work/log")"
# the agent finds its library, below another prefix than that of the configuration, too
"$root/sbin/iotrace-agent" --version | grep -q '^iotrace-agent [0-9]' || fail 'iotrace-agent --version'
library=$(strings -a "$root/sbin/iotrace-agent" | grep '/iotrace-accept.so$')
[[ -f $root/sbin/$library ]] || fail "iotrace-agent looks for sbin/$library"
if command -v systemd-analyze > /dev/null; then
	systemd-analyze verify --man=no "$root/lib/systemd/system/iotrace-agent.service" > "$work/log" 2>&1 && [[ ! -s $work/log ]] ||
		fail "iotrace-agent.service: $(cat "$work/log")"
fi
pc=$(dirname "$(find "$root" -name libiotrace-calls.pc)")
eval "flags=($(PKG_CONFIG_PATH=$pc pkg-config --cflags libiotrace-calls))"
[[ ${flags[*]} == "-I$root/include/iotrace-calls" ]] || fail "pkg-config: ${flags[*]}"
# After= is an order only: a target that nothing wants is not started
unit=$root/lib/systemd/system/iotrace-agent.service
while read -r target; do
	grep -qx "Wants=$target" "$unit" || fail "iotrace-agent.service waits for $target and does not want it"
done < <(sed -n 's/^After=//p' "$unit")
((failures)) || echo "$(wc -l < "$work/installed") names installed, all below the prefix"
exit $((failures > 0))
