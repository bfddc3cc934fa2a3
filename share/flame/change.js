/* change - computes, describes and draws differences.  Only pictures of differences use it. */
const MORE = '#e03e36', LESS = '#3a70d6';

/* A change of shares, in points. */
const points = (by) => (by >= 0 ? '+' : '\u2212') + abs(100 * by).toFixed(2);

/* A change of a node: shares before and after, and the difference. */
function changeOf(t, i, absolute)
{
	const allA = absolute ? 1 : t.ta[0], allB = absolute ? 1 : t.tb[0];
	const before = allA ? t.ta[i] / allA : 0, after = allB ? t.tb[i] / allB : 0;

	return { before, after, by: after - before };
}

/* The color of a change from -1 to 1.  If before or after is 0, the path is new, or gone. */
function changeColor({ before, after, by }, theme, threshold, negate)
{
	if (abs(by) < threshold || !by)
		return theme.none;
	if (!before || !after)
		return before ? theme.gone : theme.fresh;
	const share = min(1, sqrt(abs(by) / (before + after)));

	return mixed((by > 0) !== Boolean(negate) ? MORE : LESS, theme.none, 0.15 + 0.85 * share);
}

class Change
{
	constructor(app)
	{
		this.app = app;
	}

	/* Smaller changes are ignored. */
	noise(t)
	{
		const { threshold, absolute } = this.app.state;

		return absolute ? threshold * max(t.ta[0], t.tb[0]) : threshold;
	}

	color(t, i)
	{
		const { app } = this;

		return changeColor(changeOf(t, i, app.state.absolute), app.paints.theme,
			this.noise(t), app.facts.negate);
	}

	text(t, i)
	{
		const c = changeOf(t, i, this.app.state.absolute);
		const what = !c.before ? 'new' : !c.after ? 'gone' : '';

		if (this.app.state.absolute)
			return `${this.app.amountOf(c.before)} before, ${this.app.amountOf(c.after)} after, ` +
				(what || (c.by < 0 ? '\u2212' : '+') + this.app.amountOf(abs(c.by)));
		return `${percent(c.before, 1)} before, ${percent(c.after, 1)} after, ` +
			(what ? what + ', ' : '') + points(c.by) + ' points';
	}

	fillCell(td, by)
	{
		td.textContent = points(by);
		td.classList.add(by > 0 ? 'more' : 'less');
	}

	/* Describes a function. */
	sums(s, name)
	{
		return `before ${percent(s.totalA[name], s.allA)}, after ` +
			`${percent(s.totalB[name], s.allB)}; self before ` +
			`${percent(s.selfA[name], s.allA)}, after ${percent(s.selfB[name], s.allB)}`;
	}

	/* Controls of a difference: shape, shares or weights, and threshold. */
	drawChoices()
	{
		const { page, facts, state } = this.app;
		const names = { both: 'Both', before: facts.series[0].name, after: facts.series[1].name };

		for (const shape of SHAPES)
			button(page.tabs, names[shape], { class: 'tab', title: 'Widths of ' + names[shape],
				'aria-pressed': flag(state.shape === shape) }, () => this.app.update({ shape }));
		button(page.tabs, state.absolute ? 'Weights' : 'Shares', { class: 'tab apart',
			title: 'Compare shares of the whole, or weights' },
		() => this.app.update({ absolute: state.absolute ? 0 : 1 }));
		const label = html('label', {}, page.tabs, 'Noise below ');
		const input = html('input', { type: 'number', min: 0, max: 100, step: 0.1 }, label);

		html('span', {}, label, ' %');
		on(input, 'change', () => this.app.update(
			{ threshold: max(0, min(100, Number(input.value) || 0)) / 100 }));
		this.field = input;
	}

	/* The field shows the current threshold, also if a link or the Back button sets it. */
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
	}
}
