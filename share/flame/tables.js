/*
 * tables - the file's tables (lib/writer/tables.h) as arrays.
 *
 * A tree has its nodes before their children: name, parent and what ends there, by
 * series.  Names of OWN and OMITTED are gaps: time of the parent itself in a chart, and
 * boxes that the file does not have.
 */
const OMITTED = -1, OWN = -2, ALL = -3;
const DIGITS = '!"#$%\'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ' +
	'[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~';
const ENDING = 46, OTHERS = 45;
const VALUE = new Uint8Array(128);

for (let i = 0; i < DIGITS.length; i++)
	VALUE[DIGITS.charCodeAt(i)] = i;

/* Reads numbers one after the other; big: what does not fit a double is exact. */
class Numbers
{
	constructor(text)
	{
		this.bytes = new TextEncoder().encode(text);
		this.at = 0;
		this.big = null;
	}

	more()
	{
		return this.at < this.bytes.length;
	}

	next()
	{
		const { bytes } = this, from = this.at;
		let v = 0, k = 1, d;

		while ((d = VALUE[bytes[this.at++]]) >= ENDING) {
			v += (d - ENDING) * k;
			k *= OTHERS;
		}
		v += d * k;
		this.big = v > Number.MAX_SAFE_INTEGER ? this.exact(from) : null;
		return v;
	}

	exact(from)
	{
		let v = 0n, k = 1n;

		for (let i = from; i < this.at; i++, k *= 45n) {
			const d = VALUE[this.bytes[i]];

			v += BigInt(d >= ENDING ? d - ENDING : d) * k;
		}
		return v;
	}

	/* A number of so many digits of all. */
	fixed(n)
	{
		let v = 0, k = 1;

		for (let i = 0; i < n; i++, k *= ENDING + OTHERS)
			v += VALUE[this.bytes[this.at++]] * k;
		return v;
	}
}

/* [{ text, sort, shade (-1: color), color }] */
function readNames(text)
{
	let before = '';

	return (text ? text.split('\n') : []).map((line) => {
		const fixed = line[2] === '~', skip = fixed ? 9 : 3;
		const name = {
			text: before.slice(0, VALUE[line.charCodeAt(0)]) + line.slice(skip),
			sort: line.charCodeAt(1) - 97,
			shade: fixed ? -1 : VALUE[line.charCodeAt(2)],
			color: fixed ? '#' + line.slice(3, 9) : '',
		};

		before = name.text;
		return name;
	});
}

/* { n, name, parent, self: one array a series, big: exact weights by node or null } */
function readTree(text, nnames, { series, chart, boxes })
{
	const from = new Numbers(text), name = new Int32Array(boxes), parent = new Int32Array(boxes);
	const self = series.map(() => new Float64Array(boxes)), path = [0], big = new Map();
	let n = 1, depth = 0, digits = 0;

	for (let most = 1; most < nnames; most *= ENDING + OTHERS)
		digits++;
	const weigh = () => {
		for (let k = 0; k < self.length; k++) {
			self[k][n - 1] = from.next();
			if (from.big)
				big.set((n - 1) * self.length + k, from.big);
		}
	};

	name[0] = ALL;
	parent[0] = -1;
	weigh();
	while (from.more()) {
		const head = from.next();
		let count = head % 4;

		depth -= (head - count) / 4;
		const gap = !count && (chart && from.next() ? OWN : OMITTED);

		if (count === 3)
			count += from.next();
		do {
			name[n] = gap || from.fixed(digits);
			parent[n] = path[depth];
			path[++depth] = n++;
		} while (--count > 0);
		weigh();
	}
	return { n, name, parent, self, big: big.size ? big : null };
}

/* By name: [{ self, total }] a series, for those that weigh more than their boxes. */
function readExtra(text, nseries)
{
	const from = new Numbers(text), extra = new Map();

	for (let name = 0; from.more();) {
		const by = [];

		name += from.next();
		for (let k = 0; k < nseries; k++)
			by.push({ self: from.next(), total: from.next() });
		extra.set(name, by);
	}
	return extra;
}

/* Everything of a picture; text(c) is that of class c. */
function readFile(text)
{
	const facts = JSON.parse(text('facts')), nseries = facts.series.length;
	const names = readNames(text('names'));
	const file = {
		facts, names,
		scale: Number(facts.scale),
		tree: readTree(text('tree'), names.length, facts),
		extra: readExtra(text('extra'), nseries),
		slots: facts.perSecond ? readSlots(text('slots')) : null,
	};

	file.total = Number(facts.total) / file.scale;
	return file;
}
