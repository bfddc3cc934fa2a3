/*
 * table - shows functions with their weights, and the sandwich of one function: callers above it,
 * callees below.
 */
const ROWS = 60; /* number of rows at first; more are added when the end becomes visible */

/*
 * Returns the indices of the `most` greatest values, the greatest first.  The indices of equal
 * values ascend.
 */
function mostOf(values, most)
{
	const sorted = values.slice().sort(), least = sorted.at(-most) ?? -Infinity;
	const found = [], equal = [];

	values.forEach((v, i) => {
		if (v > least)
			found.push(i);
		else if (v === least && equal.length < most)
			equal.push(i);
	});
	return found.sort((a, b) => values[b] - values[a] || a - b).concat(equal).slice(0, most);
}

/*
 * Returns { n, list }: the number of matching names with weight, and the first of them, sorted by
 * a column.  If `up` is set, the least is first.
 */
function tableOrder(file, names, sums, hit, { sort, up }, diff, most)
{
	const { selfA, selfB, totalA, totalB } = sums, sign = up ? -1 : 1;
	const [ka, kb] = sums.factors;
	const value = {
		name: (i) => -i,
		self: (i) => selfA[i],
		total: (i) => diff ? abs(totalB[i] * kb - totalA[i] * ka) : totalA[i],
		before: (i) => totalA[i],
		after: (i) => totalB[i],
		change: (i) => abs(selfB[i] * kb - selfA[i] * ka),
		verdict: (i) => file.verdicts.get(i) || 0,
		kind: (i) => -names.sort(i),
	}[sort];
	const rows = [], values = new Float64Array(names.n);

	for (let i = 0; i < names.n; i++)
		if ((!hit || hit[i]) && (totalA[i] || totalB[i]))
			values[rows.push(i) - 1] = sign * value(i);
	return { n: rows.length, list: mostOf(values.subarray(0, rows.length), most)
		.map((k) => rows[k]) };
}

const AT_LEAST = '\u2265\u2009';

/* Returns the bounds of the weight of all names on a side. */
const wholeOf = (sums, side) => [0, sums.allMore[side]].map((more) => sums['all' + 'AB'[side]] + more);

/* Returns the share of a weight as text, with a sign if it is a lower bound. */
const leastShare = (sums, v) => (sums.loose ? AT_LEAST : '') +
	rounded(100 * v / (wholeOf(sums, 0)[1] || 1), 2, sums.loose && -1) + '%';

/* Returns the values of the table's cells for name i. */
function tableRow(file, names, sums, i, all)
{
	const [ka, kb] = sums.factors;
	const before = ka * sums.totalA[i], after = kb * sums.totalB[i];

	return {
		i, name: names.of(i), kind: file.facts.sorts[names.sort(i)], before, after,
		self: sums.selfA[i], total: sums.totalA[i], grown: after - before,
		change: kb * sums.selfB[i] - ka * sums.selfA[i],
		others: all.map((s) => leastShare(s, s.totalA[i])),
	};
}

const COLUMNS = {
	name: 'Function', self: 'Self', total: 'Total', before: 'Before', after: 'After',
	change: 'Self change', verdict: 'Verdict', kind: 'Kind',
};

/* Returns an array indexed by row, 1 if the row matches the search.  Returns null without a search. */
function tableHits({ pattern, hit, state, views })
{
	return pattern && state.by ? hitsOf(views.listed(state), pattern) : hit;
}

class Table extends Part
{
	constructor(app, host)
	{
		super(app, host);
		this.shown = ROWS;
		on(host, 'scroll', () => {
			if (this.body?.isConnected && !this.more.hidden &&
				host.scrollTop + 2 * host.clientHeight > host.scrollHeight)
				this.grow();
		}, { passive: true });
	}

	columns()
	{
		const { diff, verdicts } = this.app.facts, { by } = this.app.state;
		const kind = by ? [] : ['kind'];

		return diff ? ['name', 'before', 'after', 'total', 'change',
			...verdicts.length && !by ? ['verdict'] : [], ...kind]
			: ['name', 'self', 'total', ...kind];
	}

	/* Returns the other tabs, whose weights the table also shows. */
	others()
	{
		const { app } = this, { series, diff } = app.facts;

		return diff ? [] : series.map((s, k) => ({ name: s.name, k }))
			.filter((s) => s.k !== app.state.tab);
	}

	draw()
	{
		const { app, host } = this, { state } = app;
		const others = this.others(), table = html('table',
			{ class: app.facts.diff ? 'functions changes' : 'functions' });
		const top = host.scrollTop;

		this.sums = app.sums();
		this.names = app.views.listed(state);
		this.hit = tableHits(app);
		this.all = others.map((s) => app.views.sums({ ...state, tab: s.k }));
		const caption = html('caption', {}, table);

		this.caption = html('span', {}, caption);
		this.choose(caption);
		this.head(table, others);
		this.body = html('tbody', {}, table);
		host.replaceChildren(table);
		this.more = button(host, '', { class: 'all' }, () => this.grow());
		this.addRows();
		host.scrollTop = top;
	}

	/* Adds the menu that selects the grouping of functions. */
	choose(parent)
	{
		const { app } = this, label = html('label', {}, parent, ' by ');
		const select = html('select', {}, label);

		for (const by of app.groupings())
			html('option', { value: by }, select, by || 'function');
		select.value = app.state.by;
		on(select, 'change', () => {
			app.update({ by: select.value });
			this.host.querySelector('select').focus();
		});
	}

	grow()
	{
		this.shown += 3 * ROWS;
		this.addRows();
	}

	/* Adds rows up to the number in `shown`. */
	addRows()
	{
		const { app, body, sums } = this, there = body.children.length;
		const { n, list } = tableOrder(app.file, this.names, sums, this.hit, app.state, app.facts.diff, this.shown);

		for (const i of list.slice(there))
			this.row(body, tableRow(app.file, this.names, sums, i, this.all), sums);
		this.caption.textContent = this.saying(n);
		this.more.textContent = commas(n - list.length) + ' more';
		this.more.hidden = n === list.length;
		/* A name is shortened in the same way as in a box. */
		const room = body.parentNode.querySelector('.name').clientWidth - 44;

		for (const b of [...body.querySelectorAll('.function')].slice(there))
			b.textContent = labelOf(b.title, room, app.measure) || b.title;
	}

	saying(n)
	{
		return commas(n) + ' ' + (this.app.state.by || 'function') + (n === 1 ? '' : 's') +
			(this.app.hit ? ' that match' : '') +
			(this.sums.loose ? `; ${commas(this.app.facts.missing)} boxes are missing, ` +
				`so ${this.app.facts.diff ? 'changes are not exact' : 'each number is at least so much'}` : '');
	}

	head(table, others)
	{
		const { app } = this, { state } = app;
		const tr = html('tr', {}, html('thead', {}, table));

		for (const c of this.columns()) {
			const sorted = state.sort === c;
			const th = html('th', {
				scope: 'col', class: c,
				'aria-sort': sorted ? state.up ? 'ascending' : 'descending' : null,
			}, tr);
			const text = c === 'total' && app.facts.diff ? 'Total change' : COLUMNS[c];

			button(th, text, { class: sorted ? 'sorted' : null },
				() => {
					this.shown = ROWS;
					this.host.scrollTop = 0;
					Object.assign(state, { sort: c, up: sorted && !state.up ? 1 : 0 });
					app.drawSide();
					app.keep('push');
				});
		}
		for (const s of others)
			html('th', { scope: 'col', class: 'other' }, tr, 'Total in ' + s.name);
	}

	row(body, r, sums)
	{
		const { app } = this, tr = html('tr', {}, body);
		const th = html('th', { scope: 'row' }, tr);
		const { by } = app.state;

		if (!by)
			html('span', SWATCH, th).style.background = app.paints.paint(app.paints.base(r.i), '').fill;
		on(tr, 'pointerenter', () => app.point(r.i));
		on(tr, 'pointerleave', () => app.point(-1));
		if (by)
			html('span', { title: r.name }, th, r.name);
		else
			button(th, r.name, { title: r.name, 'aria-label': r.name, class: 'function' },
				() => app.update({ sandwich: r.name }));
		for (const c of this.columns().slice(1))
			this.cell(html('td', { class: c }, tr), c, r, sums);
		for (const share of r.others)
			html('td', { class: 'other' }, tr, share);
	}

	cell(td, column, r, sums)
	{
		const { app } = this;

		if (column === 'kind') {
			td.textContent = r.kind;
		} else if (column === 'verdict') {
			td.textContent = app.change.verdict(r.i);
		} else if (column === 'before' || column === 'after') {
			td.textContent = (sums.loose ? AT_LEAST : '') + app.change.amount(r[column], sums.loose && -1);
		} else if (app.facts.diff) {
			app.change.fillCell(td, column === 'change' ? r.change : r.grown, r.i, sums.loose);
		} else {
			html('span', { class: 'part-of', ...QUIET }, td).style.width =
				(100 * r[column] / (wholeOf(sums, 0)[1] || 1)).toFixed(2) + '%';
			html('span', { class: 'amount' }, td, (sums.loose ? AT_LEAST : '') +
				app.amountOf(r[column], null, sums.loose && -1));
			td.append(' ');
			html('span', { class: 'share' }, td, leastShare(sums, r[column]));
		}
	}
}

/* Shows one function with its callers and its callees. */
class Sandwich extends Part
{
	draw()
	{
		const { app, host } = this, { state } = app, made = app.views.sandwich(state);

		host.replaceChildren();
		const head = html('div', { class: 'heading' }, host);

		button(head, '\u2190 Table', { class: 'back' },
			() => app.update({ sandwich: '', table: 1 }));
		html('h2', { title: state.sandwich }, head, state.sandwich);
		if (made.name < 0) {
			html('p', {}, host, 'Not in the file.');
			return;
		}
		html('p', { class: 'sums' }, host, this.sums(made.name));
		for (const place of app.file.places.get(made.name) || [])
			this.place(html('p', { class: 'sums' }, host), place);
		this.graphs = [
			this.part(host, 'Callers', made.callers, false),
			this.part(host, 'Callees', made.callees, true),
		];
		this.layout();
	}

	place(parent, place)
	{
		const { sourceUrl } = this.app.facts;

		parent.textContent = place.linked ? place.module + '  ' : placeText(place);
		if (place.linked)
			html('a', { href: urlOf(sourceUrl, place), target: '_blank', rel: 'noopener' },
				parent, lineOf(place));
	}

	sums(name)
	{
		const { app } = this, s = app.sums('');

		if (app.facts.diff)
			return app.change.sums(s, name);
		const all = wholeOf(s, 0);
		const say = (what) => {
			const bounds = app.views.sumBounds(s, name, what, 0);

			return `${what} ${app.boundsText(bounds)}, ${shareOf(bounds, all)}`;
		};

		return say('total') + '; ' + say('self');
	}

	part(host, title, tree, inverted)
	{
		html('h3', {}, host, title);
		const place = html('div', { class: 'part', tabindex: 0, role: 'group',
			'aria-label': title }, host);
		const graph = new Graph(this.app, place, inverted);

		graph.set(tree, 0);
		this.app.listen(graph, (i) => this.app.update(
			{ sandwich: this.app.textOf(tree.name[i]) }));
		return graph;
	}

	layout()
	{
		for (const graph of this.graphs || [])
			graph.layout(true);
	}
}
