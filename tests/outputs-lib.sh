# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
# The output formats, as the program itself names them: a new format is tested without a line here. Sourced.

# formats PROGRAM [any|file|folder] - names of all formats; any: those that can write into a pipe; file: those that need a
# regular file; folder: those that make a directory
formats()
{
	"$1" --formats | awk -F '\t' -v where="${2:-}" 'where == "" || $4 == where { print $1 }'
}

# every_output PROGRAM PREFIX [full] - sets outputs to the options that write each format with a file to PREFIXFORMAT; full: with
# all flags of the format that do not begin with "no-", and once more in each form of the format to PREFIXFORMAT-FORM
every_output()
{
	mapfile -t outputs < <("$1" --formats | awk -F '\t' -v prefix="$2" -v full="${3:-}" '
	$4 != "folder" {
		spec = $1
		n = split($5 == "-" ? "" : $5, flag, ",")
		for (i = 1; i <= n; i++)
			if (full && flag[i] !~ /^no-/) spec = spec "," flag[i]
		print "-o\n" spec ":" prefix $1
		n = split(full && $6 != "-" ? $6 : "", form, ",")
		for (i = 1; i <= n; i++)
			print "-o\n" spec "," form[i] ":" prefix $1 "-" form[i]
	}')
	((${#outputs[@]})) || { echo "FAILED: $1 --formats names no format"; exit 1; }
}
