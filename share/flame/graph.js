/*
 * graph - draws a tree.  Only visible boxes have elements, narrow boxes share an SVG path, and
 * the box under the pointer is computed from coordinates.  So drawing a huge profile takes no
 * longer than drawing a small one.  Names are always text nodes.
 */
const MARGIN = 12;
/* maximum number of boxes with their own element; narrower boxes share paths */
const MOST = 3000;
const LEAST = 1.5;   /* minimum width in pixels of a box with its own shape */
const STEP = 2;      /* narrow neighbours within this number of pixels share one shape */
const NAME_MOST = 80; /* maximum number of characters of a name in a box */
const LABELS = 20000; /* maximum number of labels in the cache */
const AROUND = 12;   /* number of rows that are drawn above and below the window */

class Graph
{
	/* Uses these members of app: names, paints, row, fontSize, measure, hit, facts, colorOf(tree, node). */
	constructor(app, host, inverted)
	{
		this.app = app;
		this.host = host;
		this.inverted = inverted;
		this.svg = make(SVG, 'svg', { class: 'drawing', ...QUIET,
			'font-size': app.fontSize }, host);
		this.frames = make(SVG, 'g', { class: 'frames' }, this.svg);
		this.tooltip = make(SVG, 'title', {}, this.svg);
		const marks = make(SVG, 'g', { class: 'marks' }, this.svg);

		this.hoverMark = make(SVG, 'rect', { class: 'hover', visibility: 'hidden' }, marks);
		this.chosenMark = make(SVG, 'rect', { class: 'chosen', visibility: 'hidden' }, marks);
		this.zoom = 0;
		this.hovered = this.chosen = -1;
		on(host, 'scroll', () => this.follow(), { passive: true });
	}

	set(tree, zoom)
	{
		this.tree = tree;
		this.zoom = zoom;
		this.hovered = this.chosen = -1;
		this.rows = deepest(tree, zoom) + 1;
	}

	/*
	 * Adapts to the size of the window, and draws.  If moved is set, scrolls to the
	 * root.
	 */
	layout(moved)
	{
		const { row, facts } = this.app, height = this.rows * row;

		this.width = facts.width || max(60, this.host.clientWidth);
		this.plot = max(1, this.width - 2 * MARGIN);
		this.svg.setAttribute('width', this.width);
		this.svg.setAttribute('height', height);
		this.svg.style.marginTop = this.inverted ? 0
			: max(0, this.host.clientHeight - height) + 'px';
		if (moved)
			this.host.scrollTop = this.inverted ? 0 : this.host.scrollHeight;
		else if (!this.inverted)
			this.host.scrollTop = this.low - this.host.clientHeight;
		this.high = this.host.clientHeight;
		this.draw();
		this.keepLow();
	}

	/* Notes the scroll position of the lower edge, so that layout() can keep it when the window changes. */
	keepLow()
	{
		this.low = this.host.scrollTop + this.high;
	}

	top(level)
	{
		return (this.inverted ? level : this.rows - 1 - level) * this.app.row;
	}

	/* Returns the first and the last row in the window, counted from the top. */
	viewed()
	{
		const { host, app } = this, from = host.scrollTop / app.row;

		return [max(0, floor(from)), min(this.rows - 1,
			ceil(from + (host.clientHeight || 600) / app.row))];
	}

	levelAt(r)
	{
		return this.inverted ? r : this.rows - 1 - r;
	}

	/* Returns [x, width] of node i, or null if it is outside the view. */
	span(i)
	{
		const { tree: t, zoom, plot } = this, k = plot / t.width[zoom];

		if (t.level[i] >= this.rows)
			return null;
		if (t.level[i] <= t.level[zoom])
			return ancestor(t, zoom, t.level[i]) === i ? [MARGIN, plot] : null;
		if (ancestor(t, i, t.level[zoom]) !== zoom)
			return null;
		return [MARGIN + (t.start[i] - t.start[zoom]) * k, t.width[i] * k];
	}

	at(x, y)
	{
		const { tree: t, zoom, plot, app } = this;
		const r = floor(y / app.row), level = this.levelAt(r);

		if (r < 0 || r >= this.rows || x < MARGIN || x >= MARGIN + plot)
			return -1;
		if (level <= t.level[zoom])
			return ancestor(t, zoom, level);
		return nodeAt(t, level, t.start[zoom] + (x - MARGIN) / plot * t.width[zoom]);
	}

	under(event)
	{
		const r = this.svg.getBoundingClientRect(), k = r.width ? this.width / r.width : 1;

		return this.at((event.clientX - r.left) * k, (event.clientY - r.top) * k);
	}

	/*
	 * Calls wide(i, x, w) for each visible box of a level that is at least LEAST pixels
	 * wide.  Calls thin(from, to, x, w) for each run of narrower boxes.  from and to are
	 * indexes of t.order.
	 */
	each(level, wide, thin)
	{
		const { tree: t, zoom, plot } = this, { order, start, width } = t;
		const x0 = start[zoom], k = plot / width[zoom], until = t.rowAt[level + 1];

		if (level <= t.level[zoom]) {
			wide(ancestor(t, zoom, level), MARGIN, plot);
			return;
		}
		for (let j = firstBehind(t, level, x0); j < until;) {
			const from = j, i = order[j++], x = (start[i] - x0) * k;
			let w = width[i] * k;

			if (x >= plot - 1e-6)
				break;
			if (w >= LEAST) {
				wide(i, MARGIN + x, w);
				continue;
			}
			j = firstBehind(t, level, start[i] + STEP / k, j);
			w = (start[order[j - 1]] + width[order[j - 1]] - start[i]) * k;
			thin(from, j, MARGIN + x, w);
		}
	}

	state(i)
	{
		const { app, tree: t } = this;

		if (t.level[i] < t.level[this.zoom])
			return 'above';
		const hit = app.pointed || app.hit;

		if (!hit)
			return '';
		return t.name[i] >= 0 && hit[t.name[i]] ? 'hit' : 'dim';
	}

	paint(i)
	{
		const { app, tree: t } = this, state = this.state(i);

		return t.name[i] < 0 || app.facts.diff ? app.paints.paint(app.colorOf(t, i), state)
			: app.paints.paintName(t.name[i], state);
	}

	/* Returns the part of the name of node i that fits into w pixels, and caches it. */
	label(i, w)
	{
		const { app, tree: t } = this, key = t.name[i] * 65536 + min(65535, floor(4 * w));
		let label = app.labels.get(key);

		if (label === undefined) {
			const text = app.textOf(t.name[i]), room = min(w - 7, text.length > NAME_MOST
				? app.measure(text.slice(0, NAME_MOST)) : Infinity);

			label = labelOf(text, room, app.measure, { right: app.facts.cutRight, roomy: 14 * app.fontSize });
			if (app.labels.size > LABELS)
				app.labels.clear();
			app.labels.set(key, label);
		}
		return label;
	}

	drawBox(i, x, w, y, to)
	{
		const { app, tree: t } = this, state = this.state(i), paint = this.paint(i);

		make(SVG, 'rect', {
			x: x.toFixed(2), y, width: max(0.3, w - 0.5).toFixed(2),
			height: app.row - 1, rx: w > 4 ? 2 : null, fill: paint.fill,
			class: state || null,
		}, to);
		const label = t.width[0] ? this.label(i, w) : 'no samples';

		if (label)
			make(SVG, 'text', {
				x: (x + 3).toFixed(2), y: y + app.row / 2 + app.fontSize * 0.33,
				fill: paint.ink, class: state || null,
			}, to).textContent = label;
	}

	/* Adds a shape without a label to the path of its colour. */
	addShape(i, x, w, y, paths)
	{
		const { app } = this, { fill } = this.paint(i);
		const half = (v) => round(2 * v) / 2, wide = max(0.5, half(x + w) - half(x));

		if (!paths.has(fill))
			paths.set(fill, []);
		paths.get(fill).push(`M${half(x)} ${y}h${wide}v${app.row - 1}h-${wide}z`);
	}

	/* Returns the node whose colour is used for the common shape of several narrow boxes. */
	shownOf(from, to)
	{
		const { name, order } = this.tree, hit = this.app.pointed || this.app.hit;

		for (let j = from; hit && j < to; j++)
			if (hit[name[order[j]]])
				return order[j];
		return order[from];
	}

	draw()
	{
		const to = document.createDocumentFragment(), paths = new Map(), boxes = [];
		const [from, until] = this.viewed();
		const first = max(0, from - AROUND), last = min(this.rows - 1, until + AROUND);

		/* Boxes that are too narrow for a name are drawn together, as a few paths. */
		const least = 1.5 * this.app.fontSize;

		for (let r = first; r <= last; r++) {
			const y = r * this.app.row;

			this.each(this.levelAt(r), (i, x, w) => {
				if (w < least)
					this.addShape(i, x, w, y, paths);
				else
					boxes.push([i, x, w, y]);
			}, (a, b, x, w) => this.addShape(this.shownOf(a, b), x, w, y, paths));
		}
		const limit = boxes.length > MOST ? Float64Array.from(boxes, (b) => b[2]).sort().at(-MOST) : 0;

		for (const [i, x, w, y] of boxes)
			if (w >= limit)
				this.drawBox(i, x, w, y, to);
			else
				this.addShape(i, x, w, y, paths);
		for (const [fill, parts] of paths)
			make(SVG, 'path', { fill, d: parts.join('') }, to);
		this.frames.replaceChildren(to);
		this.drawn = [first, last];
		this.mark();
	}

	/* Handles scrolling. */
	follow()
	{
		const [from, until] = this.viewed();

		this.keepLow();
		if (this.tree && (from < this.drawn[0] || until > this.drawn[1]))
			this.draw();
	}

	mark()
	{
		this.place(this.hoverMark, this.hovered);
		this.place(this.chosenMark, this.chosen);
	}

	place(mark, i)
	{
		const span = i < 0 ? null : this.span(i);

		mark.setAttribute('visibility', span ? 'visible' : 'hidden');
		if (!span)
			return;
		mark.setAttribute('x', span[0]);
		mark.setAttribute('y', this.top(this.tree.level[i]));
		mark.setAttribute('width', max(2, span[1] - 0.5));
		mark.setAttribute('height', this.app.row - 1);
	}

	/* Scrolls to node i. */
	show(i)
	{
		const { host, app } = this, y = this.top(this.tree.level[i]);

		if (y < host.scrollTop + app.row)
			host.scrollTop = y - 2 * app.row;
		else if (y + 2 * app.row > host.scrollTop + host.clientHeight)
			host.scrollTop = y + 3 * app.row - host.clientHeight;
		this.follow();
	}

	/* Returns the node that an arrow key moves to from the chosen node, or -1. */
	neighbour(key)
	{
		const { tree: t, zoom } = this, from = this.chosen;

		if (from < 0)
			return zoom;
		if (key === 'ArrowUp' || key === 'ArrowDown')
			return (key === 'ArrowUp') === Boolean(this.inverted) ? t.parent[from]
				: this.widestChild(from);
		if (t.level[from] <= t.level[zoom])
			return -1;
		const j = firstBehind(t, t.level[from], t.start[from]) + (key === 'ArrowLeft' ? -1 : 1);

		return j >= t.rowAt[t.level[from]] && j < t.rowAt[t.level[from] + 1] ? t.order[j] : -1;
	}

	widestChild(i)
	{
		const { tree: t } = this;
		let best = -1;

		if (t.level[i] < t.level[this.zoom])
			return ancestor(t, this.zoom, t.level[i] + 1);
		for (let c = i + 1, end = endOf(t, i); c < end; c = endOf(t, c))
			if (t.name[c] >= 0 && (best < 0 || t.width[c] > t.width[best]))
				best = c;
		return best;
	}
}
