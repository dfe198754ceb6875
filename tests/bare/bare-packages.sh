#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The Debian packages, in systems made for it: built in one (of the first release: twice, in two folders, with the same bytes, and the RPM
# packages), checked by lintian; installed, used, upgraded and purged in another one, which has no compiler, as the nodes of a cluster have none. WORK_DIR keeps Debian's packages, and ours in RELEASE.debs.
# shellcheck disable=SC2317 # step() calls the functions
# usage: bare-packages.sh WORK_DIR [RELEASE...]     default: bookworm; as root
# Settings: MIRROR  of Debian, see debian.sh; KEEP=1  keeps the systems; BUILT=1  takes the packages of the last run
# Status: 0 all works, 1 not, 77 a release could not be tested, because the archive cannot be reached or nothing can be mounted
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
# shellcheck source=tests/debian.sh
. "$here/../debian.sh"
mkdir -p "$1" && work=$(cd "$1" && pwd) || exit 1
shift
(($#)) || set -- bookworm
# shellcheck source=tests/bare/bare-lib.sh
. "$here/bare-lib.sh"

version=$(sed -n 's/^project(iotrace VERSION \([0-9.]*\) .*/\1/p' "$source/CMakeLists.txt")
old=0.1.9
packages=(iotrace iotrace-agent iotrace-dkms libiotrace-preload libiotrace-preload-dev libiotrace-calls0 libiotrace-calls-dev trace-cmd-plugins-iotrace kernelshark-plugin-iotrace)
install='DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends'

make_system()
{
	debian_make "$release" "$root" "$cache" >> "$log" 2>&1 && in_root apt-get -q update
}

# apt finds what to install in packaging/debian.
built()
{
	local package
	copy_source "$root/root/iotrace" && in_root sh -c "$install lintian && cd /root/iotrace &&
		DEBIAN_FRONTEND=noninteractive apt-get -q build-dep -y --no-install-recommends ./packaging" &&
		in_root /root/iotrace/packaging/deb.sh /root/one || return
	for package in "${packages[@]}"; do
		[[ -f $(echo "$root/root/one/${package}_${version}"_*.deb) ]] || { echo "no $package"; return 1; }
	done
	rm -rf "$work/$release.debs" && mkdir "$work/$release.debs" && cp "$root"/root/one/*_* "$work/$release.debs"
}

built_again()
{
	local file
	in_root /root/iotrace/packaging/deb.sh /home/a/longer/folder || return
	for file in "$root"/root/one/*.{deb,dsc,tar.xz}; do
		cmp "$file" "$root/home/a/longer/folder/${file##*/}" || { echo "another folder gives another ${file##*/}"; return 1; }
	done
}

# Of the level classification there is something for every package that lintian has looked at.
lintian_silent()
{
	local package
	in_root sh -c 'cd /root/one && lintian --allow-root --fail-on error,warning --display-level ">=classification" ./*.changes > shown' ||
		{ grep -E '^[EW]: ' "$root/root/one/shown"; return 1; }
	for package in "${packages[@]}"; do
		grep -q ": $package: " "$root/root/one/shown" || { echo "lintian says nothing of $package"; return 1; }
	done
}

# files_deb PACKAGE, files_rpm PACKAGE: what it installs, without documentation, licences and links of debug information
files_deb()
{
	dpkg-deb -c "$(echo "$root/root/one/$1_$version"_*.deb)" | awk '!/^d/ { print substr($6, 2) }' |
		sed -E -e 's,^/lib/,/usr/lib/,' -e 's,^/usr/lib/[^/]*-linux-gnu/,/usr/lib64/,' -e '/man\/man/s/\.gz$//' -e '/^\/usr\/share\/doc\//d' | sort
}

files_rpm()
{
	in_root sh -c "rpm -qp --qf '[%{FILEMODES:perms} %{FILENAMES}\n]' /root/rpm/RPMS/*/$1-$version-1*.rpm > /root/list" &&
		awk '!/^d/ { print $2 }' "$root/root/list" | sed -E -e '/man\/man/s/\.(gz|bz2)$//' -e '/^\/usr\/share\/(doc|licenses)\//d' -e '/\/\.build-id\//d' | sort
}

# Debian's rpm knows nothing of Fedora's packages, so build requirements are not checked; rpmbuild itself finds files that no package has.
rpms()
{
	local package other
	in_root sh -c "$install rpm rpmlint && cd /root/iotrace && packaging/rpm.sh /root/rpm -ba --nodeps" || return
	in_root sh -c 'cd /root/rpm && rpmlint -r /root/iotrace/packaging/rpm/iotrace.rpmlintrc RPMS/*/*.rpm SRPMS/*.rpm iotrace.spec > said' || { grep -E ': [EW]: ' "$root/root/rpm/said"; return 1; }
	for package in "${packages[@]}"; do
		other=${package/calls0/calls} other=${other/%-dev/-devel}
		diff <(files_deb "$package") <(files_rpm "$other") > "$work/$release.diff" || { echo "$package and $other have other files:"; cat "$work/$release.diff"; return 1; }
		[[ -n $(files_rpm "$other") ]] || { echo "$other is empty"; return 1; }
	done
}

# The same packages with a smaller version, as if they were those of a release before.
older()
{
	local package file
	mkdir -p "$root/root/old" && find "$work/$release.debs" -name '*.deb' ! -name '*-dbgsym_*' -exec cp -t "$root/root" {} + || return
	for package in "${packages[@]}"; do
		file=$(echo "$root/root/${package}_${version}"_*.deb)
		in_root sh -c "cd /root/old && dpkg-deb -R '../${file##*/}' x && find x/DEBIAN -type f -exec sed -i 's/$version/$old/g' {} + &&
			if [ -d x/usr/src ]; then
				sed -i 's/$version/$old/g' x/usr/src/iotrace-*/dkms.conf && mv x/usr/src/iotrace-* x/usr/src/iotrace-$old
			fi && dpkg-deb --root-owner-group -b x . && rm -r x" || return
	done
}

# A node without compilers, without systemd, and without the headers of a kernel: each package is installed without an error.
installed()
{
	older || return
	in_root sh -c "cd /root/old && $install systemd-standalone-sysusers ./iotrace_*.deb ./iotrace-agent_*.deb ./trace-cmd-plugins-*.deb ./libiotrace-calls0_*.deb" || return
	[[ ! -e $root/usr/bin/cc && ! -e $root/usr/bin/systemctl ]] || { echo "a compiler or systemd is installed, too"; return 1; }
	in_root sh -c "cd /root/old && $install ./*.deb" || return
	in_root sh -c 'getent group iotrace' || { echo "there is no group iotrace"; return 1; }
	in_root sh -c 'cd /usr/src && dkms status iotrace > /root/dkms && grep added /root/dkms' || { echo "dkms does not know the module"; return 1; }
}

# With systemd, and with the headers of the release's kernel.
upgraded()
{
	local package
	in_root sh -c "$install systemd linux-headers-amd64 && cd /root && $install ./*.deb" || return
	for package in "${packages[@]}"; do
		[[ $(dpkg-query --root="$root" -W -f '${Status} ${Version}' "$package") == "install ok installed $version" ]] || { echo "$package is not upgraded"; return 1; }
	done
	[[ -z $(find "$root" -xdev -path "*iotrace*$old*" ! -path '*/root/old*' ! -path '*/log/*' ! -path "*/proc/*") ]] || { echo "files of the older version are left"; return 1; }
	[[ -n $(find "$root/lib/modules" -name 'iotrace.ko*') ]] || { echo "dkms has not built the module"; return 1; }
}

# The first command of README.md, with the example of the package; the report's first line as it is there.
used()
{
	in_root sh -c 'cd && for program in analyze record clock agent; do iotrace-$program --version || exit 1; done &&
		iotrace-analyze -o report:report.txt -o html:page.html -o otf2:otf2 -o sqlite:tables.sqlite --lockspace test,gfs /usr/share/doc/iotrace/examples/dlm' || return
	[[ $(head -n 1 "$root/root/report.txt") == "$(grep -m 1 '^Most waited for: ' "$source/README.md")" ]] || { head -n 1 "$root/root/report.txt"; return 1; }
	[[ -s $root/root/page.html && -s $root/root/tables.sqlite && -s $root/root/otf2/traces.otf2 ]] || { echo "an output is missing"; return 1; }
	# without a plugin trace-cmd shows numbers
	in_root sh -c 'cd && trace-cmd report /usr/share/doc/iotrace/examples/dlm/trace-4.dat > words' && grep -q 'dlm_lock_start: .*mode=PR res_name="res05"' "$root/root/words" ||
		{ echo "trace-cmd does not use the plugin"; return 1; }
	local page
	for page in man1/iotrace-{analyze,record,clock}.1 man3/libiotrace-calls.3 man3/iotrace_open.3 man5/iotrace-model.5 man7/iotrace-plugins.7 man8/iotrace-agent.8; do
		[[ -f $root/usr/share/man/$page.gz ]] || { echo "no $page"; return 1; }
	done
}

# A support case: the summary of the example without its names. Below /root/sos for the report, as sos removes what it packs.
support()
{
	local report=/root/sos/report name
	in_root sh -c "$install sosreport && cp /usr/share/doc/iotrace/examples/sos/iotrace.py /usr/lib/python3/dist-packages/sos/report/plugins/ && mkdir -p $report &&
		PYTHONDONTWRITEBYTECODE=1 sos report --batch -o iotrace -k iotrace.recording=/usr/share/doc/iotrace/examples/dlm:/nothing --tmp-dir /root/sos &&
		tar -C $report --strip-components=1 -xf /root/sos/sosreport-*.tar.xz && rm /usr/lib/python3/dist-packages/sos/report/plugins/iotrace.py &&
		cd $report && iotrace-analyze --version | cmp - sos_commands/iotrace/iotrace-analyze_--version &&
		iotrace-analyze -q -o summary:/root/names.json /usr/share/doc/iotrace/examples/dlm && cat sos_strings/iotrace/*.json > /root/anonymous.json &&
		cat sos_strings/iotrace/*.txt && iotrace-analyze compare /root/anonymous.json /root/anonymous.json" || return
	# as many groups, each name replaced by one hash, and no word of the names left
	for name in node place; do
		[[ $(grep -o "\"$name\": *\"[^\"]*\"" "$root/root/names.json" | sort | uniq -c | awk '{ print $1 }' | sort) == \
			$(grep -o "\"$name\": *\"[^\"]*\"" "$root/root/anonymous.json" | sort | uniq -c | awk '{ print $1 }' | sort) ]] || { echo "other numbers of each $name"; return 1; }
	done
	grep -E -q '"(node|place)": *"[^"]*(node|res|inode|trans)' "$root/root/names.json" || { echo "the example has no names"; return 1; }
	! grep -E -q '"(node|place|holder)": *"[^"]*[^x/0-9a-f"]' "$root/root/anonymous.json" || { echo "names are left"; return 1; }
	in_root sh -c 'DEBIAN_FRONTEND=noninteractive apt-get -q purge -y --auto-remove sosreport'
}

# 42: the exposure of 4.1 that systemd 252 counts, rounded up; lower is better
unit()
{
	in_root sh -c 'systemd-analyze verify --man=no iotrace-agent.service 2>&1 | tee /root/said
		[ ! -s /root/said ] && systemd-analyze security --offline=yes --threshold=42 --no-pager iotrace-agent.service' || { cat "$root/root/said"; return 1; }
	[[ $(in_debian "$root" "$cache" systemctl is-enabled iotrace-agent.service) == disabled ]] || { echo "the agent is enabled"; return 1; }
}

# The package's example of a program: 5 requests of a client and 5 of the server, 3 and 2 records of 512 bytes.
library()
{
	in_root sh -c "$install gcc libc6-dev pkgconf && cd && cc -D_GNU_SOURCE /usr/share/doc/libiotrace-calls-dev/examples/example-rpc.c \
		\$(pkg-config --cflags --libs libiotrace-calls) -o rpc && : > records && IOTRACE_DEVICE=/root/records ./rpc both 5" || return
	[[ $(stat -c %s "$root/root/records") == $((5 * (3 + 2) * 512)) ]] || { echo "$(stat -c %s "$root/root/records") bytes of records"; return 1; }
}

# As if systemd ran: it is asked to stop the agent while the program is there, so an agent that runs is ended before it is removed. Only the
# group stays: its number must not become somebody else's. mmiotrace is the kernel's, gprofng of binutils.
purged()
{
	# shellcheck disable=SC2016 # for the other shell
	in_root sh -c 'mkdir -p /run/systemd/system && mv /usr/bin/systemctl /usr/bin/systemctl.real &&
		printf "%s\n" "#!/bin/sh" "echo \"\$* \$(ls /usr/sbin/iotrace-agent)\" >> /root/asked" > /usr/bin/systemctl && chmod +x /usr/bin/systemctl' || return
	in_root sh -c "apt-get -q purge -y ${packages[*]}; status=\$?; mv /usr/bin/systemctl.real /usr/bin/systemctl && rm -r /run/systemd/system && exit \$status" || return
	grep -q 'stop .*iotrace-agent\.service .*/iotrace-agent$' "$root/root/asked" || { echo "the agent is not stopped before it is removed"; cat "$root/root/asked"; return 1; }
	grep -q 'daemon-reload' "$root/root/asked" || { echo "no daemon-reload"; return 1; }
	local left
	left=$(find "$root" -xdev \( -iname '*iotrace*' -o -name plugin_dlm.so \) ! -iname '*mmiotrace*' ! -path '*/gprofng/*' ! -path "$root/root/*" ! -path "$root/var/cache/apt/*" ! -path "$root/proc/*" ! -path "$root/sys/*")
	[[ -z $left ]] || { echo "left: $left"; return 1; }
	dpkg-query --root="$root" -W 2> /dev/null | grep iotrace && { echo "dpkg still knows a package"; return 1; }
	return 0
}

hindrance=$(debian_hindrance)
[[ -z $hindrance ]] || { echo "skipped: $hindrance"; exit 77; }
first=$1
for release; do
	root=$work/$release.root cache=$work/$release.packages
	debian_reachable "$release" || { echo "skipped: $release: $mirror cannot be reached"; skipped=1; continue; }
	{
		((BUILT)) || {
			step "a system to build in" make_system &&
				step "packages" built &&
				step "lintian is silent" lintian_silent &&
				{ [[ $release != "$first" ]] || { step "packages again, in another folder: the same bytes" built_again && step "RPM packages, with the same files" rpms; }; }
		}
	} &&
		step "a bare system" make_system &&
		step "an older version is installed, without compiler, systemd and the kernel's headers" installed &&
		step "upgraded, with systemd and the kernel's headers" upgraded &&
		step "the first command" used &&
		step "a support case by sos report" support &&
		step "the agent's unit" unit &&
		step "a program with libiotrace-calls" library &&
		step "purged" purged
	((KEEP)) || rm -rf --one-file-system "$root"
done
((failures)) && exit 1
exit $((skipped ? 77 : 0))
