/*
 * strip - weight by time: a column for each second, a row for each part of it, as
 * FlameScope draws it.  A range that is chosen is what the graph and the table show.
 */
const CELL = 7, LEAST_CELL = 2;

class Strip
{
	constructor(app, host)
	{
		this.app = app;
		this.host = host;
		this.per = app.facts.perSecond;
		this.strip = stripOf(app.file.slots, this.per);
		this.canvas = html('canvas', { role: 'img', 'aria-label':
			'Weight by second, from left to right, and by part of a second, upwards' });
		const scroll = html('div', { class: 'seconds', tabindex: 0, role: 'group',
			'aria-label': 'Time' }, host);

		scroll.appendChild(this.canvas);
		const fields = html('div', { class: 'range' }, host);

		this.from = this.field(fields, 'from');
		this.to = this.field(fields, 'to');
		this.all = button(fields, 'All of it', {}, () => app.update({ range: '' }));
		this.listen();
	}

	field(parent, text)
	{
		const label = html('label', {}, parent, text + ' ');
		const input = html('input', { type: 'number', step: 1 / this.per, min: 0 }, label);

		html('span', {}, label, ' s');
		on(input, 'change', () => this.choose(
			round(Number(this.from.value || 0) * this.per) + this.strip.at,
			round(Number(this.to.value || 0) * this.per) + this.strip.at - 1));
		return input;
	}

	choose(from, to)
	{
		if (from >= 0 && to >= from)
			this.app.update({ range: from + '-' + to });
	}

	slotAt(event)
	{
		const r = this.canvas.getBoundingClientRect(), { strip } = this;
		const x = floor((event.clientX - r.left) / r.width * strip.columns);
		const y = floor((r.bottom - event.clientY) / r.height * strip.rows);
		const inside = (v, most) => max(0, min(most - 1, v));

		return strip.at + inside(x, strip.columns) * strip.rows + inside(y, strip.rows);
	}

	listen()
	{
		const { canvas } = this;

		on(canvas, 'pointerdown', (event) => {
			this.begun = this.slotAt(event);
			canvas.setPointerCapture(event.pointerId);
		});
		on(canvas, 'pointermove', (event) => {
			if (this.begun === undefined)
				return;
			const at = this.slotAt(event);

			this.draw([min(at, this.begun), max(at, this.begun)]);
		});
		on(canvas, 'pointerup', (event) => {
			const at = this.slotAt(event), { begun } = this;

			this.begun = undefined;
			if (begun !== undefined)
				this.choose(min(at, begun), max(at, begun));
		});
	}

	draw(range = rangeOf(this.app.state, this.app.file.slots))
	{
		const { canvas, strip, app } = this, { columns, rows } = strip;
		const w = max(LEAST_CELL, min(2 * CELL,
			floor((this.host.clientWidth - 24) / columns))), h = rows > 20 ? 2 : CELL;
		const pen = canvas.getContext('2d'), dark = app.theme === 'dark';

		canvas.width = columns * w;
		canvas.height = rows * h;
		for (let k = 0; k < strip.sums.length; k++) {
			const v = strip.most ? sqrt(strip.sums[k] / strip.most) : 0;
			const inside = !range || (k + strip.at >= range[0] && k + strip.at <= range[1]);

			pen.globalAlpha = inside ? 1 : 0.25;
			pen.fillStyle = v ? mixed('#c8322b', dark ? '#3a2c2c' : '#fbe3d6', v)
				: dark ? '#222329' : '#f1f2f4';
			pen.fillRect(floor(k / rows) * w, (rows - 1 - k % rows) * h, w - (w > 3), h);
		}
		this.say(range);
	}

	say(range)
	{
		const { strip, per } = this, whole = [strip.at, this.app.file.slots.last];
		const [from, to] = range || whole, seconds = (slot) => ((slot - strip.at) / per);

		this.from.value = String(+seconds(from).toFixed(3));
		this.to.value = String(+seconds(to + 1).toFixed(3));
		this.all.hidden = !range;
	}
}
