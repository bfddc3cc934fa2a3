/* save - what is seen as a picture of its own. */

/* The graph as the text of an SVG file without scripts. */
function pictureOf(app)
{
	const { graph } = app, head = 56, height = graph.rows * app.row + head + MARGIN;
	const { theme } = app.paints, ink = inkOn(theme.ground);
	const svg = make(SVG, 'svg', {
		width: graph.width, height, viewBox: `0 0 ${graph.width} ${height}`,
		'font-family': getComputedStyle(app.page.app).fontFamily,
		'font-size': app.fontSize,
	});

	make(SVG, 'rect', { width: '100%', height: '100%', fill: theme.ground }, svg);
	make(SVG, 'text', { x: MARGIN, y: 24, fill: ink, 'font-weight': 600,
		'font-size': app.fontSize + 5 }, svg).textContent =
		cutText(app.facts.title, graph.width * 0.65, app.measure);
	make(SVG, 'text', { x: MARGIN, y: 44, fill: ink }, svg).textContent =
		cutText(app.saying(), graph.width - 3 * MARGIN, app.measure);
	const frames = make(SVG, 'g', { transform: `translate(0 ${head})` }, svg);
	const viewed = graph.viewed;

	/* All rows, and then again those of the window. */
	graph.viewed = () => [0, graph.rows - 1];
	graph.draw();
	frames.replaceChildren(...[...graph.frames.children].map((e) => e.cloneNode(true)));
	graph.viewed = viewed;
	graph.draw();
	return { text: new XMLSerializer().serializeToString(svg), width: graph.width, height };
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
