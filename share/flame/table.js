/*
 * table - functions with what they weigh, and the sandwich of one: its callers above
 * it, its callees below.
 */
const ROWS = 300; /* shown at first, and more of on request */

/* The names that weigh something and match, sorted by a column; up: the least first. */
function tableOrder(file, sums, hit, { sort, up }, diff)
{
	const { selfA, selfB, totalA, totalB } = sums, { facts, names } = file;
	const ka = 1 / (sums.allA || 1), kb = 1 / (sums.allB || 1);
	const value = {
		self: (i) => selfA[i],
		total: (i) => diff ? abs(totalB[i] * kb - totalA[i] * ka) : totalA[i],
		before: (i) => totalA[i],
		after: (i) => totalB[i],
		change: (i) => abs(selfB[i] * kb - selfA[i] * ka),
		kind: (i) => -names[i].sort,
	}[sort];
	const order = [];

	for (let i = 0; i < names.length; i++)
		if ((!hit || hit[i]) && (totalA[i] || totalB[i]))
			order.push(i);
	if (value) {
		const key = Float64Array.from(names, (_, i) => value(i));

		order.sort((a, b) => key[b] - key[a] || a - b);
	}
	return up ? order.reverse() : order;
}

/* What a row says of name i, in shares of the whole. */
function tableRow(file, sums, i, all)
{
	const share = (v, whole) => whole ? v / whole : 0;
	const before = share(sums.totalA[i], sums.allA), after = share(sums.totalB[i], sums.allB);

	return {
		i, name: file.names[i].text, kind: file.facts.sorts[file.names[i].sort], before, after,
		self: sums.selfA[i], total: sums.totalA[i], grown: after - before,
		change: share(sums.selfB[i], sums.allB) - share(sums.selfA[i], sums.allA),
		others: all.map((s) => share(s.totalA[i], s.allA)),
	};
}

const COLUMNS = {
	name: 'Function', self: 'Self', total: 'Total', before: 'Before', after: 'After',
	change: 'Self change', kind: 'Kind',
};

class Table
{
	constructor(app, host)
	{
		this.app = app;
		this.host = host;
		this.shown = ROWS;
	}

	columns()
	{
		return this.app.facts.diff ? ['name', 'before', 'after', 'total', 'change', 'kind']
			: ['name', 'self', 'total', 'kind'];
	}

	/* All tabs but the one that is shown have a column as well. */
	others()
	{
		const { app } = this, { series, diff } = app.facts;

		return diff ? [] : series.map((s, k) => ({ name: s.name, k }))
			.filter((s) => s.k !== app.state.tab);
	}

	draw()
	{
		const { app, host } = this, { state, facts } = app;
		const sums = app.views.sums(state), others = this.others();
		const all = others.map((s) => app.views.sums({ ...state, tab: s.k }));
		const rows = tableOrder(app.file, sums, app.hit, state, facts.diff);
		const table = html('table', { class: 'functions' });

		html('caption', {}, table, this.caption(rows.length, sums));
		this.head(table, others);
		const body = html('tbody', {}, table);

		for (const i of rows.slice(0, this.shown))
			this.row(body, tableRow(app.file, sums, i, all), sums);
		const top = host.scrollTop;

		host.replaceChildren(table);
		this.cutNames(table);
		if (rows.length > this.shown)
			button(host, `${commas(rows.length - this.shown)} more`,
				{ class: 'all' }, () => {
					this.shown += 5 * ROWS;
					this.draw();
				});
		host.scrollTop = top;
	}

	/* The same part of a name as in a box. */
	cutNames(table)
	{
		const room = table.querySelector('.name').clientWidth - 44;

		for (const b of table.querySelectorAll('.function'))
			b.textContent = labelOf(b.title, room, this.app.measure) || b.title;
	}

	caption(n, sums)
	{
		return commas(n) + (n === 1 ? ' function' : ' functions') +
			(this.app.hit ? ' that match' : '') +
			(sums.whole || !this.app.facts.least ? ''
				: ', of the frames that are in this file');
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
				() => app.update({ sort: c, up: sorted && !state.up ? 1 : 0 }));
		}
		for (const s of others)
			html('th', { scope: 'col', class: 'other' }, tr, 'Total in ' + s.name);
	}

	row(body, r, sums)
	{
		const { app } = this, tr = html('tr', {}, body);
		const th = html('th', { scope: 'row' }, tr), color = app.paints.base(app.names[r.i]);
		const swatch = html('span', SWATCH, th);

		swatch.style.background = app.paints.paint(color, '').fill;
		button(th, r.name, { title: r.name, 'aria-label': r.name, class: 'function' },
			() => app.update({ sandwich: r.name }));
		for (const c of this.columns().slice(1))
			this.cell(html('td', { class: c }, tr), c, r, sums);
		for (const share of r.others)
			html('td', { class: 'other' }, tr, (100 * share).toFixed(2) + '%');
	}

	cell(td, column, r, sums)
	{
		const { app } = this;

		if (column === 'kind') {
			td.textContent = r.kind;
		} else if (column === 'before' || column === 'after') {
			td.textContent = (100 * r[column]).toFixed(2) + '%';
		} else if (app.facts.diff) {
			app.change.fillCell(td, column === 'change' ? r.change : r.grown);
		} else {
			html('span', { class: 'part-of', ...QUIET }, td).style.width =
				(sums.allA ? 100 * r[column] / sums.allA : 0).toFixed(2) + '%';
			html('span', {}, td, app.amountOf(r[column]) + ' ');
			html('span', { class: 'share' }, td, percent(r[column], sums.allA));
		}
	}
}

/* One function: who calls it, and what it calls. */
class Sandwich
{
	constructor(app, host)
	{
		this.app = app;
		this.host = host;
	}

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
		this.graphs = [
			this.part(host, 'Callers', made.callers, false),
			this.part(host, 'Callees', made.callees, true),
		];
		this.layout();
	}

	sums(name)
	{
		const { app } = this, s = app.views.sums(app.state);

		if (app.facts.diff)
			return app.change.sums(s, name);
		return `total ${app.amountOf(s.totalA[name])}, ${percent(s.totalA[name], s.allA)}; ` +
			`self ${app.amountOf(s.selfA[name])}, ${percent(s.selfA[name], s.allA)}`;
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
