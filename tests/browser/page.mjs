// What the tests of the picture share: a file of a picture, opened in chromium.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const { BIN, TMPDIR, MODULES, CHROMIUM } = process.env;
const require = createRequire(MODULES + '/');
const { chromium } = require('playwright-core');

let serial = 0;

export function draw(folded, ...options)
{
	const path = `${TMPDIR}/${serial++}.svg`;

	execFileSync(BIN + '/pflame', ['-q', ...options, '-o', path], {
		input: folded, stdio: ['pipe', 'inherit', 'inherit'],
	});
	return path;
}

export const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
let complaints = [], failed = 0;

export const status = () => failed;

export async function open(url, { width = 1000, height = 600, ...context } = {})
{
	const c = await browser.newContext({ viewport: { width, height }, ...context });
	const page = await c.newPage();

	page.on('console', (m) => complaints.push(`console ${m.type()}: ${m.text()}`));
	page.on('pageerror', (e) => complaints.push(`page error: ${e.message}`));
	page.on('request', (r) => /^(file|data|about):/.test(r.url()) ||
		complaints.push(`request: ${r.url()}`));
	if (url)
		await page.goto(url.startsWith('/') ? pathToFileURL(url).href : url);
	return page;
}

export async function test(name, run)
{
	complaints = [];
	try {
		await run();
		assert.deepEqual(complaints, []);
		console.log('ok ' + name);
	} catch (e) {
		failed = 1;
		console.log('not ok ' + name + '\n' + e.stack);
	}
	for (const c of browser.contexts())
		await c.close();
}

// Labels of the picture, or of the n-th in the page, in no order.
export const labels = (page, n = 0) => page.evaluate((i) => [...document
	.querySelectorAll('.offbox-flame')[i].querySelectorAll('.frames text')]
	.map((t) => t.textContent), n);
export const hits = (page) => page.evaluate(() => [...document.querySelectorAll('.frames text.hit')]
	.map((t) => t.textContent).sort());
export const details = (page) => page.evaluate(() => document.querySelector('.details').innerText
	.replace(/\s+/g, ' ').trim());
export const matched = (page) => page.evaluate(() => document.querySelector('.matched').textContent);
export const query = (page) => page.evaluate(() => document.querySelector('.tools input').value);
// The address in the page.  page.url() may lag behind it.
export const href = (page) => page.evaluate(() => location.href);
export const focused = (page) => page.evaluate(() => document.activeElement?.localName);

// The box whose label is text: its rect stands in front of the label.
export function place(page, text, n = 0)
{
	return page.evaluate(([label, i]) => {
		const svg = document.querySelectorAll('.offbox-flame')[i];
		const t = [...svg.querySelectorAll('.frames text')]
			.find((e) => e.textContent === label);
		const r = t?.previousElementSibling.getBoundingClientRect();

		return r && { x: r.x, y: r.y, width: r.width, height: r.height };
	}, [text, n]);
}

export async function at(page, text, act, n = 0)
{
	const r = await place(page, text, n);

	assert.ok(r, `no box "${text}"`);
	await page.mouse[act](r.x + r.width / 2, r.y + r.height / 2);
}

// Runs what axe-core finds wrong with a page.
export async function axe(page, what)
{
	await page.evaluate(require('node:fs').readFileSync(require.resolve('axe-core'), 'utf8') + ';0');
	const { violations } = await page.evaluate(() => window.axe.run(document, {
		rules: { 'document-title': { enabled: false }, 'html-has-lang': { enabled: false } },
	}));

	assert.deepEqual(violations.map((v) => `${what}: ${v.id}: ${v.nodes.map((n) => n.target)
		.slice(0, 3).join(' | ')} ${v.nodes[0].failureSummary}`), []);
}
