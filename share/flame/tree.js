/*
 * tree - views of the file's tree, and sums over it.  A tree has its nodes before their
 * children; a and b are what ends at each, b of the second side of a difference.
 * Nothing here knows of a page.
 */
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
		Object.entries(newTree(2 * t.n)).forEach(([key, more]) => {
			if (more.set) {
				more.set(t[key]);
				t[key] = more;
			}
		});
	t.name[t.n] = name;
	t.parent[t.n] = parent;
	return t.n++;
}

/* Children of a tree that is being made, found by name. */
class Children
{
	constructor(tree, nnames)
	{
		this.tree = tree;
		this.stride = nnames + 4;
		this.at = new Map();
	}

	of(parent, name)
	{
		const key = parent * this.stride + name + 3;
		let node = this.at.get(key);

		if (node === undefined) {
			node = addNode(this.tree, name, parent);
			this.at.set(key, node);
		}
		return node;
	}
}

/* What goes through each node: a sum of what ends at it and above. */
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
 * The tree without what is hidden(name), whose weight goes to the caller; only stacks
 * with focus, if it is a name; with recursion taken out: collapse is 'recursion' (a
 * function that calls itself) or 'cycles' (one that is on the stack already).
 */
function foldTree(t, { hidden, collapse, focus }, nnames)
{
	const out = newTree(min(t.n, 1 << 16)), children = new Children(out, nnames);
	const to = new Int32Array(t.n), seen = new Uint8Array(t.n);

	addNode(out, ALL, -1);
	seen[0] = focus < 0 ? 1 : 0;
	for (let i = 0; i < t.n; i++) {
		const name = t.name[i];

		if (i) {
			const above = to[t.parent[i]];
			const again = collapse && name >= 0
				? isRecursion(out, above, name, collapse) : -1;

			seen[i] = seen[t.parent[i]] || name === focus;
			to[i] = name >= 0 && hidden(name) ? above : again >= 0 ? again
				: children.of(above, name);
		}
		if (seen[i]) {
			out.a[to[i]] += t.a[i];
			out.b[to[i]] += t.b[i];
		}
	}
	return out;
}

/*
 * Merged from the leaf: who calls a function stands on it.  starts are [node, a, b]
 * of what is turned around; groups of less than least weight are left out.
 */
function callersTree(t, starts, root, least)
{
	const out = newTree(1024), cursor = [], a = [], b = [];
	const work = [];

	for (const [node, x, y] of starts) {
		cursor.push(node);
		a.push(x);
		b.push(y);
	}
	addNode(out, root, -1);
	work.push([0, cursor.map((_, i) => i)]);
	while (work.length) {
		const [above, entries] = work.pop(), groups = new Map();

		for (const e of entries) {
			const name = t.name[cursor[e]];

			if (name === ALL) {
				out.a[above] += a[e];
				out.b[above] += b[e];
				continue;
			}
			if (!groups.has(name))
				groups.set(name, []);
			groups.get(name).push(e);
		}
		for (const [name, group] of groups) {
			let wa = 0, wb = 0;

			for (const e of group) {
				wa += a[e];
				wb += b[e];
				cursor[e] = t.parent[cursor[e]];
			}
			const known = name >= 0 && wa + wb >= least;
			const node = addNode(out, known ? name : OMITTED, above);

			if (known) {
				work.push([node, group]);
			} else {
				out.a[node] = wa;
				out.b[node] = wb;
			}
		}
	}
	return out;
}

function reverseTree(t, least)
{
	const starts = [];

	for (let i = 1; i < t.n; i++)
		if (t.a[i] || t.b[i])
			starts.push([i, t.a[i], t.b[i]]);
	const out = callersTree(t, starts, ALL, least);

	out.a[0] += t.a[0];
	out.b[0] += t.b[0];
	return out;
}

/* Nodes of name that are not below another one of it. */
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

/* Who calls name: a tree with name as its root. */
function callersOf(t, name, least)
{
	const ta = totalsOf(t, t.a), tb = totalsOf(t, t.b);

	return callersTree(t, outermost(t, name).map((i) => [t.parent[i], ta[i], tb[i]]), name,
		least);
}

/* What name calls. */
function calleesOf(t, name, nnames)
{
	const out = newTree(1024), children = new Children(out, nnames);
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

/* Lists of children, in order of their numbers. */
function childLists(t)
{
	const first = new Int32Array(t.n).fill(-1), next = new Int32Array(t.n).fill(-1);

	for (let i = t.n - 1; i > 0; i--) {
		next[i] = first[t.parent[i]];
		first[t.parent[i]] = i;
	}
	return { first, next };
}

/* The children of a node that weigh something, as they stand beside each other. */
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

/* The same tree, each node in front of its children, in that order of siblings. */
function arrange(t, order, ka, kb)
{
	const lists = childLists(t), ta = totalsOf(t, t.a), tb = totalsOf(t, t.b);
	const weight = ta.map((v, i) => ka * v + kb * tb[i]);
	const out = newTree(t.n), work = [[0, -1]];

	while (work.length) {
		const [i, parent] = work.pop(), node = addNode(out, t.name[i], parent);

		out.a[node] = t.a[i];
		out.b[node] = t.b[i];
		const list = orderedChildren(t, lists, i, weight, order);

		for (let k = list.length - 1; k >= 0; k--)
			work.push([list[k], node]);
	}
	return out;
}

/*
 * Sets, of a tree in order: level, end (of what stands on it), ta and tb, width (ka * a
 * + kb * b), start, and by level the nodes from left to right: order[rowAt[l]] on.
 * One pass: a node's sums are known when the next one is not on it.
 */
function layOut(t, ka, kb, least)
{
	const { n, name, parent, single } = t, level = new Uint32Array(n), end = new Uint32Array(n);
	const ta = t.a.slice(0, n), tb = single ? t.b : t.b.slice(0, n);
	const width = single ? ta : new Float64Array(n), start = new Float64Array(n);
	const path = [0], edge = [0, 0], counts = [1];

	for (let i = 1, depth = 0; i <= n; i++) {
		for (const up = i < n ? parent[i] : -1; depth >= 0 && path[depth] !== up; depth--) {
			const done = path[depth], above = path[depth - 1];

			end[done] = i;
			if (!single)
				width[done] = ka * ta[done] + kb * tb[done];
			edge[depth] += width[done];
			if (!depth)
				continue;
			ta[above] += ta[done];
			if (!single)
				tb[above] += tb[done];
		}
		if (i === n)
			break;
		level[i] = ++depth;
		path[depth] = i;
		start[i] = edge[depth + 1] = edge[depth];
		if (name[i] >= 0)
			counts[depth] = (counts[depth] || 0) + 1;
	}
	width[0] = max(width[0], least || 0);
	return byLevel(Object.assign(t, { level, end, ka, kb, ta, tb, width, start }), counts);
}

/* Sets levels, rowAt and order of a tree that has so many nodes with names on each level. */
function byLevel(t, counts)
{
	const { n, name, level } = t, levels = counts.length, rowAt = new Uint32Array(levels + 1);

	counts.forEach((count, l) => {
		rowAt[l + 1] = rowAt[l] + count;
	});
	const order = new Uint32Array(rowAt[levels]), fill = rowAt.slice();

	for (let i = 0; i < n; i++)
		if (name[i] >= 0 || !i)
			order[fill[level[i]]++] = i;
	return Object.assign(t, { levels, rowAt, order });
}

/* By name: what ends in it.  reversed: t was merged from the leaf, total is of it. */
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

/* By name: what goes through it, recursion once. */
function totalByName(t, total, nnames)
{
	const { n, name, parent } = t, sums = new Float64Array(nnames);
	const open = new Uint32Array(nnames), path = [0];
	let depth = 0;

	for (let i = 1; i < n; i++) {
		for (; path[depth] !== parent[i]; depth--)
			if (name[path[depth]] >= 0)
				open[name[path[depth]]]--;
		path[++depth] = i;
		if (name[i] >= 0 && !open[name[i]]++)
			sums[name[i]] += total[i];
	}
	return sums;
}

/* Index in order of the first node of a level that ends behind x. */
function firstBehind(t, level, x)
{
	let lo = t.rowAt[level], hi = t.rowAt[level + 1];

	while (lo < hi) {
		const mid = (lo + hi) >> 1, i = t.order[mid];

		if (t.start[i] + t.width[i] > x)
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

/* The node that stands at x of a level; -1: none. */
function nodeAt(t, level, x)
{
	if (!(level >= 0 && level < t.levels))
		return -1;
	const j = firstBehind(t, level, x);

	return j < t.rowAt[level + 1] && t.start[t.order[j]] <= x ? t.order[j] : -1;
}

/* The deepest level below node i that has a box. */
function deepest(t, i)
{
	let most = t.level[i];

	if (!i)
		return t.levels - 1;
	for (let c = i; c < t.end[i]; c++)
		if (t.level[c] > most && t.name[c] >= 0)
			most = t.level[c];
	return most;
}

/* Names from the root to a node. */
function pathOf(t, i)
{
	const path = [];

	for (; i > 0; i = t.parent[i])
		path.push(i);
	return path.reverse();
}
