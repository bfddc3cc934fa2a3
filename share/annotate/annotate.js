// Steps through the hottest lines, and shows which instructions belong to a line.
'use strict';
(() => {
	const all = (within, what) => [...within.querySelectorAll(what)];
	const hot = all(document, 'article').flatMap((a) => all(a, '[data-rank]')
		.sort((x, y) => x.dataset.rank - y.dataset.rank));
	const rows = '[data-place], tbody tr[id]'; // source lines, and instructions
	const place = (row) => row.dataset.place ?? row.cells[2].textContent;
	const self = (row) => +(row.dataset.self ?? 0);
	const root = document.documentElement, said = document.querySelector('output');
	const dark = matchMedia('(prefers-color-scheme: dark)');
	let chosen = null, at = -1;

	function forget()
	{
		for (const row of all(document, '.chosen, .partner'))
			row.classList.remove('chosen', 'partner');
		if (chosen) {
			chosen.removeAttribute('aria-current');
			chosen.removeAttribute('tabindex');
		}
		chosen = null;
	}

	// Scrolls a row into the middle of its pane, not of the page.
	function show(row)
	{
		const pane = row.closest('.pane'), r = row.getBoundingClientRect(), p = pane.getBoundingClientRect();

		const bottom = Math.min(p.bottom, innerHeight);

		if (r.top < p.top + 60 || r.bottom > bottom - 20)
			pane.scrollTop += r.top - p.top - (bottom - p.top) / 3;
	}

	function choose(row, words)
	{
		const article = row.closest('article'), line = row.dataset.line;

		forget();
		chosen = row;
		row.classList.add('chosen');
		row.setAttribute('aria-current', 'true');
		row.tabIndex = 0;
		row.focus({ preventScroll: true });
		if (article.getBoundingClientRect().bottom < 80 || row.closest('.pane').getBoundingClientRect().top >
			innerHeight - 80)
			article.scrollIntoView();
		show(row);
		const partners = line === undefined ? [] : all(article, `[data-line="${line}"]`)
			.filter((other) => other.closest('.pane') !== row.closest('.pane'));

		for (const other of partners)
			other.classList.add('partner');
		if (partners.length)
			show(partners.reduce((best, other) => self(other) > self(best) ? other : best));
		said.textContent = words + place(row) + ', self ' + (row.cells[0].textContent || '0') +
			' %, total ' + (row.cells[1].textContent || '0') + ' %';
	}

	function step(by)
	{
		if (!hot.length)
			return;
		at = at < 0 ? (by > 0 ? 0 : hot.length - 1) : (at + by + hot.length) % hot.length;
		choose(hot[at], `Hot line ${at + 1} of ${hot.length}: `);
	}

	function move(by)
	{
		const near = chosen ? all(chosen.closest('tbody'), rows) : [];
		const next = near[near.indexOf(chosen) + by];

		if (next)
			choose(next, '');
		return next;
	}

	function paint(theme)
	{
		root.dataset.theme = theme;
		document.querySelector('#theme').setAttribute('aria-pressed', String(theme === 'dark'));
	}

	const keys = {
		n: () => step(1), p: () => step(-1), Escape: () => { forget(); said.textContent = ''; },
		d: () => paint(root.dataset.theme === 'dark' ? 'light' : 'dark'),
		ArrowDown: () => move(1), ArrowUp: () => move(-1),
	};

	addEventListener('keydown', (e) => {
		const act = e.ctrlKey || e.altKey || e.metaKey ? null : keys[e.key];
		const arrow = e.key.startsWith('Arrow');

		if (!act || (arrow && document.activeElement !== chosen))
			return;
		e.preventDefault();
		act();
	});
	addEventListener('click', (e) => {
		const row = e.target.closest(rows), link = e.target.closest('a[href^="#"]');
		const to = link && document.getElementById(decodeURIComponent(link.hash.slice(1)));

		if (to && to.matches(rows)) {
			e.preventDefault();
			choose(to, '');
		} else if (row && !link && !String(getSelection())) {
			at = hot.includes(row) ? hot.indexOf(row) : at;
			choose(row, '');
		}
	});
	for (const [id, key] of [['next', 'n'], ['previous', 'p'], ['theme', 'd']])
		document.querySelector('#' + id).addEventListener('click', keys[key]);
	for (const e of all(document, '.keys'))
		e.hidden = false;
	paint(dark.matches ? 'dark' : 'light');
	dark.addEventListener('change', () => paint(dark.matches ? 'dark' : 'light'));
})();
