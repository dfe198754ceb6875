// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Colour by attribute: spans take the kind of their value of an attribute instead of their category. A kind of a value is
 * one more category of the recording for as long as it is painted, one for each type and role of the spans that have the
 * value; so legend, sums and picture treat it as any other.
 */
import { FAR, OTHERS } from "./colour";
import { Category, Recording, SPAN, Type } from "./model";

/** So many values have colours of their own: those that waited or were in calls for the longest time. */
export const MOST_VALUES = FAR.length;
const NONE = 0xc9cdd2, NONE_DARK = 0x4a515c;

/** FNV-1a: the same text has the same colour in every page, if no value with more time has taken it. */
export function hashOf(text: string): number {
	let hash = 0x811c9dc5;

	for (const unit of text)
		hash = Math.imul(hash ^ unit.codePointAt(0)!, 0x01000193) >>> 0;
	return hash;
}

/** A colour for each of the values, the most important one first. */
export function coloursOf(values: string[], reserved: (text: string) => Category | undefined): Map<string, { rgb: number; dark: number }> {
	const found = new Map<string, { rgb: number; dark: number }>();
	const taken = new Set<number>();

	for (const text of values) {
		const own = reserved(text);
		let slot = hashOf(text) % FAR.length;

		if (own) {
			found.set(text, { rgb: own.rgb, dark: own.dark });
			continue;
		}
		while (taken.has(slot))
			slot = (slot + 1) % FAR.length;
		taken.add(slot);
		found.set(text, { rgb: FAR[slot], dark: FAR[slot] });
	}
	return found;
}

/** Names of the attributes that spans have, in the order of the types; durations have too many values. */
export function paintable(types: Type[]): string[] {
	return [...new Set(types.filter((type) => type.kind === "span")
		.flatMap((type) => type.attrs.filter((attr) => attr.format !== "duration").map((attr) => attr.name)))];
}

/** Spans have their categories again. */
export function unpaint(recording: Recording): void {
	if (!recording.own)
		return;
	recording.cat = recording.own;
	recording.own = null;
	recording.head.cats.length = recording.ownKinds;
}

/** Paints all spans by an attribute. False if @wanted has said no meanwhile: then nothing has changed. */
export async function paint(recording: Recording, name: string, wanted: () => boolean): Promise<boolean> {
	const own = recording.own || recording.cat;
	const { head, t0, t1, tracks } = recording;
	const { texts, value } = await recording.store.values(name);

	if (!wanted())
		return false;
	const busy = new Float64Array(texts.length), ns = new Float64Array(texts.length);

	unpaint(recording);
	for (const track of tracks)
		for (let i = track.from; track.kind === SPAN && !head.types[track.type].repeats && i < track.to; i++) {
			ns[value[i]] += t1[i] - t0[i];
			busy[value[i]] += head.cats[own[i]].role === "hold" ? 0 : t1[i] - t0[i];
		}
	const ranked = texts.map((_text, i) => i).slice(1).sort((a, b) => busy[b] - busy[a] || ns[b] - ns[a] || (texts[a] < texts[b] ? -1 : 1)).slice(0, MOST_VALUES);
	const colours = coloursOf(ranked.map((i) => texts[i]), (text) => head.cats.find((cat) => cat.name === text && cat.role === "hold"));
	const rank = new Uint32Array(texts.length).fill(ranked.length + 1);

	ranked.forEach((i, place) => rank[i] = place + 1);
	rank[0] = 0;
	const kinds = new Map<string, number>(), cat = own.slice();

	recording.ownKinds = head.cats.length;
	for (const track of tracks)
		for (let i = track.from; track.kind === SPAN && i < track.to; i++) {
			const was = head.cats[own[i]], place = rank[value[i]];

			if (was.faint)
				continue;
			const key = `${was.type} ${was.role} ${place}`;
			let kind = kinds.get(key);

			if (kind === undefined) {
				kinds.set(key, kind = head.cats.length);
				const text = place ? texts[ranked[place - 1]] : "", colour = colours.get(text);
				const title = !place ? `no ${name}` : colour ? text || "(empty)" : `other ${name}`;

				head.cats.push({
					type: was.type, role: was.role, name: title, painted: place || MOST_VALUES + 2,
					rgb: !place ? NONE : colour ? colour.rgb : OTHERS, dark: !place ? NONE_DARK : colour ? colour.dark : OTHERS,
				});
			}
			cat[i] = kind;
		}
	recording.own = own;
	recording.cat = cat;
	return true;
}
