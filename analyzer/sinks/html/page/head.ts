// SPDX-License-Identifier: GPL-2.0-or-later
// What the analyzer writes at the head of a page: types, categories, rows and tables.

export interface Attr {
	name: string;
	format: "int"|"uint"|"hex"|"str"|"duration"|"real"
}
export interface Type {
	kind: "row" | "span" | "point" | "counter" | "link";
	name: string; title: string; on: number; role: string; repeats: number; attrs: Attr[];
	/** Of rows: lane 0 has states that were derived from those of the rows below. */
	stage?: number;
	/** Of rows: a level above nodes, such as clusters. */
	above?: number;
	/** Of spans: the thread waits by way of the lock on the twin of the row. */
	through?: number;
}
export interface Category {
	type: number; name: string; rgb: number; dark: number; role: string; faint?: number;
	/** A value of an attribute instead (paint.ts): its place among the values. */
	painted?: number;
}
export interface View { title: string; columns: number[] }
export interface Column { name: string; title: string; kind: string; help?: string }
export interface Table {
	name: string; title: string; help?: string; remark?: string; notes?: string[]; columns: Column[]; rows: (string | number | null)[][];
	/** 100 % of the columns `of_range`, ns. */
	range?: number;
	/** Numbers of columns: bad news unless 0; shares of the range. */
	alarm?: number[]; of_range?: number[];
	/** Row and column, in pairs: the true value is greater; there is a value, but nobody knows it. */
	at_least?: number[]; unknown?: number[];
	/** By number of the row: the sum of so many others; its level in a tree. */
	marks?: { [row: string]: { others?: number; level?: number; strong?: number } };
}
export interface Head {
	version: number; program: string; n: number; unknown: string | null;
	/** Rows that keep only sums, in steps of so many ns, of so many items. */
	thinned?: { step: number; rows: number; items: number; coarse: number[] };
	zero: string; origin: string; from: number; to: number;
	/** From then on states may be unseen, because events of a machine are missing. */
	types: Type[]; cats: Category[]; views: View[]; nodes: string[];
	/** bound: greatest errors of its clock, as pairs of time and bound (ns); null: not known. */
	inputs: { path: string; node: string; protocol: string; bound: number[] | null }[];
	/** Options that a command for another window repeats. */
	repeated: string[];
	tables: Table[];
	/** Rows of machines that are the same thing, by number of the row: a glock and its lock. */
	twins?: { [row: string]: number };
	/** What resources are about, such as files, by number of the row. */
	about?: { [row: string]: string };
	rows: {
		name: string[]; type: number[]; parent: number[]; rank: number[]; unit: number[]; hidden: number[];
		/** least: the longest may be longer than worst. */
		wait: number[]; worst: number[]; least: number[]; calls: number[]; items: number[];
	};
}
