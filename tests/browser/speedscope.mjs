// What pfold --to speedscope writes, opened by speedscope itself.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { browser, status, test } from './page.mjs';

const { BIN, TOP, TMPDIR, MODULES } = process.env;
const app = `${MODULES}/node_modules/speedscope/dist/release/index.html`;

function convert(args, input)
{
	const path = `${TMPDIR}/profile.json`;

	execFileSync(`${BIN}/pfold`, ['-q', '--to', 'speedscope', '-o', path, ...args],
		{ input, stdio: ['pipe', 'inherit', 'inherit'] });
	return path;
}

// As speedscope's own command opens a file: a script that hands it over.
async function load(path)
{
	const page = await (await browser.newContext()).newPage();
	const script = `${TMPDIR}/load.js`;
	const errors = [];

	page.on('pageerror', (e) => errors.push(e.message));
	page.on('dialog', (d) => { errors.push(d.message()); d.dismiss(); });
	writeFileSync(script, `speedscope.loadFileFromBase64('profile.json', '${
		readFileSync(path).toString('base64')}')`);
	await page.goto(`${pathToFileURL(app).href}#localProfilePath=${script}`);
	await page.waitForFunction(() => document.body.innerText.includes('Export'));
	await page.keyboard.press('3');
	await page.waitForSelector('tr >> nth=1');
	return { page, errors };
}

// "total|self|name" of the table, heaviest first.
const rows = (page) => page.evaluate(() => [...document.querySelectorAll('tr')].slice(1)
	.map((tr) => [...tr.children].map((c) => c.innerText.trim()).join('|')));

await test('speedscope_reads_stacks_names_and_weights', async () => {
	const { page, errors } = await load(convert([], Buffer.from(
		'# pfold event=cpu-clock samples=4 unit=ns\n' +
		'app;main;Parse "it" \\ there_[k] 3000000\n' +
		'app;main;Parse "it" \\ there_[k];read 2500000\n' +
		'app;main;<script>alert(1)</script> 1000000\n' +
		'app;idle\xff 400000\n', 'latin1')));

	assert.deepEqual(await rows(page), [
		'5.50ms (80%)|3.00ms (43%)|Parse "it" \\ there',
		'2.50ms (36%)|2.50ms (36%)|read',
		'1.00ms (14%)|1.00ms (14%)|<script>alert(1)</script>',
		'400.00µs (5.8%)|400.00µs (5.8%)|idle\\xff',
		'6.50ms (94%)|0.00ns (<0.01%)|main',
		'6.90ms (100%)|0.00ns (<0.01%)|app',
	]);
	assert.match(await page.title(), /^cpu-clock/);
	assert.deepEqual(errors, []);
});

await test('speedscope_reads_a_real_profile', async () => {
	const { page, errors } = await load(convert(
		['--no-host', `${TOP}/fixtures/web31.prof.tar.gz`]));

	assert.equal((await rows(page))[0], '9.33s (72%)|9.30s (71%)|WebApi.Forecaster::Spin');
	assert.deepEqual(errors, []);
});

await browser.close();
process.exit(status());
