/*
 * The picture, alive: hover, zoom, search, keyboard, a link to the view.
 *
 * The file's boxes are in two tables (<metadata>); elements are made only for
 * those that the window shows, slivers share a path, and what is under the pointer
 * is found by arithmetic, so a huge profile costs no more than a small one.  Names
 * are only ever text nodes.  Nothing is found by id: pictures can share a page.
 */
(function () {
'use strict';

const SVG = 'http://www.w3.org/2000/svg', HTML = 'http://www.w3.org/1999/xhtml';
const svg = document.currentScript && document.currentScript.closest('svg.offbox-flame');
if (!svg || svg.classList.contains('live'))
	return;

const MARGIN = 12, HEAD = 60, FOOT = 34;
const MOST = 4000;     /* elements of their own; narrower boxes share paths */
const AROUND = 15;     /* rows drawn beyond the window */
const LONGEST = 4000;  /* characters of a name that a label looks at */
const KINDS = ['kernel', 'inlined', 'JIT', 'waker'];

const data = svg.dataset;
const alone = document.documentElement === svg;
const row = Number(data.row), levels = Number(data.levels);
const factor = Number(data.factor), total = Number(data.total);
const fontSize = Number(svg.getAttribute('font-size'));
const inverted = data.inverted === '1', fluid = data.fluid === '1';
const height = HEAD + levels * row + FOOT;

/* Tables */

const names = svg.querySelector('metadata.names').textContent.split('\n').map((line) => ({
	color: '#' + line.slice(0, 6),
	kinds: parseInt(line[6], 16),
	text: line.slice(7),
}));

/* NAME[,WIDTH[,UP[,GAP]]] a box, see svg.c; counts stay text, which is exact. */
function readBoxes(text)
{
	let n = 1, at = 0;

	for (let i = text.indexOf(' '); i >= 0; i = text.indexOf(' ', i + 1))
		n++;
	const b = {
		n, name: new Uint32Array(n), level: new Uint32Array(n),
		parent: new Int32Array(n), end: new Uint32Array(n),
		start: new Float64Array(n), width: new Float64Array(n),
		count: new Uint32Array(n), text,
	};
	const edge = new Float64Array(levels + 1), open = new Int32Array(levels + 1);
	const number = () => {
		let v = 0, c = text.charCodeAt(at);

		for (; c >= 48 && c <= 57; c = text.charCodeAt(++at))
			v = v * 10 + c - 48;
		if (c !== 46)
			return v;
		const from = at;

		do
			c = text.charCodeAt(++at);
		while (c >= 48 && c <= 57);
		return v + Number(text.slice(from, at));
	};
	const more = () => text.charCodeAt(at) === 44 && ++at;

	for (let i = 0, level = -1; i < n; i++, at++) {
		let up = 0, gap = 0, given = false;

		b.name[i] = number();
		if (more()) {
			given = true;
			b.count[i] = at;
			b.width[i] = number();
			if (more())
				up = number();
			if (more())
				gap = number();
		}
		for (let u = 0; u < up; u++)
			b.end[open[level--]] = i;
		level++;
		b.level[i] = level;
		b.parent[i] = level ? open[level - 1] : -1;
		if (!given) {
			b.count[i] = b.count[i - 1];
			b.width[i] = b.width[i - 1];
		}
		b.start[i] = edge[level] + gap;
		edge[level] = b.start[i] + b.width[i];
		edge[level + 1] = b.start[i];
		open[level] = i;
		if (i === n - 1)
			for (; level >= 0; level--)
				b.end[open[level]] = n;
	}
	return b;
}

const box = readBoxes(svg.querySelector('metadata.boxes').textContent);

/* Boxes of level l: order[rowAt[l]] up to order[rowAt[l + 1]], from left to right. */
const rowAt = new Uint32Array(levels + 2), order = new Uint32Array(box.n);
for (let i = 0; i < box.n; i++)
	rowAt[box.level[i] + 1]++;
for (let l = 0; l < levels; l++)
	rowAt[l + 1] += rowAt[l];
const fill = rowAt.slice();
for (let i = 0; i < box.n; i++)
	order[fill[box.level[i]]++] = i;

/* State */

let zoom = 0, hovered = -1, chosen = -1;
let search = { text: '', cased: false, hit: null, found: [], at: -1, share: 0, bad: false };
let width = Number(svg.getAttribute('width')), plot = width - 2 * MARGIN;
let drawn = { from: 1, to: 0 };

/* Elements */

function make(space, name, attrs, parent)
{
	const e = document.createElementNS(space, name);

	for (const a in attrs)
		e.setAttribute(a, attrs[a]);
	if (parent)
		parent.appendChild(e);
	return e;
}

const frames = svg.querySelector('g.frames'), head = svg.querySelector('g.head');
const legend = svg.querySelector('text.legend');
const title = svg.querySelector('text.title'), fullTitle = title.textContent;
const tooltip = make(SVG, 'title', {});

svg.querySelector('text.hint').remove();
svg.classList.add('live');
frames.replaceChildren();
const marks = make(SVG, 'g', { class: 'marks' });
frames.after(marks);
const hoverMark = make(SVG, 'rect', { class: 'hover', visibility: 'hidden' }, marks);
const chosenMark = make(SVG, 'rect', { class: 'chosen', visibility: 'hidden' }, marks);
const ground = svg.querySelector('.ground').getAttribute('fill');
const headGround = make(SVG, 'rect', { class: 'ground', height: HEAD - 4, fill: ground });
head.prepend(headGround);

const toolPlace = make(SVG, 'foreignObject', { y: 7, height: 28 }, head);
const tools = make(HTML, 'div', { class: 'tools' }, toolPlace);
const reset = make(HTML, 'button', { type: 'button', class: 'reset' }, tools);
const field = make(HTML, 'span', { class: 'field' }, tools);
const input = make(HTML, 'input', {
	type: 'text', placeholder: 'Search', spellcheck: 'false', autocomplete: 'off',
	'aria-label': 'Search names, a regular expression',
	title: 'Regular expression. Enter: next, Shift+Enter: previous, Esc: clear',
}, field);
const clear = make(HTML, 'button', {
	type: 'button', class: 'clear', title: 'Clear search (Esc)', 'aria-label': 'Clear search',
}, field);
const caseless = make(HTML, 'button', {
	type: 'button', class: 'case', title: 'Match case (Ctrl+I)', 'aria-pressed': 'false',
}, field);
reset.textContent = 'Reset zoom';
clear.textContent = '\u00d7';
caseless.textContent = 'Aa';

const footPlace = make(SVG, 'foreignObject', { class: 'foot', x: 0, height: FOOT - 6 }, svg);
const foot = make(HTML, 'div', { class: 'status' }, footPlace);
const details = make(HTML, 'div', { class: 'details', 'aria-live': 'polite' }, foot);
const detailName = make(HTML, 'span', { class: 'name' }, details);
const detailRest = make(HTML, 'span', { class: 'rest' }, details);
const matched = make(HTML, 'div', { class: 'matched' }, foot);

/* Text */

function grouped(digits)
{
	const dot = digits.indexOf('.'), whole = dot < 0 ? digits : digits.slice(0, dot);

	return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (dot < 0 ? '' : digits.slice(dot));
}

function countOf(i)
{
	let at = box.count[i];
	const from = at;

	if (factor !== 1)
		return grouped((box.width[i] * factor).toFixed(2).replace(/\.?0+$/, ''));
	while (at < box.text.length && box.text[at] !== ',' && box.text[at] !== ' ')
		at++;
	return grouped(box.text.slice(from, at));
}

const percent = (part, whole) => (100 * part / whole).toFixed(2) + '%';
const nameOf = (i) => names[box.name[i]].text;

function restOf(i)
{
	let s = countOf(i) + ' ' + data.countname + ', ' + percent(box.width[i], total);

	if (zoom && box.level[i] > box.level[zoom])
		s += ' (' + percent(box.width[i], box.width[zoom]) + ' of the view)';
	KINDS.forEach((word, k) => {
		if (names[box.name[i]].kinds >> k & 1)
			s += ', ' + word;
	});
	return s;
}

const pen = make(HTML, 'canvas', {}).getContext('2d');
const widths = new Map();

function measure(text)
{
	let w = 0;

	if (!pen)
		return text.length * fontSize * 0.6;
	for (const c of text) {
		let one = widths.get(c);

		if (one === undefined) {
			one = pen.measureText(c).width;
			widths.set(c, one);
		}
		w += one;
	}
	return w;
}

const CLONE = /^(\d|cold|constprop|isra|llvm|lto_priv|part)/;

/* As is_type_end() in caption.c: the blank at s[i] stands behind a return type. */
function isTypeEnd(s, i)
{
	const word = s.slice(i + 1).split(/[ (]/, 1)[0];

	return /^[a-z]/i.test(word) && !word.includes('/') &&
		word.indexOf(':') === word.indexOf('::') && !s.slice(0, i).endsWith('operator');
}

/* As next_part() in caption.c: where the name behind the next separator begins. */
function nextPart(s, at)
{
	let depth = 0;

	for (let i = at; i + 1 < s.length; i++) {
		const c = s[i];

		if ('<[{'.includes(c) || (c === '(' && (!i || '.:'.includes(s[i - 1]))))
			depth++;
		else if ('>]})'.includes(c) && depth)
			depth--;
		else if (depth)
			continue;
		else if (c === ' ' && isTypeEnd(s, i))
			return i + 1;
		else if (c === '(' || c === ' ')
			break;
		else if (c === ':' && s[i + 1] === ':' && i + 2 < s.length)
			return i + 2;
		else if (i && './!'.includes(c) && !'./:'.includes(s[i + 1]) &&
			!(c === '.' && CLONE.test(s.slice(i + 1, i + 12))))
			return i + 1;
	}
	return s.length;
}

function tail(text, room)
{
	const chars = Array.from(text);
	let n = chars.length, w = 0;

	while (n && (w += measure(chars[n - 1])) <= room)
		n--;
	return chars.slice(n).join('');
}

function cut(text, room)
{
	const chars = Array.from(text.slice(0, 400)), dots = measure('\u2026');
	let n = 0;

	if (text.length < 400 && measure(text) <= room)
		return text;
	for (let w = dots; n < chars.length && (w += measure(chars[n])) <= room;)
		n++;
	return n < 2 ? '' : chars.slice(0, n).join('') + '\u2026';
}

/* The label of a box with room for `room` pixels. */
function fit(name, room)
{
	const text = name.text.slice(0, LONGEST), dots = measure('\u2026');
	let last = 0;

	if (name.width === undefined)
		name.width = measure(text);
	if (name.width <= room)
		return text;
	for (let left = name.width; !data.cutRight;) {
		const part = nextPart(text, last);

		if (part === text.length)
			break;
		left -= measure(text.slice(last, part));
		last = part;
		if (left + dots > room)
			continue;
		/* A short name in a wide box: more of what stands before it. */
		return '\u2026' + (room > 14 * fontSize && left < room / 2
			? tail(text, room - dots) : text.slice(part));
	}
	return cut(text.slice(last), room);
}

/* Geometry */

const scaleOf = () => (svg.getBoundingClientRect().width || width) / width;
const topOf = (level) => HEAD + (inverted ? level : levels - 1 - level) * row;

/* What the window shows, in the picture's coordinates. */
function viewed()
{
	const r = svg.getBoundingClientRect(), scale = (r.width || width) / width;
	const from = Math.max(0, -r.top / scale);

	return { from, to: Math.max(from, Math.min(height, (window.innerHeight - r.top) / scale)) };
}

function ancestor(i, level)
{
	while (box.level[i] > level)
		i = box.parent[i];
	return i;
}

/* Index in order of the first box of level that ends behind x. */
function firstBehind(level, x)
{
	let lo = rowAt[level], hi = rowAt[level + 1];

	while (lo < hi) {
		const mid = (lo + hi) >> 1, i = order[mid];

		if (box.start[i] + box.width[i] > x)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* Where box i stands in this view: [x, width]; null when it is outside. */
function spanOf(i)
{
	const k = plot / box.width[zoom], end = box.start[zoom] + box.width[zoom];

	if (box.level[i] <= box.level[zoom])
		return ancestor(zoom, box.level[i]) === i ? [MARGIN, plot] : null;
	if (box.start[i] < box.start[zoom] || box.start[i] >= end)
		return null;
	return [MARGIN + (box.start[i] - box.start[zoom]) * k, box.width[i] * k];
}

function boxAt(x, y)
{
	const r = Math.floor((y - HEAD) / row), level = inverted ? r : levels - 1 - r;

	if (r < 0 || r >= levels || x < MARGIN || x >= MARGIN + plot)
		return -1;
	if (level <= box.level[zoom])
		return ancestor(zoom, level);
	const at = box.start[zoom] + (x - MARGIN) / plot * box.width[zoom];
	const j = firstBehind(level, at);

	return j < rowAt[level + 1] && box.start[order[j]] <= at ? order[j] : -1;
}

function boxUnder(event)
{
	const r = svg.getBoundingClientRect(), scale = scaleOf();

	if (event.target instanceof Element && event.target.closest('.head, .foot'))
		return -1;
	return boxAt((event.clientX - r.left) / scale, (event.clientY - r.top) / scale);
}

/* Drawing */

/* Calls wide(i, x, w) or thin(i, x, w) for the boxes of level in view, left to right. */
function eachOf(level, least, wide, thin)
{
	const x0 = box.start[zoom], k = plot / box.width[zoom];

	if (level <= box.level[zoom]) {
		wide(ancestor(zoom, level), MARGIN, plot);
		return;
	}
	for (let j = firstBehind(level, x0); j < rowAt[level + 1]; j++) {
		const i = order[j], x = (box.start[i] - x0) * k;

		if (x >= plot)
			break;
		(box.width[i] * k >= least ? wide : thin)(i, MARGIN + x, box.width[i] * k);
	}
}

function drawBox(i, x, w, y, to)
{
	const name = names[box.name[i]], hit = search.hit && search.hit[box.name[i]];
	const kind = (hit ? 'hit' : '') + (box.level[i] < box.level[zoom] ? ' above' : '');
	const rect = make(SVG, 'rect', {
		x: x.toFixed(2), y, width: (w - 0.5).toFixed(2), height: row - 1,
		fill: name.color,
	}, to);

	if (w > 4)
		rect.setAttribute('rx', 2);
	if (kind)
		rect.setAttribute('class', kind);
	if (w < fontSize * 1.5)
		return;
	const label = fit(name, w - 7);

	if (label)
		make(SVG, 'text', {
			x: (x + 3).toFixed(2), y: y + row / 2 + fontSize * 0.33, class: kind,
		}, to).textContent = label;
}

/* Neighbours that are too narrow become one shape of about two pixels. */
function drawThin(run, paths, y)
{
	const hit = search.hit && search.hit[box.name[run.i]];
	const color = hit ? 'hit' : names[box.name[run.i]].color;
	const x = run.from.toFixed(2), w = Math.max(0.3, run.to - run.from).toFixed(2);

	if (!paths.has(color))
		paths.set(color, []);
	paths.get(color).push('M', x, ' ', y, 'h', w, 'v', row - 1, 'h-', w, 'z');
}

function drawRow(level, least, paths, to)
{
	const y = topOf(level);
	let run = null;
	const flush = () => {
		if (run)
			drawThin(run, paths, y);
		run = null;
	};

	eachOf(level, least, (i, x, w) => {
		flush();
		drawBox(i, x, w, y, to);
	}, (i, x, w) => {
		const hit = search.hit ? search.hit[box.name[i]] : 0;

		if (run && (hit !== run.hit || x > run.to + 0.4 || run.to - run.from > 2))
			flush();
		if (!run)
			run = { i, hit, from: x, to: x };
		run.to = x + w;
	});
	flush();
}

function draw()
{
	const view = viewed(), to = document.createDocumentFragment(), paths = new Map();
	const first = Math.max(0, Math.floor((view.from - HEAD) / row) - AROUND);
	const last = Math.min(levels - 1, Math.floor((view.to - HEAD) / row) + AROUND);
	const least = (most) => {
		for (let px = 1.5;; px *= 1.6) {
			let n = 0;

			for (let r = first; r <= last; r++)
				eachOf(inverted ? r : levels - 1 - r, px, () => n++, () => 0);
			if (n <= most || px > plot)
				return px;
		}
	};
	const px = least(MOST);

	to.appendChild(tooltip);
	for (let r = first; r <= last; r++)
		drawRow(inverted ? r : levels - 1 - r, px, paths, to);
	for (const [color, parts] of paths)
		make(SVG, 'path', color === 'hit' ? { class: 'hit', d: parts.join('') }
			: { fill: color, d: parts.join('') }, to);
	frames.replaceChildren(to);
	frames.classList.toggle('searching', Boolean(search.hit));
	drawn = { from: first === 0 ? -Infinity : HEAD + (first + AROUND / 2) * row,
		to: last === levels - 1 ? Infinity : HEAD + (last - AROUND / 2) * row };
	placeMark(chosenMark, chosen);
	placeMark(hoverMark, hovered);
}

function placeMark(mark, i)
{
	const span = i < 0 ? null : spanOf(i);

	mark.setAttribute('visibility', span ? 'visible' : 'hidden');
	if (!span)
		return;
	mark.setAttribute('x', span[0]);
	mark.setAttribute('y', topOf(box.level[i]));
	mark.setAttribute('width', Math.max(2, span[1] - 0.5));
	mark.setAttribute('height', row - 1);
}

/* Head and foot stay in the window while the picture is scrolled. */
function follow()
{
	const view = viewed(), foot = Math.min(view.to, height) - FOOT + 6;

	head.setAttribute('transform', 'translate(0 ' +
		Math.min(view.from, height - HEAD - FOOT) + ')');
	footPlace.setAttribute('y', Math.max(foot, view.from));
	if (view.from < drawn.from || view.to > drawn.to)
		draw();
}

function layout()
{
	if (fluid) {
		svg.setAttribute('width', '100%');
		width = svg.getBoundingClientRect().width || width;
		svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
		svg.setAttribute('height', height);
	}
	plot = Math.max(1, width - 2 * MARGIN);
	const room = Math.max(120, Math.min(430, width - 2 * MARGIN));

	title.textContent = cut(fullTitle, (width - 3 * MARGIN - room) * 0.9 *
		fontSize / parseFloat(title.getAttribute('font-size')));
	toolPlace.setAttribute('x', width - MARGIN - room);
	toolPlace.setAttribute('width', room);
	headGround.setAttribute('width', width);
	legend.setAttribute('x', width - MARGIN);
	footPlace.setAttribute('width', width);
	drawn = { from: 1, to: 0 };
	follow();
}

/* What is said */

function showDetails()
{
	const i = hovered >= 0 ? hovered : chosen;

	details.classList.toggle('idle', i < 0);
	tooltip.textContent = hovered < 0 ? '' : nameOf(i) + '\n' + restOf(i);
	if (i < 0) {
		detailName.textContent = zoom ? nameOf(zoom) : '';
		detailRest.textContent = zoom ? restOf(zoom)
			: 'Click a frame to zoom, / to search, ? for the keys';
		return;
	}
	detailName.textContent = (data.nametype ? data.nametype + ' ' : '') + nameOf(i);
	detailRest.textContent = restOf(i);
}

function showMatched()
{
	const n = search.found.length;

	input.classList.toggle('bad', search.bad);
	field.classList.toggle('active', Boolean(search.text));
	caseless.setAttribute('aria-pressed', String(search.cased));
	matched.textContent = !search.hit ? ''
		: (search.bad ? 'as text: ' : '') + n.toLocaleString('en-US') +
		(n === 1 ? ' frame, ' : ' frames, ') + search.share.toFixed(2) + '% matched';
}

/* Search */

/* What is no regular expression is searched for as it stands. */
function pattern(text, cased)
{
	const flags = cased ? 'u' : 'iu';

	for (const f of [flags, flags.replace('u', '')])
		try {
			return { re: new RegExp(text, f), bad: false };
		} catch (e) {
			/* the u flag is stricter: tried without it next */
		}
	return { re: new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
		flags.replace('u', '')), bad: true };
}

/* Boxes in view that match, and what they cover together. */
function tally()
{
	const end = box.end[zoom];
	let covered = 0, behind = 0;

	search.found = [];
	search.at = -1;
	search.share = 0;
	if (!search.hit)
		return;
	for (let i = zoom; i >= 0; i = box.parent[i])
		if (search.hit[box.name[i]]) {
			covered = box.width[zoom];
			behind = end;
			if (i !== zoom)
				search.found.push(i);
		}
	for (let i = zoom; i < end; i++) {
		if (!search.hit[box.name[i]])
			continue;
		search.found.push(i);
		if (i >= behind) {
			covered += box.width[i];
			behind = box.end[i];
		}
	}
	search.found.sort((a, b) => box.width[b] - box.width[a] || a - b);
	search.share = 100 * covered / box.width[zoom];
}

function setSearch(text, cased)
{
	search = { text, cased, hit: null, found: [], at: -1, share: 0, bad: false };
	if (text) {
		const p = pattern(text, cased);

		search.bad = p.bad;
		search.hit = Uint8Array.from(names, (n) => p.re.test(n.text) ? 1 : 0);
	}
	if (input.value !== text)
		input.value = text;
	tally();
	showMatched();
	draw();
	keepState();
}

/* To the match that is n further; a new search begins at the widest. */
function step(n)
{
	const count = search.found.length;

	if (!count)
		return;
	search.at = search.at < 0 && n < 0 ? count - 1 : (search.at + n + count) % count;
	choose(search.found[search.at]);
}

/* Zoom and choice */

function setZoom(i)
{
	zoom = i;
	if (chosen >= 0 && !spanOf(chosen))
		chosen = -1;
	hovered = -1;
	reset.classList.toggle('shown', zoom !== 0);
	tally();
	showMatched();
	showDetails();
	draw();
	keepState();
}

function choose(i)
{
	const view = viewed(), y = topOf(box.level[i]), scale = scaleOf();

	chosen = i;
	hovered = -1;
	if (!spanOf(i))
		setZoom(ancestor(i, 0));
	if (y < view.from + HEAD)
		window.scrollBy(0, (y - view.from - HEAD - 2 * row) * scale);
	else if (y + row > view.to - FOOT)
		window.scrollBy(0, (y + 3 * row - view.to + FOOT) * scale);
	placeMark(chosenMark, chosen);
	placeMark(hoverMark, -1);
	showDetails();
}

/* Up and down as seen; left and right among what stands on the same level. */
function move(key)
{
	const from = chosen < 0 ? zoom : chosen;
	const out = (key === 'ArrowUp') === inverted;
	let to = -1;

	if (chosen < 0) {
		choose(zoom);
		return;
	}
	if (key === 'ArrowUp' || key === 'ArrowDown') {
		if (out)
			to = box.parent[from];
		else if (from + 1 < box.end[from])
			to = widestChild(from);
	} else if (box.level[from] > box.level[zoom]) {
		const j = firstBehind(box.level[from], box.start[from]) +
			(key === 'ArrowLeft' ? -1 : 1);

		if (j >= rowAt[box.level[from]] && j < rowAt[box.level[from] + 1])
			to = order[j];
	}
	if (to >= 0 && spanOf(to))
		choose(to);
}

function widestChild(i)
{
	let best = i + 1;

	for (let c = i + 1; c < box.end[i]; c = box.end[c])
		if (box.width[c] > box.width[best])
			best = c;
	return best;
}

/* The view as a link: #zoom=LEVEL,START&search=TEXT&case=1 */

function keepState()
{
	const state = new URLSearchParams();

	if (!alone)
		return;
	if (zoom)
		state.set('zoom', box.level[zoom] + ',' + box.start[zoom]);
	if (search.text)
		state.set('search', search.text);
	if (search.text && search.cased)
		state.set('case', '1');
	const hash = state.toString();

	try {
		if (hash || location.hash)
			history.replaceState(null, '', '#' + hash);
	} catch (e) {
		/* a document without an address: the view has no link */
	}
}

function restoreState()
{
	const state = new URLSearchParams(alone ? location.hash.slice(1) : '');
	const [level, start] = (state.get('zoom') || '').split(',').map(Number);

	zoom = 0;
	if (level > 0 && level < levels) {
		const j = firstBehind(level, start);

		if (j < rowAt[level + 1] && box.start[order[j]] <= start)
			zoom = order[j];
	}
	setSearch(state.get('search') || '', state.get('case') === '1');
	setZoom(zoom);
}

/* Events */

function copy(text)
{
	const said = (how) => {
		detailRest.textContent = how;
	};

	if (!navigator.clipboard)
		said('cannot copy from here');
	else
		navigator.clipboard.writeText(text).then(() => said('name copied'),
			() => said('cannot copy from here'));
}

function toggleCase()
{
	setSearch(search.text, !search.cased);
}

function focusSearch()
{
	input.focus();
	input.select();
}

function clearSearch()
{
	setSearch('', search.cased);
	input.blur();
}

const HELP = 'arrows: choose, Enter: zoom, Backspace: zoom out, 0: reset, n / N: next / ' +
	'previous match, Ctrl+I: match case, c: copy name, Esc: clear';

const keys = {
	'/': focusSearch,
	'?': () => {
		details.classList.add('idle');
		detailName.textContent = 'Keys';
		detailRest.textContent = HELP;
	},
	'Escape': () => search.text ? clearSearch() : chosen >= 0 ? (chosen = -1, setZoom(zoom))
		: setZoom(0),
	'Enter': () => chosen >= 0 && setZoom(chosen),
	'Backspace': () => zoom && setZoom(box.parent[zoom]),
	'0': () => setZoom(0),
	'n': () => step(1),
	'N': () => step(-1),
	'c': () => (hovered >= 0 || chosen >= 0) && copy(nameOf(hovered >= 0 ? hovered : chosen)),
	'ArrowUp': move, 'ArrowDown': move, 'ArrowLeft': move, 'ArrowRight': move,
};

function onKey(event)
{
	const command = event.ctrlKey || event.metaKey, key = event.key;
	const typing = event.target === input;

	if (event.altKey)
		return;
	if (command ? key.toLowerCase() === 'f' && !typing : key === 'F3' && !search.text)
		focusSearch();
	else if (command && key.toLowerCase() === 'i')
		toggleCase();
	else if (!command && key === 'F3')
		step(event.shiftKey ? -1 : 1);
	else if (typing && key === 'Escape')
		clearSearch();
	else if (typing && key === 'Enter')
		step(event.shiftKey ? -1 : 1);
	else if (!command && !typing && Object.hasOwn(keys, key) &&
		!(event.target instanceof HTMLElement && key === 'Enter'))
		keys[key](key);
	else
		return;
	event.preventDefault();
}

svg.addEventListener('pointermove', (event) => {
	const i = boxUnder(event);

	if (i === hovered)
		return;
	hovered = i;
	svg.classList.toggle('over', i >= 0);
	placeMark(hoverMark, i);
	showDetails();
});
svg.addEventListener('pointerleave', () => {
	hovered = -1;
	placeMark(hoverMark, -1);
	showDetails();
});
svg.addEventListener('click', (event) => {
	const i = boxUnder(event);

	if (i >= 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey)
		setZoom(i);
});
(alone ? window : svg).addEventListener('keydown', onKey);
input.addEventListener('input', () => setSearch(input.value, search.cased));
clear.addEventListener('click', clearSearch);
caseless.addEventListener('click', toggleCase);
reset.addEventListener('click', () => setZoom(0));
window.addEventListener('scroll', follow, { passive: true, capture: true });
window.addEventListener('resize', layout);
if (alone)
	window.addEventListener('hashchange', restoreState);
else
	svg.setAttribute('tabindex', 0);

if (pen) {
	const style = getComputedStyle(svg);

	pen.font = style.fontSize + ' ' + style.fontFamily;
}
if (!svg.classList.contains('plain'))
	svg.style.setProperty('--ground', ground);
layout();
if (alone && !inverted)
	window.scrollTo(0, document.documentElement.scrollHeight);
restoreState();
}());
