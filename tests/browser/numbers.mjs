// numbers.mjs PICTURE QUESTIONS ANSWERS - asks a picture the questions of numbers.py.
import { readFileSync, writeFileSync } from 'node:fs';
import { browser, matched, open } from './page.mjs';

const [picture, from, to] = process.argv.slice(2);
const questions = JSON.parse(readFileSync(from, 'utf8')), page = await open(picture);

page.setDefaultTimeout(120000);
for (const question of questions) {
	await page.evaluate(async (link) => {
		location.hash = link;
		await new Promise((done) => setTimeout(done, 0));
		await new Promise((done) => requestAnimationFrame(done));
	}, new URLSearchParams(question.state).toString());
	question.matched = await matched(page);
	question.subtitle = await page.textContent('.subtitle');
	if (question.kind !== 'reverse' || /^(at least )?0 frames/.test(question.matched))
		continue;
	/* The widest match, and its stack. */
	await page.evaluate(() => document.querySelector('.graph').focus());
	await page.keyboard.press('n');
	question.text = await page.textContent('.details .rest');
	await page.keyboard.press('Enter');
	question.path = (await page.locator('.crumb').allTextContents()).slice(1);
	if ((await page.textContent('.crumbs')).includes('\u2026'))
		question.path = null;
}
writeFileSync(to, JSON.stringify(questions));
await browser.close();
