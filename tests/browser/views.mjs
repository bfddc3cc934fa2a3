// Other views of the same: table, sandwich, reversal, tabs, differences, time.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import {
	at, axe, browser, details, draw, focused, href, labels, matched, open, place, status, test,
} from './page.mjs';

const { TMPDIR, TOP } = process.env;
const SMALL = `app;main;Parse;read_[k] 20
app;main;Parse;token 30
app;main;Parse 10
app;main;Run;token 25
app;main;Run;[libcoreclr.so] 5
app;idle 10
`;
const BY_SECOND = '# pfold by-second event=cpu-clock samples=31 slots=10 unit=ns\n0.1;a;b 1000000\n' +
	'0.2;a;c 2000000\n1.3;a;b 4000000\n2.9;a;b 8000000\n2.9;z 16000000\n';
const small = draw(SMALL, '--minwidth', '0');

const rows = (page) => page.evaluate(() => [...document.querySelectorAll('tbody tr')]
	.map((tr) => [...tr.children].map((c) => (c.querySelector('.function')?.title ?? c.innerText).replace(/\s+/g, ' ').trim()).join('|')));
const press = async (page, ...keys) => {
	for (const k of keys)
		await page.keyboard.press(k);
};
const chips = (page) => page.locator('.chip').allTextContents();

await test('the_table_has_self_and_total', async () => {
	const page = await open(small);

	await press(page, 't');
	assert.equal((await rows(page))[0], 'token|55 samples 55.00%|55 samples 55.00%|native');
	await page.click('th.total button');
	assert.match((await rows(page))[0], /^app\|0 samples 0.00%\|100 samples 100.00%/);
	assert.equal(await page.getAttribute('th.total', 'aria-sort'), 'descending');
	await page.click('th.total button');
	assert.equal(await page.getAttribute('th.total', 'aria-sort'), 'ascending');
	await page.click('th.name button');
	assert.match((await rows(page))[0], /^Parse\|/);
});

await test('a_row_highlights_its_boxes_and_the_divider_moves', async () => {
	const page = await open(small, { width: 1400 });
	const fill = (text) => page.evaluate((label) => [...document.querySelectorAll('.frames text')]
		.filter((t) => t.textContent === label).map((t) => t.getAttribute('class')), text);

	await press(page, 't');
	assert.deepEqual(await fill('token'), [null, null]);
	await page.hover('tbody >> text=token');
	assert.deepEqual(await fill('token'), ['hit', 'hit']);
	assert.deepEqual(await fill('idle'), ['dim']);
	await page.mouse.move(200, 300);
	assert.deepEqual(await fill('token'), [null, null]);
	const side = async () => (await page.locator('.side').boundingBox()).width;
	const before = await side(), r = await page.locator('.divider').boundingBox();

	await page.mouse.move(r.x + 3, 300);
	await page.mouse.down();
	await page.mouse.move(r.x + 103, 300);
	await page.mouse.up();
	assert.ok(Math.abs(await side() - (before - 100)) < 8, `${before} ${await side()}`);
	assert.ok((await page.locator('.drawing').first().boundingBox()).width > 1400 - before + 50);
	const moved = await side();

	await page.focus('.divider');
	await press(page, 'ArrowLeft');
	assert.ok(await side() > moved + 20);
	await axe(page, 'divider');
});

await test('the_table_shows_what_is_searched', async () => {
	const page = await open(small);

	await press(page, 't', '/');
	await page.keyboard.type('re|tok');
	assert.deepEqual((await rows(page)).map((r) => r.split('|')[0]), ['token', 'read', '[libcoreclr.so]']);
	assert.match(await page.textContent('caption'), /3 functions that match/);
	await press(page, 'Escape');
	assert.equal((await rows(page)).length, 8);
});

await test('functions_have_modules_and_lines', async () => {
	const page = await open(draw('# pfold event=x samples=100 unit=samples\n' +
		'# pfold frame\ttoken\t/srv/web\t/srv/src/token.c\t17\tend\n' +
		'# pfold frame\ttoken\t/srv/lib.so\t/usr/src/t.c\t3\tend\n' +
		'# pfold frame\tParse\t/srv/web\t/srv/src/parse.c\t5\tend\n' + SMALL,
	'--source-url', 'https://host/{file}#L{line}', '--source-path', '/srv/='),
	{ width: 1400, permissions: ['clipboard-read', 'clipboard-write'] });
	const by = (what) => page.selectOption('caption select', what);

	await at(page, 'Parse', 'move');
	assert.match(await page.evaluate(() => document.querySelector('.drawing > title').textContent),
		/^Parse\n.*\ncalled by main 60.00%\n\/srv\/web  src\/parse.c:5\npannotate 'Parse' PROFILE$/);
	await press(page, 'a');
	await page.waitForFunction(() => document.querySelector('.details').innerText.includes('command copied'));
	assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "pannotate 'Parse' PROFILE");
	await page.mouse.move(0, 0);
	await press(page, 't');
	await by('module');
	assert.deepEqual(await rows(page), ['lib.so, web|55 samples 55.00%|55 samples 55.00%',
		'(unknown)|30 samples 30.00%|100 samples 100.00%', 'web|10 samples 10.00%|60 samples 60.00%',
		'libcoreclr.so|5 samples 5.00%|5 samples 5.00%']);
	assert.match(await page.textContent('caption'), /^4 modules/);
	await axe(page, 'by module');
	await page.focus('.graph');
	const [got] = await Promise.all([page.waitForEvent('download'), press(page, 'Y')]);

	assert.match(readFileSync(await got.path(), 'utf8'), /^module,self,total\n"lib.so, web",55,55\n/);
	await by('file');
	assert.equal((await rows(page))[0], '/usr/src/t.c, src/token.c|55 samples 55.00%|55 samples 55.00%');
	await by('');
	await page.click('tbody >> text=token');
	assert.deepEqual(await page.locator('.side a').evaluateAll((all) => all.map((e) => [e.href, e.textContent])),
		[['https://host/src/token.c#L17', 'src/token.c:17']]);
	assert.match(await page.textContent('.side'), /\/srv\/lib.so  \/usr\/src\/t.c:3/);
	await at(page, 'Parse', 'move');
	await press(page, 'm');
	assert.ok((await page.locator('.menu button').allTextContents()).some((text) => text.startsWith('Open source')));
});

await test('a_stack_copied_from_a_sandwich_has_its_function', async () => {
	const page = await open(small, { permissions: ['clipboard-read', 'clipboard-write'] });
	const stack = async (part, name) => {
		await page.locator(`.part >> nth=${part} >> text=${name}`).first().hover({ force: true });
		await page.keyboard.press('C');
		return page.evaluate(() => navigator.clipboard.readText());
	};

	await at(page, 'Parse', 'move');
	await press(page, 's');
	assert.equal(await stack(0, 'main'), 'main\nParse');
	assert.equal(await stack(1, 'token'), 'Parse\ntoken');
});

await test('a_click_on_a_function_shows_its_sandwich', async () => {
	const page = await open(small);

	await press(page, 't');
	await page.click('tbody >> text=token');
	assert.equal(await page.textContent('h2'), 'token');
	assert.match(await page.textContent('p.sums'), /^total 55 samples, 55.00%; self 55 samples/);
	const callers = await page.locator('.part >> nth=0').locator('text').allTextContents();

	assert.deepEqual(callers.sort(), ['Parse', 'Run', 'app', 'app', 'main', 'main', 'token'].sort());
	await page.goBack();
	assert.equal(await page.locator('h2').count(), 0);
	assert.ok((await rows(page)).length);
});

await test('stacks_can_be_reversed_and_inverted', async () => {
	const page = await open(small);

	await press(page, 'r');
	assert.ok(Math.abs((await place(page, 'token')).width - 976 * 0.55) < 2);
	assert.deepEqual(await chips(page), ['\u00d7 reversed']);
	await press(page, 'i');
	assert.ok((await place(page, 'all')).y < (await place(page, 'token')).y);
	await press(page, 'r', 'i');
	assert.ok((await place(page, 'all')).y > (await place(page, 'main')).y);
	await page.goBack();
	await page.goBack();
	assert.ok(Math.abs((await place(page, 'token')).width - 976 * 0.55) < 2);
});

await test('frames_can_be_hidden_and_isolated', async () => {
	const page = await open(small);

	await at(page, 'Parse', 'move');
	await press(page, 'h');
	assert.ok(!(await labels(page)).includes('Parse'));
	assert.deepEqual(await chips(page), ['\u00d7 without Parse']);
	await page.click('.chip');
	assert.ok((await labels(page)).includes('Parse'));
	await at(page, 'Run', 'move');
	await press(page, 'f');
	assert.ok(!(await labels(page)).includes('idle'));
	assert.ok((await labels(page)).includes('app'));
	await press(page, 'u');
	await page.click('.legend >> text=kernel');
	assert.deepEqual((await labels(page)).sort(), ['all', 'read']);
	await page.click('.legend >> text=kernel');
	assert.ok((await labels(page)).includes('main'));
	await press(page, 'x');
	assert.ok(!(await labels(page)).some((l) => l.includes('coreclr')));
	assert.deepEqual(await chips(page), ['\u00d7 without runtime']);
});

await test('the_legend_has_shares_of_self_weight', async () => {
	const page = await open(small);
	const text = (await page.innerText('.legend')).replace(/\s+/g, ' ');

	assert.match(text, /native 75 %.*runtime 5 %.*kernel 20 %/);
});

await test('the_zoom_stays_where_it_was', async () => {
	const page = await open(small);

	await at(page, 'Run', 'click');
	await press(page, 'o');
	assert.ok(Math.abs((await place(page, 'Run')).width - 976) < 2);
	await press(page, 'd', 'k');
	assert.ok(Math.abs((await place(page, 'Run')).width - 976) < 2);
	const other = await open(await href(page));

	assert.ok(Math.abs((await place(other, 'Run')).width - 976) < 2);
	assert.equal(await other.evaluate(() => document.querySelector('.fg').dataset.theme), 'dark');
});

await test('a_right_click_offers_actions', async () => {
	const page = await open(small), r = await place(page, 'Parse');

	await page.mouse.click(r.x + 40, r.y + 8, { button: 'right' });
	await page.click('.menu >> text=Hide it');
	assert.ok(!(await labels(page)).includes('Parse'));
	assert.equal(await page.isVisible('.menu'), false);
	await page.click('text=View');
	assert.ok(await page.isVisible('.menu >> text=Save as PNG'));
	await press(page, 'Escape');
	assert.equal(await page.isVisible('.menu'), false);
});

await test('the_keyboard_reaches_everything', async () => {
	const page = await open(small), reached = new Set();

	await press(page, 't');
	for (let i = 0; i < 60; i++) {
		await press(page, 'Tab');
		reached.add(await page.evaluate(() => {
			const e = document.activeElement;

			return e && (e.getAttribute('aria-label') || e.textContent || e.localName);
		}));
	}
	const all = await page.evaluate(() => [...document.querySelectorAll('.fg button, .fg input')]
		.filter((e) => e.offsetParent && getComputedStyle(e).visibility === 'visible')
		.map((e) => e.getAttribute('aria-label') || e.textContent));

	for (const name of all)
		assert.ok(reached.has(name), name);
	await press(page, 'Escape', 'v');
	assert.equal(await focused(page), 'button');
	await press(page, 'Enter');
	assert.deepEqual(await chips(page), ['\u00d7 reversed']);
	await press(page, 'r', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'm', 'Tab', 'Enter');
	assert.equal(await page.textContent('h2'), 'main');
});

await test('what_is_seen_can_be_saved', async () => {
	const page = await open(small);
	const save = async (key) => {
		const [got] = await Promise.all([page.waitForEvent('download'), press(page, key)]);
		const path = `${TMPDIR}/saved${got.suggestedFilename().slice(-4)}`;

		await got.saveAs(path);
		return path;
	};

	await at(page, 'Run', 'click');
	const svg = await save('w'), text = readFileSync(svg, 'utf8');

	assert.ok(text.includes('>Flame Graph</text>') && />native \d+/.test(text));
	assert.ok(text.includes('>Run</text>') && !text.includes('>idle</text>'));
	assert.ok(!text.includes('<script'));
	const other = await open(svg);

	assert.equal(await other.evaluate(() => document.documentElement.localName), 'svg');
	assert.equal(readFileSync(await save('W')).toString('latin1', 1, 4), 'PNG');
});

// What Chromium lays out for the PDF, as it is when the page is printed.
await test('the_printed_page_is_whole', async () => {
	const page = await open(small, { width: 1600, height: 300 });
	const wanted = [...await labels(page), 'Flame Graph'];

	await page.evaluate(() => window.addEventListener('beforeprint', () => {
		const right = [...document.querySelectorAll('rect, path')]
			.map((e) => e.getBoundingClientRect().right);

		window.printed = { tools: document.querySelector('.tools'), width: innerWidth,
			texts: [...document.querySelectorAll('text')].map((t) => t.textContent),
			right: Math.max(...right) };
	}));
	const pdf = await page.pdf();

	assert.equal(pdf.toString('latin1', 0, 4), '%PDF');
	const { texts, right, width, tools } = await page.evaluate(() => window.printed);

	for (const label of wanted)
		assert.ok(texts.includes(label), label);
	for (const kind of ['native', 'runtime', 'kernel'])
		assert.ok(texts.some((t) => t.startsWith(kind + ' ')), kind);
	assert.ok(right > width / 2 && right <= width, `${right} of ${width}`);
	assert.equal(tools, null);
	assert.match(await details(page), /: zoom/);
});

await test('stacks_are_removed_and_matches_hidden', async () => {
	const page = await open(small);

	await at(page, 'idle', 'move');
	await press(page, 'e');
	assert.ok(!(await labels(page)).includes('idle'));
	assert.equal(await page.textContent('.subtitle'), '90 samples, of 100 samples');
	assert.deepEqual(await chips(page), ['\u00d7 removed idle']);
	await page.goBack();
	assert.ok((await labels(page)).includes('idle'));
	await press(page, 'r');
	await at(page, 'token', 'move');
	await press(page, 'e');
	assert.equal(await page.textContent('.subtitle'), '45 samples, of 100 samples');
	await press(page, 'r', 'u', '/');
	await page.keyboard.type('^(Parse|Run)$');
	await page.evaluate(() => document.querySelector('.graph').focus());
	await press(page, 'H');
	assert.deepEqual((await labels(page)).filter((l) => /^[a-zA-Z]/.test(l)).sort(),
		['all', 'app', 'idle', 'main', 'read', 'token']);
	await press(page, 'u', '/');
	await page.keyboard.type('^Run$');
	await page.evaluate(() => document.querySelector('.graph').focus());
	await press(page, 'F');
	assert.equal(await page.textContent('.subtitle'), '30 samples, of 100 samples');
});

await test('chains_collapse', async () => {
	const page = await open(draw('a;b;c;d 3\na;b;c;e 4\nf;g 1\n'));

	await press(page, 'k', 'k', 'k');
	assert.deepEqual((await labels(page)).sort(), ['all', 'c', 'd', 'e', 'g']);
});

await test('the_table_is_saved_and_copied', async () => {
	const page = await open(draw('a;b,"x" 3\na 4\n'),
		{ permissions: ['clipboard-read', 'clipboard-write'] });
	const [got] = await Promise.all([page.waitForEvent('download'), press(page, 'Y')]);

	await got.saveAs(`${TMPDIR}/table.csv`);
	assert.equal(readFileSync(`${TMPDIR}/table.csv`, 'utf8'),
		'function,kind,self,total\na,native,4,7\n"b,""x""",native,3,3\n');
	await press(page, 'y');
	await page.waitForFunction(() => document.querySelector('.details').innerText.includes('table copied'));
	assert.equal(await page.evaluate(() => navigator.clipboard.readText()),
		'function\tkind\tself\ttotal\na\tnative\t4\t7\nb,"x"\tnative\t3\t3\n');
});

await test('each_tab_has_its_unit', async () => {
	const times = `${TMPDIR}/times.folded`, sizes = `${TMPDIR}/sizes.folded`;

	writeFileSync(times, '# pfold event=cpu-clock samples=3 unit=ns\na;b 3000000000\n');
	writeFileSync(sizes, '# pfold event=alloc samples=2 unit=bytes\na;c 5000\n');
	const page = await open(draw('', '--boxes', '0', 'cpu=' + times, 'heap=' + sizes));

	assert.equal(await page.textContent('.subtitle'), '3.00 s of cpu-clock, 3 samples');
	await page.click('.tab >> nth=1');
	assert.equal(await page.textContent('.subtitle'), '5.00 kB of alloc, 2 samples');
});

// What was copied is read from the clipboard, and the link opens the same view elsewhere.
await test('names_stacks_and_links_are_copied', async () => {
	const page = await open(small, { permissions: ['clipboard-read', 'clipboard-write'] });
	const copied = async (key, said) => {
		await press(page, key);
		await page.waitForFunction((t) => document.querySelector('.details').innerText.includes(t), said);
		return page.evaluate(() => navigator.clipboard.readText());
	};

	await at(page, 'read', 'move');
	assert.equal(await copied('c', 'name copied'), 'read');
	assert.equal(await copied('C', 'stack copied'), 'app\nmain\nParse\nread');
	await at(page, 'Run', 'click');
	await press(page, '/');
	await page.keyboard.type('tok');
	await page.mouse.click(500, 30);
	await press(page, 't', 'd');
	const link = await copied('l', 'link copied'), other = await open(link);

	assert.equal(await matched(other), '1 frame, 83.33% matched');
	assert.ok(Math.abs((await place(other, 'Run')).width - (await place(page, 'Run')).width) < 1);
	assert.deepEqual(await rows(other), await rows(page));
	assert.equal(await other.evaluate(() => document.querySelector('.fg').dataset.theme), 'dark');
});

await test('what_cannot_be_copied_is_said', async () => {
	const page = await open(small);

	await page.evaluate(() => {
		navigator.clipboard.writeText = () => Promise.reject(new Error('denied'));
	});
	await at(page, 'read', 'move');
	await press(page, 'c');
	await page.waitForFunction(() => document.querySelector('.details').innerText.includes('cannot copy'));
});

// Verdicts of pdiff: parse grew, read shrank, and the growth of idle and rare is noise.
const JUDGED = '# pfold event=cpu-clock samples=100 unit=ns\n' +
	'# pdiff verdict\tparse\tgrew\tend\n# pdiff verdict\tread\tshrank\tend\n' +
	'# pdiff verdict\tidle\tno change seen\tend\n# pdiff verdict\tdamaged\n' +
	'app;main;parse 2000 5000\napp;main;read 3000 1500\napp;main;idle 3000 3900\napp;main;rare 400 900\n';

await test('changes_without_a_verdict_are_grey', async () => {
	const page = await open(draw(JUDGED, '--minwidth', '0', '--diff', '--unit', 'absolute'), { width: 1400 });
	const fills = (root) => root.evaluate(() => Object.fromEntries([...document.querySelectorAll('.frames text')]
		.map((t) => [t.textContent, t.previousElementSibling.getAttribute('fill')])));
	const kinds = await fills(page), grey = '#e6e7eb';

	for (const name of ['idle', 'rare', 'main', 'app'])
		assert.equal(kinds[name], grey, name);
	assert.match(kinds.parse, /^#[de]/);
	assert.match(kinds.read, /^#[4-8].....$/);
	await at(page, 'parse', 'move');
	assert.match(await details(page), /^parse 2.00 us before, 5.00 us after, \+3.00 us, grew, native/);
	await at(page, 'rare', 'move');
	assert.match(await details(page), /^rare 400 ns before, 900 ns after, \+500 ns, native/);
	assert.deepEqual(await page.locator('.most button').allTextContents(), ['parse +3.00 us', 'read \u22121.50 us']);
	assert.deepEqual(await page.locator('.legend .entry').allTextContents(),
		['less', 'more', 'new', 'gone', 'no verdict']);
	await press(page, 't');
	assert.deepEqual((await rows(page)).slice(0, 4).map((r) => r.split('|').slice(0, 1).concat(r.split('|').slice(-2, -1))),
		[['parse', 'grew'], ['read', 'shrank'], ['idle', 'no change seen'], ['rare', '']]);
	assert.deepEqual(await page.locator('td.change').evaluateAll((all) => all.slice(0, 4).map((td) => td.className)),
		['change more', 'change less', 'change unsure', 'change unsure']);
	await page.click('th.verdict button');
	assert.equal((await rows(page))[0].split('|')[0], 'read');
	await axe(page, 'verdicts');
	const [got] = await Promise.all([page.waitForEvent('download'), press(page, 'Y')]);

	assert.deepEqual(readFileSync(await got.path(), 'utf8').split('\n').slice(0, 4), [
		'function,kind,before,after,verdict', 'read,native,3000,1500,shrank', 'parse,native,2000,5000,grew',
		'idle,native,3000,3900,no change seen']);
	const [drawing] = await Promise.all([page.waitForEvent('download'), press(page, 'w')]);
	const saved = readFileSync(await drawing.path(), 'utf8');

	assert.match(saved, /no verdict/);
	assert.match(saved, />More:  parse \+/);
	for (const name of ['idle', 'parse'])
		assert.equal(new RegExp(`<rect[^>]* fill="(#[^"]*)"[^>]*/><text[^>]*>${name}<`).exec(saved)?.[1], kinds[name]);
});

await test('a_difference_is_drawn', async () => {
	const after = TMPDIR + '/after';

	writeFileSync(after, SMALL.replace('Run;token 25', 'Run;token 75').replace(/.*idle.*\n/, '') +
		'app;main;fresh 50\n');
	const page = await open(draw(SMALL, '--minwidth', '0', '--diff', '-', after));

	await at(page, 'Run', 'move');
	assert.match(await details(page), /^Run 30.00% before, 42.11% after, \+12.11 points/);
	await at(page, 'idle', 'move');
	assert.match(await details(page), /^idle 10.00% before, 0.00% after, gone, \u221210.00 points/);
	await at(page, 'fresh', 'move');
	assert.match(await details(page), /fresh 0.00% before, 26.32% after, new/);
	await page.click('.tab >> text=before');
	assert.ok(!(await labels(page)).includes('fresh'));
	await page.click('.tab >> text=after');
	assert.ok(!(await labels(page)).includes('idle'));
	await press(page, 't');
	assert.match((await rows(page))[0], /^fresh\|0.00%\|26.32%\|\+26.32\|\+26.32\|native/);
	await page.selectOption('.tabs select', 'absolute');
	await page.click('.tab >> text=Both');
	await at(page, 'Run', 'move');
	assert.match(await details(page), /^Run 30 samples before, 80 samples after, \+50 samples/);
	assert.match(await page.textContent('.subtitle'), /^100 samples -> 190 samples \(\+90 %\), unit: absolute$/);
	assert.deepEqual(await page.locator('.most button').allTextContents(),
		['fresh +50 samples', 'token +50 samples', 'idle \u221210 samples']);
	await axe(page, 'difference');
	assert.equal(await (await open(await href(page))).evaluate(() =>
		document.querySelector('.tabs select').value), 'absolute');
	await page.click('.most >> text=fresh');
	assert.equal(await page.textContent('h2'), 'fresh');
});

// What ends in each function of a fold, by its name.
function selfOf(path)
{
	const self = new Map();

	for (const line of readFileSync(path, 'utf8').split('\n').filter((l) => l && l[0] !== '#')) {
		const at = line.lastIndexOf(' '), name = line.slice(0, at).split(';').at(-1)
			.replace(/_\[[ijkr]\]$/, '');

		self.set(name, (self.get(name) || 0) + Number(line.slice(at + 1)));
	}
	return self;
}

await test('changes_have_the_sign_and_the_color_of_the_folds_in_each_unit', async () => {
	const sides = ['1.0', '1.1'].map((v) => {
		const path = `${TMPDIR}/${v}.folded`, own = `${TOP}/fixtures/orders/${v}.folded`;

		/* The fixtures have no durations. */
		writeFileSync(path, readFileSync(own, 'utf8').replace(' unit=', ` duration=${
			v === '1.0' ? '2.500000' : '1.900000'} cpus=1 unit=`));
		return path;
	});
	const [before, after] = sides.map(selfOf);
	const [allA, allB] = [before, after].map((m) => [...m.values()].reduce((x, y) => x + y));
	const common = [...before.keys()].filter((n) => after.get(n) >= 0.001 * allB &&
		before.get(n) >= 0.001 * allA).map((n) => after.get(n) / before.get(n)).sort((x, y) => x - y);
	const half = common.length / 2;
	const ratio = (common[Math.ceil(half) - 1] + common[Math.floor(half)]) / 2;
	const page = await open(draw('', '--minwidth', '0', '--diff', ...sides), { width: 2600 });

	assert.match(await page.textContent('.subtitle'),
		/^2.55 s -> 1.96 s \(-23 %\), duration 2.50 s -> 1.90 s, cpus 1 -> 1, after divided by 0.818 /);
	await press(page, 't');
	for (const [unit, ka, kb] of [['normalized', 1, 1 / ratio], ['absolute', 1, 1],
		['per-second', 1 / 2.5, 1 / 1.9], ['share', 1 / allA, 1 / allB]]) {
		await page.selectOption('.tabs select', unit);
		const by = [...new Set([...before.keys(), ...after.keys()])].map((n) =>
			[n, kb * (after.get(n) || 0) - ka * (before.get(n) || 0)]);

		by.sort((x, y) => Math.abs(y[1]) - Math.abs(x[1]));
		const got = await page.evaluate(() => [...document.querySelectorAll('tbody tr')]
			.slice(0, 10).map((tr) => {
				const td = tr.querySelector('.change');

				return [tr.querySelector('.function').title, td.textContent[0] === '+' ? 1 : -1,
					td.classList.contains('more') ? 1 : -1];
			}));

		/* Equal changes may be in either order. */
		const size = (n) => Math.abs(new Map(by).get(n)).toPrecision(9);

		assert.deepEqual(got.map(([n]) => size(n)), by.slice(0, 10).map(([n]) => size(n)), unit);
		for (const [n, ...signs] of got)
			assert.deepEqual(signs, [0, 1].map(() => Math.sign(new Map(by).get(n))), n);
		/* A function that has one box, which ends there: its box has the color. */
		const fill = (text) => page.evaluate((label) => document.querySelector('.offbox-flame') &&
			[...document.querySelectorAll('.graph .frames text')].find((t) =>
				t.textContent === label)?.previousElementSibling.getAttribute('fill'), text);
		const red = (c) => parseInt(c.slice(1, 3), 16) > parseInt(c.slice(5, 7), 16);

		assert.equal(red(await fill('__strcmp_evex')), false, unit);
		assert.equal(red(await fill('checksum')), true, unit);
	}
});

await test('noise_is_what_the_reader_says_it_is', async () => {
	const after = TMPDIR + '/after', none = 'rgb(230, 231, 235)';

	writeFileSync(after, SMALL.replace('Run;token 25', 'Run;token 75') + 'app;fresh 20\n');
	const page = await open(draw(SMALL, '--minwidth', '0', '--diff', '-', after));
	const fill = (text, p = page) => p.evaluate((label) => getComputedStyle([...document
		.querySelectorAll('.frames text')].find((t) => t.textContent === label)
		.previousElementSibling).fill, text);
	const field = (p = page) => p.evaluate(() => document.querySelector('.tabs input').value);

	assert.equal(await field(), '0.1');
	assert.notEqual(await fill('Run'), none);
	assert.notEqual(await fill('fresh'), none);
	await page.fill('.tabs input', '12');
	await page.keyboard.press('Tab');
	assert.notEqual(await fill('Run'), none);
	assert.equal(await fill('fresh'), none);
	await page.fill('.tabs input', '400');
	await page.keyboard.press('Enter');
	assert.equal(await fill('Run'), none);
	assert.equal(await field(), '100');
	assert.equal(await focused(page), 'input');
	const other = await open(await href(page));

	assert.equal(await fill('Run', other), none);
	assert.equal(await field(other), '100');
	await page.goBack();
	assert.equal(await field(), '12');
	assert.notEqual(await fill('Run'), none);
	assert.equal(await fill('fresh'), none);
	await page.goBack();
	assert.equal(await field(), '0.1');
	assert.notEqual(await fill('fresh'), none);
	await page.fill('.tabs input', '');
	await page.keyboard.press('Enter');
	assert.equal(await field(), '0');
	/* Of weights it is a share of the larger side: 20 of 170. */
	await page.selectOption('.tabs select', 'absolute');
	await page.fill('.tabs input', '11.7');
	await page.keyboard.press('Enter');
	assert.notEqual(await fill('fresh'), none);
	await page.fill('.tabs input', '11.8');
	await page.keyboard.press('Enter');
	assert.equal(await fill('fresh'), none);
});

await test('tabs_show_one_input_each', async () => {
	const off = TMPDIR + '/off';

	writeFileSync(off, 'app;wait 4\napp;main 1\n');
	const page = await open(draw(SMALL, '--minwidth', '0', 'on=-', 'off=' + off));

	assert.ok((await labels(page)).includes('Parse'));
	await page.click('.tab >> text=off');
	assert.deepEqual((await labels(page)).sort(), ['all', 'app', 'main', 'wait']);
	await press(page, 't');
	assert.match((await rows(page))[0], /^wait\|4 samples 80.00%\|4 samples 80.00%\|native\|0.00%/);
	await axe(page, 'tabs');
});

await test('an_empty_tab_and_an_empty_side_are_shown', async () => {
	const none = TMPDIR + '/none';

	writeFileSync(none, '# pfold event=cpu-clock samples=0 unit=ns\n');
	for (const [tab, inputs] of [['empty', ['busy=-', 'empty=' + none]], ['busy', ['empty=' + none, 'busy=-']]]) {
		const page = await open(draw(SMALL, '--minwidth', '0', ...inputs));

		assert.equal((await labels(page)).includes('Parse'), tab === 'empty');
		await page.click('.tab >> text=' + tab);
		assert.equal((await labels(page)).includes('Parse'), tab === 'busy');
		await page.click('.tab >> text=empty');
		assert.deepEqual(await labels(page), ['no samples']);
		await at(page, 'no samples', 'move');
		await press(page, 't', 'r', 'i', '/');
		await page.keyboard.type('main');
		assert.deepEqual(await rows(page), []);
	}
	for (const sides of [[none, '-'], ['-', none]]) {
		const page = await open(draw(SMALL, '--minwidth', '0', '--diff', ...sides));

		assert.ok((await labels(page)).includes('Parse'));
		await page.click('.tab >> text=before');
		await page.click('.tab >> text=after');
	}
	const page = await open(draw('# pfold event=cpu-clock samples=0 unit=ns\n'));

	assert.match(await page.textContent('svg'), /no samples/);
});

await test('a_range_of_time_is_shown', async () => {
	const page = await open(draw(BY_SECOND, '--minwidth', '0'));

	assert.equal(await page.textContent('.subtitle'), '31.0 ms of cpu-clock, 31 samples');
	const r = await page.locator('canvas').boundingBox(), column = r.width / 3;

	await page.mouse.move(r.x + 2, r.y + r.height - 2);
	await page.mouse.down();
	await page.mouse.move(r.x + column - 2, r.y + 2);
	await page.mouse.up();
	assert.ok(Math.abs((await place(page, 'c')).width - 976 * 2 / 3) < 2);
	assert.ok(!(await labels(page)).includes('z'));
	await press(page, 't');
	assert.equal((await rows(page)).length, 3);
	await page.click('text=All of it');
	assert.ok((await labels(page)).includes('z'));
	/* The strip takes the whole width, and its axis counts seconds. */
	assert.equal(Math.round(r.width), 1000 - 24);
	assert.deepEqual(await page.locator('.axis span').allTextContents(), ['0 s', '1 s', '2 s']);
	assert.equal(await page.textContent('.scale'), '0 to 24.0 ms in 100 ms');
	const range = () => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('range'));

	await page.mouse.click(r.x + 1.5 * column, r.y + r.height / 2);
	assert.equal(await range(), '10-19');
	await page.focus('.seconds');
	await press(page, 'ArrowRight');
	assert.equal(await range(), '20-29');
	await press(page, 'ArrowRight');
	assert.equal(await range(), '20-29');
	await press(page, 'Home', 'Shift+ArrowRight');
	assert.equal(await range(), '0-19');
	await press(page, 'ArrowRight');
	assert.equal(await range(), '10-29');
	await press(page, 'Shift+ArrowLeft', 'Shift+ArrowLeft');
	assert.equal(await range(), '10-19');
	await press(page, 'Delete', 'ArrowLeft');
	assert.equal(await range(), '20-29');
	await press(page, 'Delete');
	assert.equal(await range(), null);
	await page.fill('.range input >> nth=0', '1');
	await page.keyboard.press('Tab');
	assert.ok(!(await labels(page)).includes('c'));
	await axe(page, 'strip');
	const marked = await open(draw(BY_SECOND.replace('\n',
		'\n# pfold mark from=0.11 to=0.12 [GC gen0 AllocSmall]\n'), '--minwidth', '0'));

	await marked.mouse.move(r.x + column / 2, r.y + r.height - r.height * 0.15);
	assert.equal(await marked.textContent('.mark'), 'GC gen0 AllocSmall');
	const blue = await marked.evaluate(() => {
		const canvas = document.querySelector('canvas'), pen = canvas.getContext('2d');
		const all = pen.getImageData(0, 0, canvas.width, canvas.height).data;
		let n = 0;

		for (let i = 0; i < all.length; i += 4)
			n += all[i + 2] > 150 && all[i] < 60;
		return n;
	});

	assert.ok(blue > 3, `${blue} blue pixels`);
	await marked.mouse.move(r.x + column / 2, r.y + 1);
	assert.equal(await marked.textContent('.mark'), '');
});

await test('a_page_of_html_holds_it', async () => {
	const html = `${TMPDIR}/page.html`;

	writeFileSync(html, readFileSync(draw(SMALL, '--html', '--title', 'In <a> page'), 'utf8'));
	const real = await open(html);

	assert.ok((await labels(real)).includes('Parse'));
	assert.equal(await real.title(), 'In <a> page');
	await at(real, 'Run', 'click');
	await real.waitForURL(/#zoom=/);
	await axe(real, 'page');
});

await browser.close();
process.exit(status());
