/* page - makes the elements of the page. */
const SVG = 'http://www.w3.org/2000/svg', HTML = 'http://www.w3.org/1999/xhtml';

function make(space, name, attrs, parent)
{
	const e = document.createElementNS(space, name);

	for (const a in attrs)
		if (attrs[a] !== undefined && attrs[a] !== null)
			e.setAttribute(a, attrs[a]);
	if (parent)
		parent.appendChild(e);
	return e;
}

const html = (name, attrs, parent, text) => {
	const e = make(HTML, name, attrs, parent);

	if (text !== undefined)
		e.textContent = text;
	return e;
};

/* Attributes of elements that screen readers skip, because other text has the same content. */
const QUIET = { 'aria-hidden': 'true' }, SWATCH = { class: 'swatch', ...QUIET };
const on = (target, type, act, how) => target.addEventListener(type, act, how);
const flag = (v) => String(Boolean(v));

/* A part of the page.  `host` is its element. */
class Part
{
	constructor(app, host)
	{
		this.app = app;
		this.host = host;
	}
}

/* Makes a button that calls act when it is clicked. */
function button(parent, text, attrs, act)
{
	const e = html('button', { type: 'button', ...attrs }, parent, text);

	on(e, 'click', act);
	return e;
}

/* Returns a function that measures text in the font of an element.  Caches the width of each character. */
function measureIn(element, fontSize)
{
	const pen = html('canvas').getContext('2d'), widths = new Map();
	const style = getComputedStyle(element);

	if (pen)
		pen.font = fontSize + 'px ' + style.fontFamily;
	return (text) => {
		let w = 0;

		for (const c of text) {
			let one = widths.get(c);

			if (one === undefined) {
				one = pen ? pen.measureText(c).width : fontSize * 0.6;
				widths.set(c, one);
			}
			w += one;
		}
		return w;
	};
}

/* Makes the parts of the page: { bar, tabs, strip, crumbs, legend, graph, side, ... }. */
function buildPage(place, facts)
{
	const p = { app: html('div', { class: 'fg' }, place) };
	const region = (tag, name, parent, attrs) => {
		p[name] = html(tag, { class: name, ...attrs }, parent);
		return p[name];
	};
	const bar = region('header', 'bar', p.app), titles = region('div', 'titles', bar);

	html('h1', { title: facts.title }, titles, facts.title);
	region('div', 'subtitle', titles);
	const tools = region('div', 'tools', bar);

	region('div', 'tabs', p.app, { role: 'group', 'aria-label': 'Inputs' });
	region('div', 'strip', p.app);
	const second = region('div', 'second', p.app);

	region('nav', 'crumbs', second, { 'aria-label': 'Zoomed to' });
	region('div', 'legend', second, { role: 'group', 'aria-label': 'Kinds of code' });
	const body = region('div', 'body', p.app);

	region('section', 'graph', body, { tabindex: 0, 'aria-label': 'Flame graph: arrows ' +
		'choose, Enter zooms, T opens the table' });
	region('div', 'divider', body, { role: 'separator', tabindex: 0, 'aria-orientation': 'vertical',
		'aria-label': 'Width of the table', 'aria-valuenow': 46 });
	region('section', 'side', body, { 'aria-label': 'Table', tabindex: -1 });
	const foot = region('footer', 'status', p.app);

	region('div', 'details', foot, { role: 'status' });
	html('span', { class: 'name' }, p.details);
	html('span', { class: 'rest' }, p.details);
	region('div', 'matched', foot, { role: 'status' });
	region('div', 'menu', p.app, { role: 'group', 'aria-label': 'Actions' });
	p.menu.hidden = true;
	return { ...p, tools, bar };
}

/* Makes the search field with its buttons. */
function buildSearch(tools)
{
	const field = html('span', { class: 'field' }, tools);
	const input = html('input', {
		type: 'text', placeholder: 'Search', spellcheck: 'false', autocomplete: 'off',
		'aria-label': 'Search names, a regular expression',
		title: 'Enter: next, Shift+Enter: previous',
	}, field);
	const clear = html('button', {
		type: 'button', class: 'clear', title: 'Clear search (Esc)',
		'aria-label': 'Clear search',
	}, field, '\u00d7');
	const cased = html('button', {
		type: 'button', class: 'case', title: 'Match case (Ctrl+I)',
		'aria-label': 'Match case', 'aria-pressed': 'false',
	}, field, 'Aa');

	return { field, input, clear, cased };
}
