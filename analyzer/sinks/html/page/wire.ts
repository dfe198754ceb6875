// SPDX-License-Identifier: GPL-2.0-or-later
// Blocks of the document as bytes, and the numbers of variable length in them.

/** The part of a block ("head", "items" ...), and its text. */
export type Block = [string, string];

/** Letters that are taken at once. */
const PIECE = 1 << 20;

/** The blocks of the document, which stand after the page's script: @take gets them in their order, in pieces, while the document arrives. */
export function eachBlock(script: Element, take: (blocks: Block[]) => void): Promise<void> {
	return new Promise((done) => {
		const go = () => {
			const complete = document.readyState !== "loading";
			let piece: Block[] = [], length = 0;
			const give = () => {
				if (piece.length)
					take(piece);
				piece = [];
				length = 0;
			};

			/* an element with a neighbour is complete */
			for (let next; (next = script.nextElementSibling) && (complete || next.nextSibling); script = next) {
				const { dataset: { part }, textContent } = next as HTMLElement;

				if (!part)
					continue;
				piece.push([part, textContent!]);
				length += textContent!.length;
				if (length >= PIECE)
					give();
			}
			give();
			if (complete) {
				observer.disconnect();
				done();
			}
		};
		const observer = new MutationObserver(go);

		observer.observe(script.parentNode!, { childList: true });
		document.addEventListener("DOMContentLoaded", go);
		go();
	});
}

/** The bytes of a block from its text. */
export async function unpack(text: string): Promise<Uint8Array> {
	const { fromBase64 } = Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array };
	const packed = fromBase64 ? fromBase64(text) : new Uint8Array(await (await fetch("data:application/octet-stream;base64," + text)).arrayBuffer());
	const stream = new DecompressionStream("deflate-raw"), into = stream.writable.getWriter();

	/* the readable side reports the error */
	into.write(packed).catch(() => 0);
	into.close().catch(() => 0);
	return new Uint8Array(await new Response(stream.readable).arrayBuffer());
}

/** Reads numbers one after the other. Above 2^53 they are rounded; `pair` keeps all bits. */
export class Reader {
	at = 0;
	low = 0;
	high = 0;
	constructor(readonly bytes: Uint8Array) {}

	get ended(): boolean {
		return this.at >= this.bytes.length;
	}
	number(): number {
		let byte = this.bytes[this.at++];
		let value = byte & 127;

		for (let factor = 128; byte > 127; factor *= 128) {
			byte = this.bytes[this.at++];
			value += (byte & 127) * factor;
		}
		return value;
	}
	/** The next number into `low` and `high`, 32 bits each. */
	pair(): void {
		let byte, shift = 0;

		this.low = this.high = 0;
		do {
			byte = this.bytes[this.at++];
			const bits = byte & 127;

			if (shift < 28) {
				this.low |= bits << shift;
			} else if (shift === 28) {
				this.low |= bits << 28;
				this.high |= bits >> 4;
			} else {
				this.high |= bits << (shift - 32);
			}
			shift += 7;
		} while (byte > 127);
		this.low >>>= 0;
		this.high >>>= 0;
	}
	/** A column: its length in bytes, then the bytes. */
	column(): Uint8Array {
		const length = this.number();

		this.at += length;
		return this.bytes.subarray(this.at - length, this.at);
	}
}

/** All numbers of a column; returns how many there are. */
export function numbers(column: Uint8Array, out: Float64Array): number {
	let n = 0;

	for (let at = 0; at < column.length;) {
		let byte = column[at++];
		let value = byte & 127;

		for (let factor = 128; byte > 127; factor *= 128) {
			byte = column[at++];
			value += (byte & 127) * factor;
		}
		out[n++] = value;
	}
	return n;
}

/** The double that is written as @low and @high. */
export function real(low: number, high: number): number
{
	return new Float64Array(new Uint32Array([ low, high ]).buffer)[0];
}

export function unzigzag(value: number): number {
	return value % 2 ? -(value + 1) / 2 : value / 2;
}
