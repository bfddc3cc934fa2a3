/*
 * main - runs the interactive picture.  Each picture has one App.  Ids are not used, so a page can
 * contain several pictures.
 */
const KEYS_HELP = 'arrows: choose, Enter: zoom, Backspace: out, 0: all, n N: matches, t: table, ' +
	'v: views, m: actions, Esc: back';

class App
{
	constructor(svg)
	{
		this.svg = svg;
		this.file = readFile((c) => svg.querySelector('metadata.' + c)?.textContent || '');
		this.facts = this.file.facts;
		this.names = this.file.names;
		this.row = this.facts.row;
		this.fontSize = this.facts.fontsize;
		this.alone = document.documentElement === svg || Boolean(this.facts.page);
		this.views = new Views(this.file);
		this.paints = new Paints(this.facts, this.names);
		this.amounts = this.facts.series.map((_, k) => amountsOf(this.facts, k));
		this.change = this.facts.diff ? new Change(this) : null;
		this.plain = svg.classList.contains('plain');
		this.ground = svg.querySelector('.ground').getAttribute('fill');
		this.hit = null;
		this.labels = new Map();
		this.matches = null;
		this.matchAt = -1;
		this.pointed = null;
	}

	start()
	{
		const { svg, facts } = this, still = svg.querySelector('g.still');

		this.naturalHeight = Number(svg.getAttribute('height'));
		this.addViewport();
		svg.classList.add('live');
		still.remove();
		svg.removeAttribute('viewBox');
		this.place = make(SVG, 'foreignObject', { width: '100%', height: '100%' }, svg);
		this.page = buildPage(this.place, facts);
		Object.assign(this.page, buildSearch(this.page.tools));
		this.measure = measureIn(this.page.app, this.fontSize);
		this.graph = new Graph(this, this.page.graph, false);
		this.table = new Table(this, this.page.side);
		this.sandwich = new Sandwich(this, this.page.side);
		this.strip = this.file.slots && facts.series.length === 1
			? new Strip(this, this.page.strip) : null;
		this.menu = new Menu(this);
		this.head = new Head(this);
		this.input = new Input(this);
		this.buildTools();
		this.change?.addMost(this.page);
		this.input.listenToPage();
		if (this.alone)
			printInFull(this);
		this.resize();
		this.restore();
	}

	/* Adds <meta name="viewport">, without which a phone lays out a wide page and shrinks it. */
	addViewport()
	{
		if (document.documentElement === this.svg)
			html('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' },
				this.svg);
	}

	buildTools()
	{
		const { tools } = this.page;

		this.page.tableButton = button(tools, 'Table', { title: 'Functions (t)',
			class: 'tool' }, () => this.toggleTable());
		this.page.menuButton = button(tools, 'View', { title: 'Other views (v)', class: 'tool',
			'aria-haspopup': 'true' }, () => this.menu.toggle(null));
	}

	/* Names and weights */

	textOf(name)
	{
		return name >= 0 ? this.names.of(name) : name === ALL ? 'all'
			: name === OMITTED ? '(left out)' : '(itself)';
	}

	colorOf(t, i)
	{
		if (t.name[i] < 0)
			return this.paints.theme.root;
		if (this.facts.diff)
			return this.change.color(t, i);
		return this.paints.base(t.name[i]);
	}

	/* Returns the sums of the view by function or group, and the factors of a difference. */
	sums(by = this.state.by)
	{
		const { views, state, facts } = this, sums = views.sums({ ...state, by });

		if (facts.diff)
			sums.factors = factorsOf(facts, state.unit, wholeOf(sums, 0)[1], wholeOf(sums, 1)[1]);
		else
			sums.factors = [1, 0];
		return sums;
	}

	amountOf(v, exact, to)
	{
		const k = this.facts.diff ? 0 : this.state.tab;

		return this.amounts[k](v * this.file.scale, exact, to);
	}

	/* Returns the text of bounds [least, most]. */
	boundsText([least, most], exact)
	{
		return least === most ? this.amountOf(least, exact)
			: between(this.amountOf(least, null, -1), this.amountOf(most, null, 1));
	}

	kindOf(name)
	{
		return name >= 0 ? this.facts.sorts[this.names.sort(name)] : '';
	}

	/* Returns a description of node i of a graph. */
	restOf(graph, i)
	{
		const { tree: t, zoom } = graph, name = t.name[i], kind = this.kindOf(name);
		const { views } = this, [v, all] = [i, 0].map((k) => views.bounds(t, k, 0));

		if (this.facts.diff)
			return this.change.text(t, i) + (kind ? ', ' + kind : '');
		const exact = t === views.last ? views.exact(i) : null;
		/* With --total, shares refer to the root, which may be wider than all stacks. */
		const whole = all.map((w) => max(w, t.width[0]));
		let s = this.boundsText(i ? v : whole, exact) + ', ' + shareOf(i ? v : whole, whole);

		if (zoom && t.level[i] > t.level[zoom])
			s += ` (${shareOf(v, views.bounds(t, zoom, 0))} of the view)`;
		const self = this.state.reverse || graph !== this.graph ? 0 : this.selfOf(t, i);

		if (self)
			s += '; self ' + (t.loose ? 'at least ' +
				shareOf([self, self], whole).split(' ')[0] : percent(self, t.width[0]));
		return s + (kind ? ', ' + kind : '');
	}

	/*
	 * Returns the self weight of node i.  In a chart, children named OWN have this weight.
	 */
	selfOf(t, i)
	{
		let self = t.a[i];

		if (this.facts.chart || this.state.order === 'time')
			for (let c = i + 1, end = endOf(t, i); c < end; c = endOf(t, c))
				self += t.name[c] === OWN ? t.a[c] : 0;
		return self;
	}

	/*
	 * Returns the line below the title: the total of the view, and the numbers of samples and
	 * boxes in the file.
	 */
	saying()
	{
		const { facts, state, graph, views } = this, { subtitle } = facts;

		if (facts.diff)
			return [...subtitle ? [subtitle] : [], this.change.totals(graph.tree),
				...this.missing()].join(', ');
		if (subtitle && !this.isPart())
			return subtitle;
		const { samples, event } = facts.series[state.tab], [least, most] = views.bounds(
			graph.tree, 0, 0);
		const all = this.isPart() ? sumOf(this.file.tree.self[state.tab]) : graph.tree.ta[0];
		const parts = [this.boundsText([least, most], views.exact(0)) +
			(event ? ' of ' + event : '')];

		if (samples && least === all)
			parts.push(`${commas(samples)} sample${samples === 1 ? '' : 's'}`);
		else if (samples && least === most && !/ samples?( |$)/.test(parts[0]))
			parts.push(`about ${commas(round(samples * least / all))} samples`);
		if (this.isPart())
			parts.push(`of ${this.amountOf(all)}`);
		return [...subtitle ? [subtitle] : [], ...parts, ...this.missing()].join(', ');
	}

	/* Returns true if the view does not show all stacks of the file. */
	isPart()
	{
		const { state } = this;

		return Boolean(state.range || state.focus || state.with || state.cut.length);
	}

	missing()
	{
		const { missing, boxes } = this.facts;

		return missing ? [`without the ${commas(missing)} narrowest boxes`] : [];
	}

	/* State */

	update(changes, how = 'push')
	{
		const before = { ...this.state }, path = this.zoomNames();

		Object.assign(this.state, changes);
		if (!('zoom' in changes) && this.views.key) {
			const tree = this.views.tree(this.state);

			if (tree !== this.graph.tree)
				this.state.zoom = before.reverse !== this.state.reverse ? ''
					: placeOf(tree, this.follow(tree, path));
		}
		this.render();
		this.keep(how);
	}

	zoomNames()
	{
		const { tree, zoom } = this.graph;

		return tree ? pathOf(tree, zoom).map((i) => tree.name[i]) : [];
	}

	/* Follows names from the root as far as possible, and returns the node. */
	follow(t, names)
	{
		let at = 0;

		for (const name of names)
			for (let c = at + 1, end = endOf(t, at); c < end; c = endOf(t, c))
				if (t.name[c] === name) {
					at = c;
					break;
				}
		return at;
	}

	keep(how)
	{
		if (!this.alone)
			return;
		const link = linkOf(this.state, this.facts);

		if ('#' + link === (location.hash || '#'))
			return;
		try {
			history[how === 'push' ? 'pushState' : 'replaceState'](null, '', '#' + link);
		} catch (e) {
			/* Ignores the error: the document has no address, so the view cannot have a link. */
		}
	}

	restore()
	{
		this.state = stateOf(this.alone ? location.hash.slice(1) : '', this.facts);
		this.render();
	}

	/* Drawing */

	render()
	{
		const { state, page, graph } = this, tree = this.views.tree(state);
		const zoom = nodeOf(tree, state.zoom);
		const moved = tree !== graph.tree || zoom !== graph.zoom ||
			graph.inverted !== Boolean(state.invert);

		this.setTheme();
		this.setHits();
		graph.inverted = Boolean(state.invert);
		if (moved)
			graph.set(tree, zoom);
		page.tabs.hidden = this.facts.series.length < 2;
		page.strip.hidden = !this.strip;
		this.head.drawTabs();
		this.change?.showNoise();
		this.change?.drawMost();
		this.head.drawCrumbs();
		this.head.drawLegend();
		page.subtitle.textContent = this.saying();
		this.drawSide();
		graph.high = 0;
		this.showMatched();
		this.showDetails();
		graph.layout(moved);
		if (this.strip)
			this.strip.draw();
	}

	setTheme()
	{
		const { state, page } = this;
		const asked = state.theme || (matchMedia('(prefers-color-scheme: dark)').matches
			? 'dark' : 'light');

		this.theme = this.plain ? asked : 'light';
		const ground = this.plain ? THEMES[this.theme].ground : this.ground;
		const key = state.colors + this.theme;

		if (this.painted === key)
			return;
		this.painted = key;
		page.app.dataset.theme = this.theme;
		page.app.style.setProperty('--ground', ground);
		this.svg.style.background = ground;
		this.paints.use(state.colors, this.theme, ground);
	}

	setHits()
	{
		const { search, case: cased } = this.state, key = search + '\n' + cased;

		if (this.searched === key)
			return;
		const pattern = search ? patternOf(search, Boolean(cased)) : null;

		this.searched = key;
		this.badPattern = pattern?.bad || '';
		this.pattern = pattern;
		this.hit = pattern ? hitsOf(this.names, pattern) : null;
		this.matches = null;
		this.matchAt = -1;
		if (this.page.input.value !== search)
			this.page.input.value = search;
	}

	/* Searches for text, and updates only the parts of the page that a search changes. */
	search(text)
	{
		this.state.search = text;
		this.setHits();
		this.graph.draw();
		this.drawSide();
		this.showMatched();
		this.keep('replace');
	}

	/*
	 * Highlights the boxes with the name or group in a row of the table.  If row is -1,
	 * highlights the boxes that the search found.
	 */
	point(row)
	{
		const { group } = this.views.listed(this.state);

		this.pointed = row < 0 ? null
			: Uint8Array.from({ length: this.names.n }, (_, i) => (group ? group[i] : i) === row);
		this.graph.draw();
	}

	showMatched()
	{
		const { page, graph } = this, { search } = this.state;

		page.input.classList.toggle('bad', Boolean(this.badPattern));
		page.field.classList.toggle('active', Boolean(search));
		page.cased.setAttribute('aria-pressed', flag(this.state.case));
		if (!this.hit) {
			page.matched.textContent = '';
			return;
		}
		const { tree, zoom } = graph, found = coverage(tree, this.hit, zoom);
		const [least, most] = this.matchedBounds(found), { count } = found;
		const frames = commas(count) + (count === 1 ? ' frame, ' : ' frames, ');

		page.matched.textContent = this.badPattern ? `${this.badPattern}: searched as text, ` : '';
		page.matched.append((least === most ? frames : 'at least ' + frames) +
			(least === most ? (100 * found.share).toFixed(2) + '%'
				: shareOf([least, most], [tree.width[zoom], tree.width[zoom]]) ) + ' matched');
	}

	/* Returns the share of the view that the matches cover, as bounds: [least, most]. */
	matchedBounds({ covered, open })
	{
		const { views, facts, state } = this, { tree, zoom } = this.graph;

		if (!facts.missing)
			return [covered, covered];
		const { loose } = tree, list = facts.diff ? [] : views.mostOf(this.hit, state);
		const slack = loose && (loose.isReversed || loose.isWanted) ? loose.om[0] : open;
		const all = views.bounds(tree, zoom, 0);
		const more = facts.diff || loose?.isReversed ? slack
			: min(slack, list[0] + (loose?.cap[0] || 0));
		const less = loose?.isLess ? views.insideOf(tree, zoom, 0) : 0;
		/* The weight of the view also has bounds, so both bounds of the share depend on them. */
		const k = tree.width[zoom];

		return [max(0, covered - less) * k / (all[1] || 1), min(1, (covered + more) / (all[0] || 1)) * k];
	}

	drawSide()
	{
		const { page, state } = this, open = Boolean(state.table || state.sandwich);

		page.side.hidden = page.divider.hidden = !open;
		this.pointed = this.active = null;
		page.app.classList.toggle('split', open);
		page.tableButton.setAttribute('aria-pressed', String(open));
		page.side.setAttribute('aria-label', state.sandwich ? 'Sandwich' : 'Table');
		if (state.sandwich)
			this.sandwich.draw();
		else if (state.table)
			this.table.draw();
	}

	showDetails()
	{
		const { details } = this.page, graph = this.targetGraph(), i = this.target();

		details.classList.toggle('idle', i < 0);
		(this.active || graph).tooltip.textContent = '';
		if (i < 0) {
			this.say(this.hottest(), matchMedia('(hover: none)').matches ? 'Tap: zoom, View: more'
				: 'Click: zoom, right-click: more, /: search, ?: keys');
			return;
		}
		const { nametype } = this.facts, text = this.textOf(graph.tree.name[i]);
		const rest = this.restOf(graph, i);

		this.say((nametype ? nametype + ' ' : '') + text, rest);
		if (graph.hovered >= 0)
			graph.tooltip.textContent = [text, rest, this.calledBy(graph, i),
			...this.placesOf(graph, i).map(placeText), this.commandOf(graph, i)].filter((s) => s).join('\n');
	}

	/*
	 * Returns the function with the most self weight as text.  Returns '' if the weights
	 * of functions are not yet known, or if another function may have more self weight in
	 * missing boxes.
	 */
	hottest()
	{
		const { views, state, facts } = this, { hottest, hot } = facts.series[state.tab];

		/* facts has the hottest function of the file.  For a difference, returns ''. */
		if (facts.diff || views.isWhole(state))
			return hottest ? `Hottest: ${hottest}, ${percent(hot, 1)} self` : '';
		/* The sums are computed after the view is drawn, because this may take long. */
		if (!views.isCounted({ ...state, by: '' })) {
			this.settling ||= requestAnimationFrame(() => setTimeout(() => {
				this.settling = 0;
				this.sums('');
				this.showDetails();
			}));
			return '';
		}
		const sums = this.sums(''), { selfA, loose } = sums;
		const i = selfA.reduce((best, v, k) => v > selfA[best] ? k : best, 0);

		return loose || !selfA[i] ? ''
			: `Hottest: ${this.textOf(i)}, ${leastShare(sums, selfA[i])} self`;
	}

	/*
	 * Returns the heaviest callers of the function of node i as text, or '' if they are
	 * unknown.  Caches the texts by name, because each text requires a walk over the tree.
	 */
	calledBy(graph, i)
	{
		const { facts, state } = this, t = graph.tree, name = t.name[i];

		if (!i || graph !== this.graph || state.reverse || state.collapse === 'chains' ||
			facts.diff || facts.missing)
			return '';
		return (t.callers ||= [])[name] ||= this.callersText(t, name);
	}

	callersText(t, name)
	{
		const sums = new Map();

		for (const k of outermost(t, name)) {
			const above = t.name[t.parent[k]];

			sums.set(above, (sums.get(above) || 0) + t.ta[k]);
		}
		return 'called by ' + [...sums].sort((a, b) => b[1] - a[1]).slice(0, 3).map(([above, v]) =>
			`${this.textOf(above)} ${percent(v, t.ta[0])}`).join(', ');
	}

	/* Returns the modules and source lines of node i as text. */
	placesOf(graph, i)
	{
		return this.file.places.get(graph.tree.name[i]) || [];
	}

	/*
	 * Returns the pannotate command that prints the source lines of node i, or '' if it is not
	 * a function.
	 */
	commandOf(graph, i)
	{
		const name = this.textOf(graph.tree.name[i]).replaceAll("'", "'\\''");

		return this.placesOf(graph, i).length ? `pannotate '${name}' PROFILE` : '';
	}

	linkedOf(graph, i)
	{
		return this.placesOf(graph, i).find((p) => p.linked);
	}

	openSource(graph, i)
	{
		const place = this.linkedOf(graph, i);

		if (place)
			window.open(urlOf(this.facts.sourceUrl, place), '_blank', 'noopener');
	}

	say(name, rest)
	{
		const { graph, page } = this, [a, b] = page.details.children;

		a.textContent = name;
		b.textContent = rest;
		/*
		 * If the details need more lines, the graph becomes smaller.  The graph is laid
		 * out again, except while the pointer is on the graph.
		 */
		if (graph.hovered < 0 && graph.high && graph.high !== page.graph.clientHeight)
			graph.layout();
	}

	/* Actions */

	zoomTo(i)
	{
		this.update({ zoom: placeOf(this.graph.tree, i) });
	}

	choose(i)
	{
		const { graph } = this;

		graph.chosen = i;
		graph.hovered = -1;
		this.active = graph;
		if (!graph.span(i)) {
			this.update({ zoom: '' });
			graph.chosen = i;
		}
		graph.show(i);
		graph.mark();
		this.showDetails();
	}

	/* Chooses the match that is n matches ahead.  A new search begins at the widest match. */
	step(n)
	{
		const { graph } = this;

		if (!this.hit)
			return;
		if (!this.matches || this.matchedIn !== graph.tree || this.matchedZoom !== graph.zoom) {
			this.matches = matchesOf(graph.tree, this.hit, graph.zoom);
			this.matchedIn = graph.tree;
			this.matchedZoom = graph.zoom;
			this.matchAt = -1;
		}
		const count = this.matches.length;

		if (!count)
			return;
		this.matchAt = this.matchAt < 0 && n < 0 ? count - 1 : (this.matchAt + n + count) % count;
		this.choose(this.matches[this.matchAt]);
	}

	/* Returns the graph to which actions apply: the one under the pointer, or the main graph. */
	targetGraph()
	{
		const { active } = this;

		return active?.hovered >= 0 ? active : this.graph;
	}

	/* Returns the node of targetGraph() to which actions apply, or -1. */
	target()
	{
		const graph = this.targetGraph();

		return graph.hovered >= 0 ? graph.hovered : graph.chosen >= 0 ? graph.chosen
			: graph.zoom || -1;
	}

	/* Calls act(text, i, graph) for the chosen frame. */
	withTarget(act)
	{
		const i = this.target(), graph = this.targetGraph();

		/* Only in a sandwich, the root is a function. */
		if (i > 0 || graph !== this.graph)
			act(this.textOf(graph.tree.name[i]), i, graph);
	}

	next(key, list, more)
	{
		const at = list.indexOf(this.state[key]);

		this.update({ ...more, [key]: list[(at + 1) % list.length] });
	}

	toggle(key)
	{
		this.update({ [key]: this.state[key] ? 0 : 1 });
	}

	toggleTable()
	{
		const { state } = this;

		this.update(state.table || state.sandwich ? { table: 0, sandwich: '' } : { table: 1 });
	}

	orders()
	{
		return this.facts.chart ? ['time'] : this.file.slots ? ORDERS : ORDERS.slice(0, 2);
	}

	groupings()
	{
		return GROUPINGS.filter((by) => by !== 'file' || this.facts.places);
	}

	/* Returns the kinds of frames (facts.sorts) that belong to the runtime. */
	ownSorts()
	{
		const own = ['runtime', 'collector', 'generated'], { names, facts } = this;
		const there = names.map((_, sort) => sort);

		return own.filter((s) => there.includes(facts.sorts.indexOf(s)));
	}

	foldRuntime()
	{
		this.update({ drop: this.state.drop.length ? [] : this.ownSorts() });
	}

	showAll()
	{
		this.update({ hide: [], drop: [], only: '', focus: '', collapse: '', range: '', with: '',
			without: '', cut: [] });
	}

	copy(text, what)
	{
		const said = (how) => this.say('', how);

		if (!navigator.clipboard) {
			said('cannot copy');
			return;
		}
		navigator.clipboard.writeText(text).then(() => said(what + ' copied'),
			() => said('cannot copy'));
	}

	/*
	 * Copies the stack, the root first.  In a sandwich, the root of the tree is a function
	 * and a part of the stack.
	 */
	copyStack({ tree }, i)
	{
		const path = tree.of >= 0 ? [0, ...pathOf(tree, i)] : pathOf(tree, i);

		if (tree.of >= 0 && tree.chain)
			path.reverse();
		this.copy(path.map((c) => this.textOf(tree.name[c])).join('\n'), 'stack');
	}

	/*
	 * Removes the stacks that contain a frame called name.  If name is not set, removes the
	 * stacks that contain node i.  The Back button of the browser, or a button of the page,
	 * restores these stacks.
	 */
	removeStack(graph, i, name)
	{
		const { state } = this, { tree } = graph;
		const names = pathOf(tree, i).map((c) => this.textOf(tree.name[c]));

		if (tree.name[i] < 0 || (!name && (graph !== this.graph ||
			state.collapse === 'chains' || state.order === 'time')))
			this.say('', 'only whole stacks can be removed');
		else
			this.update({ cut: [...state.cut, name ? ';;' + name
				: (state.reverse ? ';' : '') + names.join(';')] });
	}

	/*
	 * Keeps only the stacks that match the search if key is 'with'.  Hides the matching
	 * names if key is 'without'.
	 */
	useSearch(key)
	{
		const { search, case: cased } = this.state;

		if (this.hit)
			this.update({ [key]: `/${search}/${cased ? '' : 'i'}`, search: '' });
	}

	link()
	{
		return location.href.replace(/#.*/, '') + '#' + linkOf(this.state, this.facts);
	}

	focusSearch()
	{
		this.page.input.focus();
		this.page.input.select();
	}

	clearSearch()
	{
		this.update({ search: '' }, 'replace');
		this.page.graph.focus({ preventScroll: true });
	}

	escape()
	{
		const { graph, state } = this;

		if (!this.page.menu.hidden)
			this.menu.close();
		else if (state.search)
			this.clearSearch();
		else if (graph.chosen >= 0) {
			graph.chosen = -1;
			graph.mark();
			this.showDetails();
		} else if (state.sandwich || state.table)
			this.update({ sandwich: '', table: 0 });
		else
			this.update({ zoom: '' });
	}

	/* Handles hovering and clicks on a graph.  A click on node i calls act(i). */
	listen(graph, act)
	{
		on(graph.svg, 'pointermove', (event) => {
			const i = graph.under(event);

			if (i === graph.hovered && (i < 0 || this.active === graph))
				return;
			graph.hovered = i;
			this.active = graph;
			graph.svg.style.cursor = i >= 0 ? 'pointer' : '';
			graph.mark();
			this.showDetails();
		});
		on(graph.svg, 'pointerleave', () => {
			graph.hovered = -1;
			graph.mark();
			this.showDetails();
		});
		on(graph.svg, 'click', (event) => {
			const i = graph.under(event);

			if (i >= 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey)
				act(i);
		});
	}

	/*
	 * Adapts the picture to the window.  If the picture is part of another page, its height
	 * depends on its content, too.
	 */
	resize()
	{
		const { svg, alone, facts } = this;
		const height = min(this.naturalHeight + 70, max(420, window.innerHeight * 0.9));

		svg.setAttribute('width', '100%');
		svg.setAttribute('height', alone ? facts.page ? '100vh' : '100%' : height);
		svg.style.display = 'block';
		if (facts.page)
			svg.style.height = '100vh';
	}

}

const picture = document.currentScript && document.currentScript.closest('svg.offbox-flame');

if (picture && !picture.classList.contains('live'))
	new App(picture).start();
