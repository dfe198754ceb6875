// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The store in a worker of its own: the page's script again, which finds itself without a document. Blocks go there in
 * pieces, results come back without being copied. A browser that allows no worker to a page from a file reads on the page's
 * thread instead: the same, but the picture waits for it.
 */
import { Head } from "./head";
import { Part, Store } from "./store";
import { blocks } from "./wire";

const QUESTIONS = ["attributes", "account", "find", "alike", "values", "busy", "frequent"] as const;
/** What the page asks of the store. */
export type Calls = Pick<Store, "load" | typeof QUESTIONS[number]>;
type Message = { head: Head } | { part: Part; texts: string[] } | { id: number; name: keyof Calls; args: unknown[] };
type Answer = { progress: number } | { id: number; result?: unknown; error?: string };

/** Letters that go to the worker at once. */
const PIECE = 1 << 20;

/** The arrays of a result, which are given away instead of copied. */
function buffersOf(result: unknown): ArrayBuffer[] {
	return Object.values(result || {}).filter((value) => ArrayBuffer.isView(value)).map((view) => view.buffer);
}

function questions(ask: (name: typeof QUESTIONS[number]) => unknown): Omit<Calls, "load"> {
	return Object.fromEntries(QUESTIONS.map((name) => [name, ask(name)])) as any;
}

/** In the worker: answers the page. */
export function serve(): void {
	const scope = self as any as { onmessage: (event: { data: Message }) => void; postMessage: (answer: Answer, give?: ArrayBuffer[]) => void };
	let store: Store;

	scope.onmessage = async ({ data }) => {
		if ("head" in data) {
			store = new Store(data.head, (progress) => scope.postMessage({ progress }));
			return;
		}
		if ("part" in data) {
			store.add(data.part, data.texts);
			return;
		}
		try {
			const result = await (store[data.name] as (...args: any[]) => Promise<unknown>)(...data.args);

			scope.postMessage({ id: data.id, result }, buffersOf(result));
		} catch (error: any) {
			scope.postMessage({ id: data.id, error: String(error && error.message || error) });
		}
	};
}

/** Gives all blocks of some parts to @add, in pieces. */
function give(parts: Part[], add: (part: Part, texts: string[]) => void): void {
	for (const part of parts) {
		let texts: string[] = [], length = 0;

		for (const block of blocks(part)) {
			texts.push(block.textContent!);
			length += texts[texts.length - 1].length;
			if (length >= PIECE) {
				add(part, texts);
				texts = [];
				length = 0;
			}
		}
		if (texts.length)
			add(part, texts);
	}
}

function onPage(head: Head, progress: (share: number) => void): Calls {
	const store = new Store(head, progress);

	give(["items", "attrs", "strings", "parts", "names"], (part, texts) => store.add(part, texts));
	return store;
}

function inWorker(worker: Worker, head: Head, progress: (share: number) => void): Calls {
	const waiting = new Map<number, { resolve: (result: any) => void; reject: (error: Error) => void }>();
	const post = (message: Message) => worker.postMessage(message);
	const add = (part: Part, texts: string[]) => post({ part, texts });
	let last = 0;
	const call = (name: keyof Calls) => (...args: unknown[]): Promise<any> => new Promise((resolve, reject) => {
		waiting.set(++last, { resolve, reject });
		post({ id: last, name, args });
	});

	worker.onmessage = ({ data }: { data: Answer }) => {
		if ("progress" in data) {
			progress(data.progress);
			return;
		}
		const { resolve, reject } = waiting.get(data.id)!;

		waiting.delete(data.id);
		if (data.error === undefined)
			resolve(data.result);
		else
			reject(new Error(data.error));
	};
	worker.onerror = ({ message }) => {
		for (const { reject } of waiting.values())
			reject(new Error(message || "its worker has ended"));
		waiting.clear();
	};
	post({ head });
	give(["items"], add);
	const load = call("load");

	return {
		load: async () => {
			const arranged = load();

			give(["attrs", "strings", "parts", "names"], add);
			return arranged;
		},
		...questions(call),
	};
}

/** The store of the page's recording; @script: the text of the page's script. */
export function startStore(head: Head, script: string, progress: (share: number) => void): Calls {
	let store: Calls;

	try {
		store = inWorker(new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" }))), head, progress);
	} catch {
		return onPage(head, progress);
	}
	return {
		/* some browsers refuse a worker only when it should begin */
		load: () => store.load().catch(() => (store = onPage(head, progress)).load()),
		...questions((name) => (...args: unknown[]) => (store[name] as any)(...args)),
	};
}
