// Ten everyday tasks with the keys and clicks that pflame(1) documents.  A step is a click, a key with its
// modifiers, or a typed text.  Moving the pointer to a box is not a step.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { at, browser, draw, labels, open, status, test } from './page.mjs';

const { TMPDIR } = process.env;
const HEADER = '# pfold by-second event=cpu-clock samples=12 slots=2 unit=samples\n' +
	'# pfold frame\tdigest\t/srv/lib/libhash.so.1\t/srv/src/digest.c\t21\tend\n' +
	'# pfold frame\tidle\t/srv/app\t/srv/src/app.c\t5\tend\n';
const STACKS = `0;worker-1;run;digest 20
0;worker-2;run;load;digest 10
0.5;worker-1;run;idle 7
1;worker-2;poll;idle 9
1.5;worker-1;run;parse;read_[k] 14
2;worker-2;run 5
`;
const picture = draw(HEADER + STACKS);
const text = (page, where) => page.innerText(where).then((s) => s.replace(/\s+/g, ' ').trim());
const row = (page) => text(page, 'tbody tr >> nth=0');
const context = { width: 1300, height: 700, permissions: ['clipboard-read', 'clipboard-write'] };

// Runs a task in one step: a key while the pointer is on a box, or a click on the box.
async function step(name, box, key, check)
{
	await test(name, async () => {
		const page = await open(picture, context);

		if (box)
			await at(page, box, key ? 'move' : 'click');
		if (key)
			await page.keyboard.press(key);
		await check(page);
	});
}

await test('task_1_the_hottest_function', async () => {
	const page = await open(picture, context);

	await page.waitForFunction(() => document.querySelector('.details').innerText.includes('Hottest'));
	assert.match(await text(page, '.details'), /^Hottest: digest, 46.15% self /);
	await page.keyboard.press('t');
	assert.match(await row(page), /^digest 30 samples 46.15% 30 samples 46.15%/);
});
await test('task_2_its_callers_in_the_tooltip', async () => {
	const page = await open(picture, context), tooltip = () => page.textContent('.drawing > title');

	await at(page, 'digest', 'move');
	assert.match(await tooltip(), /^digest\n.*\ncalled by run 30.77%, load 15.38%\n/);
	await page.mouse.move(650, 300);
	assert.equal(await tooltip(), '');
});
await step('task_2_its_callers', 'digest', 's', async (page) => {
	assert.equal(await text(page, 'h2'), 'digest');
	assert.deepEqual((await page.locator('.part >> nth=0').locator('text').allTextContents()).sort(),
		['digest', 'load', 'run', 'run', 'worker-1', 'worker-2']);
	/* Keys act on the box under the pointer, which is a box of the sandwich. */
	const load = await page.locator('.part >> nth=0').locator('text >> text=load').boundingBox();

	await page.mouse.move(load.x + 3, load.y + 5);
	await page.keyboard.press('s');
	assert.equal(await text(page, 'h2'), 'load');
});
await step('task_3_its_lines', 'digest', 'a', async (page) => {
	await page.waitForFunction(() => document.querySelector('.details').innerText.includes('copied'));
	assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "pannotate 'digest' PROFILE");
	assert.match(await page.textContent('.drawing > title'), /libhash.so.1 {2}\/srv\/src\/digest.c:21/);
});
await step('task_4_the_share_of_a_library', '', 'b', async (page) => {
	assert.match(await row(page), /^libhash.so.1 30 samples 46.15% 30 samples 46.15%/);
	assert.match(await page.textContent('caption'), /^3 modules/);
	await page.keyboard.press('b');
	assert.equal(await page.evaluate(() => document.querySelector('caption select').value), 'namespace');
});
await test('task_5_the_change_between_two_releases', async () => {
	writeFileSync(`${TMPDIR}/after`, 'a;parse 30\na;read 15\n');
	const page = await open(draw('a;parse 10\na;read 20\n', '--unit', 'absolute', '--diff', '-',
		`${TMPDIR}/after`), context);

	assert.match(await text(page, '.subtitle'), /^30 samples -> 45 samples \(\+50 %\)/);
	assert.match(await text(page, '.most'), /^More: parse \+20 samples Less: read \u22125 samples/);
});
await test('task_6_one_second', async () => {
	const page = await open(picture, context), r = await page.locator('canvas').boundingBox();

	await page.mouse.click(r.x + r.width / 2, r.y + r.height / 2);
	assert.match(await text(page, '.subtitle'), /^23 samples of cpu-clock, of 65 samples$/);
});
await step('task_7_one_thread', 'worker-1', 'f', async (page) => {
	assert.match(await text(page, '.subtitle'), /^41 samples of cpu-clock, of 65 samples$/);
	assert.ok(!(await labels(page)).includes('worker-2'));
});
await step('task_8_remove_idle', 'idle', 'E', async (page) => {
	assert.match(await text(page, '.subtitle'), /^49 samples of cpu-clock, of 65 samples$/);
	assert.ok(!(await labels(page)).includes('idle') && !(await labels(page)).includes('poll'));
	await page.keyboard.press('r');
	assert.match(await text(page, '.subtitle'), /^49 samples/);
	await page.click('.chip >> text=removed idle');
	assert.match(await text(page, '.subtitle'), /^65 samples/);
});
await step('task_9_the_table_in_a_spreadsheet', '', 'y', async (page) => {
	await page.waitForFunction(() => document.querySelector('.details').innerText.includes('copied'));
	assert.match(await page.evaluate(() => navigator.clipboard.readText()),
		/^function\tkind\tself\ttotal\ndigest\tnative\t30\t30\n/);
});
await test('task_10_print', async () => {
	const page = await open(draw([...Array(90).keys()].map((i) => 'f' + i).join(';') + ' 1\n'),
		{ ...context, colorScheme: 'dark' });
	const fill = () => page.evaluate(() => getComputedStyle(document.querySelector('.fg')).backgroundColor);
	const top = () => page.evaluate(() => document.querySelector('.graph').scrollTop);

	await page.evaluate(() => document.querySelector('.graph').scrollTo(0, 300));
	await page.evaluate(() => new Promise(requestAnimationFrame));
	/* A printed page is light, and the window is as before. */
	await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
	assert.equal(await page.getAttribute('svg > svg > rect', 'fill'), '#ffffff');
	assert.equal(await page.locator('.fg').count(), 0);
	await page.evaluate(() => dispatchEvent(new Event('afterprint')));
	assert.equal(await fill(), 'rgb(23, 24, 28)');
	assert.equal(await top(), 300);
});

await browser.close();
process.exit(status());
