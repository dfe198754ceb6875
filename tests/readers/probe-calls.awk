# SPDX-License-Identifier: GPL-2.0-or-later
# File I/O of the program dd in a text output: operation, descriptor, path, length, position, result. A number that is 0 is not
# in the text. The process calls before it becomes the program, whose first call is openat.
function field(name)
{
	return match($0, " " name "=[^ ]*") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : ""
}

index($0, "/dd ") && / io "/ && /op="(openat|close|dup2|read|pread64|write|pwrite64|fsync|fdatasync)"/ {
	gsub(/"/, "")
	op = field("op")
	begun = begun || op == "openat"
	if (begun)
		print op, op == "openat" ? "" : field("fd") + 0, field("path"), field("len"), op ~ /^p/ ? field("pos") : "", field("result")
}
