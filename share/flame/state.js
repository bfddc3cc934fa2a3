/*
 * state - what is shown: as an object, as a link, and the tree that belongs to it.
 * Nothing here knows of a page.
 */
const ORDERS = ['name', 'weight', 'time'], COLLAPSES = ['', 'recursion', 'cycles'];
const SHAPES = ['both', 'before', 'after'], THEME_NAMES = ['', 'light', 'dark'];
const SORTINGS = ['name', 'self', 'total', 'before', 'after', 'change', 'kind'];
const WORDS = { order: ORDERS, collapse: COLLAPSES, shape: SHAPES, theme: THEME_NAMES,
	sort: SORTINGS };

function defaultState(facts)
{
	return {
		tab: 0, range: '', shape: 'both', absolute: facts.absolute,
		threshold: facts.threshold, reverse: facts.reversed, invert: facts.inverted,
		order: facts.chart ? 'time' : 'name', collapse: '', only: '', drop: [],
		hide: [], focus: '', zoom: '', search: '', case: 0, colors: facts.palettes[0].name,
		theme: '', table: 0, sort: facts.diff ? 'change' : 'self', up: 0, sandwich: '',
	};
}

/* What differs from the default, as it stands behind the '#' of an address. */
function linkOf(state, facts)
{
	const link = new URLSearchParams(), usual = defaultState(facts);

	for (const key in usual)
		if (Array.isArray(usual[key]))
			state[key].forEach((v) => link.append(key, v));
		else if (state[key] !== usual[key])
			link.set(key, state[key]);
	return link.toString();
}

/* The state of a link, which may hold anything. */
function stateOf(link, facts)
{
	const given = new URLSearchParams(link), state = defaultState(facts);

	for (const key in state) {
		const v = given.get(key);

		if (v === null)
			continue;
		if (Array.isArray(state[key]))
			state[key] = given.getAll(key);
		else if (typeof state[key] === 'number')
			state[key] = Number.isFinite(Number(v)) ? Number(v) : state[key];
		else if (!WORDS[key] || WORDS[key].includes(v))
			state[key] = v;
	}
	if (!facts.series[state.tab])
		state.tab = 0;
	return state;
}

/* "12-40" as numbers of slots; null: everything. */
function rangeOf(state, slots)
{
	const m = /^(\d+)-(\d+)$/.exec(state.range);

	return m && slots ? [Number(m[1]), Number(m[2])] : null;
}

/* Trees of a file by state; the last one is kept. */
class Views
{
	constructor(file)
	{
		this.file = file;
		this.key = null;
		this.none = new Float64Array(file.tree.n);
		this.counted = new Map();
	}

	/* Which series are a and b. */
	sides(state)
	{
		return this.file.facts.diff ? [0, 1] : [state.tab, -1];
	}

	/* The file's tree with the weights of the state. */
	weighed(state)
	{
		const { tree, slots } = this.file, [a, b] = this.sides(state);
		const range = rangeOf(state, slots);

		return {
			n: tree.n, name: tree.name, parent: tree.parent, single: b < 0,
			a: range ? selfInSlots(tree.n, slots, ...range) : tree.self[a],
			b: b < 0 ? this.none : tree.self[b],
		};
	}

	/* How a and b make a width. */
	shares(t, state)
	{
		if (!this.file.facts.diff)
			return [1, 0];
		const ka = state.absolute ? 1 : 1 / (sumOf(t.a) || 1);
		const kb = state.absolute ? 1 : 1 / (sumOf(t.b) || 1);

		return state.shape === 'before' ? [ka, 0] : state.shape === 'after' ? [0, kb]
			: [ka / 2, kb / 2];
	}

	hidden(state)
	{
		const { names, facts } = this.file, hide = new Set(state.hide);
		const only = state.only ? state.only.split(',') : facts.sorts;
		const sorts = facts.sorts.map((s) => !only.includes(s) || state.drop.includes(s));

		return Uint8Array.from(names, (n) => hide.has(n.text) || sorts[n.sort] ? 1 : 0);
	}

	isFolded(state)
	{
		return Boolean(state.hide.length || state.drop.length || state.only ||
			state.collapse || state.focus);
	}

	/* Root first, with what is hidden or collapsed taken out. */
	forward(state)
	{
		const { file } = this, range = rangeOf(state, file.slots);
		let t = this.weighed(state);

		if (state.order === 'time' && file.slots && !state.reverse)
			t = timeTree(t, file.slots, ...(range || [0, Infinity]));
		if (file.facts.reversed)
			t = reverseTree(t, 0);
		if (!this.isFolded(state))
			return t;
		const hidden = this.hidden(state);

		return foldTree(t, {
			hidden: (name) => hidden[name], collapse: state.collapse,
			focus: state.focus ? this.nameOf(state.focus) : -1,
		}, file.names.length);
	}

	nameOf(text)
	{
		const { names } = this.file;

		return this.named !== undefined && names[this.named]?.text === text ? this.named
			: this.named = names.findIndex((n) => n.text === text);
	}

	/* The tree as it stands in the picture. */
	tree(state)
	{
		const { file } = this, { facts } = file;
		const key = JSON.stringify([state.tab, state.range, state.shape, state.absolute,
			state.reverse, state.order, state.collapse, state.only, state.drop,
			state.hide, state.focus]);

		if (key === this.key)
			return this.last;
		const asRead = Boolean(state.reverse) === Boolean(facts.reversed) &&
			!this.isFolded(state) && (state.order === 'name' || facts.chart);
		let t = asRead ? this.weighed(state) : this.forward(state);
		const [ka, kb] = this.shares(t, state);

		if (state.reverse && !asRead) {
			t = reverseTree(t, (sumOf(t.a) + sumOf(t.b)) * facts.least / 4);
		}
		if (!asRead)
			t = arrange(t, state.order, ka, kb);
		this.key = key;
		this.last = layOut(t, ka, kb, asRead && !rangeOf(state, file.slots) &&
			facts.series.length === 1 ? file.total : 0);
		this.last.asRead = asRead;
		return this.last;
	}

	/*
	 * By name, of what is not hidden: { selfA, selfB, allA, allB, whole }; with totals
	 * totalA and totalB.
	 */
	sums(state, totals = true)
	{
		const folded = this.isFolded(state), { file, counted } = this;
		const key = JSON.stringify([state.tab, state.range, state.collapse, state.only,
			state.drop, state.hide, state.focus]);
		let s = counted.get(key);

		if (!s) {
			const t = folded ? this.forward({ ...state, order: 'name' }) : this.weighed(state);

			s = { t, whole: !folded && !rangeOf(state, file.slots),
				reversed: file.facts.reversed && !folded, allA: sumOf(t.a),
				allB: t.single ? 0 : sumOf(t.b) };
			this.count(s, 'self', state);
			if (counted.size > 8)
				counted.clear();
			counted.set(key, s);
		}
		if (totals && !s.totalA)
			this.count(s, 'total', state);
		return s;
	}

	/* Sets what of both sides, boxes that the file does not have included. */
	count(s, what, state)
	{
		const { names, extra } = this.file, { t, reversed } = s;

		this.sides(state).forEach((series, k) => {
			const self = k ? t.b : t.a, all = what === 'total' || reversed ? totalsOf(t, self) : self;
			const by = s[what + 'AB'[k]] = series < 0 ? new Float64Array(names.length)
				: what === 'self' ? selfByName(t, self, all, names.length, reversed)
					: totalByName(t, all, names.length);

			for (const [name, more] of s.whole && series >= 0 ? extra : [])
				by[name] += more[series][what];
		});
		if (s.totalA)
			s.t = null;
	}

	/* Callers and callees of a function, laid out. */
	sandwich(state)
	{
		const name = this.nameOf(state.sandwich), { file } = this;
		const t = this.forward({ ...state, order: 'name', reverse: 0 });
		const [ka, kb] = this.shares(t, state);
		const order = state.order === 'time' ? 'weight' : state.order;
		const of = (made) => layOut(arrange(made, order, ka, kb), ka, kb, 0);

		return {
			name,
			callers: of(callersOf(t, name, 0)),
			callees: of(calleesOf(t, name, file.names.length)),
		};
	}

	/* The exact weight of node i, as digits; null where doubles are exact. */
	exact(i)
	{
		const { tree, facts } = this.file, t = this.last;

		if (!tree.big || !t.asRead || !/^\d+$/.test(facts.scale))
			return null;
		let sum = 0n;

		for (let c = i; c < t.end[i]; c++)
			sum += tree.big.get(c * facts.series.length) ?? BigInt(t.a[c]);
		return String(sum * BigInt(facts.scale));
	}
}

/* A place in a tree as it stands in a link, and back; 0: none, or the root. */
const placeOf = (t, i) => i > 0 ? t.level[i] + ',' + t.start[i] : '';

function nodeOf(t, place)
{
	const [level, start] = place.split(',').map(Number);

	return level > 0 && level < t.levels ? max(0, nodeAt(t, level, start)) : 0;
}
