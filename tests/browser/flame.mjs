// What a reader of a flame graph does, done in chromium.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import {
	at, browser, details, draw, focused, hits, href, labels, matched, open, place, query, status, test,
} from './page.mjs';

const { TMPDIR } = process.env;

const SMALL = `app;main;Parse;read_[k] 20
app;main;Parse;token 30
app;main;Parse 10
app;main;Run;parse_arguments 25
app;main;Run;<script>window.stolen=1</script>"' 5
app;idle 10
`;

const small = draw(SMALL, '--title', 'Small', '--minwidth', '0');

await test('opens_without_a_word', async () => {
	const page = await open(small);

	assert.equal(await page.title(), 'Small');
	for (const text of ['all', 'app', 'main', 'Parse', 'read', 'token', 'idle'])
		assert.ok((await labels(page)).includes(text), text);
	assert.equal(await page.evaluate(() => document.querySelector('text.hint')), null);
});

await test('is_as_wide_as_the_window', async () => {
	const page = await open(small);

	assert.ok(Math.abs((await place(page, 'all')).width - 976) < 2);
	await page.setViewportSize({ width: 700, height: 600 });
	await page.waitForFunction(() => document.querySelector('.drawing')
		.getAttribute('width') === '700');
	assert.ok(Math.abs((await place(page, 'all')).width - 676) < 2);
});

await test('width_can_be_fixed', async () => {
	const page = await open(draw(SMALL, '--width', '500'));

	assert.ok(Math.abs((await place(page, 'all')).width - 476) < 2);
});

await test('hover_shows_details', async () => {
	const page = await open(small);

	assert.match(await details(page), /: zoom/);
	await at(page, 'Parse', 'move');
	assert.equal(await details(page), 'Parse 60 samples, 60.00%; self 10.00%, native');
	await at(page, 'read', 'move');
	assert.equal(await details(page), 'read 20 samples, 20.00%; self 20.00%, kernel');
	await page.mouse.move(500, 20);
	assert.match(await details(page), /: zoom/);
});

await test('click_zooms_and_reset_returns', async () => {
	const page = await open(small);
	const before = (await labels(page)).sort();

	await at(page, 'Run', 'click');
	assert.ok(Math.abs((await place(page, 'Run')).width - 976) < 2);
	assert.ok(Math.abs((await place(page, 'main')).width - 976) < 2);
	assert.ok((await labels(page)).includes('parse_arguments'));
	assert.ok(!(await labels(page)).includes('token'));
	assert.ok(!(await labels(page)).includes('idle'));
	await at(page, 'parse_arguments', 'move');
	assert.equal(await details(page),
		'parse_arguments 25 samples, 25.00% (83.33% of the view); self 25.00%, native');
	assert.deepEqual(await page.locator('.crumb').allTextContents(), ['all', 'app', 'main', 'Run']);
	await page.click('.crumb >> nth=0');
	assert.deepEqual((await labels(page)).sort(), before);
});

await test('click_on_a_caller_zooms_out', async () => {
	const page = await open(small);

	await at(page, 'token', 'click');
	await at(page, 'main', 'click');
	assert.ok(Math.abs((await place(page, 'main')).width - 976) < 2);
	assert.ok((await labels(page)).includes('Run'));
	await at(page, 'all', 'click');
	assert.ok((await labels(page)).includes('idle'));
});

await test('search_marks_and_counts_once', async () => {
	const page = await open(small);

	await page.keyboard.press('/');
	await page.keyboard.type('parse|token');
	assert.deepEqual(await hits(page), ['Parse', 'parse_arguments', 'token']);
	assert.equal(await matched(page), '3 frames, 85.00% matched');
	await page.click('.clear');
	assert.deepEqual(await hits(page), []);
	assert.equal(await matched(page), '');
});

await test('search_follows_the_zoom', async () => {
	const page = await open(small);

	await page.keyboard.press('/');
	await page.keyboard.type('^(token|idle)$');
	assert.equal(await matched(page), '2 frames, 40.00% matched');
	await at(page, 'Parse', 'click');
	assert.equal(await matched(page), '1 frame, 50.00% matched');
});

await test('search_sees_names_only', async () => {
	const page = await open(small);

	await page.keyboard.press('/');
	await page.keyboard.type('samples');
	assert.equal(await matched(page), '0 frames, 0.00% matched');
});

await test('ctrl_f_searches_and_escape_clears', async () => {
	const page = await open(small);

	await page.keyboard.press('Control+f');
	assert.equal(await focused(page), 'input');
	await page.keyboard.type('token');
	assert.deepEqual(await hits(page), ['token']);
	await page.keyboard.press('Escape');
	assert.deepEqual(await hits(page), []);
	assert.notEqual(await focused(page), 'input');
	await page.keyboard.press('F3');
	assert.equal(await focused(page), 'input');
});

await test('case_can_matter', async () => {
	const page = await open(small);

	await page.keyboard.press('Control+f');
	await page.keyboard.type('Parse');
	assert.equal((await hits(page)).length, 2);
	await page.keyboard.press('Control+i');
	assert.deepEqual(await hits(page), ['Parse']);
	assert.equal(await page.getAttribute('.case', 'aria-pressed'), 'true');
	await page.click('.case');
	assert.equal((await hits(page)).length, 2);
});

await test('bad_expressions_are_searched_as_text', async () => {
	const page = await open(draw('a;f(int) 3\na;g[ 1\n'));

	await page.keyboard.press('/');
	await page.keyboard.type('f(');
	assert.deepEqual(await hits(page), ['f(int)']);
	assert.match(await matched(page), /^Unterminated group: searched as text, 1 frame, 75.00%/);
	await page.fill('.tools input', '[');
	assert.deepEqual(await hits(page), ['g[']);
	await page.fill('.tools input', '*');
	assert.deepEqual(await hits(page), []);
	await page.fill('.tools input', 'g.');
	assert.deepEqual(await hits(page), ['g[']);
	assert.equal(await matched(page), '1 frame, 25.00% matched');
});

await test('keys_move_zoom_and_step', async () => {
	const page = await open(small);
	const press = async (...keys) => {
		for (const k of keys)
			await page.keyboard.press(k);
		return (await details(page)).split(' ')[0];
	};

	assert.equal(await press('ArrowUp'), 'all');
	assert.equal(await press('ArrowUp'), 'app');
	assert.equal(await press('ArrowUp'), 'main');
	assert.equal(await press('ArrowLeft'), 'idle');
	assert.equal(await press('ArrowLeft'), 'idle');
	assert.equal(await press('ArrowRight', 'ArrowUp'), 'Parse');
	assert.equal(await press('ArrowDown'), 'main');
	await press('ArrowUp', 'Enter');
	assert.ok(Math.abs((await place(page, 'Parse')).width - 976) < 2);
	await press('Backspace');
	assert.ok(Math.abs((await place(page, 'main')).width - 976) < 2);
	await press('0');
	assert.ok((await labels(page)).includes('idle'));
	await press('/');
	await page.keyboard.type('a[rd]');
	assert.equal(await press('Enter'), 'Parse');
	assert.equal(await press('Enter'), 'parse_arguments');
	await page.mouse.click(500, 30);
	assert.equal(await press('N'), 'Parse');
	assert.equal(await press('n'), 'parse_arguments');
	assert.equal(await press('?'), 'Keys');
});

await test('link_restores_the_view', async () => {
	const page = await open(small);

	await at(page, 'Run', 'click');
	await page.keyboard.press('/');
	await page.keyboard.type('Parse');
	await page.keyboard.press('Control+i');
	const url = await href(page), seen = (await labels(page)).length;
	const other = await open(url, { width: 1000, height: 500 });

	assert.equal((await labels(other)).length, seen);
	assert.ok(Math.abs((await place(other, 'Run')).width - 976) < 2);
	assert.equal(await query(other), 'Parse');
	assert.equal(await matched(other), '0 frames, 0.00% matched');
	assert.equal(await other.getAttribute('.case', 'aria-pressed'), 'true');
	const broken = await open(pathToFileURL(small).href + '#zoom=999,x&search=%5B&case=2');

	assert.equal(await query(broken), '[');
	assert.ok(Math.abs((await place(broken, 'all')).width - 976) < 2);
});

await test('names_are_never_script', async () => {
	const page = await open(draw(SMALL, '--minwidth', '0', '--title', '</title><script>stolen=2'));

	await page.keyboard.press('/');
	await page.keyboard.type('script');
	await page.keyboard.press('Enter');
	assert.match(await details(page), /^<script>window\.stolen=1<\/script>"' 5 samples/);
	assert.equal(await page.evaluate(() => window.stolen), undefined);
	assert.equal(await page.evaluate(() => document.querySelectorAll('script').length), 1);
});

await test('every_byte_can_be_shown', async () => {
	const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i)
		.filter((i) => i !== 10 && i !== 59));
	const folded = Buffer.concat([Buffer.from('a;'), bytes, Buffer.from(';z 1\n')]);
	const page = await open(draw(folded));

	await page.keyboard.press('/');
	await page.keyboard.type('x1b.*xff');
	assert.equal(await matched(page), '1 frame, 100.00% matched');
});

await test('counts_are_exact', async () => {
	const page = await open(draw('a;b 18446744073709551613\na;c 1\n', '--minwidth', '0'));

	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('ArrowUp');
	assert.equal(await details(page), 'a 18,446,744,073,709,551,614 samples, 100.00%, native');
	const scaled = await open(draw('a 1500\n', '--factor', '0.001', '--countname', 'ms',
		'--nametype', 'Function:'));

	await at(scaled, 'a', 'move');
	assert.equal(await details(scaled), 'Function: a 1.5 ms, 100.00%; self 100.00%, native');
});

await test('inverted_pictures_grow_down', async () => {
	const page = await open(draw(SMALL, '--inverted'));

	assert.ok((await place(page, 'all')).y < (await place(page, 'main')).y);
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowDown');
	assert.match(await details(page), /^app /);
});

await test('two_pictures_share_a_page', async () => {
	const page = await open('about:blank');
	const inline = (path) => readFileSync(path, 'utf8').replace(/^<\?xml.*\n/, '');
	const html = `${TMPDIR}/two.html`;

	writeFileSync(html, '<!DOCTYPE html><meta charset="utf-8"><p>Two:</p>' +
		inline(small) + inline(draw('x;y 1\nx;zzz 2\n')));
	await page.goto(pathToFileURL(html).href);
	assert.ok((await labels(page, 0)).includes('token'));
	assert.ok((await labels(page, 1)).includes('zzz'));
	await at(page, 'Run', 'click', 0);
	assert.ok(!(await labels(page, 0)).includes('token'));
	assert.ok((await labels(page, 1)).includes('zzz'));
	await at(page, 'y', 'click', 1);
	assert.ok(!(await labels(page, 1)).includes('zzz'));
	assert.ok((await labels(page, 0)).includes('parse_arguments'));
	assert.ok(!(await href(page)).includes('#'));
	assert.equal(await page.evaluate(() => window.stolen), undefined);
});

await test('without_scripts_it_is_a_picture', async () => {
	const page = await open(small, { javaScriptEnabled: false });

	const titles = await page.locator('.frames title').allTextContents();

	assert.equal(await page.locator('.frames path').count(), 10);
	assert.ok(titles.includes('all (100 samples, 100.00%)'));
	assert.ok(titles.includes('Parse (60 samples, 60.00%; self 10.00%)'));
	assert.ok(titles.includes('read (20 samples, 20.00%; self 20.00%), kernel'));
	assert.equal(await page.locator('text.hint').textContent(),
		'Open this file in a browser to zoom and to search.');
});

await test('as_an_image_it_has_a_size', async () => {
	const page = await open('about:blank');
	const html = `${TMPDIR}/image.html`;

	writeFileSync(html, `<!DOCTYPE html><img src="${pathToFileURL(small).href}">`);
	await page.goto(pathToFileURL(html).href);
	assert.equal(await page.evaluate(() => document.images[0].naturalWidth), 1200);
	assert.ok(await page.evaluate(() => document.images[0].naturalHeight) > 100);
});

await test('dark_where_the_reader_prefers_it', async () => {
	const color = async (path, colorScheme) => {
		const page = await open(path, { colorScheme });

		return page.evaluate(() => getComputedStyle(document.querySelector('.fg')).backgroundColor);
	};

	assert.equal(await color(small, 'light'), 'rgb(255, 255, 255)');
	assert.equal(await color(small, 'dark'), 'rgb(23, 24, 28)');
	assert.equal(await color(draw(SMALL, '--bgcolors', '#ffeedd'), 'dark'), 'rgb(255, 238, 221)');
});

// Stacks that differ near the leaf, as a busy server's do: names 0 to 9 a level.
function* deep(n)
{
	for (let i = 0; i < n; i++) {
		const digits = String(i).padStart(6, '0').split('');
		const trunk = Array.from({ length: 20 }, (_, k) => `Trunk${digits[0]}::level${k}`);

		yield `app;${trunk.join(';')};${digits.map((d, k) => `Node${k}::step${d}`).join(';')} ${1 + i % 7}\n`;
	}
}

await test('200000_stacks_stay_responsive', async () => {
	const page = await open(draw([...deep(200000)].join(''), '--minwidth', '0'));
	const nodes = () => page.evaluate(() => document.querySelectorAll('*').length);

	assert.ok(await nodes() < 12000, 'elements');
	await at(page, 'Trunk1::level3', 'click');
	assert.ok(Math.abs((await place(page, 'Trunk1::level3')).width - 976) < 2);
	await page.keyboard.press('/');
	await page.keyboard.type('step7$');
	assert.match(await matched(page), /^[\d,]+ frames, \d+\.\d\d% matched$/);
	for (let i = 0; i < 5; i++)
		await page.keyboard.press('Enter');
	assert.match(await details(page), /^Node\d::step7 /);
	await page.keyboard.press('Escape');
	await page.keyboard.press('Escape');
	assert.ok(await nodes() < 12000, 'elements');
	await page.keyboard.press('0');
	assert.ok((await labels(page)).includes('Trunk0::level0'));
});

await test('deep_stacks_are_drawn_as_far_as_seen', async () => {
	const line = Array.from({ length: 20000 }, (_, i) => `f${i}`).join(';');
	const page = await open(draw(`${line} 1\n`));

	assert.ok((await labels(page)).includes('f3'), 'opens at the root');
	assert.ok(await page.evaluate(() => document.querySelectorAll('*').length) < 1200);
	await page.evaluate(() => document.querySelector('.graph').scrollTo(0, 0));
	await page.waitForFunction(() => [...document.querySelectorAll('.frames text')]
		.some((t) => t.textContent === 'f19999'));
	assert.ok(await page.isVisible('.tools input'));
});

await browser.close();
process.exit(status());
