/* input - handles the keys of the page, the pointer and menus.  strip.js has its own keys. */
class Input extends Part
{
	listenToPage()
	{
		const { page, graph } = this.app;

		this.app.listen(graph, (i) => this.app.zoomTo(i));
		on(page.graph, 'contextmenu', (event) => {
			const i = event.clientX || event.clientY ? graph.under(event) : graph.chosen;

			if (i <= 0)
				return;
			event.preventDefault();
			this.app.choose(i);
			this.app.menu.toggle(event);
		});
		this.listenToDivider();
		on(this.app.alone ? window : page.app, 'keydown', (e) => this.onKey(e));
		on(page.app, 'pointerdown', (event) => {
			if (!event.target.closest('.menu, .tool'))
				this.app.menu.close();
		});
		on(page.input, 'input', () => this.app.search(page.input.value));
		on(page.clear, 'click', () => this.app.clearSearch());
		on(page.cased, 'click', () => this.app.toggle('case'));
		on(window, 'resize', () => {
			this.app.resize();
			this.app.render();
		});
		if (this.app.alone)
			on(window, 'popstate', () => this.app.restore());
		on(matchMedia('(prefers-color-scheme: dark)'), 'change',
			() => this.app.render());
	}

	/* Sets the width of the table and the sandwich in pixels. */
	divide(width)
	{
		const { page } = this.app, whole = page.body.clientWidth;
		const side = max(200, min(whole - 200, width));

		page.side.style.flexBasis = side + 'px';
		page.divider.setAttribute('aria-valuenow', round(100 * side / whole));
		this.app.render();
	}

	listenToDivider()
	{
		const { divider, side, body } = this.app.page;

		on(divider, 'pointerdown', (event) => divider.setPointerCapture(event.pointerId));
		on(divider, 'pointermove', (event) => {
			if (divider.hasPointerCapture(event.pointerId))
				this.divide(body.getBoundingClientRect().right - event.clientX);
		});
		on(divider, 'keydown', (event) => {
			const by = { ArrowLeft: 40, ArrowRight: -40 }[event.key];

			if (!by)
				return;
			this.divide(side.clientWidth + by);
			event.preventDefault();
			event.stopPropagation();
		});
	}

	onKey(event)
	{
		const command = event.ctrlKey || event.metaKey, { key, target } = event;
		const typing = ['input', 'select'].includes(target.localName);

		if (event.altKey)
			return;
		if (command ? key.toLowerCase() === 'f' && !typing : key === 'F3' && !this.app.state.search)
			this.app.focusSearch();
		else if (command && key.toLowerCase() === 'i')
			this.app.toggle('case');
		else if (!command && key === 'F3')
			this.app.step(event.shiftKey ? -1 : 1);
		else if (typing && key === 'Escape')
			this.app.clearSearch();
		else if (target === this.app.page.input && key === 'Enter')
			this.app.step(event.shiftKey ? -1 : 1);
		else if (command || typing || !this.press(key, target))
			return;
		event.preventDefault();
	}

	/* Performs the action of a key.  Returns false if the key has no action. */
	press(key, target)
	{
		const inGraph = !target.closest?.('button, .side, .menu, .strip');

		if (key.startsWith('Arrow')) {
			const to = inGraph ? this.app.graph.neighbour(key) : -1;

			if (to >= 0 && this.app.graph.span(to))
				this.app.choose(to);
			return inGraph;
		}
		if (key === 'Enter' && (!inGraph || this.app.graph.chosen < 0))
			return false;
		const act = Object.hasOwn(KEYS, key) && KEYS[key];

		if (act)
			act(this.app);
		return Boolean(act);
	}
}

const KEYS = {
	'/': (a) => a.focusSearch(),
	'?': (a) => a.say('Keys', KEYS_HELP),
	Escape: (a) => a.escape(),
	Enter: (a) => a.zoomTo(a.graph.chosen),
	Backspace: (a) => a.graph.zoom && a.zoomTo(a.graph.tree.parent[a.graph.zoom]),
	0: (a) => a.update({ zoom: '' }),
	n: (a) => a.step(1),
	N: (a) => a.step(-1),
	t: (a) => a.toggleTable(),
	b: (a) => a.next('by', a.groupings(), { table: 1, sandwich: '' }),
	r: (a) => a.toggle('reverse'),
	i: (a) => a.toggle('invert'),
	o: (a) => a.next('order', a.orders()),
	k: (a) => a.next('collapse', COLLAPSES),
	p: (a) => a.next('colors', a.facts.palettes.map((p) => p.name)),
	x: (a) => a.foldRuntime(),
	d: (a) => a.update({ theme: a.theme === 'dark' ? 'light' : 'dark' }),
	u: (a) => a.showAll(),
	v: (a) => a.menu.toggle(null),
	m: (a) => a.withTarget((name, i, graph) => graph === a.graph && a.menu.toggle({})),
	s: (a) => a.withTarget((name) => a.update({ sandwich: name })),
	h: (a) => a.withTarget((name) => a.update({ hide: [...a.state.hide, name] })),
	f: (a) => a.withTarget((name) => a.update({ focus: name })),
	e: (a) => a.withTarget((name, i, graph) => a.removeStack(graph, i)),
	E: (a) => a.withTarget((name, i, graph) => a.removeStack(graph, i, name)),
	F: (a) => a.useSearch('with'),
	H: (a) => a.useSearch('without'),
	y: (a) => a.copy(tableText(a, '\t'), 'table'),
	Y: (a) => saveTable(a),
	g: (a) => a.withTarget((name, i, graph) => a.openSource(graph, i)),
	c: (a) => a.withTarget((name) => a.copy(name, 'name')),
	C: (a) => a.withTarget((name, i, graph) => a.copyStack(graph, i)),
	a: (a) => a.withTarget((name, i, graph) => a.copy(a.commandOf(graph, i) || name, 'command')),
	l: (a) => a.copy(a.link(), 'link'),
	w: (a) => saveSvg(a),
	W: (a) => savePng(a),
};

/* Shows the actions for the picture or for a frame as buttons. */
class Menu extends Part
{
	toggle(event)
	{
		const { menu } = this.app.page;

		if (!menu.hidden && !event) {
			this.close();
			return;
		}
		menu.replaceChildren();
		for (const [text, key] of event ? this.ofFrame() : this.ofPicture())
			this.entry(menu, text, key);
		menu.hidden = false;
		this.app.page.menuButton.setAttribute('aria-expanded', 'true');
		this.place(menu, event);
		menu.querySelector('button').focus({ preventScroll: true });
	}

	entry(menu, text, key)
	{
		const b = button(menu, '', {}, () => {
			this.close();
			this.app.active = null; /* the menu acts on the main graph */
			KEYS[key](this.app);
		});

		html('span', {}, b, text);
		html('kbd', QUIET, b, key);
	}

	place(menu, event)
	{
		const page = this.app.page.app.getBoundingClientRect(), w = menu.offsetWidth;
		const h = menu.offsetHeight;
		const x = event?.clientX ?? page.right - 12, y = event?.clientY ?? page.top + 44;

		menu.style.left = max(8, min(x - page.left, page.width - w - 8)) + 'px';
		menu.style.top = max(8, min(y - page.top, page.height - h - 8)) + 'px';
	}

	close()
	{
		const { menu, menuButton, graph } = this.app.page;

		if (menu.hidden)
			return;
		menu.hidden = true;
		menuButton.setAttribute('aria-expanded', 'false');
		if (menu.contains(document.activeElement))
			graph.focus({ preventScroll: true });
	}

	ofFrame()
	{
		return [['Zoom to it', 'Enter'], ['Callers and callees', 's'],
			['Only stacks with it', 'f'], ['Hide it', 'h'], ['Remove stack', 'e'],
			['Remove all stacks with it', 'E'],
			['Copy name', 'c'], ['Copy stack', 'C'],
			...this.app.commandOf(this.app.graph, this.app.target()) ?
				[['Copy command for its lines', 'a']] : [],
			...this.app.linkedOf(this.app.graph, this.app.target()) ? [['Open source', 'g']] : []];
	}

	ofPicture()
	{
		const { app } = this, { state } = app;
		const list = [
			[state.reverse ? 'Merge from the root' : 'Merge from the leaf', 'r'],
			[state.invert ? 'Root below' : 'Root on top', 'i'],
			['Order: by ' + state.order, 'o'],
			['Table: by ' + (state.by || 'function'), 'b'],
			['Collapse: ' + (state.collapse || 'nothing'), 'k'],
			['Colours: ' + state.colors, 'p'],
		];

		if (app.ownSorts().length)
			list.push([state.drop.length ? 'Show runtime' : 'Hide runtime', 'x']);
		if (app.hit)
			list.push(['Only stacks with matches', 'F'], ['Hide matches', 'H']);
		list.push(['Show all', 'u'], ['Copy table', 'y'], ['Save table as CSV', 'Y'],
			[app.theme === 'dark' ? 'Light' : 'Dark', 'd'], ['Copy link', 'l'],
			['Save as SVG', 'w'], ['Save as PNG', 'W'], ['Keys', '?']);
		return list;
	}
}
