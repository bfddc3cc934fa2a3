// How it looks: nothing overlaps or is cut off, everything can be read, and it is fast.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { at, axe, browser, draw, labels, open, place, status, test } from './page.mjs';

const { TMPDIR } = process.env;
const NAMES = ['main_[k]', 'System.String::Concat_[j]', 'WebApi.Startup::Route (async)_[j]', 'f_[i]',
	'[libcoreclr.so]', '[unknown]', 'SVR::gc_heap::mark', 'read_token', 'stub Resolve_[j]', '--'];
const wide = NAMES.map((a) => NAMES.map((b) => `app;${a};${b} 10\n`).join('')).join('');
const deep = Array.from({ length: 129 }, (_, i) => `frame${i}`).join(';') + ' 1\nmain 200\n';
const long = 'A title that goes on and on '.repeat(11).slice(0, 300);

// What of the parts that must not touch does, or is cut without an ellipsis.
const faults = (page) => page.evaluate(() => {
	const shown = (e) => e.getClientRects().length && getComputedStyle(e).visibility === 'visible';
	const parts = ['h1', '.subtitle', '.tools', '.tabs', '.strip', '.crumbs', '.legend', '.graph', '.side',
		'.status'].map((s) => [s, document.querySelector('.fg ' + s)]).filter(([, e]) => e && shown(e) &&
		(e.textContent || e.localName !== 'div'));
	const found = [], boxes = parts.map(([s, e]) => [s, e.getBoundingClientRect()]);

	boxes.forEach(([s, r], i) => {
		if (r.left < -0.5 || r.right > window.innerWidth + 0.5 || r.bottom > window.innerHeight + 0.5)
			found.push(s + ' is outside');
		for (const [t, q] of boxes.slice(i + 1))
			if (r.width && q.width && r.left < q.right - 0.5 && q.left < r.right - 0.5 &&
				r.top < q.bottom - 0.5 && q.top < r.bottom - 0.5)
				found.push(`${s} is over ${t}`);
	});
	for (const e of document.querySelectorAll('.fg button, .fg h1, .fg h2, .fg th, .fg td, .fg .subtitle, ' +
		'.fg .name, .fg .rest, .fg .entry'))
		if (shown(e) && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline' &&
			getComputedStyle(e).textOverflow !== 'ellipsis')
			found.push(`${e.className || e.localName} is cut: ${e.textContent.slice(0, 40)}`);
	for (const e of document.querySelectorAll('.fg .share')) {
		const r = e.getBoundingClientRect(), q = e.parentNode.getBoundingClientRect();

		if (r.width && (r.left < q.left - 1 || r.right > q.right + 1))
			found.push('a share is cut: ' + e.parentNode.textContent);
	}
	for (const e of document.querySelectorAll('.fg tbody th'))
		if (e.getBoundingClientRect().width < 120)
			found.push('no room for a name: ' + e.textContent);
	if (document.documentElement.scrollWidth > window.innerWidth)
		found.push('the page is wider than the window');
	/* Labels lie in their boxes. */
	for (const t of document.querySelectorAll('.frames text')) {
		const r = t.previousElementSibling.getBoundingClientRect(), q = t.getBoundingClientRect();

		if (q.right > r.right + 1 || q.left < r.left || q.top < r.top - 3 || q.bottom > r.bottom + 3)
			found.push('label outside of its box: ' + t.textContent);
	}
	return found;
});

// The contrast of each label with its box, and of each text with what it stands on.
const unreadable = (page) => page.evaluate(() => {
	const rgb = (c) => c.match(/[\d.]+/g).map(Number);
	const light = (c) => rgb(c).slice(0, 3).map((p) => p / 255)
		.map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
		.reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
	const contrast = (c, d) => (Math.max(light(c), light(d)) + 0.05) / (Math.min(light(c), light(d)) + 0.05);
	const ground = (e) => {
		for (; e; e = e.parentElement) {
			const c = getComputedStyle(e).backgroundColor;

			if (c && rgb(c)[3] !== 0)
				return c;
		}
		return 'rgb(255,255,255)';
	};
	const found = [];

	for (const t of document.querySelectorAll('.frames text')) {
		const c = contrast(getComputedStyle(t).fill, getComputedStyle(t.previousElementSibling).fill);

		if (c < 4.5 || getComputedStyle(t).opacity !== '1')
			found.push(`${t.textContent}: ${c.toFixed(2)}`);
	}
	for (const e of document.querySelectorAll('.fg *'))
		if ([...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && !e.closest('svg.drawing') &&
			e.getClientRects().length && contrast(getComputedStyle(e).color, ground(e)) < 4.5)
			found.push(`${e.className || e.localName} ${e.textContent.slice(0, 30)}: ` +
				contrast(getComputedStyle(e).color, ground(e)).toFixed(2));
	return found;
});

const off = TMPDIR + '/look.off';
writeFileSync(off, wide.replace(/ 10/g, ' 4').replace(/main_\[k\] 4/g, 'main_[k] 40') + 'app;new 90\n');
const pictures = {
	wide: draw(wide, '--title', long, '--subtitle', long), deep: draw(deep, '--minwidth', '0'),
	one: draw('a 1\n'), root: draw('; 5\n'), difference: draw(wide, '--title', long, '--diff', '-', off),
	tabs: draw(wide, 'on=-', long.slice(0, 40) + '=' + off),
	units: draw('# pfold event=cpu-clock samples=9 unit=ns\n' + wide.replace(/ 10$/gm, ' 123456789')),
	time: draw('# pfold by-second event=cpu-clock samples=9 slots=50 unit=ns\n' + wide.replace(/^app/gm,
		(_, at) => (at % 977 / 50).toFixed(2) + ';app')),
};

for (const width of [390, 800, 1400, 2560])
	await test(`nothing_overlaps_at_${width}`, async () => {
		for (const name in pictures) {
			const page = await open(pictures[name], { width, height: 800 });

			assert.deepEqual(await faults(page), [], name);
			await page.keyboard.press('t');
			assert.deepEqual(await faults(page), [], name + ' with table');
			await page.context().close();
		}
	});

for (const colorScheme of ['light', 'dark'])
	await test(`everything_can_be_read_in_${colorScheme}`, async () => {
		for (const colors of ['kind', 'dotnet', 'hot', 'red', 'java', 'mem', 'purple']) {
			const page = await open(draw(wide, '--colors', colors), { colorScheme, width: 1600 });

			assert.deepEqual(await unreadable(page), [], colors);
			await page.keyboard.press('t');
			await at(page, 'read_token', 'click');
			assert.deepEqual(await unreadable(page), [], colors + ' zoomed');
			await page.keyboard.press('/');
			await page.keyboard.type('System|all');
			assert.deepEqual(await unreadable(page), [], colors + ' searched');
			await page.context().close();
		}
		const page = await open(pictures.difference, { colorScheme, width: 1600 });

		await page.keyboard.press('t');
		assert.deepEqual(await unreadable(page), [], 'difference');
	});

await test('axe_finds_nothing', async () => {
	for (const colorScheme of ['light', 'dark']) {
		const page = await open(pictures.wide, { colorScheme });

		await axe(page, colorScheme);
		await page.keyboard.press('t');
		await axe(page, colorScheme + ' table');
		await page.click('tbody button >> nth=0');
		await axe(page, colorScheme + ' sandwich');
		await page.keyboard.press('v');
		await axe(page, colorScheme + ' menu');
	}
});

// Slivers share shapes, which are no wider than they are, whatever lies between them.
await test('shapes_of_slivers_leave_gaps', async () => {
	const page = await open(draw('app;a;x;y 1\napp;b 900\napp;c;x;y 1\napp;d 900\n' +
		Array.from({ length: 40 }, (_, i) => `app;e${i};z;y 1\n`).join(''), '--minwidth', '0'));
	const shapes = (await page.evaluate(() => [...document.querySelectorAll('.frames path')]
		.map((p) => p.getAttribute('d')).join(''))).match(/M[^M]*/g)
		.map((d) => /^M([\d.]+) ([\d.]+)h([\d.]+)/.exec(d).slice(1).map(Number));

	assert.ok(shapes.every(([, , w]) => w <= 2.5), 'narrow');
	/* 42 slivers of 0.53 pixels on each of three levels. */
	const sum = shapes.reduce((s, [, , w]) => s + w, 0);

	assert.ok(sum > 55 && sum < 85, String(sum));
});

await test('it_begins_where_the_picture_is', async () => {
	const page = await open(pictures.deep);

	assert.ok((await labels(page)).includes('main'));
	await page.keyboard.press('i');
	assert.ok((await labels(page)).includes('main'));
	assert.equal(await page.evaluate(() => document.querySelector('.graph').scrollTop), 0);
});

await test('the_root_stays_in_sight_when_the_table_opens', async () => {
	const page = await open(pictures.deep, { width: 390, height: 800 });

	await page.keyboard.press('t');
	assert.ok((await labels(page)).includes('main'));
	const [root, graph] = await page.evaluate(() => ['.drawing', '.graph']
		.map((s) => document.querySelector(s).getBoundingClientRect().bottom));

	assert.ok(Math.abs(root - graph) < 2, `${root} ${graph}`);
});

await test('the_root_stays_in_sight_when_the_status_grows', async () => {
	const page = await open(pictures.deep, { width: 390, height: 800 });
	const gap = () => page.evaluate(() => {
		const [root, graph] = ['.drawing', '.graph']
			.map((s) => document.querySelector(s).getBoundingClientRect().bottom);

		return Math.abs(root - graph);
	});
	const low = await place(page, 'main');

	await page.keyboard.press('?');
	assert.ok((await place(page, 'main')).y < low.y - 10, 'more lines');
	assert.ok(await gap() < 2);
	await page.keyboard.press('0');
	assert.equal((await place(page, 'main')).y, low.y);
	assert.ok(await gap() < 2);
});

await test('names_have_most_room_in_a_table_of_changes', async () => {
	const page = await open(pictures.difference, { width: 1400, height: 800 });

	await page.keyboard.press('t');
	const widths = await page.evaluate(() => [...document.querySelectorAll('.fg thead th')]
		.map((e) => e.getBoundingClientRect().width));

	assert.ok(widths[0] > 200 && Math.max(...widths.slice(1)) < widths[0] / 1.8, widths.join(' '));
});

// A chip that is cut says all the same that a click takes it off.
await test('a_long_chip_shows_its_cross', async () => {
	const page = await open(draw(`app;${'LongName'.repeat(20)} 1\n`), { width: 800 });

	for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'f'])
		await page.keyboard.press(key);
	const [text, cut] = await page.evaluate(() => {
		const e = document.querySelector('.fg .chip');

		return [e.textContent, e.scrollWidth > e.clientWidth];
	});

	assert.ok(cut);
	assert.match(text, /^\u00d7 with LongName/);
});

await test('a_phone_is_as_wide_as_it_is', async () => {
	const page = await open(pictures.wide, { width: 390, height: 800, isMobile: true,
		deviceScaleFactor: 2, hasTouch: true });

	assert.equal(await page.evaluate(() => window.innerWidth), 390);
});

await test('a_mouse_click_leaves_no_focus_frame', async () => {
	const page = await open(pictures.wide);

	await at(page, 'read_token', 'click');
	assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('.graph')).boxShadow), 'none');
});

// Nothing of a file may run, and the picture is there all the same.
await test('without_scripts_the_widest_boxes_are_right', async () => {
	const many = draw(Array.from({ length: 900 }, (_, i) => `app;<b>${i}</b>;x ${i + 1}\n`).join(''),
		'--minwidth', '0');
	const html = `${TMPDIR}/csp.html`, url = pathToFileURL(many).href;

	writeFileSync(html, `<!DOCTYPE html><meta http-equiv="Content-Security-Policy" content="script-src 'none'">` +
		`<object data="${url}" type="image/svg+xml"></object><img src="${url}" alt="">`);
	const page = await open(many, { javaScriptEnabled: false });
	const titles = await page.locator('.frames title').allTextContents();

	assert.equal(titles.length, 200);
	assert.ok(titles.includes('app (405,450 samples, 100.00%)'));
	assert.ok(titles.includes('<b>899</b> (900 samples, 0.22%)'));
	assert.match(await page.locator('.hint').textContent(), /^The widest 200 of 1802 boxes\. /);
	const image = await open(html);

	assert.ok(await image.evaluate(() => document.images[0].naturalWidth) === 1200);
});

// Stacks that differ near the leaf: 622,000 boxes.
function* many()
{
	for (let i = 0; i < 560000; i++) {
		const d = String(i).padStart(6, '0');

		yield `app;A${d[0]};B${d.slice(0, 2)};C${d.slice(0, 3)};D${d.slice(0, 4)};E${d.slice(0, 5)};F${i % 9000} 1\n`;
	}
}

// From an event to the frame that shows what came of it, as the page itself sees it.
async function timed(page, type, act)
{
	await page.evaluate((name) => window.addEventListener(name, (event) => {
		window.took = 0;
		requestAnimationFrame(() => setTimeout(() => {
			window.took = performance.now() - event.timeStamp;
		}));
	}, { capture: true, once: true }), type);
	await act();
	await page.waitForFunction(() => window.took);
	return page.evaluate(() => window.took);
}

const middle = (times) => times.slice().sort((x, y) => x - y)[times.length >> 1];
const summary = (times) => `${Math.round(Math.min(...times))} to ${Math.round(middle(times))}`;

// Each load stands beside one of an empty page, as machines have slow minutes.  No time fails the
// test, so each is measured once.  TIMES=N measures it N times.
const TIMES = Number(process.env.TIMES ?? 1);
await test('times_are_printed', async () => {
	const folded = [...many()].join(''), svg = draw(folded, '--minwidth', '0');
	const empty = TMPDIR + '/empty.svg', loads = [], empties = [], zooms = [], keys = [], sorts = [];
	const loaded = async (path) => {
		const page = await open(null), begun = performance.now();

		await page.goto(pathToFileURL(path).href);
		await page.evaluate(() => new Promise((r) => requestAnimationFrame(() => setTimeout(r))));
		return [page, performance.now() - begun];
	};
	let page;

	writeFileSync(empty, '<svg xmlns="http://www.w3.org/2000/svg"/>');
	for (let i = 0; i < TIMES; i++) {
		const [nothing, least] = await loaded(empty);

		await nothing.context().close();
		await page?.context().close();
		let load;
		[page, load] = await loaded(svg);
		empties.push(least);
		loads.push(load);
	}
	for (let i = 0; i < TIMES; i++) {
		const box = await place(page, 'A2');

		zooms.push(await timed(page, 'click', () =>
			page.mouse.click(box.x + box.width / 2, box.y + 5)));
		await page.keyboard.press('0');
		await page.keyboard.press('/');
		for (const key of 'F12')
			keys.push(await timed(page, 'input', () => page.keyboard.type(key)));
		await page.keyboard.press('Escape');
	}
	await page.keyboard.press('t');
	for (const column of ['total', 'self', 'name', 'kind', 'total'].slice(0, TIMES))
		sorts.push(await timed(page, 'click', () => page.click(`th.${column} button`)));
	console.log(`# 622,000 boxes, ms, least to median: an empty page ${summary(empties)}, ` +
		`load ${summary(loads)}, by ${Math.round(middle(loads.map((v, i) => v - empties[i])))} more; ` +
		`zoom ${summary(zooms)}, a key in search ${summary(keys)}, sort ${summary(sorts)}`);
	assert.ok((await labels(page)).length);
});

await browser.close();
process.exit(status());
