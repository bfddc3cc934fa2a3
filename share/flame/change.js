/*
 * change - computes the numbers, texts and colours of a difference.  Only pictures of
 * differences contain this script.
 */
const MORE = '#e03e36', LESS = '#3a70d6', MOVED = 3;
const SURE = ['grew', 'shrank'];

/*
 * Returns a number with at most two decimals.  Even a number of samples has decimals after a
 * division.
 */
const shortDigits = (v, to) => rounded(v, 2, to).replace(/\.?0+$/, '');

/* Returns the text of a change of shares, in percentage points.  `to` as in rounded(). */
const points = (by, to) => (by >= 0 ? '+' : '\u2212') + rounded(abs(100 * by), 2, by < 0 ? -to : to);
const ABOUT = '\u2248\u2009';

/* Returns the change of a node: { before, after, by }, with weights in the selected unit. */
function changeOf(t, i, facts, unit)
{
	const [ka, kb] = factorsOf(facts, unit, t.ta[0], t.tb[0]);
	const before = ka * t.ta[i], after = kb * t.tb[i];

	return { before, after, by: after - before };
}

/* Returns the color of a change.  A path that is new or gone has its own color. */
function changeColor({ before, after, by }, theme, threshold, negate)
{
	if (abs(by) < threshold || !by)
		return theme.none;
	if (!before || !after)
		return before ? theme.gone : theme.fresh;
	const share = min(1, sqrt(abs(by) / (before + after)));

	return mixed((by > 0) !== Boolean(negate) ? MORE : LESS, theme.none, 0.15 + 0.85 * share);
}

class Change extends Part
{
	/* Adds the line with the largest changes below the title. */
	addMost(page)
	{
		this.most = html('div', { class: 'most', role: 'group',
			'aria-label': 'Largest changes' });
		page.tabs.before(this.most);
	}

	/* Returns the change of node i. */
	of(t, i)
	{
		return changeOf(t, i, this.app.facts, this.app.state.unit);
	}

	/* Returns the verdict of pdiff on a function as text, or ''. */
	verdict(name)
	{
		const { file, facts } = this.app;

		return facts.verdicts[file.verdicts.get(name) - 1] || '';
	}

	/* Returns true if the verdict is that the function changed, or if there are no verdicts. */
	isSure(name)
	{
		return !this.app.facts.verdicts.length || SURE.includes(this.verdict(name));
	}

	color(t, i)
	{
		const { app } = this, all = this.of(t, 0);

		if (!this.isSure(t.name[i]))
			return app.paints.theme.none;
		return changeColor(this.of(t, i), app.paints.theme,
			app.state.threshold * max(all.before, all.after), app.facts.negate);
	}

	/* Returns an amount in the selected unit: "12.00%", "13.0 s", "1.50 ms/s". */
	amount(v, to)
	{
		const { app } = this, { unit } = app.state;

		if (unit === 'share')
			return rounded(100 * v, 2, to) + '%';
		return app.amountOf(v, shortDigits(v * app.file.scale, to), to) +
			(unit === 'per-second' ? '/s' : '');
	}

	signed(by, to)
	{
		return this.app.state.unit === 'share' ? points(by, to)
			: (by < 0 ? '\u2212' : '+') + this.amount(abs(by), by < 0 ? -to : to);
	}

	/*
	 * Converts the bounds of a weight to the selected unit.  The second argument has
	 * the bounds of the total weight of all stacks.
	 */
	inUnit([least, most], [low, high], factor)
	{
		return this.app.state.unit === 'share' ? [least / (high || 1), min(1, most / (low || 1))]
			: [factor * least, factor * most];
	}

	/* Returns "3 before, 5 after" from bounds of both sides. */
	beforeAfter(...sides)
	{
		return sides.map(([least, most], k) => (least === most ? this.amount(least)
			: between(this.amount(least, -1), this.amount(most, 1))) + [' before', ' after'][k]).join(', ');
	}

	text(t, i)
	{
		const { app } = this, { unit } = app.state, factors = factorsOf(app.facts, unit, 1, 1);
		const sides = factors.map((k, side) => this.inUnit(app.views.bounds(t, i, side),
			app.views.bounds(t, 0, side), k)), [[a, most], [b, after]] = sides;
		const what = !most ? ', new' : !after ? ', gone' : '', [less, more] = [b - most, after - a];

		return this.beforeAfter(...sides) + what + ', ' + (less === more ? this.signed(more)
			: between(this.signed(less, -1), this.signed(more, 1))) +
			(unit === 'share' ? ' points' : '') + this.ending(t.name[i]);
	}

	/* Returns the verdict as the end of a description, ", grew", or ''. */
	ending(name)
	{
		const verdict = this.verdict(name);

		return verdict && ', ' + verdict;
	}

	fillCell(td, by, name, loose)
	{
		td.textContent = (loose ? ABOUT : '') + this.signed(by);
		td.classList.add(!this.isSure(name) ? 'unsure' : by > 0 ? 'more' : 'less');
	}

	/* Returns the weights and the verdict of a function as text. */
	sums(s, name)
	{
		const of = (what) => this.beforeAfter(...s.factors.map((k, side) => this.inUnit(
			this.app.views.sumBounds(s, name, what, side), wholeOf(s, side), k)));

		return of('total') + '; self ' + of('self') + this.ending(name);
	}

	/* Returns the totals of the view, "2.55 s -> 1.96 s (-23 %)", and how both sides are compared. */
	totals(t)
	{
		const { facts, state, file } = this.app, [a, b] = facts.series;
		const sides = [0, 1].map((side) => this.app.views.bounds(t, 0, side)), [[x, most], [y, after]] = sides;
		const by = x ? 100 * (y - x) / x : 0;
		const duration = (s) => scaled(SECONDS, 1e9 * s.duration);
		const parts = [sides.map((v) => this.app.boundsText(v, shortDigits(v[0] * file.scale))).join(' -> ') +
			(x && x === most && y === after ? ` (${by < 0 ? '' : '+'}` +
				`${by.toFixed(abs(by) < 10 ? 1 : 0)} %)` : '')];

		if (a.duration && b.duration)
			parts.push(`duration ${duration(a)} -> ${duration(b)}`);
		if (a.cpus && b.cpus)
			parts.push(`cpus ${a.cpus} -> ${b.cpus}`);
		parts.push(state.unit === 'normalized' ? 'after divided by ' +
			`${+facts.ratio.toPrecision(3)} (median of ${facts.common} functions)`
			: 'unit: ' + state.unit);
		return parts.join(', ');
	}

	/* Shows the functions whose self weight changed most, in each direction. */
	drawMost()
	{
		const { app } = this, sums = app.sums(''), [ka, kb] = sums.factors;
		const by = sums.selfA.map((v, i) => this.isSure(i) ? kb * sums.selfB[i] - ka * v : 0);

		if (this.drawn === sums && this.unit === app.state.unit)
			return;
		this.drawn = sums;
		this.unit = app.state.unit;
		this.most.replaceChildren();
		for (const [word, sign] of [['More:', 1], ['Less:', -1]]) {
			const list = mostOf(by.map((v) => sign * v), MOVED).filter((i) => sign * by[i] > 0);

			if (list.length)
				html('span', {}, this.most, word);
			for (const i of list)
				button(this.most, '', { class: 'moved', title: app.textOf(i) },
					() => app.update({ sandwich: app.textOf(i) })).append(
					labelOf(app.textOf(i), 180, app.measure) || app.textOf(i),
					' ' + (sums.loose ? ABOUT : '') + this.signed(by[i]));
		}
	}

	/* Draws the largest changes as text in a saved picture.  Returns the height of the text. */
	drawLine(svg, y, ink)
	{
		make(SVG, 'text', { x: MARGIN, y, fill: ink }, svg).textContent = cutText([...this.most.children]
			.map((e) => e.textContent).join('  '), this.app.graph.width - 3 * MARGIN, this.app.measure);
		return 18;
	}

	/* Draws the controls of a difference: shape, unit and threshold. */
	drawChoices()
	{
		const { page, facts, state } = this.app;
		const names = { both: 'Both', before: facts.series[0].name, after: facts.series[1].name };

		for (const shape of SHAPES)
			button(page.tabs, names[shape], { class: 'tab', title: 'Widths of ' + names[shape],
				'aria-pressed': flag(state.shape === shape) }, () => this.app.update({ shape }));
		const unit = html('label', {}, page.tabs, 'Unit '), select = html('select', {}, unit);

		for (const u of UNITS.filter((v) => factorsOf(facts, v, 1, 1)))
			html('option', { value: u }, select, u);
		select.value = state.unit;
		on(select, 'change', () => this.app.update({ unit: select.value }));
		const label = html('label', {}, page.tabs, 'Noise below ');
		const input = html('input', { type: 'number', min: 0, max: 100, step: 0.1 }, label);

		html('span', {}, label, ' %');
		on(input, 'change', () => this.app.update(
			{ threshold: max(0, min(100, Number(input.value) || 0)) / 100 }));
		this.field = input;
	}

	/* Updates the field of the threshold, which a link or the Back button may have changed. */
	showNoise()
	{
		this.field.value = +(100 * this.app.state.threshold).toFixed(4);
	}

	drawScale(legend)
	{
		const { theme } = this.app.paints, entry = (color, text) => {
			const e = html('span', { class: 'entry' }, legend);

			html('span', SWATCH, e).style.background =
				this.app.paints.paint(color, '').fill;
			html('span', {}, e, text);
		};
		const [more, less] = this.app.facts.negate ? [LESS, MORE] : [MORE, LESS];

		entry(less, 'less');
		entry(more, 'more');
		entry(theme.fresh, 'new');
		entry(theme.gone, 'gone');
		if (this.app.facts.verdicts.length)
			entry(theme.none, 'no verdict');
	}
}
