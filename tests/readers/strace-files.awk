# SPDX-License-Identifier: GPL-2.0-or-later
# "OPERATION PATH" of each call on a file below -v folder=FOLDER, in the output of strace -f -y. Two files: "FROM -> TO".
function file(n,    s)
{
	s = args
	while (--n > 0 && match(s, /<[^>]*>/))
		s = substr(s, RSTART + RLENGTH)
	return match(s, /[0-9]<[^>]*>/) ? substr(s, RSTART + 2, RLENGTH - 3) : ""
}

function quoted(n,    part)
{
	split(args, part, "\"")
	return part[2 * n]
}

BEGIN {
	n = split("close read readv pread64 preadv preadv2 write writev pwrite64 pwritev pwritev2 fsync fdatasync ftruncate fallocate", names, " ")
	for (i = 1; i <= n; i++)
		on_file[names[i]] = 1
}

/resumed>|^[0-9]+ +(\+|-)/ { next }

{
	op = args = $0
	sub(/^[0-9]+ +/, "", op)
	sub(/\(.*/, "", op)
	sub(/^[^(]*\(/, "", args)
	path = ""
	if (op in on_file)
		path = file(1)
	else if (op ~ /^(open|openat|creat|unlink|unlinkat)$/)
		path = quoted(1)
	else if (op == "rename")
		path = quoted(1) " -> " quoted(2)
	else if (op == "copy_file_range")
		path = file(1) " -> " file(2)
	else if (op == "sendfile")
		path = file(2) " -> " file(1)
	if (index(path, folder "/") == 1)
		print (op == "sendfile" ? "sendfile64" : op), path
}
