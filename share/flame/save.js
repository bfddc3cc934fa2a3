/* save - saves the view as a new picture. */

/* Adds the legend below y, and returns the height of the legend. */
function addLegend(app, svg, y, ink)
{
	const row = app.fontSize + 8;
	let x = MARGIN, rows = 0;

	for (const e of app.page.legend.children) {
		const text = e.textContent, w = app.measure(text) + 36;

		if (!rows || x + w > app.graph.width) {
			x = MARGIN;
			rows++;
		}
		make(SVG, 'rect', { x, y: y + rows * row - 9, width: 10, height: 10, rx: 3,
			fill: e.querySelector('.swatch').style.backgroundColor }, svg);
		make(SVG, 'text', { x: x + 15, y: y + rows * row, fill: ink }, svg).textContent = text;
		x += w;
	}
	return rows * row;
}

/* Returns the whole graph with title and legend as an SVG element without scripts, and its size. */
function drawingOf(app)
{
	const { graph } = app, { theme } = app.paints, ink = inkOn(theme.ground);
	const svg = make(SVG, 'svg', {
		'font-family': getComputedStyle(app.page.app).fontFamily,
		'font-size': app.fontSize,
	});

	make(SVG, 'rect', { width: '100%', height: '100%', fill: theme.ground }, svg);
	make(SVG, 'text', { x: MARGIN, y: 24, fill: ink, 'font-weight': 600,
		'font-size': app.fontSize + 5 }, svg).textContent =
		cutText(app.facts.title, graph.width * 0.65, app.measure);
	make(SVG, 'text', { x: MARGIN, y: 44, fill: ink }, svg).textContent =
		cutText(app.saying(), graph.width - 3 * MARGIN, app.measure);
	const y = 44 + (app.change?.drawLine(svg, 62, ink) || 0);
	const head = 12 + y + addLegend(app, svg, y, ink);
	const height = graph.rows * app.row + head + MARGIN;
	const frames = make(SVG, 'g', { transform: `translate(0 ${head})` }, svg);
	const viewed = graph.viewed;

	for (const [name, value] of [['width', graph.width], ['height', height],
		['viewBox', `0 0 ${graph.width} ${height}`]])
		svg.setAttribute(name, value);
	/* Draws all rows, copies them, and then draws only the rows of the window again. */
	graph.viewed = () => [0, graph.rows - 1];
	graph.draw();
	frames.replaceChildren(...[...graph.frames.children].map((e) => e.cloneNode(true)));
	graph.viewed = viewed;
	graph.draw();
	return { drawing: svg, width: graph.width, height };
}

function pictureOf(app)
{
	const { drawing, width, height } = drawingOf(app);

	return { text: new XMLSerializer().serializeToString(drawing), width, height };
}

/* While the page is printed, replaces it by the whole drawing in the light theme. */
function printInFull(app)
{
	const { svg, place } = app;
	let drawing = null;

	on(window, 'beforeprint', () => {
		const { theme } = app.state;

		app.state.theme = 'light';
		app.render();
		app.state.theme = theme;
		({ drawing } = drawingOf(app));
		drawing.setAttribute('width', '100%');
		drawing.setAttribute('height', '100%');
		place.remove();
		svg.appendChild(drawing);
	});
	on(window, 'afterprint', () => {
		drawing?.remove();
		svg.appendChild(place);
		app.render();
	});
}

/* Returns the bounds of a weight in the table.  In a difference, uses the selected unit. */
function tableBounds(app, sums, i, what, side)
{
	const bounds = app.views.sumBounds(sums, i, what, side);

	return app.change ? app.change.inUnit(bounds, wholeOf(sums, side), sums.factors[side]) : bounds;
}

/* Returns a weight of the table as a plain number. */
function tableNumber(app, v)
{
	const { file, facts, state } = app;

	if (!facts.diff)
		return plainDigits(v * file.scale);
	return state.unit === 'share' ? v.toFixed(6) : shortDigits(v * file.scale);
}

/* Returns the rows of the table as lines, with weights as plain numbers. */
function tableText(app, separator)
{
	const { file, state, facts, views } = app, sums = app.sums();
	const names = views.listed(state), { by } = state;
	const { list } = tableOrder(file, names, sums, tableHits(app), state, facts.diff, Infinity);
	const columns = facts.diff ? [['before', 'total', 0], ['after', 'total', 1]]
		: [['self', 'self', 0], ['total', 'total', 0]];
	const quoted = (s) => separator === '\t' ? s.replace(/[\t\n]/g, ' ')
		: /[",\n]/.test(s) ? `"${s.replace(/"/g, '""')}"` : s;
	const ends = sums.loose ? [' at least', ' at most'] : [''];
	const judged = facts.diff && facts.verdicts.length && !by;
	const lines = [[by || 'function', ...by ? [] : ['kind'],
		...columns.flatMap(([title]) => ends.map((end) => title + end)),
		...judged ? ['verdict'] : []]];

	for (const i of list)
		lines.push([quoted(names.of(i)), ...by ? [] : [app.kindOf(i)],
			...columns.flatMap(([, what, side]) => tableBounds(app, sums, i, what, side)
				.slice(0, ends.length).map((v) => tableNumber(app, v))),
			...judged ? [app.change.verdict(i)] : []]);
	return lines.map((line) => line.join(separator) + '\n').join('');
}

function saveTable(app)
{
	download(app, new Blob([tableText(app, ',')], { type: 'text/csv' }), '.csv');
}

function download(app, blob, suffix)
{
	const url = URL.createObjectURL(blob);
	const name = app.facts.title.replace(/[^\w.-]+/g, '-').slice(0, 60) || 'flame';
	const a = html('a', { href: url, download: name + suffix }, app.page.app);

	a.click();
	a.remove();
	setTimeout(() => URL.revokeObjectURL(url), 10000);
}

function saveSvg(app)
{
	download(app, new Blob([pictureOf(app).text], { type: 'image/svg+xml' }), '.svg');
}

function savePng(app)
{
	const { text, width, height } = pictureOf(app), image = new Image();
	const scale = min(2, 16000 / max(width, height));

	image.onload = () => {
		const canvas = html('canvas', { width: width * scale, height: height * scale });
		const pen = canvas.getContext('2d');

		pen.scale(scale, scale);
		pen.drawImage(image, 0, 0);
		canvas.toBlob((blob) => download(app, blob, '.png'), 'image/png');
	};
	image.src = 'data:image/svg+xml,' + encodeURIComponent(text);
}
