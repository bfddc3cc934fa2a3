// The page of pannotate --to html: steps through hot lines, and shows hostile text as text.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { axe, browser, open as openPage, status, test } from './page.mjs';

const { BIN, TOP, TMPDIR } = process.env;
const hostile = '</td></script><img src="http://192.0.2.1/x" onerror="document.title=1">&amp;\u202e\tend';

mkdirSync(TMPDIR + '/src');
writeFileSync(TMPDIR + '/src/grind.cc', Array.from({ length: 80 }, (_, i) => `\t${hostile} ${i + 1};\n`).join(''));

let serial = 0;
function annotate(what, ...args)
{
	const path = `${TMPDIR}/annotate${serial++}.html`;

	execFileSync(BIN + '/pannotate', ['-q', '--no-host', '--to', 'html', '-o', path, what, ...args],
		{ stdio: ['ignore', 'inherit', 'inherit'] });
	return path;
}
const native = ['--member', 'dwarf.perf.data', '--source-path', `/srv/app/native=${TMPDIR}/src`,
	TOP + '/fixtures/native.prof.tar.gz'];
const one = annotate('hashing', ...native);
const several = annotate('/^(hashing|collatz_steps|load8)$/', ...native);
const script = `${TMPDIR}/hostile.txt`;
const name = '<img/src=x/onerror=document.title=1>&lt';

writeFileSync(script, `app 7/7 [000] 1.0: 5 cycles:\n\t    401000 ${name}+0x0 (/srv/app/a"b)\n\n`);

// Opens a page, and defines place() in it: the address of an instruction, or the place of a source line.
async function open(...args)
{
	const page = await openPage(...args);

	await page.evaluate(() => {
		window.place = (row) => row.dataset.place ?? row.cells[2].textContent;
	});
	return page;
}

const chosen = (page) => page.evaluate(() => {
	const row = document.querySelector('.chosen');

	return row ? window.place(row) : undefined;
});
const said = (page) => page.evaluate(() => document.querySelector('output').textContent);

await test('hot_lines_are_stepped_through_by_keys', async () => {
	const page = await open(one);
	const ranks = await page.evaluate(() => [...document.querySelectorAll('[data-rank]')]
		.map((r) => [+r.dataset.rank, window.place(r), +(r.dataset.self ?? 0)]).sort((a, b) => a[0] - b[0]));

	assert.ok(ranks.length > 2);
	assert.deepEqual(ranks.map((r) => r[0]), ranks.map((_, i) => i + 1));
	assert.ok(ranks.every((r, i) => !i || ranks[i - 1][2] >= r[2]));
	for (const [i, rank] of ranks.entries()) {
		await page.keyboard.press('n');
		assert.equal(await chosen(page), rank[1]);
		assert.match(await said(page), new RegExp(`^Hot line ${i + 1} of ${ranks.length}: ${rank[1]}, self `));
	}
	await page.keyboard.press('n');
	assert.equal(await chosen(page), ranks[0][1]);
	await page.keyboard.press('p');
	await page.keyboard.press('p');
	assert.equal(await chosen(page), ranks.at(-2)[1]);
	assert.equal(await page.evaluate(() => window.place(document.activeElement)), ranks.at(-2)[1]);
	assert.equal(await page.locator('[aria-current="true"]').count(), 1);
	await page.keyboard.press('Escape');
	assert.equal(await page.locator('.chosen, .partner, [aria-current]').count(), 0);
});

await test('a_line_shows_its_instructions_and_they_show_it', async () => {
	const page = await open(one, { width: 1200, height: 700 });

	await page.keyboard.press('n');
	const lines = await page.evaluate(() => {
		const line = document.querySelector('.chosen').dataset.line;

		return [[...document.querySelectorAll('.partner')].map((r) => window.place(r)),
			[...document.querySelectorAll(`[data-line="${line}"][id]`)].map((r) => window.place(r))];
	});
	assert.ok(lines[0].length > 3);
	assert.deepEqual(lines[0], lines[1]);
	const source = await chosen(page);
	const hottest = page.locator('.partner.t4').first();

	assert.ok(await hottest.isVisible());
	await hottest.locator('.at').click();
	assert.notEqual(await chosen(page), source);
	assert.equal(await page.evaluate(() => window.place(document.querySelector('.partner'))), source);
	const was = await chosen(page);

	await page.keyboard.press('ArrowDown');
	assert.notEqual(await chosen(page), was);
	await page.keyboard.press('ArrowUp');
	assert.equal(await chosen(page), was);
});

await test('jumps_lead_to_their_targets', async () => {
	const page = await open(one);
	const link = page.locator('.code a').first();
	const target = (await link.textContent()).split(/\s+/).at(-1);

	await link.click();
	assert.equal(await chosen(page), target);
});

await test('sums_of_lines_and_instructions_are_whole', async () => {
	const page = await open(several);
	const sums = await page.evaluate(() => [...document.querySelectorAll('.pane')].map((pane) =>
		[...pane.querySelectorAll('[data-self]')].reduce((s, r) => s + +r.dataset.self, 0)));

	assert.equal(sums.length, 6);
	for (let i = 0; i < sums.length; i += 2) {
		assert.ok(sums[i] > 0);
		assert.equal(sums[i], sums[i + 1]);
	}
});

await test('keys_step_from_function_to_function', async () => {
	const page = await open(several);
	const all = await page.locator('[data-rank]').count(), met = new Set();

	for (let i = 0; i < all; i++) {
		await page.keyboard.press('n');
		met.add(await page.evaluate(() => document.querySelector('.chosen').closest('article')
			.getAttribute('aria-labelledby')));
		const box = await page.locator('.chosen').boundingBox();
		assert.ok(box.y >= 0 && box.y < 600, `row ${i} is at ${box.y}`);
	}
	assert.deepEqual([...met], ['f1', 'f2', 'f3']);
});

await test('hostile_text_is_text', async () => {
	const page = await open(one);

	assert.equal(await page.locator('img').count(), 0);
	assert.match(await page.title(), /^hashing - pannotate$/);
	assert.ok((await page.locator('.code', { hasText: 'onerror' }).first().textContent())
		.startsWith('\t</td></script><img src="http://192.0.2.1/x" onerror="document.title=1">&amp;\\xe2\\x80\\xae\tend'));
	const other = await open(annotate(name, script));

	assert.equal(await other.locator('img').count(), 0);
	assert.equal(await other.locator('h2').textContent(), name);
	assert.equal(await other.title(), name + ' - pannotate');
	assert.match(await other.locator('.unknown').textContent(), /source lines are not known/);
	await other.keyboard.press('n');
	assert.equal(await chosen(other), await other.locator('tbody .at').textContent());
});

await test('the_page_is_dark_if_the_reader_prefers_it', async () => {
	const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
	const dark = await open(one, { colorScheme: 'dark' }), light = await open(one, { colorScheme: 'light' });

	assert.equal(await ground(dark), 'rgb(23, 24, 28)');
	assert.equal(await ground(light), 'rgb(255, 255, 255)');
	await light.keyboard.press('d');
	assert.equal(await ground(light), 'rgb(23, 24, 28)');
	assert.equal(await light.locator('#theme').getAttribute('aria-pressed'), 'true');
	await light.locator('#theme').click();
	assert.equal(await ground(light), 'rgb(255, 255, 255)');
});

await test('the_page_can_be_read_without_scripts', async () => {
	const page = await open(one, { javaScriptEnabled: false, colorScheme: 'dark' });

	assert.ok(!(await page.locator('#next').isVisible()));
	assert.ok(await page.locator('.code', { hasText: 'imul' }).first().isVisible());
	assert.equal(await page.locator('.pane').count(), 2);
});

await test('it_fits_into_390_pixels', async () => {
	for (const path of [one, several]) {
		const page = await open(path, { width: 390, height: 844 });

		assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
		const [a, b] = [await page.locator('.pane').nth(0).boundingBox(),
			await page.locator('.pane').nth(1).boundingBox()];

		assert.ok(b.y >= a.y + a.height);
		assert.ok(a.width <= 390 && b.width <= 390);
		for (const button of await page.locator('button').all()) {
			const box = await button.boundingBox();

			assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.height >= 24);
		}
	}
});

await test('axe_finds_nothing', async () => {
	for (const colorScheme of ['light', 'dark'])
		for (const size of [{ width: 1200, height: 800 }, { width: 390, height: 844 }])
			for (const path of [one, several]) {
				const page = await open(path, { colorScheme, ...size });

				await page.keyboard.press('n');
				await axe(page, `${colorScheme} ${size.width}`);
			}
});

await browser.close();
process.exit(status());
