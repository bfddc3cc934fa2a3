/*
 * strip - draws weight by time (time.js), like FlameScope, and handles the keys in this drawing.
 * There is a column for each second, and a row for each slot of a second.  When a range is chosen, the graph and the table show only that range.
 */
const CELL = 7, LEAST_CELL = 2;
const TICK = 70; /* minimum number of pixels between two times of the axis */
const DRAG = 4;  /* a pointer that moves this number of pixels drags instead of clicking */
const COLD = { light: '#fbe3d6', dark: '#3a2c2c' }, WARM = '#c8322b';

class Strip
{
	constructor(app, host)
	{
		this.app = app;
		this.host = host;
		this.per = app.facts.perSecond;
		this.tiles = stripOf(app.file.slots, this.per);
		this.canvas = html('canvas', { role: 'img', 'aria-label':
			'Weight by second, and upwards by its parts' });
		const scroll = html('div', { class: 'seconds', tabindex: 0, role: 'group',
			'aria-label': 'Time: arrows select and move a second, Shift extends' }, host);

		scroll.appendChild(this.canvas);
		this.axis = html('div', { class: 'axis', ...QUIET }, scroll);
		on(scroll, 'keydown', (event) => this.onKey(event));
		const fields = html('div', { class: 'range' }, host);

		this.from = this.field(fields, 'from');
		this.to = this.field(fields, 'to');
		this.all = button(fields, 'All of it', {}, () => app.update({ range: '' }));
		this.spans = spansBySlot(app.facts.spans, this.per, this.tiles.sums.length);
		this.scale = html('span', { class: 'scale' }, fields);
		this.marks = html('span', { class: 'mark' }, fields);
		this.listen();
	}

	field(parent, text)
	{
		const label = html('label', {}, parent, text + ' ');
		const input = html('input', { type: 'number', step: 1 / this.per, min: 0 }, label);

		html('span', {}, label, ' s');
		const slot = (field) => round(field.value * this.per) + this.tiles.at;

		on(input, 'change', () => this.choose([slot(this.from), slot(this.to) - 1]));
		return input;
	}

	choose([from, to])
	{
		if (from >= 0 && to >= from)
			this.app.update({ range: from + '-' + to });
	}

	slotAt(event)
	{
		const r = this.canvas.getBoundingClientRect(), { tiles } = this;
		const x = floor((event.clientX - r.left) / r.width * tiles.columns);
		const y = floor((r.bottom - event.clientY) / r.height * tiles.rows);
		const inside = (v, most) => max(0, min(most - 1, v));

		return tiles.at + inside(x, tiles.columns) * tiles.rows + inside(y, tiles.rows);
	}

	listen()
	{
		const { canvas } = this;
		const chosen = (at) => [min(at, this.begun), max(at, this.begun)];

		on(canvas, 'pointerdown', (event) => {
			this.begun = this.slotAt(event);
			[this.x, this.y] = [event.clientX, event.clientY];
			canvas.setPointerCapture(event.pointerId);
		});
		on(canvas, 'pointermove', (event) => {
			const at = this.slotAt(event);

			this.marks.textContent = this.spans[at - this.tiles.at] || '';
			if (this.begun >= 0)
				this.draw(chosen(at));
		});
		on(canvas, 'pointerup', (event) => {
			const at = this.slotAt(event), { tiles } = this;
			const isDrag = max(abs(event.clientX - this.x), abs(event.clientY - this.y)) >= DRAG;
			const range = isDrag ? chosen(at) : this.second(floor((at - tiles.at) / tiles.rows));

			this.begun = -1;
			this.choose(range);
		});
	}

	/* Returns the first and the last slot of a second. */
	second(column)
	{
		const from = this.tiles.at + column * this.tiles.rows;

		return [from, from + this.tiles.rows - 1];
	}

	/* Arrows move the selection by a second.  With Shift, arrows move only the end of the selection. */
	onKey(event)
	{
		const { tiles, app } = this, { rows, columns } = tiles, range = rangeOf(app.state, app.file.slots);
		const by = { ArrowLeft: -rows, ArrowRight: rows }[event.key], last = tiles.at + rows * columns - 1;

		if (event.key === 'Home' || event.key === 'End')
			this.choose(this.second(event.key === 'Home' ? 0 : columns - 1));
		else if (event.key === 'Delete')
			app.update({ range: '' });
		else if (!by)
			return;
		else if (!range)
			this.choose(this.second(by > 0 ? 0 : columns - 1));
		else if (event.shiftKey)
			this.choose([range[0], max(range[0] + rows - 1, min(last, range[1] + by))]);
		else if (range[0] + by >= tiles.at && range[1] + by <= last)
			this.choose([range[0] + by, range[1] + by]);
		event.preventDefault();
		event.stopPropagation();
	}

	/* Writes the times below the columns. */
	drawAxis(width)
	{
		const { columns } = this.tiles, least = columns * TICK / width;
		let step = 1;

		for (let k = 0; step < least; k++)
			step = [1, 2, 5][k % 3] * 10 ** floor(k / 3);
		this.axis.style.width = width + 'px';
		this.axis.replaceChildren();
		for (let s = 0; s < columns; s += step)
			html('span', {}, this.axis, `${s} s`).style.left = s * width / columns + 'px';
	}

	/* Shows the weights of the lightest and the darkest colour. */
	drawScale()
	{
		const { app, scale, tiles, per } = this;

		scale.textContent = `0 to ${app.amountOf(tiles.most)} in ${scaled(SECONDS, 1e9 / per)}`;
		html('span', { class: 'ramp', ...QUIET }, scale).style.background =
			`linear-gradient(to right, ${COLD[app.theme]}, ${WARM})`;
	}

	draw(range = rangeOf(this.app.state, this.app.file.slots))
	{
		const { canvas, tiles, app } = this, { columns, rows } = tiles;
		const width = max(LEAST_CELL * columns, this.host.clientWidth - 24);
		const h = rows > 20 ? 2 : CELL, edge = (column) => round(column * width / columns);
		const pen = canvas.getContext('2d'), dark = app.theme === 'dark';

		canvas.width = width;
		canvas.height = rows * h;
		for (let k = 0; k < tiles.sums.length; k++) {
			const v = tiles.most ? sqrt(tiles.sums[k] / tiles.most) : 0;
			const inside = !range || (k + tiles.at >= range[0] && k + tiles.at <= range[1]);

			pen.globalAlpha = inside ? 1 : 0.25;
			pen.fillStyle = v ? mixed(WARM, COLD[app.theme], v)
				: dark ? '#222329' : '#f1f2f4';
			const x = edge(floor(k / rows)), w = edge(floor(k / rows) + 1) - x;
			const y = (rows - 1 - k % rows) * h;

			pen.fillRect(x, y, w - (w > 3), h);
			if (this.spans[k]) {
				pen.fillStyle = dark ? '#7aa7ff' : '#1b4fc4';
				pen.fillRect(x, y, max(1, min(CELL, w) / 4), h);
			}
		}
		this.drawAxis(width);
		this.drawScale();
		this.say(range);
	}

	say(range)
	{
		const { tiles, per } = this, whole = [tiles.at, this.app.file.slots.last];
		const [from, to] = range || whole, seconds = (slot) => +((slot - tiles.at) / per).toFixed(3);

		this.from.value = seconds(from);
		this.to.value = seconds(to + 1);
		this.all.hidden = !range;
	}
}
