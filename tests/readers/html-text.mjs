// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A reader of the pages of the output html that shares no code with the page or its writer: prints what the output text
 * prints, without the lines of diagnostics. The format is described in analyzer/sinks/html/html-chunk.h.
 *
 * usage: node html-text.mjs PAGE
 */
import { readFileSync } from "node:fs";
import { inflateRawSync } from "node:zlib";

const page = readFileSync(process.argv[2], "latin1");
const parts = { head: [], items: [], attrs: [], strings: [], parts: [], names: [] };

for (const [, part, text] of page.matchAll(/<script type="text\/plain" data-part="([a-z]+)">([A-Za-z0-9+/=]*)<\/script>/g))
	parts[part].push(inflateRawSync(Buffer.from(text, "base64")));

const head = JSON.parse(parts.head[0].toString());
const zero = BigInt(head.zero), ALL = (1n << 64n) - 1n;

class Bytes {
	constructor(data) {
		this.data = data;
		this.at = 0;
	}
	get more() {
		return this.at < this.data.length;
	}
	number() {
		let value = 0n, shift = 0n, byte;

		do {
			byte = this.data[this.at++];
			if (byte === undefined)
				throw new Error("a column ends inside of a number");
			value |= BigInt(byte & 127) << shift;
			shift += 7n;
		} while (byte & 128);
		if (value > ALL)
			throw new Error("a number of more than 64 bits");
		return value;
	}
	bytes() {
		const length = Number(this.number()), data = this.data.subarray(this.at, this.at += length);

		if (data.length !== length)
			throw new Error("a column ends after its block");
		return data;
	}
	numbers() {
		const column = new Bytes(this.bytes()), list = [];

		while (column.more)
			list.push(column.number());
		return list;
	}
}

const unzigzag = (value) => value & 1n ? -((value + 1n) >> 1n) : value >> 1n;
const signed = (value) => BigInt.asIntN(64, value);

const strings = [Buffer.alloc(0)];

for (const part of parts.strings)
	for (const block = new Bytes(part); block.more;)
		strings.push(block.bytes());

function quote(bytes) {
	const out = [0x22];

	for (const byte of bytes) {
		if (byte === 0x22 || byte === 0x5c)
			out.push(0x5c);
		if (byte < 0x20 || byte === 0x7f)
			out.push(...Buffer.from("\\x" + byte.toString(16).padStart(2, "0")));
		else
			out.push(byte);
	}
	out.push(0x22);
	return Buffer.from(out).toString("latin1");
}
const quoteText = (text) => quote(Buffer.from(text));

function path(row) {
	const names = [];

	for (; row; row = head.rows.parent[row])
		names.unshift(head.rows.name[row]);
	return quoteText(names.join("/"));
}

const FLAGS = ["unfinished", "before", "suspect", "failed", "cut-left", "cut-right", "unknown",
	"backwards", "from-hidden", "to-hidden", "from-unseen", "to-unseen", "leaving"];

function flagText(flags) {
	const names = FLAGS.filter((_name, i) => flags & 1n << BigInt(i));

	return names.length ? " flags=" + names.join(",") : "";
}

/* The digits of JavaScript, which are the fewest, as printf's %g writes them. */
function realText(bits) {
	const real = new Float64Array(new BigUint64Array([bits]).buffer)[0];
	const [, sign, digits, exponent] = /^(-?)([\d.]+)e([+-]\d+)$/.exec(real.toExponential()), at = Number(exponent), n = digits.replace(".", "").length;

	if (at < -4 || at >= Math.max(n, 15))
		return `${sign}${digits}e${at < 0 ? "-" : "+"}${String(Math.abs(at)).padStart(2, "0")}`;
	return Object.is(real, -0) ? "-0.0" : real.toFixed(Math.max(n - 1 - at, 0));
}

function attrText(attr, value) {
	if (!value)
		return "";
	const text = {
		int: () => unzigzag(value), uint: () => value, duration: () => value, real: () => realText(value), hex: () => "0x" + value.toString(16),
		str: () => value & 1n ? `"${value >> 1n}"` : quote(strings[Number(value >> 1n)]),
	}[attr.format]();

	return ` ${attr.name}=${text}`;
}

/* The attributes of a chunk by type: lists of values, which are combined with those of their slot here. */
function readAttrs(data, items) {
	const byType = new Map();

	for (const all = new Bytes(data); all.more;) {
		const type = Number(all.number()), n = Number(all.number()), columns = [];

		for (let i = 0; i < n; i++)
			columns.push(all.numbers());
		byType.set(type, columns.map((column) => {
			const last = new Map();
			const mine = items.filter((item) => item.type === type && !item.merged);

			if (column.length !== mine.length)
				throw new Error(`type ${type}: ${column.length} values for ${mine.length} items`);
			return mine.map((item, i) => {
				const slot = (item.row * 61 + item.lane) % 1024, value = (last.get(slot) || 0n) ^ column[i];

				last.set(slot, value);
				return value;
			});
		}));
	}
	return byType;
}

const out = [];
let total = 0;

parts.items.forEach((data, number) => {
	const block = new Bytes(data), n = Number(block.number());
	const [rows, cats, lanes, flags, ends, lengths, values, nodes, rowsTo, lanesTo] = Array.from({ length: 10 }, () => block.numbers());
	const items = rows.map((row, i) => ({
		row: Number(row), cat: Number(cats[i]), lane: Number(lanes[i]), merged: flags[i] >> 15n & 1n, type: Number(cats[i]) ? head.cats[Number(cats[i])].type : 0,
	}));
	const attrs = readAttrs(parts.attrs[number], items), seen = new Map(), begins = new Map(), last = new Map();
	let end = zero;

	if (block.more || rows.length !== n || cats.length !== n || lanes.length !== n || flags.length !== n || ends.length !== n)
		throw new Error("columns of different lengths");
	items.forEach((item, i) => {
		const type = head.types[item.type], kind = item.cat ? type.kind : "gap", at = seen.get(item.type) || 0;
		const cat = head.cats[item.cat];

		end += ends[i];
		total++;
		if (kind === "gap") {
			const length = lengths.shift() - 1n, lost = attrs.get(0)[0][at];

			out.push(`${end - length} gap ${quoteText(head.nodes[Number(nodes.shift())])} - "not observed" ${length}${flagText(flags[i])} lost=${lost ? lost - 1n : "?"}`);
		} else if (kind === "counter") {
			const slot = (item.row * 61 + item.cat) % 16384;
			const real = type.attrs[0].format === "real", before = last.get(slot) || 0n;
			const value = real ? realText(values.shift() << 32n | values.shift()) : signed(before + unzigzag(values.shift()));

			last.set(slot, real ? before : value);
			out.push(`${end} sample ${path(item.row)} ${type.name} ${value}${flagText(flags[i])}${item.merged ? ` merged=${values.shift()}` : ""}`);
			return;
		} else {
			let begin = end, length = "", to = "", laneTo = "";

			if (kind === "span") {
				const slot = (item.row * 61 + item.lane) % 16384, coded = lengths.shift();

				begin = coded ? end - (coded - 1n) : begins.get(slot);
				begins.set(slot, end);
				length = ` ${end - begin}`;
			}
			if (kind === "link") {
				const coded = lengths.shift(), lane = lanesTo.shift();

				begin = end - (coded - 1n);
				length = ` ${coded - 1n}`;
				to = ` ${path(Number(rowsTo.shift()))}`;
				laneTo = lane ? ` lane_to=${lane}` : "";
			}
			/* of a page that was made smaller: how many this one stands for */
			const many = item.merged ? ` merged=${values.shift()}` : "";
			const text = item.merged ? many : type.attrs.map((attr, k) => attrText(attr, attrs.get(item.type)[k][at])).join("");

			out.push(`${begin} ${kind} ${path(item.row)} ${type.name} ${quoteText(cat.name)}${length}${to}` +
				`${laneTo}${item.lane ? ` lane=${item.lane}` : ""}${flagText(flags[i])}${text}`);
		}
		if (!item.merged)
			seen.set(item.type, at + 1);
	});
	if (lengths.length || values.length || nodes.length || rowsTo.length || lanesTo.length)
		throw new Error("columns have more numbers than there are items");
});
if (total !== head.n)
	throw new Error(`the head says ${head.n} items, the blocks have ${total}`);
process.stdout.write(Buffer.from(out.map((line) => line + "\n").join(""), "latin1"));
