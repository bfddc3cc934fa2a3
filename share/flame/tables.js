/*
 * tables - the file's tables (lib/writer/flame/tables.h) as arrays.
 *
 * A tree has arrays indexed by node: name, parent, and the self weight for each series.  Nodes
 * precede their children.  In a chart, a node with the name OWN is the own time of its parent.
 * A node with the name OMITTED is the sum of boxes that are missing in the file.
 */
const OMITTED = -1, OWN = -2, ALL = -3;
const ENDING = 46, OTHERS = 44, BLOCK = 64, HEADS = 24;
const VALUE = new Uint8Array(128);

/* The digits are the printable ASCII characters from '!' on, except those in this string. */
for (let c = 33, i = 0; c < 127; c++)
	if (!'&<>]'.includes(String.fromCharCode(c)))
		VALUE[c] = i++;

/*
 * Calls act(from, to) for consecutive parts of the range 0 to n.  Browsers compile a function that
 * is called often sooner than one long loop.
 */
const PART = 4096;

function inParts(n, act)
{
	for (let from = 0; from < n; from += PART)
		act(from, min(n, from + PART));
}

/* Reads numbers in sequence.  `big` is the last number if a double cannot hold it. */
class Numbers
{
	constructor(text)
	{
		/* The array has one more element, 0, which marks the end. */
		this.digits = new Uint8Array(text.length + 1);
		new TextEncoder().encodeInto(text, this.digits);
		this.at = 0;
		this.big = null;
	}

	more()
	{
		return this.at < this.digits.length - 1;
	}

	next()
	{
		const d = VALUE[this.digits[this.at++]];

		return d < ENDING ? d : this.long(d);
	}

	/* Reads the rest of a number with more than one digit. */
	long(first)
	{
		const { digits } = this, from = this.at - 1;
		let v = first - ENDING, k = OTHERS, d;

		while ((d = VALUE[digits[this.at++]]) >= ENDING) {
			v += (d - ENDING) * k;
			k *= OTHERS;
		}
		v += d * k;
		this.big = v > Number.MAX_SAFE_INTEGER ? this.exact(from) : null;
		return v;
	}

	/* Reads a number less than `most`.  It has as many digits as the number most - 1. */
	fixed(most)
	{
		let v = 0;

		for (let k = 1; k < most; k *= ENDING + OTHERS)
			v += VALUE[this.digits[this.at++]] * k;
		return v;
	}

	exact(from)
	{
		let v = 0n, k = 1n;

		for (let i = from; i < this.at; i++, k *= BigInt(OTHERS)) {
			const d = VALUE[this.digits[i]];

			v += BigInt(d >= ENDING ? d - ENDING : d) * k;
		}
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

	/* Returns the shade of a name, or -1 if it has its own color. */
	shade(i)
	{
		const c = this.text[this.lines[i] + 2];

		return c === '~' ? -1 : VALUE[c.charCodeAt(0)];
	}

	color(i)
	{
		return '#' + this.text.slice(this.lines[i] + 3, this.lines[i] + 9);
	}

	/*
	 * Returns name i.  If a name begins like the previous name of its block, the file
	 * contains only the rest of the name.
	 */
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

	/* Returns a Uint8Array of the results of act(text, kind of frame, number) for each name. */
	map(act)
	{
		const made = new Uint8Array(this.n);

		for (let i = 0; i < this.n; i++)
			made[i] = act(this.of(i), this.sort(i), i);
		return made;
	}
}

/*
 * Returns the tree: { n, name, parent, level, counts: number of named nodes on each level, self: an
 * array for each series, big: weights by node if a double cannot hold them }.
 */
function readTree(text, nnames, { series, chart, boxes, deep, total, scale })
{
	const from = new Numbers(text);
	const Weights = series.length < 2 && total / scale < 2 ** 31 ? Int32Array : Float64Array;
	const t = {
		n: 0, name: new Int32Array(boxes), parent: new Int32Array(boxes),
		level: new (deep < 256 ? Uint8Array : Uint32Array)(boxes),
		counts: new Uint32Array(deep + 1),
		self: series.map(() => new Weights(boxes)), big: new Map(),
		/* used while reading: the last node of each level, and the next level */
		path: new Int32Array(deep + 2), depth: 0,
	};

	t.name[0] = ALL;
	t.parent[0] = -1;
	t.counts[0] = t.n = t.depth = 1;
	readWeights(t, from);
	while (from.more())
		readRuns(t, from, nnames, chart);
	return t;
}

/* Reads the self weights of the last node. */
function readWeights({ n, self, big }, from)
{
	for (let k = 0; k < self.length; k++) {
		from.big = null;
		self[k][n - 1] = from.next();
		if (from.big)
			big.set((n - 1) * self.length + k, from.big);
	}
}

/* Reads a part of the table of boxes (see inParts).  Uses local variables, because properties are slow. */
function readRuns(t, from, nnames, chart)
{
	const { digits } = from, { name, parent, level, path, counts, self: [own] } = t;
	const end = from.at + PART;
	let { n, depth } = t;

	while (from.more() && from.at < end) {
		let head = from.next();

		if (head === HEADS - 1)
			head += from.next();
		let count = head >> 1 & 3;

		depth -= head >> 3;
		if (count === 3)
			count += from.next();
		for (let k = 0; k < count || !k; k++) {
			let id;

			if (!count)
				id = chart && from.next() ? OWN : OMITTED;
			else if (!k && head > 7 && !chart)
				id = (name[path[depth]] + from.next()) % nnames;
			else
				id = from.fixed(nnames);
			name[n] = id;
			parent[n] = path[depth - 1];
			level[n] = depth;
			if (id >= 0)
				counts[depth]++;
			path[depth++] = n++;
		}
		if (head & 1) {
			own[n - 1] = 1;
		} else {
			t.n = n;
			readWeights(t, from);
		}
		/* Reads boxes of weight 1, each of which is a sibling of the previous box. */
		for (; VALUE[digits[from.at]] >= HEADS; n++) {
			name[n] = (name[n - 1] + from.next() - HEADS + 1) % nnames;
			parent[n] = parent[n - 1];
			level[n] = depth - 1;
			counts[depth - 1]++;
			own[n] = 1;
			path[depth - 1] = n;
		}
	}
	t.n = n;
	t.depth = depth;
}

/* Returns a Map from names to the values that read() returns.  Names are stored as differences. */
function readByName(text, read)
{
	const from = new Numbers(text), values = new Map();

	for (let name = 0; from.more();)
		values.set(name += from.next(), read(from));
	return values;
}

/* Reads the tables of a picture.  text(c) returns the text of class c. */
function readFile(text)
{
	const facts = JSON.parse(text('facts'));
	const names = new Names(text('names'));
	let places = null;

	const file = {
		facts, names,
		scale: Number(facts.scale),
		tree: readTree(text('tree'), names.n, facts),
		/* Map from names to [{ self, total }]: weights in missing boxes, by series */
		extra: readByName(text('extra'), (from) => facts.series.map(() =>
			({ self: from.next(), total: from.next() }))),
		/* Map from names to 1 + the index in facts.verdicts */
		verdicts: readByName(text('verdicts'), (from) => from.next()),
		slots: facts.perSecond ? readSlots(text('slots')) : null,
		/* Map from names to places, which is read on first use */
		get places() {
			return places ||= facts.places ? readPlaces(text('places'), text('origins')) : new Map();
		},
	};

	file.total = Number(facts.total) / file.scale;
	return file;
}
