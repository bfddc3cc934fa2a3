// speed.mjs PICTURE EMPTY LOADS - measures how long it takes to load and to use a picture.  Each time ends after the
// next frame.  This script does not use puppeteer's Page, because it observes all requests, which takes time.
import { createRequire } from 'node:module';

const [picture, empty, loads] = process.argv.slice(2);
const { MODULES, CHROMIUM } = process.env;
const { launch } = createRequire(MODULES + '/')('puppeteer-core');
const browser = await launch({ executablePath: CHROMIUM, args: ['--no-sandbox',
	'--disable-frame-rate-limit', '--disable-gpu-vsync', '--window-size=1200,800'] });
const root = await browser.target().createCDPSession();

// Runs in each page.  box() points at the widest box of a level.
const HELPERS = `
const drawn = () => new Promise((done) => requestAnimationFrame(() => {
	const { port1, port2 } = new MessageChannel();

	port1.onmessage = () => done(performance.now());
	port2.postMessage(0);
}));
const loaded = new Promise((done) => addEventListener('load', () => done(drawn())));
const one = (s) => document.querySelector(s);
const at = (r) => ({ clientX: r.x + r.width / 2, clientY: r.y + r.height / 2, bubbles: true });
let spot;

function box(level)
{
	const rects = [...document.querySelectorAll('.frames rect')];
	const y = (r) => Number(r.getAttribute('y')), w = (r) => Number(r.getAttribute('width'));
	const rows = [...new Set(rects.map(y))].sort((a, b) => b - a);

	spot = at(rects.filter((r) => y(r) === rows[level]).sort((a, b) => w(b) - w(a))[0].getBoundingClientRect());
	one('.drawing').dispatchEvent(new PointerEvent('pointermove', spot));
}
const click = () => one('.drawing').dispatchEvent(new MouseEvent('click', spot));
const key = (key) => one('.fg').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
const type = (text) => {
	one('.field input').value = text;
	one('.field input').dispatchEvent(new Event('input'));
};
const took = (act) => {
	const from = performance.now();

	act();
	return drawn().then((to) => to - from);
};`;

// Name, bar, preparation, and action.
const USES = [['zoom', 50, 'box(2)', 'click()'], ['zoom out', 50, '', 'key("0")'],
	['search', 50, '', 'type("_1")'], ['search again', 50, '', 'type("_2[0-5]")'],
	['clear the search', 50, '', 'type("")'], ['table', 150, '', 'key("t")'],
	['close the table', 150, '', 'key("t")'], ['focus', 150, 'box(3)', 'key("f")'],
	['show all', 150, '', 'key("u")'], ['reverse', 500, '', 'key("r")']];
const times = new Map();
const add = (what, ms) => times.set(what, [...times.get(what) || [], ms]);

async function load(path, use)
{
	const { targetId } = await root.send('Target.createTarget', { url: 'about:blank' });
	const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
	const page = root.connection().session(sessionId);
	const run = (expression) => page.send('Runtime.evaluate', { expression, awaitPromise: true })
		.then(({ result }) => result.value);

	await page.send('Page.enable');
	await page.send('Page.addScriptToEvaluateOnNewDocument', { source: HELPERS });
	const ready = new Promise((done) => page.once('Page.loadEventFired', done));

	await page.send('Page.navigate', { url: 'file://' + path });
	await ready;
	add(path, await run('loaded'));
	for (const [name, , prepare, act] of use ? USES : []) {
		await run(prepare);
		await run('new Promise((done) => setTimeout(done, 100))');
		add(name, await run(`took(() => ${act})`));
	}
	await root.send('Target.closeTarget', { targetId });
}

for (let i = 0; i < loads; i++) {
	await load(empty, false);
	await load(picture, true);
}
await browser.close();

const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
const say = (name, a, bar) => console.log(`${name.padEnd(24)} ${median(a).toFixed(1).padStart(6)} ${
	Math.min(...a).toFixed(1).padStart(6)}${bar ? ` (bar: ${bar})` : ''}`);

console.log('milliseconds             median  least');
say('empty page', times.get(empty));
say('load', times.get(picture), 'the empty page + 200');
for (const [name, bar] of USES)
	say(name, times.get(name), bar);
