/*
 * tables - the file's tables (lib/writer/flame/tables.h) as arrays.
 *
 * In a tree, nodes precede their children: name, parent and the weight that ends there, by
 * series.  If a name is OWN or OMITTED, the node is a gap: the parent's own time in a chart,
 * or boxes that are missing in the file.
 */
const OMITTED = -1, OWN = -2, ALL = -3;
const ENDING = 46, OTHERS = 44, BLOCK = 64, HEADS = 24;
const VALUE = new Uint8Array(128);

/* The digits are the characters of ASCII from '!' on, except those. */
for (let c = 33, i = 0; c < 127; c++)
	if (!'&<>]'.includes(String.fromCharCode(c)))
		VALUE[c] = i++;

/* Reads numbers in sequence.  big: the last number, if a double cannot hold it. */
class Numbers
{
	constructor(text)
	{
		this.bytes = new Uint8Array(text.length);
		new TextEncoder().encodeInto(text, this.bytes);
		this.at = 0;
		this.big = null;
	}

	more()
	{
		return this.at < this.bytes.length;
	}

	next()
	{
		const d = VALUE[this.bytes[this.at++]];

		return d < ENDING ? d : this.long(d);
	}

	/* A number of more than one digit. */
	long(first)
	{
		const { bytes } = this, from = this.at - 1;
		let v = first - ENDING, k = OTHERS, d;

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

		for (let i = from; i < this.at; i++, k *= BigInt(OTHERS)) {
			const d = VALUE[this.bytes[i]];

			v += BigInt(d >= ENDING ? d - ENDING : d) * k;
		}
		return v;
	}

	/* Reads a number with a fixed count of digits. */
	fixed(n)
	{
		let v = 0, k = 1;

		for (let i = 0; i < n; i++, k *= ENDING + OTHERS)
			v += VALUE[this.bytes[this.at++]] * k;
		return v;
	}
}

/* The names, which are read on first use. */
class Names
{
	constructor(text)
	{
		this.text = text;
		this.lines = [];
		this.known = [];
		for (let at = 0; text && (at || !this.lines.length); at = text.indexOf('\n', at) + 1)
			this.lines.push(at);
		this.n = this.lines.length;
	}

	sort(i)
	{
		return this.text.charCodeAt(this.lines[i] + 1) - 97;
	}

	/* -1 if it has its own color. */
	shade(i)
	{
		const c = this.text[this.lines[i] + 2];

		return c === '~' ? -1 : VALUE[c.charCodeAt(0)];
	}

	color(i)
	{
		return '#' + this.text.slice(this.lines[i] + 3, this.lines[i] + 9);
	}

	/* A name shares its start with the previous one of its block. */
	of(i)
	{
		const { text, lines, known } = this;
		let to = i;

		while (!known[to] && to % BLOCK)
			to--;
		for (; known[i] === undefined; to++) {
			const at = lines[to], end = lines[to + 1] - 1 || undefined;

			known[to] = (known[to - 1] || '').slice(0, VALUE[text.charCodeAt(at)]) +
				text.slice(at + (text[at + 2] === '~' ? 9 : 3), end);
		}
		return known[i];
	}

	/* Calls act(text, sort, number) for each name, as bytes. */
	map(act)
	{
		const made = new Uint8Array(this.n);

		for (let i = 0; i < this.n; i++)
			made[i] = act(this.of(i), this.sort(i), i);
		return made;
	}
}

/* Reads boxes that weigh 1, each beside the last one. */
function readLeaves(t, from, nnames, self)
{
	const { name, parent, level, counts } = t, { bytes } = from;
	let i = t.n, id = name[i - 1];
	const above = parent[i - 1], l = level[i - 1];

	while (VALUE[bytes[from.at]] >= HEADS) {
		id += from.next() - HEADS + 1;
		if (id >= nnames)
			id -= nnames;
		name[i] = id;
		parent[i] = above;
		level[i] = l;
		self[i++] = 1;
	}
	counts[l] += i - t.n;
	t.n = i;
}

/*
 * { n, name, parent, level, counts: nodes with names by level, self: an array for each series,
 * big: weights by node if a double cannot hold them }
 */
function readTree(text, nnames, { series, chart, boxes, deep, total, scale })
{
	const from = new Numbers(text), name = new Int32Array(boxes), parent = new Int32Array(boxes);
	const level = new (deep < 256 ? Uint8Array : Uint32Array)(boxes);
	const Weights = series.length < 2 && total / scale < 2 ** 31 ? Int32Array : Float64Array;
	const self = series.map(() => new Weights(boxes)), path = [0], big = new Map();
	const counts = new Uint32Array(deep + 1);
	const t = { n: 1, name, parent, level, counts, self, big };
	let depth = 0, digits = 0;

	for (let most = 1; most < nnames; most *= ENDING + OTHERS)
		digits++;
	const weigh = () => {
		for (let k = 0; k < self.length; k++) {
			from.big = null;
			self[k][t.n - 1] = from.next();
			if (from.big)
				big.set((t.n - 1) * self.length + k, from.big);
		}
	};
	const add = (id) => {
		const { n } = t;

		name[n] = id;
		parent[n] = path[depth];
		level[n] = ++depth;
		path[depth] = t.n++;
		counts[depth] += id < 0 ? 0 : 1;
	};

	name[0] = ALL;
	parent[0] = -1;
	counts[0] = 1;
	weigh();
	while (from.more()) {
		let head = from.next();

		if (head === HEADS - 1)
			head += from.next();
		let count = head >> 1 & 3;

		depth -= head >> 3;
		if (count === 3)
			count += from.next();
		if (!count) {
			add(chart && from.next() ? OWN : OMITTED);
		} else if (head > 7 && !chart) {
			const to = name[path[depth + 1]] + from.next();

			add(to < nnames ? to : to - nnames);
		} else {
			add(from.fixed(digits));
		}
		while (--count > 0)
			add(from.fixed(digits));
		if (head & 1)
			self[0][t.n - 1] = 1;
		else
			weigh();
		readLeaves(t, from, nnames, self[0]);
		path[depth] = t.n - 1;
	}
	return t;
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

/* By name: which of facts.verdicts it has, from 1. */
function readVerdicts(text)
{
	const from = new Numbers(text), verdicts = new Map();

	for (let name = 0; from.more();)
		verdicts.set(name += from.next(), from.next());
	return verdicts;
}

/* Reads the tables of a picture.  text(c) returns the text of class c. */
function readFile(text)
{
	const facts = JSON.parse(text('facts')), nseries = facts.series.length;
	const names = new Names(text('names'));
	let places = null;

	const file = {
		facts, names,
		scale: Number(facts.scale),
		tree: readTree(text('tree'), names.n, facts),
		extra: readExtra(text('extra'), nseries),
		verdicts: readVerdicts(facts.verdicts?.length ? text('verdicts') : ''),
		slots: facts.perSecond ? readSlots(text('slots')) : null,
		/* by name, read on first use */
		get places() {
			return places ||= facts.places ? readPlaces(text('places'), text('origins')) : new Map();
		},
	};

	file.total = Number(facts.total) / file.scale;
	return file;
}
