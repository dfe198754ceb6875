// SPDX-License-Identifier: GPL-2.0-or-later
// What the library of tsc does not know yet, though browsers do.
declare class DecompressionStream {
	constructor(format: string);
	readonly readable: ReadableStream<Uint8Array>;
	readonly writable: WritableStream<Uint8Array>;
}
