#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# "trace-cmd report" with the same columns for each version of trace-cmd: 3.3 adds one between CPU and time, with the state of
# interrupts and preemption, "[000] .N...   134.606203393:", with -R "[000]-0x1 134.606203393:".
# usage: events-report.sh OPTION... FILE
set -o pipefail
trace-cmd report "$@" | sed -E 's/^(.*-[0-9]+ +(\([^)]*\) +)?\[[0-9]{3,}\])( [a-zA-Z.][^ ]{4}|-0x[0-9a-f]+)/\1 /'
