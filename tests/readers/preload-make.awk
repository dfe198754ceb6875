# SPDX-License-Identifier: GPL-2.0-or-later
# A random file of libiotrace-preload, after docs/formats/preload.md; for fuzzing. Usage: LC_ALL=C awk -v seed=N -f preload-make.awk > FILE
function bytes(n, size,  i) { for (i = 0; i < size; i++) { printf "%c", n % 256; n = int(n / 256) } }
function negative(size,  i) { for (i = 0; i < size; i++) printf "%c", 255 } # -1
function text(string, size,  i) { printf "%s", string; for (i = length(string); i < size; i++) printf "%c", 0 }
function draw(n) { return int(rand() * n) }
function number(n, size) { if (draw(6)) bytes(n, size); else negative(size) }

function put_texts(n, string,  part) {
	for (part = 0; part < n; part++) {
		bytes((part && draw(2) ? 11 : 10) + length(string) * 256, 4)
		text(string, 60)
	}
}

function put_record(  kind, n, op, begin) {
	kind = 1 + draw(9)
	n = draw(3) * draw(2)
	op = kind == 3 ? draw(7) : kind == 4 ? draw(16) : kind > 4 ? 0 : 1 + draw(110)
	begin = 1000000 + draw(1000000)
	bytes(kind + n * 256 + op * 65536, 4)
	bytes(100 + draw(4), 4)                        # process
	bytes(100 + draw(8), 4)                        # thread
	number(draw(6), 4)                             # descriptor
	bytes(begin, 8)
	bytes(begin + draw(3) * draw(100000), 8)
	number(draw(9), 8)                             # result
	number(draw(1000), 8)                          # position, inode number
	number(draw(1000), 8)                          # length, device
	bytes(draw(2) * 1024 + draw(2) * 524288, 4)    # flags: O_APPEND, O_CLOEXEC
	bytes(draw(10) * 65536 + draw(3), 4)
	put_texts(n, draw(2) ? "/tmp/a" : "b/../c")
	return 1 + n
}

BEGIN {
	srand(seed)
	text("iotrace preload", 16); bytes(1, 4); bytes(16909060, 4)
	text("boot", 40); text("host", 72); text("6.1", 72)
	bytes(1000000, 8); bytes(2000000, 8); bytes(0, 8)
	bytes(draw(2) * 3, 8); bytes(1500000, 8)       # lost, since when
	bytes(2, 8); bytes(0, 8)                       # chunks, spare
	for (i = 0; i < 16; i++) bytes(i == 0, 8)
	for (i = 264 + 128; i < 65536; i++) printf "%c", 0
	bytes(60, 4); text("", 60)
	while (slots < 50)
		slots += put_record()
	if (draw(2)) { bytes(12, 4); text("", 60) }    # the rest is not used
}
