#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Kernels for which iotrace.ko is not written are refused by name when it is compiled. Needs no kernel: compat.h refuses
# before it includes anything.
# usage: refused-kernels.sh SOURCE_DIR
header=$1/events/module/compat.h
failures=0

# refuses PATTERN OPTION...: an empty pattern: it does not refuse
refuses()
{
	local pattern=$1 said
	shift
	said=$(gcc -E "$@" "$header" 2>&1 | grep '#error')
	if [[ -z $pattern && -n $said ]] || [[ $said != *"$pattern"* ]]; then
		echo "FAILED: $*: $said"
		failures=$((failures + 1))
	fi
}

for machine in -DCONFIG_X86_64 -DCONFIG_ARM64 '-DCONFIG_RISCV -DCONFIG_64BIT'; do
	# shellcheck disable=SC2086 # two options
	refuses '' $machine -DCONFIG_CGROUPS
done
refuses 'CONFIG_PREEMPT_RT may sleep: not for this kernel' -DCONFIG_X86_64 -DCONFIG_CGROUPS -DCONFIG_PREEMPT_RT
refuses 'not for a kernel without CONFIG_CGROUPS' -DCONFIG_X86_64
refuses 'not of this architecture' -DCONFIG_S390 -DCONFIG_CGROUPS
((failures)) || echo 'kernels that do not fit are refused by name'
exit $((failures > 0))
