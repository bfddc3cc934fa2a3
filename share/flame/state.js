/*
 * state - keeps the state of the view, converts it to a link and back, and makes its tree.  The
 * module does not use elements of the page.
 */
const ORDERS = ['name', 'weight', 'time'], COLLAPSES = ['', 'recursion', 'cycles', 'chains'];
const UNITS = ['normalized', 'absolute', 'per-second', 'share'];
const SHAPES = ['both', 'before', 'after'], THEME_NAMES = ['', 'light', 'dark'];
const SORTINGS = ['name', 'self', 'total', 'before', 'after', 'change', 'verdict', 'kind'];
const WORDS = { order: ORDERS, collapse: COLLAPSES, shape: SHAPES, theme: THEME_NAMES,
	unit: UNITS, sort: SORTINGS, by: GROUPINGS };

function defaultState(facts)
{
	return {
		tab: 0, range: '', shape: 'both', unit: facts.compare || '',
		threshold: facts.threshold, reverse: facts.reversed, invert: facts.inverted,
		order: facts.chart ? 'time' : 'name', collapse: '', only: '', drop: [],
		hide: [], focus: '', with: '', without: '', cut: [], zoom: '', search: '', case: 0, colors: facts.palettes[0].name,
		theme: '', table: 0, by: '', sort: facts.diff ? 'change' : 'self', up: 0, sandwich: '',
	};
}

/* Returns a state as the part of an address after '#': the fields that differ from the default. */
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

/* Reads the state from a link, which may contain anything. */
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
	if (facts.diff && !factorsOf(facts, state.unit, 1, 1))
		state.unit = facts.compare;
	if (!facts.series[state.tab])
		state.tab = 0;
	return state;
}

/*
 * Returns the factors of the weights of the two sides.  Returns null if the unit needs a duration
 * that the file lacks.  Must agree with lib/compare/compare.c.
 */
function factorsOf({ ratio, series: [a, b] }, unit, allA, allB)
{
	switch (unit) {
	case 'normalized': return ratio ? [1, 1 / ratio] : null;
	case 'per-second': return a.duration && b.duration ? [1 / a.duration, 1 / b.duration] : null;
	case 'share': return [allA ? 1 / allA : 0, allB ? 1 / allB : 0];
	default: return [1, 1];
	}
}

/* Returns the first and last slot of a range such as "12-40", or null for the whole time. */
function rangeOf(state, slots)
{
	const m = /^(\d+)-(\d+)$/.exec(state.range);

	return m && slots ? [Number(m[1]), Number(m[2])] : null;
}

/*
 * In a tree merged from the leaf, a chain of callers is unfolded if its share of the view is at
 * least 1/UNFOLDED (see Callers).
 */
const UNFOLDED = 3000;

/* Makes the tree of a file for a state, and caches the last tree. */
class Views
{
	constructor(file)
	{
		this.file = file;
		this.key = null;
		this.none = new Uint8Array(file.tree.n);
		this.counted = new Map();
	}

	/* Returns the index of the series for weight a, and in a difference also the index for weight b. */
	sides(state)
	{
		return this.file.facts.diff ? [0, 1] : [state.tab];
	}

	/* Returns the file's tree with the weights of the state. */
	weighed(state)
	{
		const { tree, slots } = this.file, [a, b] = this.sides(state);
		const range = rangeOf(state, slots);

		return {
			n: tree.n, name: tree.name, parent: tree.parent, single: !b, sorted: true,
			level: tree.level, counts: tree.counts,
			a: range ? selfInSlots(tree.n, slots, ...range) : tree.self[a],
			b: b ? tree.self[b] : this.none,
		};
	}

	/* Returns [ka, kb].  The width of a node is ka * a + kb * b. */
	shares(t, state)
	{
		if (!this.file.facts.diff)
			return [1, 0];
		const [ka, kb] = factorsOf(this.file.facts, state.unit, sumOf(t.a), sumOf(t.b));

		return state.shape === 'before' ? [ka, 0] : state.shape === 'after' ? [0, kb]
			: [ka / 2, kb / 2];
	}

	/* Returns an array by name: 1 if the name matches a pattern such as "/text/i". */
	matching(text)
	{
		const at = text.lastIndexOf('/');

		return hitsOf(this.file.names, patternOf(text.slice(1, at), text.slice(at + 1) !== 'i'));
	}

	/* Returns an array by name: 1 if the name is removed from the stacks. */
	hidden(state)
	{
		const { names, facts } = this.file, hide = new Set(state.hide);
		const only = state.only ? state.only.split(',') : facts.sorts;
		const sorts = facts.sorts.map((s) => !only.includes(s) || state.drop.includes(s));
		const matched = state.without ? this.matching(state.without) : null;

		return names.map((text, sort, i) => hide.has(text) || sorts[sort] || matched?.[i]);
	}

	isHiding(state)
	{
		return Boolean(state.hide.length || state.drop.length || state.only || state.without);
	}

	/* Returns true if the view may merge nodes of the file's tree. */
	isMerged(state)
	{
		return this.isHiding(state) || ['recursion', 'cycles'].includes(state.collapse);
	}

	/* Returns the lists of wanted names.  A stack is shown if it has a name from each list. */
	wanted(state)
	{
		const lists = [];

		if (state.focus)
			lists.push(this.file.names.map((text) => text === state.focus));
		if (state.with)
			lists.push(this.matching(state.with));
		return lists;
	}

	isFolded(state)
	{
		return Boolean(this.isMerged(state) || state.collapse || state.focus || state.with ||
			state.cut.length);
	}

	/* Returns true if the view has the stacks of the whole file. */
	isWhole(state)
	{
		return !this.isFolded(state) && !rangeOf(state, this.file.slots);
	}

	/*
	 * Makes the tree with the root first.  Leaves out hidden names and removed stacks, and
	 * collapses recursion or chains.
	 */
	forward(state)
	{
		const key = this.keyOf(state, []) + (state.order === 'time' && !state.reverse);

		if (key !== this.forwardKey) {
			this.forwardKey = key;
			this.made = this.makeForward(state);
		}
		return this.made;
	}

	makeForward(state)
	{
		const { file } = this, range = rangeOf(state, file.slots), wanted = this.wanted(state);
		let t = this.weighed(state);

		if (state.order === 'time' && file.slots && !state.reverse)
			t = timeTree(t, file.slots, ...(range || [0, Infinity]));
		if (file.facts.reversed)
			t = reverseTree(t, file.names.n, { order: 'name', ka: 1, kb: 1 }, 0);
		if (!this.isFolded(state))
			return t;
		if (wanted.length)
			t = file.facts.missing ? weighWith(t, wanted) : onlyWith(t, wanted);
		if (this.isMerged(state))
			t = foldTree(t, this.hidden(state), state.collapse);
		for (const stack of state.cut)
			t = this.withoutStack(t, stack);
		if (file.facts.missing || this.isMerged(state) || state.cut.length)
			t = pruned(t);
		return state.collapse === 'chains' ? unchained(t) : t;
	}

	/*
	 * Removes stacks from t.  "root;caller;callee" selects stacks that begin with these
	 * names.  ";leaf;caller" selects stacks that end in "caller;leaf".  ";;name" selects
	 * stacks that contain the name.
	 */
	withoutStack(t, stack)
	{
		const names = stack.split(';').filter((s) => s).map((s) => this.nameOf(s));
		const nodes = [];

		if (!stack.startsWith(';'))
			return withoutStacks(t, [nodeAlong(t, names)].filter((i) => i > 0));
		for (let i = 1; i < t.n; i++)
			if (t.name[i] >= 0 && endsIn(t, i, names))
				nodes.push(i);
		return (stack[1] === ';' ? withoutStacks : withoutEnds)(t, nodes);
	}

	nameOf(text)
	{
		const { names } = this.file;

		return this.named >= 0 && names.of(this.named) === text ? this.named
			: this.named = names.map((v) => v === text).indexOf(1);
	}

	/* Returns the tree of the picture.  If stacks are merged from the leaf, zooming unfolds chains. */
	tree(state)
	{
		const key = this.keyOf(state, ['shape', 'unit', 'reverse', 'order']);

		if (key !== this.key) {
			this.key = key;
			this.base = this.last = this.build(state);
			this.zoomed = 0;
		}
		if (this.base.chain)
			this.unfold(baseOf(this.base, state.zoom));
		return this.last;
	}

	keyOf(state, more)
	{
		return JSON.stringify(['tab', 'range', 'collapse', 'only', 'drop', 'hide', 'focus',
			'with', 'without', 'cut', ...more].map((k) => state[k]));
	}

	build(state)
	{
		const { file } = this, { facts } = file, { order } = state;
		const asRead = Boolean(state.reverse) === Boolean(facts.reversed) &&
			!this.isFolded(state) && (order === 'name' || facts.chart);
		let t = asRead ? this.weighed(state) : { ...this.forward(state) };
		const [ka, kb] = this.shares(t, state), loose = this.loose(state, t);

		if (state.reverse && !asRead) {
			const least = (ka * sumOf(t.a) + kb * sumOf(t.b)) / UNFOLDED;

			t = Object.assign(reverseTree(t, file.names.n, { order, ka, kb }, least),
				{ source: t });
		} else if (!asRead && (order !== 'name' || this.isMerged(state) ||
			state.collapse)) {
			t = arrange(t, order, ka, kb);
		}
		t.loose = loose;
		layOut(t, ka, kb, asRead && !rangeOf(state, file.slots) &&
			facts.series.length === 1 ? file.total : 0);
		t.asRead = asRead;
		return t;
	}

	unfold(zoom)
	{
		const { base } = this;

		if (zoom === this.zoomed)
			return;
		const t = unfoldChains(base.source, base, zoom, base.width[zoom] / UNFOLDED);

		this.zoomed = zoom;
		this.last = zoom && t.n > base.n ? layOut(Object.assign(t, { source: base.source,
			loose: base.loose }), base.ka, base.kb, 0) : base;
	}

	/*
	 * Returns null if all weights are exact.  If missing boxes make weights inexact,
	 * returns the values that bounds() needs.  om: weight of all missing boxes, by side.
	 * cap: greatest weight of missing boxes that may have the wanted names, by side.
	 * isLess: the exact weight of a node may also be less than the weight in t.
	 */
	loose(state, t)
	{
		const { facts, tree } = this.file, wanted = this.wanted(state);
		const isReversed = Boolean(state.reverse) || Boolean(facts.reversed);
		const isMerged = this.isMerged(state), isWanted = wanted.length > 0;
		const folded = this.isFolded(state);

		if (!facts.missing || !(isMerged || isWanted || state.cut.length ||
			Boolean(state.reverse) !== Boolean(facts.reversed) || (isReversed && folded)))
			return null;
		const w = this.weighed(state), om = [0, 0];

		for (let i = 1; i < w.n; i++)
			if (tree.name[i] === OMITTED) {
				om[0] += w.a[i];
				om[1] += w.b[i];
			}
		const caps = wanted.map((list) => this.mostOf(list, state));
		/*
		 * Adds the weights of all lists, because the missing boxes of a stack may have
		 * only one of the wanted names.
		 */
		const cap = [0, 1].map((k) => sumOf(caps.map((c) => c[k] || 0)));

		return { om, cap, isWanted, isMerged, isReversed, isHiding: this.isHiding(state),
			sides: this.sides(state),
			isLess: state.collapse === 'cycles' || state.cut.length > 0 };
	}

	/*
	 * Returns an array indexed by side: the greatest possible weight of the missing boxes
	 * that have names of a list.
	 */
	mostOf(list, state)
	{
		const { extra, facts, scale } = this.file;

		return this.sides(state).map((series) => {
			let sum = facts.unlisted[series] / scale;

			for (const [name, by] of extra)
				sum += list[name] ? by[series].total : 0;
			return sum;
		});
	}

	/* Returns the bounds of the weight of node i on a side: [least, most]. */
	bounds(t, i, side)
	{
		const v = (side ? t.tb : t.ta)[i], { loose } = t, name = t.name[i];

		if (!loose)
			return [v, v];
		const { om, cap } = loose;
		let more = om[side];

		if (!loose.isReversed && !t.of) {
			if (name === ALL || !(loose.isMerged || loose.isLess))
				more = loose.isWanted ? min(t.more ? this.moreAt(t, i, side) : 0, cap[side]) : 0;
			else if (!isAbove(t, i, name))
				more = min(more, this.extraOf(name, loose.sides[side], 'total') + cap[side]);
		} else if (name === ALL) {
			more = loose.isWanted ? min(more, cap[side]) : 0;
		} else if (!t.of && !loose.isHiding) {
			more = min(more, this.extraOf(t.name[ancestor(t, i, 1)], loose.sides[side], 'self'));
		}
		return [max(0, v - (loose.isLess ? this.insideOf(t, i, side) : 0)), v + more];
	}

	moreAt(t, i, side)
	{
		t.mores ||= t.more.map((sums) => totalsOf(t, sums));
		return t.mores[side][i];
	}

	/* Returns the weight of the missing boxes in the subtree of node i. */
	insideOf(t, i, side)
	{
		t.insides ||= [t.a, t.b].map((own) => totalsOf(t, own.map((v, k) =>
			t.name[k] === OMITTED ? v : 0)));
		return t.insides[side][i];
	}

	/* Returns the weight of a name in boxes that are missing in the file. */
	extraOf(name, series, what)
	{
		return this.file.extra.get(name)?.[series][what] || 0;
	}

	/* Returns the names, or the groups of names, that the table shows. */
	listed({ by })
	{
		if (by && this.groups?.by !== by)
			this.groups = groupsOf(this.file, by);
		return by ? this.groups : this.file.names;
	}

	/*
	 * Returns sums by name, without hidden names: { selfA, selfB, totalA, totalB, allA, allB, whole }.
	 */
	sums(state)
	{
		const { counted } = this;
		const key = this.keyOf(state, ['by']);

		if (!counted.has(key)) {
			if (counted.size > 8)
				counted.clear();
			counted.set(key, this.count(state));
		}
		return counted.get(key);
	}

	/* Returns true if sums() has been called for the state. */
	isCounted(state)
	{
		return this.counted.has(this.keyOf(state, ['by']));
	}

	/* Returns the bounds [least, most] of name i in sums.  `what` is 'self' or 'total'. */
	sumBounds(sums, i, what, side)
	{
		const v = sums[what + 'AB'[side]][i], { loose } = sums;

		if (!loose)
			return [v, v];
		const { om, cap } = loose;

		return [v, v + (sums.group || (what === 'self' && loose.isHiding) ? om[side]
			: min(om[side], this.extraOf(i, loose.sides[side], what) + cap[side]))];
	}

	/* Sums weights by name.  For the whole file, the sums include missing boxes. */
	count(state)
	{
		const { extra, facts } = this.file, folded = this.isFolded(state);
		const names = this.listed(state), { group } = names;
		let t = folded ? this.forward({ ...state, order: 'name' }) : this.weighed(state);
		const whole = this.isWhole(state) && !group;
		const none = new Float64Array(names.n), sums = { group, whole, selfB: none, totalB: none, allB: 0, allMore: [0, 0] };

		if (facts.missing && !whole) {
			sums.loose = this.loose({ ...state, reverse: 1 - facts.reversed }, t);
			sums.allMore = sums.loose.cap;
		}
		if (group)
			t = { ...t, name: t.name.map((i) => i < 0 ? i : group[i]) };

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

	/*
	 * Returns an array indexed by kind of frame (facts.sorts): the share of the self weight
	 * of these frames.  If `loose` is set, the shares are lower bounds.
	 */
	bySort(state)
	{
		const { facts, names } = this.file;

		if (this.isWhole(state))
			return { share: facts.series[state.tab].self };
		const sums = this.sums({ ...state, by: '' }), share = facts.sorts.map(() => 0);

		for (let i = 0; i < names.n; i++)
			share[names.sort(i)] += sums.selfA[i] / (sums.allA + sums.allMore[0] || 1);
		return { share, loose: sums.loose };
	}

	/* Returns the trees of callers and of callees of a function, laid out. */
	sandwich(state)
	{
		const name = this.nameOf(state.sandwich), { file } = this;
		const t = this.forward({ ...state, order: 'name', reverse: 0 });
		const [ka, kb] = this.shares(t, state), { n } = file.names;
		const order = state.order === 'time' ? 'weight' : state.order;
		const loose = this.loose({ ...state, reverse: 1 - file.facts.reversed }, t);
		const of = (made) => Object.assign(layOut(made, ka, kb, 0), { loose, of: name });
		const least = (ka * sumOf(t.a) + kb * sumOf(t.b)) / UNFOLDED;

		return {
			name,
			callers: of(callersOf(t, name, n, { order, ka, kb }, least)),
			callees: of(arrange(calleesOf(t, name), order, ka, kb)),
		};
	}

	/* Returns the exact weight of node i as digits, or null if a double is exact. */
	exact(i)
	{
		const { tree, facts } = this.file, t = this.last;

		if (!tree.big.size || !t.asRead || !/^\d+$/.test(facts.scale))
			return null;
		let sum = 0n;

		for (let c = i, end = endOf(t, i); c < end; c++)
			sum += tree.big.get(c * facts.series.length) ?? BigInt(t.a[c]);
		return String(sum * BigInt(facts.scale));
	}
}

/* Follows names from the root and returns the node, or -1. */
function nodeAlong(t, names)
{
	let at = 0;

	for (const name of names) {
		const from = at;

		at = -1;
		for (let c = from + 1; c < t.n && at < 0; c++)
			if (t.parent[c] === from && t.name[c] === name)
				at = c;
		if (at < 0)
			return -1;
	}
	return at;
}

/* Returns true if a caller of node i has this name. */
function isAbove(t, i, name)
{
	for (let at = t.parent[i]; at > 0; at = t.parent[at])
		if (t.name[at] === name)
			return true;
	return false;
}

/* Returns true if node i and its callers have these names, in this order. */
function endsIn(t, i, names)
{
	for (const name of names) {
		if (t.name[i] !== name)
			return false;
		i = t.parent[i];
	}
	return true;
}

/* Returns the node at a place "level,start" of a link, in a tree with folded chains. */
function baseOf(t, place)
{
	const [level, start] = place.split(',').map(Number);

	for (let l = min(level, t.levels - 1); l > 0; l--) {
		const i = nodeAt(t, l, start);

		if (i > 0)
			return i;
	}
	return 0;
}

/* Convert a node to a place "level,start" in a link, and back.  0 is the root, or an unknown place. */
const placeOf = (t, i) => i > 0 ? t.level[i] + ',' + t.start[i] : '';

function nodeOf(t, place)
{
	const [level, start] = place.split(',').map(Number);

	return level > 0 && level < t.levels ? max(0, nodeAt(t, level, start)) : 0;
}
