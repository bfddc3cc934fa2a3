/*
 * tree - makes views of the file's tree, and sums over it.  In a tree, nodes precede
 * their children.  a and b are the weights that end at each node.  b is used for the
 * second side of a difference.  The module does not use elements of the page.
 */
const CHAINED = 300000; /* maximum number of nodes that unfolding chains adds at a time */

function newTree(room)
{
	return {
		n: 0, name: new Int32Array(room), parent: new Int32Array(room),
		a: new Float64Array(room), b: new Float64Array(room),
	};
}

function addNode(t, name, parent)
{
	if (t.n === t.name.length)
		for (const key in t)
			if (t[key].set) {
				const more = new t[key].constructor(2 * t.n + 16);

				more.set(t[key]);
				t[key] = more;
			}
	t.name[t.n] = name;
	t.parent[t.n] = parent;
	return t.n++;
}

/* Finds children by parent and name, in an open hash table, while a tree is made. */
class Children
{
	constructor(tree)
	{
		this.tree = tree;
		this.slots = new Int32Array(1 << 16);
	}

	/* Returns the slot of a child.  If there is no such child, the slot contains 0. */
	find(parent, name)
	{
		const { tree, slots } = this, mask = slots.length - 1;
		let h = Math.imul(parent, 0x9e3779b1) + Math.imul(name + 3, 0x85ebca6b);

		h ^= h >>> 15;
		for (;; h++) {
			const node = slots[h & mask];

			if (!node || (tree.name[node] === name && tree.parent[node] === parent))
				return h & mask;
		}
	}

	of(parent, name)
	{
		const { tree } = this;
		let at = this.find(parent, name);

		if (this.slots[at])
			return this.slots[at];
		if (2 * tree.n > this.slots.length) {
			this.slots = new Int32Array(2 * this.slots.length);
			for (let i = 1; i < tree.n; i++)
				this.slots[this.find(tree.parent[i], tree.name[i])] = i;
			at = this.find(parent, name);
		}
		return this.slots[at] = addNode(tree, name, parent);
	}
}

/* Returns the total weight of each node: the sum of self over the node and its descendants. */
function totalsOf(t, self)
{
	const total = self.slice(0, t.n);

	for (let i = t.n - 1; i > 0; i--)
		total[t.parent[i]] += total[i];
	return total;
}

function sumOf(values)
{
	let sum = 0;

	for (let i = 0; i < values.length; i++)
		sum += values[i];
	return sum;
}

function isRecursion(t, node, name, how)
{
	if (how === 'recursion')
		return t.name[node] === name ? node : -1;
	for (let at = node; at > 0; at = t.parent[at])
		if (t.name[at] === name)
			return at;
	return -1;
}

/*
 * Returns t with only the stacks that have a name from each list in wanted (arrays with 1 for
 * each name). `more` is the weight of missing boxes in the removed stacks.  These boxes may
 * have the wanted names, too.
 */
function weighWith(t, wanted)
{
	const { n, name, parent } = t, seen = new Uint8Array(n), all = (1 << wanted.length) - 1;
	const a = new Float64Array(n), b = new Float64Array(n);
	const more = [new Float64Array(n), new Float64Array(n)];

	for (let i = 0; i < n; i++) {
		let s = i ? seen[parent[i]] : 0;

		for (let k = 0; k < wanted.length; k++)
			s |= name[i] >= 0 && wanted[k][name[i]] ? 1 << k : 0;
		seen[i] = s;
		const [x, y] = s === all ? [a, b] : more;

		if (s === all || name[i] === OMITTED) {
			x[i] = t.a[i];
			y[i] = t.b[i];
		}
	}
	return { ...t, a, b, more };
}

/*
 * Returns the tree without names for which hidden[name] is 1.  Their callers get the weight.  If
 * collapse is 'recursion', functions that call themselves are merged.  If it is 'cycles',
 * functions that are already on the stack are merged, too.
 */
function foldTree(t, hidden, collapse)
{
	const out = newTree(min(t.n, 1 << 16)), children = new Children(out);
	const to = new Int32Array(t.n);

	addNode(out, ALL, -1);
	for (let i = 0; i < t.n; i++) {
		const name = t.name[i];

		if (i) {
			const above = to[t.parent[i]];
			const again = collapse && name >= 0
				? isRecursion(out, above, name, collapse) : -1;

			to[i] = name >= 0 && hidden[name] ? above : again >= 0 ? again
				: children.of(above, name);
		}
		out.a[to[i]] += t.a[i];
		out.b[to[i]] += t.b[i];
	}
	return carryMore(t, out, to);
}

/* Adds the field "more" of each node of t to the node of `out` that replaces it. */
function carryMore(t, out, to)
{
	if (t.more)
		out.more = t.more.map((from) => {
			const sums = new Float64Array(out.n);

			for (let i = 0; i < t.n; i++)
				sums[to[i]] += from[i];
			return sums;
		});
	return out;
}

/* Returns the tree without the nodes in dropped.  Their callers get the weights. */
function without(t, dropped)
{
	const { n, name, parent, a, b, single } = t, to = new Int32Array(n);
	let made = 1;

	for (let i = 1; i < n; i++)
		made += dropped[i] ? 0 : 1;
	const out = Object.assign(newTree(made), { n: made, single, sorted: t.sorted });

	made = 0;
	for (let i = 0; i < n; i++) {
		const above = i ? to[parent[i]] : -1;

		if (i && dropped[i]) {
			to[i] = above;
		} else {
			out.name[made] = name[i];
			out.parent[made] = above;
			to[i] = made++;
		}
		out.a[to[i]] += a[i];
		if (!single)
			out.b[to[i]] += b[i];
	}
	return carryMore(t, out, to);
}

/*
 * Returns the tree of the stacks that have a name from each list in wanted.  If the file
 * lacks boxes, use weighWith instead.
 */
function onlyWith(t, wanted)
{
	const { n, name, parent, a, b, single } = t, every = (1 << wanted.length) - 1;
	const seen = new Uint8Array(n), dropped = new Uint8Array(n).fill(1);

	for (let i = 1; i < n; i++) {
		let s = seen[parent[i]];

		for (let k = 0; k < wanted.length; k++)
			s |= name[i] >= 0 && wanted[k][name[i]] ? 1 << k : 0;
		seen[i] = s;
	}
	for (let i = n - 1; i > 0; i--) {
		if (seen[i] === every && (a[i] || b[i]))
			dropped[i] = 0;
		if (!dropped[i])
			dropped[parent[i]] = 0;
	}
	let made = 1;

	for (let i = 1; i < n; i++)
		made += dropped[i] ? 0 : 1;
	const out = Object.assign(newTree(made), { n: made, single, sorted: t.sorted });
	const to = new Int32Array(n);

	made = 0;
	for (let i = 0; i < n; i++) {
		if (i && dropped[i])
			continue;
		out.name[made] = name[i];
		out.parent[made] = i ? to[parent[i]] : -1;
		/*
		 * Self weight is not copied if the stack that ends at node i lacks a wanted
		 * name.  Such a node is only a caller in other stacks.
		 */
		if (seen[i] === every) {
			out.a[made] = a[i];
			out.b[made] = b[i];
		}
		to[i] = made++;
	}
	return out;
}

/* Removes nodes of weight 0. */
function pruned(t)
{
	const ta = totalsOf(t, t.a), tb = t.single ? null : totalsOf(t, t.b);
	const dropped = new Uint8Array(t.n);

	for (let i = 1; i < t.n; i++)
		dropped[i] = ta[i] || (tb && tb[i]) ? 0 : 1;
	return without(t, dropped);
}

/* Removes each node with a single child of the same weight. */
function unchained(t)
{
	const children = new Uint32Array(t.n), dropped = new Uint8Array(t.n);

	for (let i = 1; i < t.n; i++)
		children[t.parent[i]]++;
	for (let i = 1; i < t.n; i++) {
		const above = t.parent[i];

		if (above && children[above] === 1 && !t.a[above] && !t.b[above] && t.name[i] >= 0)
			dropped[above] = 1;
	}
	return without(t, dropped);
}

/* Removes the stacks that contain one of the nodes. */
function withoutStacks(t, nodes)
{
	const a = t.a.slice(0, t.n), b = t.b.slice(0, t.n), gone = new Uint8Array(t.n);

	for (const i of nodes)
		gone[i] = 1;
	for (let i = 1; i < t.n; i++)
		if (gone[i] ||= gone[t.parent[i]])
			a[i] = b[i] = 0;
	return { ...t, a, b };
}

/* Removes the self weights of the nodes. */
function withoutEnds(t, nodes)
{
	const a = t.a.slice(0, t.n), b = t.b.slice(0, t.n);

	for (const i of nodes)
		a[i] = b[i] = 0;
	return { ...t, a, b };
}

/* Returns the stacks from which Callers makes a tree: nodes, with their weights. */
function startsOf(nodes, a, b)
{
	const n = nodes.length, from = { node: Int32Array.from(nodes), a: new Float64Array(n),
		b: new Float64Array(n) };

	for (let e = 0; e < n; e++) {
		from.a[e] = a[nodes[e]];
		from.b[e] = b[nodes[e]];
	}
	return from;
}

/*
 * Merges stacks from the leaf, so that callers are children of a function.  If a single stack
 * of weight less than `least` remains, its callers form a folded chain: no nodes are made for
 * them, and chain[node] is the node of t from which the callers can be read.  `by` is { order,
 * ka, kb }: the order of siblings, and the factors of a and b.
 */
class Callers
{
	constructor(t, starts, nnames, by, least)
	{
		this.t = t;
		this.by = by;
		this.least = least;
		this.from = starts;
		this.to = { node: starts.node.slice(), a: starts.a.slice(), b: starts.b.slice() };
		this.out = { ...newTree(2 * starts.node.length + 16),
			chain: new Int32Array(2 * starts.node.length + 16) };
		/* indexed by name: number of stacks in the current group */
		this.count = new Int32Array(nnames + 3);
		this.at = new Int32Array(nnames + 3);
		this.weight = new Float64Array(nnames + 3);
		this.work = [];
	}

	/* Returns the tree whose root has the name `root`. */
	tree(root)
	{
		const { work, out, from } = this;

		work.push(-1, root, 0, from.node.length);
		while (work.length) {
			const hi = work.pop(), lo = work.pop(), name = work.pop();
			const node = addNode(out, name, work.pop());

			if (name === OMITTED)
				this.end(node, lo, hi);
			else if (hi - lo === 1 && node)
				this.alone(node, lo);
			else
				this.part(node, lo, hi);
		}
		return out;
	}

	/* Adds the weights of the stacks from lo to hi - 1, which end at `node`. */
	end(node, lo, hi)
	{
		const { out, from } = this;

		for (let e = lo; e < hi; e++) {
			out.a[node] += from.a[e];
			out.b[node] += from.b[e];
		}
	}

	alone(node, e)
	{
		const { t, from, out, by } = this;
		let at = from.node[e];

		if (at > 0 && by.ka * from.a[e] + by.kb * from.b[e] < this.least)
			out.chain[node] = at;
		else
			for (; at > 0; at = t.parent[at])
				node = addNode(out, t.name[at], node);
		this.end(node, e, e + 1);
	}

	/* Groups the stacks from lo to hi - 1 by the name of their next caller. */
	part(node, lo, hi)
	{
		const { t, from, to, out, count, at, weight, by, work } = this, keys = [];

		for (let e = lo; e < hi; e++) {
			const key = t.name[from.node[e]] + 3;

			if (!count[key]++) {
				keys.push(key);
				weight[key] = 0;
			}
			weight[key] += by.ka * from.a[e] + by.kb * from.b[e];
		}
		keys.sort((x, y) => (x < 3) - (y < 3) ||
			(by.order === 'weight' ? weight[y] - weight[x] : 0) || x - y);
		let next = lo;

		for (const key of keys) {
			at[key] = next;
			next += count[key];
		}
		for (let e = lo; e < hi; e++) {
			const i = from.node[e], k = at[t.name[i] + 3]++;

			to.node[k] = t.parent[i];
			to.a[k] = from.a[e];
			to.b[k] = from.b[e];
		}
		from.node.set(to.node.subarray(lo, hi), lo);
		from.a.set(to.a.subarray(lo, hi), lo);
		from.b.set(to.b.subarray(lo, hi), lo);
		for (const key of keys.reverse()) {
			const begin = at[key] - count[key];

			count[key] = 0;
			if (key === ALL + 3)
				this.end(node, begin, at[key]);
			else
				work.push(node, key - 3, begin, at[key]);
		}
		return out;
	}
}

/* Returns t merged from the leaf.  A box "(itself)" of a chart counts as its parent. */
function reverseTree(t, nnames, by, least)
{
	const nodes = [];

	for (let i = 0; i < t.n; i++)
		if (t.a[i] || t.b[i])
			nodes.push(i);
	const starts = startsOf(nodes, t.a, t.b);

	starts.node = starts.node.map((i) => t.name[i] === OWN ? t.parent[i] : i);
	return new Callers(t, starts, nnames, by, least).tree(ALL);
}

/*
 * Returns a copy of r, which was made from t.  In the copy, each chain below node zoom is
 * unfolded if its width is at least `least`.
 */
function unfoldChains(t, r, zoom, least)
{
	const out = { ...newTree(r.n + 1024), chain: new Int32Array(r.n + 1024) };
	const to = new Int32Array(r.n), end = endOf(r, zoom), most = r.n + CHAINED;

	for (let i = 0; i < r.n; i++) {
		let node = to[i] = addNode(out, r.name[i], i ? to[r.parent[i]] : -1), at = r.chain[i];

		if (at && i >= zoom && i < end && r.width[i] >= least && out.n < most)
			for (; at > 0; at = t.parent[at])
				node = addNode(out, t.name[at], node);
		out.chain[node] = max(0, at);
		out.a[node] = r.a[i];
		out.b[node] = r.b[i];
	}
	return out;
}

/* Returns the nodes called name that have no caller with the same name. */
function outermost(t, name)
{
	const inside = new Uint8Array(t.n), found = [];

	for (let i = 1; i < t.n; i++) {
		inside[i] = inside[t.parent[i]] || t.name[t.parent[i]] === name ? 1 : 0;
		if (t.name[i] === name && !inside[i])
			found.push(i);
	}
	return found;
}

/* Returns the callers of name, as a tree with name as its root. */
function callersOf(t, name, nnames, by, least)
{
	const starts = startsOf(outermost(t, name), totalsOf(t, t.a), totalsOf(t, t.b));

	starts.node = starts.node.map((i) => t.parent[i]);
	return new Callers(t, starts, nnames, by, least).tree(name);
}

/* Returns the callees of name, as a tree with name as its root. */
function calleesOf(t, name)
{
	const out = newTree(1024), children = new Children(out);
	const to = new Int32Array(t.n).fill(-1);

	addNode(out, name, -1);
	for (const i of outermost(t, name))
		to[i] = 0;
	for (let i = 1; i < t.n; i++) {
		if (to[i] < 0) {
			if (to[t.parent[i]] < 0)
				continue;
			to[i] = children.of(to[t.parent[i]], t.name[i]);
		}
		out.a[to[i]] += t.a[i];
		out.b[to[i]] += t.b[i];
	}
	return out;
}

/* Returns the first child and the next sibling of each node.  Siblings ascend by index. */
function childLists(t)
{
	const first = new Int32Array(t.n).fill(-1), next = new Int32Array(t.n).fill(-1);

	for (let i = t.n - 1; i > 0; i--) {
		next[i] = first[t.parent[i]];
		first[t.parent[i]] = i;
	}
	return { first, next };
}

/* Returns the children of node i that have weight, from left to right. */
function orderedChildren(t, lists, i, weight, order)
{
	const list = [];

	for (let c = lists.first[i]; c >= 0; c = lists.next[c])
		if (weight[c] > 0)
			list.push(c);
	if (order === 'name')
		list.sort((x, y) => (t.name[x] < 0) - (t.name[y] < 0) || t.name[x] - t.name[y]);
	else if (order === 'weight')
		list.sort((x, y) => (t.name[x] < 0) - (t.name[y] < 0) ||
			weight[y] - weight[x] || t.name[x] - t.name[y]);
	return list;
}

/* Returns the nodes of t that have weight, in preorder.  Siblings are sorted by `order`. */
function arrange(t, order, ka, kb)
{
	const lists = childLists(t), ta = totalsOf(t, t.a), tb = totalsOf(t, t.b);
	const weight = ta.map((v, i) => ka * v + kb * tb[i]);
	const out = newTree(t.n), work = [[0, -1]], to = new Int32Array(t.n);

	while (work.length) {
		const [i, parent] = work.pop(), node = addNode(out, t.name[i], parent);

		out.a[node] = t.a[i];
		out.b[node] = t.b[i];
		to[i] = node;
		const list = orderedChildren(t, lists, i, weight, order);

		for (let k = list.length - 1; k >= 0; k--)
			work.push([list[k], node]);
	}
	return carryMore(t, out, to);
}

/* Returns the level of each node, and the number of named nodes on each level. */
function levelsOf({ n, name, parent })
{
	const level = new Uint32Array(n), counts = [1];

	for (let i = 1; i < n; i++) {
		const l = level[i] = level[parent[i]] + 1;

		if (name[i] >= 0)
			counts[l] = (counts[l] || 0) + 1;
	}
	return { level, counts };
}

/* Returns the index after the subtree of node i. */
function endOf({ n, level }, i)
{
	let end = i ? i + 1 : n;

	while (end < n && level[end] > level[i])
		end++;
	return end;
}

/*
 * Sets fields of a sorted tree.  Arrays indexed by node: level, ta and tb (its total weights),
 * width (ka * ta + kb * tb), and start (its left edge).
 * `order` contains the named nodes of each level l from left to right, from order[rowAt[l]] on.
 * `right` contains the right edge of each node in `order`.
 */
function layOut(t, ka, kb, least)
{
	const { n, name, single } = t, { level, counts } = t.level ? t : levelsOf(t);
	const levels = counts.length, rowAt = new Uint32Array(levels + 1);
	const ta = totalsOf(t, t.a), tb = single ? t.b : totalsOf(t, t.b);
	const width = single ? ta : new Float64Array(n), start = new width.constructor(n);
	const edge = new Float64Array(levels + 2);

	counts.forEach((count, l) => {
		rowAt[l + 1] = rowAt[l] + count;
	});
	const order = new Uint32Array(rowAt[levels]), fill = rowAt.slice();
	const right = new width.constructor(order.length);

	inParts(n, (from, to) => {
		for (let i = from; i < to; i++) {
			const l = level[i];

			if (!single)
				width[i] = ka * ta[i] + kb * tb[i];
			start[i] = edge[l + 1] = edge[l];
			edge[l] += width[i];
			if (name[i] >= 0 || !i) {
				right[fill[l]] = edge[l];
				order[fill[l]++] = i;
			}
		}
	});
	width[0] = right[0] = max(width[0], least || 0);
	return Object.assign(t, { levels, level, ka, kb, ta, tb, width, start, rowAt, order, right });
}

/*
 * Returns the self weight of each name.  If t was merged from the leaf (reversed), the children of
 * the root are the frames in which stacks end.
 */
function selfByName(t, self, total, nnames, reversed)
{
	const { n, name, parent } = t, sums = new Float64Array(nnames);

	for (let i = 1; i < n; i++) {
		const above = name[parent[i]];

		if (name[i] >= 0)
			sums[name[i]] += !reversed ? self[i] : parent[i] ? 0 : total[i];
		else if (name[i] === OWN && above >= 0)
			sums[above] += self[i];
	}
	return sums;
}

/* Does the same as totalByName, for a tree in which all descendants directly follow their node. */
function totalsInOrder({ n, name, parent }, total, sums, open)
{
	const path = new Int32Array(n);
	let depth = 0;

	for (let i = 1; i < n; i++) {
		while (depth && path[depth] !== parent[i]) {
			const left = name[path[depth--]];

			if (left >= 0)
				open[left]--;
		}
		path[++depth] = i;
		if (name[i] >= 0 && !open[name[i]]++)
			sums[name[i]] += total[i];
	}
	return sums;
}

/* Returns the total weight of each name.  Recursive calls count once.  t may be unsorted, as after foldTree. */
function totalByName(t, total, nnames)
{
	const { name, parent } = t, sums = new Float64Array(nnames);
	const open = new Uint32Array(nnames);

	if (t.sorted)
		return totalsInOrder(t, total, sums, open);
	const { first, next } = childLists(t);

	for (let i = 0, to; i >= 0; i = to) {
		if (name[i] >= 0 && !open[name[i]]++)
			sums[name[i]] += total[i];
		for (to = first[i]; to < 0 && i >= 0; i = parent[i]) {
			if (name[i] >= 0)
				open[name[i]]--;
			to = next[i];
		}
	}
	return sums;
}

/* Returns the index in t.order of the first node of a level, from index lo on, that ends after x. */
function firstBehind(t, level, x, lo = t.rowAt[level])
{
	let hi = t.rowAt[level + 1];

	while (lo < hi) {
		const mid = (lo + hi) >> 1;

		if (t.right[mid] > x)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

function ancestor(t, i, level)
{
	while (t.level[i] > level)
		i = t.parent[i];
	return i;
}

/* Returns the node at position x of a level, or -1. */
function nodeAt(t, level, x)
{
	if (!(level >= 0 && level < t.levels))
		return -1;
	const j = firstBehind(t, level, x);

	return j < t.rowAt[level + 1] && t.start[t.order[j]] <= x ? t.order[j] : -1;
}

/* Returns the deepest level with a box of the subtree of node i. */
function deepest(t, i)
{
	let most = t.level[i];

	if (!i)
		return t.levels - 1;
	for (let c = i, end = endOf(t, i); c < end; c++)
		if (t.level[c] > most && t.name[c] >= 0)
			most = t.level[c];
	return most;
}

/* Returns the nodes from the root to node i, without the root. */
function pathOf(t, i)
{
	const path = [];

	for (; i > 0; i = t.parent[i])
		path.push(i);
	return path.reverse();
}
