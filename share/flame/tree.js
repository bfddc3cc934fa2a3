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

/* { level, counts }: of each node, and how many nodes with names are on each. */
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

/* By node: behind what stands on it. */
function endsOf({ n, parent })
{
	const end = new Uint32Array(n);

	end[0] = n;
	for (let i = n - 1; i > 0; i--) {
		end[i] ||= i + 1;
		end[parent[i]] ||= end[i];
	}
	return end;
}

/*
 * Sets, of a tree in order: level, ta and tb (what goes through each node), width (ka * a
 * + kb * b), start, by level the nodes with names from left to right: order[rowAt[l]] on,
 * and end when it is asked for.
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

	for (let i = 0; i < n; i++) {
		const l = level[i];

		if (!single)
			width[i] = ka * ta[i] + kb * tb[i];
		start[i] = edge[l + 1] = edge[l];
		edge[l] += width[i];
		if (name[i] >= 0 || !i)
			order[fill[l]++] = i;
	}
	width[0] = max(width[0], least || 0);
	Object.defineProperty(t, 'end', { get: () => t.ends ||= endsOf(t) });
	return Object.assign(t, { levels, level, ka, kb, ta, tb, width, start, rowAt, order });
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

/* By name: what goes through it, recursion once.  A folded tree is in no order. */
function totalByName(t, total, nnames)
{
	const { name, parent } = t, { first, next } = childLists(t);
	const sums = new Float64Array(nnames), open = new Uint32Array(nnames);

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

/* Index in order, from lo on, of the first node of a level that ends behind x. */
function firstBehind(t, level, x, lo = t.rowAt[level])
{
	let hi = t.rowAt[level + 1];

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
