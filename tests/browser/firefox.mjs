// The picture in firefox-esr, which puppeteer-core drives by WebDriver BiDi.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const { BIN, TMPDIR, MODULES } = process.env;
const puppeteer = createRequire(MODULES + '/')('puppeteer-core');
const browser = await puppeteer.launch({ browser: 'firefox', executablePath: '/usr/bin/firefox-esr',
	headless: true, args: ['--no-sandbox'], timeout: 120000,
	env: { ...process.env, HOME: TMPDIR, XDG_CACHE_HOME: TMPDIR + '/cache' } });
let failed = 0;

try {
	const path = TMPDIR + '/firefox.svg';

	execFileSync(BIN + '/pflame', ['-q', '--minwidth', '0', '-o', path],
		{ input: 'app;main;Parse;token 30\napp;main;Run 25\napp;idle 10\n' });
	const page = await browser.newPage();
	const labels = () => page.evaluate(() => [...document.querySelectorAll('.frames text')]
		.map((t) => t.textContent).sort());

	await page.setViewport({ width: 1000, height: 600 });
	await page.goto(pathToFileURL(path).href);
	assert.deepEqual(await labels(), ['Parse', 'Run', 'all', 'app', 'idle', 'main', 'token']);
	await page.keyboard.press('t');
	assert.equal(await page.evaluate(() => document.querySelectorAll('tbody tr').length), 6);
	await page.keyboard.press('r');
	assert.ok((await labels()).includes('Run'));
	await page.keyboard.press('r');
	await page.keyboard.press('/');
	await page.keyboard.type('Parse');
	assert.equal(await page.evaluate(() => document.querySelector('.matched').textContent),
		'1 frame, 46.15% matched');
	await page.setJavaScriptEnabled(false).catch(() => 0);
	console.log('ok opens_in_firefox');
} catch (e) {
	failed = 1;
	console.log('not ok opens_in_firefox\n' + e.stack);
}
await browser.close();
process.exit(failed);
