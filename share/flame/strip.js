/*
 * strip - weight by time: a column for each second and a row for each part of it, like
 * FlameScope.  When a range is chosen, the graph and the table show only that range.
 */
const CELL = 7, LEAST_CELL = 2;

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
			'aria-label': 'Time' }, host);

		scroll.appendChild(this.canvas);
		const fields = html('div', { class: 'range' }, host);

		this.from = this.field(fields, 'from');
		this.to = this.field(fields, 'to');
		this.all = button(fields, 'All of it', {}, () => app.update({ range: '' }));
		this.spans = spansBySlot(app.facts.spans, this.per, this.tiles.sums.length);
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
			canvas.setPointerCapture(event.pointerId);
		});
		on(canvas, 'pointermove', (event) => {
			const at = this.slotAt(event);

			this.marks.textContent = this.spans[at - this.tiles.at] || '';
			if (this.begun >= 0)
				this.draw(chosen(at));
		});
		on(canvas, 'pointerup', (event) => {
			const range = chosen(this.slotAt(event));

			this.begun = -1;
			this.choose(range);
		});
	}

	draw(range = rangeOf(this.app.state, this.app.file.slots))
	{
		const { canvas, tiles, app } = this, { columns, rows } = tiles;
		const w = max(LEAST_CELL, min(2 * CELL,
			floor((this.host.clientWidth - 24) / columns))), h = rows > 20 ? 2 : CELL;
		const pen = canvas.getContext('2d'), dark = app.theme === 'dark';

		canvas.width = columns * w;
		canvas.height = rows * h;
		for (let k = 0; k < tiles.sums.length; k++) {
			const v = tiles.most ? sqrt(tiles.sums[k] / tiles.most) : 0;
			const inside = !range || (k + tiles.at >= range[0] && k + tiles.at <= range[1]);

			pen.globalAlpha = inside ? 1 : 0.25;
			pen.fillStyle = v ? mixed('#c8322b', dark ? '#3a2c2c' : '#fbe3d6', v)
				: dark ? '#222329' : '#f1f2f4';
			const x = floor(k / rows) * w, y = (rows - 1 - k % rows) * h;

			pen.fillRect(x, y, w - (w > 3), h);
			if (this.spans[k]) {
				pen.fillStyle = dark ? '#7aa7ff' : '#1b4fc4';
				pen.fillRect(x, y, max(1, w / 4), h);
			}
		}
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
