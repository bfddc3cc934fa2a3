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
		this.text = text;
		this.at = 0;
		this.big = null;
	}

	more()
	{
		return this.at < this.text.length;
	}

	next()
	{
		const { text } = this, from = this.at;
		let v = 0, k = 1, d;

		while ((d = VALUE[text.charCodeAt(this.at++)]) >= ENDING) {
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
			const d = VALUE[this.text.charCodeAt(i)];

			v += BigInt(d >= ENDING ? d - ENDING : d) * k;
		}
		return v;
	}

	/* A number of so many digits of all. */
	fixed(n)
	{
		let v = 0, k = 1;

		for (let i = 0; i < n; i++, k *= ENDING + OTHERS)
			v += VALUE[this.text.charCodeAt(this.at++)] * k;
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

function growing(Type)
{
	let array = new Type(1024);

	return {
		set(i, v) {
			if (i >= array.length) {
				const more = new Type(array.length * 2);

				more.set(array);
				array = more;
			}
			array[i] = v;
		},
		done: (n) => array.slice(0, n),
	};
}

/* { n, name, parent, self: one array a series, big: exact weights by node or null } */
function readTree(text, nnames, nseries, chart)
{
	const from = new Numbers(text), name = growing(Int32Array), parent = growing(Int32Array);
	const self = Array.from({ length: nseries }, () => growing(Float64Array));
	const path = [0], big = new Map();
	let n = 1, digits = 0;

	for (let most = 1; most < nnames; most *= ENDING + OTHERS)
		digits++;
	const weigh = (node) => {
		for (let k = 0; k < nseries; k++) {
			self[k].set(node, from.next());
			if (from.big)
				big.set(node * nseries + k, from.big);
		}
	};
	const push = (of, above) => {
		name.set(n, of);
		parent.set(n, above);
		for (let k = 0; k < nseries; k++)
			self[k].set(n, 0);
		path.push(n);
		return n++;
	};

	name.set(0, ALL);
	parent.set(0, -1);
	weigh(0);
	while (from.more()) {
		const head = from.next();
		let count = head % 4;

		path.length -= (head - count) / 4;
		if (!count) {
			const gap = chart && from.next() ? OWN : OMITTED;

			weigh(push(gap, path.at(-1)));
			continue;
		}
		if (count === 3)
			count += from.next();
		for (let i = 0; i < count; i++)
			push(from.fixed(digits), path.at(-1));
		weigh(n - 1);
	}
	return {
		n, name: name.done(n), parent: parent.done(n), self: self.map((s) => s.done(n)),
		big: big.size ? big : null,
	};
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

/* Everything of a picture, from its texts by class. */
function readFile(texts)
{
	const facts = JSON.parse(texts.facts), nseries = facts.series.length;
	const names = readNames(texts.names);
	const file = {
		facts, names,
		scale: Number(facts.scale),
		tree: readTree(texts.tree, names.length, nseries, facts.chart),
		extra: readExtra(texts.extra, nseries),
		slots: facts.perSecond ? readSlots(texts.slots) : null,
	};

	file.total = Number(facts.total) / file.scale;
	return file;
}
