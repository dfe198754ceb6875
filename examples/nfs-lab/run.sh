#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# An NFS client and a kernel NFS server on this machine, recorded and analysed: see README.md in this folder, and --help.
exec "$(dirname "$0")/../cluster/run.sh" --lab nfs-lab "$@"
