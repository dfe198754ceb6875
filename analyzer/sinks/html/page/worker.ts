// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The store in a worker of its own: the page's script again, which finds itself without a document. Blocks go there in
 * pieces, results come back without being copied. A browser that allows no worker to a page from a file reads on the page's
 * thread instead: the same, but the picture waits for it.
 */
import { Store } from "./store";
import { Block, eachBlock } from "./wire";

const QUESTIONS = ["attributes", "account", "find", "alike", "values", "busy", "frequent"] as const;
/** What the page asks of the store. */
export type Calls = Pick<Store, "load" | typeof QUESTIONS[number]>;
type Message = { blocks: Block[] } | { id: number; name: keyof Calls; args: unknown[] };
type Answer = { progress: number } | { id: number; result?: unknown; error?: string };
/** Gives all blocks of the page to a store, in pieces. */
type Give = (add: (blocks: Block[]) => void) => Promise<void>;

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
	const store = new Store((progress) => scope.postMessage({ progress }));

	scope.onmessage = async ({ data }) => {
		if ("blocks" in data) {
			store.add(data.blocks);
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

function onPage(give: Give, progress: (share: number) => void): Calls {
	const store = new Store(progress), all = give((blocks) => store.add(blocks));

	return { load: () => all.then(() => store.load()), ...questions((name) => (...args: unknown[]) => (store[name] as any)(...args)) };
}

function inWorker(worker: Worker, give: Give, progress: (share: number) => void): Calls {
	const waiting = new Map<number, { resolve: (result: any) => void; reject: (error: Error) => void }>();
	const post = (message: Message) => worker.postMessage(message);
	let last = 0;
	/* why it answers no more */
	let ended: Error | null = null;
	const call = (name: keyof Calls) => (...args: unknown[]): Promise<any> => new Promise((resolve, reject) => {
		if (ended)
			return reject(ended);
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
		ended = new Error(message || "its worker has ended");
		for (const { reject } of waiting.values())
			reject(ended);
		waiting.clear();
	};
	const all = give((blocks) => post({ blocks }));

	return { load: () => all.then(() => call("load")()), ...questions(call) };
}

/** The store of the page's recording, and its head; @script: the page's script. */
export function startStore(script: Element, progress: (share: number) => void): Calls & { head: Promise<string> } {
	let store: Calls, found: (head: string) => void;
	const head = new Promise<string>((done) => found = done);
	/* the first block */
	const give: Give = (add) => eachBlock(script, (blocks) => {
		found(blocks[0][1]);
		add(blocks);
	}).then(() => found(""));

	try {
		store = inWorker(new Worker(URL.createObjectURL(new Blob([script.textContent!], { type: "text/javascript" }))), give, progress);
	} catch {
		store = onPage(give, progress);
	}
	return {
		head,
		/* some browsers refuse a worker only when it should begin */
		load: () => store.load().catch(() => (store = onPage(give, progress)).load()),
		...questions((name) => (...args: unknown[]) => (store[name] as any)(...args)),
	};
}
