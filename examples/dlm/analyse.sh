#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the timelines and the report of the recording in this folder; starts from a bare Debian.
# usage: analyse.sh [OUT_DIR]     default: out/ at the top of the source tree
here=$(dirname "$0")
exec "$here/../analyse-recording.sh" "$here" "$@"
