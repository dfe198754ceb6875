# SPDX-License-Identifier: GPL-2.0-or-later
# The same of the output of strace -s 0 -e trace=openat,close,dup2,read,pread64,write,pwrite64,fsync,fdatasync.
{
	result = $0
	sub(/.*\) += /, "", result)
	split(result, words, " ")
	result = words[1] == "-1" ? words[2] : words[1]
	op = args = $0
	sub(/\(.*/, "", op)
	sub(/^[a-z0-9]*\(/, "", args)
	sub(/\) += .*/, "", args)
	split(args, arg, ", ")
}

op == "openat" {
	gsub(/"/, "", arg[2])
	print op, "", arg[2], "", "", result
	if (result ~ /^[0-9]+$/)
		path[result] = arg[2]
	next
}

op == "dup2" {
	path[arg[2]] = path[arg[1]]
	next
}

op ~ /read|write/ {
	print op, arg[1], path[arg[1]], arg[3], arg[4], result
	next
}

/^[a-z0-9]+\(/ {
	print op, arg[1], path[arg[1]], "", "", result
	if (op == "close")
		delete path[arg[1]]
}
