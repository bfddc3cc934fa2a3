/*
 * head - draws the parts of the page above the graph: tabs, the path to the zoomed frame, the
 * filters of the view, and the legend.
 */
class Head extends Part
{
	drawTabs()
	{
		const { page, facts, state } = this.app, key = state.tab + state.shape + state.unit;
		const focus = [...page.tabs.children].indexOf(document.activeElement);

		if (this.tabbed === key)
			return;
		this.tabbed = key;
		page.tabs.replaceChildren();
		if (facts.diff)
			this.app.change.drawChoices();
		else if (facts.series.length > 1)
			facts.series.forEach((s, k) => button(page.tabs, s.name, {
				class: 'tab', 'aria-pressed': flag(state.tab === k),
			}, () => this.app.update({ tab: k })));
		page.tabs.children[focus]?.focus();
	}

	/* Shows the path to the zoomed frame, and buttons that remove filters of the view. */
	drawCrumbs()
	{
		const { crumbs } = this.app.page, { tree, zoom } = this.app.graph;
		const path = [0, ...pathOf(tree, zoom)], skipped = path.length > 6;

		crumbs.replaceChildren();
		path.forEach((i, k) => {
			if (skipped && k > 0 && k < path.length - 4)
				return;
			if (k)
				html('span', QUIET, crumbs,
					skipped && k === path.length - 4 ? '\u203a \u2026 \u203a' : '\u203a');
			const last = k === path.length - 1;

			button(crumbs, this.app.textOf(tree.name[i]), { title: this.app.textOf(tree.name[i]),
				class: last ? 'crumb last' : 'crumb', 'aria-current': last ? 'true' : null },
			() => this.app.update({ zoom: placeOf(tree, i) }));
		});
		this.drawChips(crumbs);
	}

	drawChips(parent)
	{
		const { state } = this.app;
		const chip = (text, undo) => button(parent, '\u00d7 ' + text, { class: 'chip',
			title: text }, () => this.app.update(undo));

		for (const [key, text] of [['reverse', 'reversed'],
			['only', 'only ' + state.only.replace(/,/g, ', ')], ['focus', 'with ' + state.focus],
			['collapse', state.collapse + ' collapsed'], ['drop', 'without ' + state.drop.join(', ')],
			['with', 'with ' + state.with], ['without', 'without ' + state.without]])
			if (state[key] && state[key].length !== 0)
				chip(text, { [key]: Array.isArray(state[key]) ? [] : key === 'reverse' ? 0 : '' });
		for (const stack of state.cut)
			chip('removed ' + stack.split(';').at(-1),
				{ cut: state.cut.filter((c) => c !== stack) });
		for (const name of state.hide)
			chip('without ' + name, { hide: state.hide.filter((n) => n !== name) });
	}

	drawLegend()
	{
		const { legend } = this.app.page;

		legend.replaceChildren();
		if (this.app.facts.diff)
			this.app.change.drawScale(legend);
		else if (this.app.paints.palette.sorts.length)
			this.drawGroups(legend);
	}

	/* Shows groups with their share of self weight.  After a click, only one group is shown. */
	drawGroups(legend)
	{
		const { paints, facts, state } = this.app, { groups, sorts } = paints.palette;
		const { share: all, loose } = this.app.views.bySort({ ...state, only: '' });
		const share = groups.map(() => 0);

		all.forEach((v, s) => {
			share[sorts[s]] += v;
		});
		groups.forEach((name, g) => {
			if (!share[g])
				return;
			const only = facts.sorts.filter((_, s) => sorts[s] === g).join(',');
			const e = button(legend, '', { class: 'entry', title: `Only ${name} frames`,
				'aria-pressed': flag(state.only === only) },
			() => this.app.update({ only: state.only === only ? '' : only }));

			html('span', SWATCH, e).style.background =
				paints.paint(paints.groupColor(g, 4), '').fill;
			html('span', {}, e, `${name} ${loose ? AT_LEAST + floor(100 * share[g])
				: round(100 * share[g]) || '<1'}\u2009%`);
		});
	}
}
