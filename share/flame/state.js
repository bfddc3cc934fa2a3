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

	/* Which series are a and, of a difference, b. */
	sides(state)
	{
		return this.file.facts.diff ? [0, 1] : [state.tab];
	}

	/* The file's tree with the weights of the state. */
	weighed(state)
	{
		const { tree, slots } = this.file, [a, b] = this.sides(state);
		const range = rangeOf(state, slots);

		return {
			n: tree.n, name: tree.name, parent: tree.parent, single: !b,
			a: range ? selfInSlots(tree.n, slots, ...range) : tree.self[a],
			b: b ? tree.self[b] : this.none,
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

		return names.map((text, sort) => hide.has(text) || sorts[sort]);
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
		}, file.names.n);
	}

	nameOf(text)
	{
		const { names } = this.file;

		return this.named >= 0 && names.of(this.named) === text ? this.named
			: this.named = names.map((v) => v === text).indexOf(1);
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
		let t = asRead ? Object.assign(this.weighed(state),
			{ level: file.tree.level, counts: file.tree.counts }) : this.forward(state);
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
	 * By name, of what is not hidden: { selfA, selfB, totalA, totalB, allA, allB, whole }.
	 */
	sums(state)
	{
		const { counted } = this;
		const key = JSON.stringify([state.tab, state.range, state.collapse, state.only,
			state.drop, state.hide, state.focus]);

		if (!counted.has(key)) {
			if (counted.size > 8)
				counted.clear();
			counted.set(key, this.count(state));
		}
		return counted.get(key);
	}

	/* Boxes that the file does not have are included where all of it is counted. */
	count(state)
	{
		const { names, extra, facts, slots } = this.file, folded = this.isFolded(state);
		const t = folded ? this.forward({ ...state, order: 'name' }) : this.weighed(state);
		const whole = !folded && !rangeOf(state, slots), none = new Float64Array(names.n);
		const sums = { whole, selfB: none, totalB: none, allB: 0 };

		this.sides(state).forEach((series, k) => {
			const own = k ? t.b : t.a, side = 'AB'[k], all = totalsOf(t, own);
			const self = selfByName(t, own, all, names.n, facts.reversed && !folded);
			const total = totalByName(t, all, names.n);

			for (const [name, more] of whole ? extra : []) {
				self[name] += more[series].self;
				total[name] += more[series].total;
			}
			sums['all' + side] = sumOf(own);
			sums['self' + side] = self;
			sums['total' + side] = total;
		});
		return sums;
	}

	/* By sort: the share that ends in it. */
	bySort(state)
	{
		const { facts, names, slots } = this.file;

		if (!this.isFolded(state) && !rangeOf(state, slots))
			return facts.series[state.tab].self;
		const sums = this.sums(state), share = facts.sorts.map(() => 0);

		for (let i = 0; i < names.n; i++)
			share[names.sort(i)] += sums.selfA[i] / (sums.allA || 1);
		return share;
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
			callees: of(calleesOf(t, name, file.names.n)),
		};
	}

	/* The exact weight of node i, as digits; null where doubles are exact. */
	exact(i)
	{
		const { tree, facts } = this.file, t = this.last;

		if (!tree.big.size || !t.asRead || !/^\d+$/.test(facts.scale))
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
