/*
 * time - reads weights by time and the marked spans of time, and sums them.  Only files with a table
 * by second use it.
 */

/* Reads the weights by time: { slot, node, weight, n, first, last }, or null if there are none. */
function readSlots(text)
{
	const from = new Numbers(text), slot = [], node = [], weight = [];

	for (let at = 0; from.more();) {
		at += from.next();
		slot.push(at);
		node.push(from.next());
		weight.push(from.next());
	}
	return slot.length ? { slot, node, weight, n: slot.length, first: slot[0], last: slot.at(-1) }
		: null;
}

/*
 * Returns a tree with siblings in the order of time.  Successive stacks share the nodes of
 * their common callers.
 */
function timeTree(t, slots, from, to)
{
	const out = newTree(1024);
	let path = [], last = [];

	addNode(out, ALL, -1);
	for (let e = 0; e < slots.n; e++) {
		if (slots.slot[e] < from || slots.slot[e] > to)
			continue;
		const names = pathOf(t, slots.node[e]).map((i) => t.name[i]);
		let same = 0;

		while (same < names.length && same < last.length && names[same] === last[same])
			same++;
		path.length = same;
		for (let k = same; k < names.length; k++)
			path.push(addNode(out, names[k], k ? path[k - 1] : 0));
		const own = names.at(-1) === OMITTED ? path.at(-1)
			: addNode(out, OWN, path.length ? path.at(-1) : 0);

		out.a[own] += slots.weight[e];
		last = names;
		if (names.at(-1) === OMITTED) {
			path = path.slice(0, -1);
			last = names.slice(0, -1);
		}
	}
	return out;
}

/* Returns the weight that ends at each node in the slots from..to. */
function selfInSlots(n, slots, from, to)
{
	const self = new Float64Array(n);

	for (let e = 0; e < slots.n; e++)
		if (slots.slot[e] >= from && slots.slot[e] <= to)
			self[slots.node[e]] += slots.weight[e];
	return self;
}

/* Returns the weights of all slots from the first second on: { at, columns, rows, sums, most }. */
function stripOf(slots, perSecond)
{
	const at = floor(slots.first / perSecond) * perSecond;
	const columns = floor((slots.last - at) / perSecond) + 1;
	const sums = new Float64Array(columns * perSecond);
	let most = 0;

	for (let e = 0; e < slots.n; e++) {
		const k = slots.slot[e] - at;

		sums[k] += slots.weight[e];
		most = max(most, sums[k]);
	}
	return { at, columns, rows: perSecond, sums, most };
}

/* Returns an array indexed by slot: texts of the first span of each kind, "GC gen2 Induced, Suspension GC". */
function spansBySlot(spans, per, nslots)
{
	const by = [], next = {};

	for (const { from, to, text } of spans) {
		const kind = text.split(' ')[0];
		let k = max(floor(from * per), next[kind] || 0);

		for (; k <= to * per && k < nslots; k++)
			by[k] = by[k] ? by[k] + ', ' + text : text;
		next[kind] = k;
	}
	return by;
}
