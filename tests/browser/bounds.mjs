// The numbers of the picture against sums over the folded lines: equal if the file has all
// boxes; if it lacks some, at least and at most so much.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { draw, browser, matched, open, status, test } from './page.mjs';

const { TMPDIR } = process.env;
const QUERIES = 60;
let seed = 11;
const random = (below) => {
	seed = (seed * 1103515245 + 12345) % 2147483648;
	return Math.floor(seed / 2147483648 * below);
};
const NAMES = Array.from({ length: 40 }, (_, i) => `${'abcde'[i % 5]}${'xyz'[i % 3]}${i}`);

// Distinct stacks, as [names, weight, second]; upper frames come from few names, as in life.
function profile(lines)
{
	const stacks = new Map();

	while (stacks.size < lines) {
		const names = Array.from({ length: 1 + random(9) },
			(_, i) => NAMES[random(i < 3 ? 4 : NAMES.length)]);

		stacks.set(names.join(';'), [names, 1 + random(30) ** 2, random(6)]);
	}
	return [...stacks.values()];
}

const sum = (stacks, has) => stacks.reduce((n, [names, w]) => n + (has(names) ? w : 0), 0);
const folded = (stacks) => stacks.map(([names, w]) => `${names.join(';')} ${w}\n`).join('');
const timed = (stacks) => '# pfold by-second event=x samples=1 slots=1 unit=samples\n' +
	stacks.map(([names, w, s]) => `${s}.0;${names.join(';')} ${w}\n`).sort().join('');

// "1,234 to 2,000 samples" or "6.97% to 12.42% matched" as [least, most].
function bounds(text, unit)
{
	const m = new RegExp(`(?:([\\d,.]+)%? to )?([\\d,.]+) ?${unit}`).exec(text);
	const number = (s) => Number(s.replace(/,/g, ''));

	assert.ok(m, text);
	return [number(m[1] ?? m[2]), number(m[2]), m[1] !== undefined];
}

// cut: the file lacks boxes; loose: this number cannot be exact then.
function check([least, most, ranged], truth, cut, what, slack = 0)
{
	const text = `${what}: ${least} to ${most}, true ${truth}`;

	assert.ok(least <= truth + slack && truth <= most + slack, text);
	if (!cut)
		assert.ok(!ranged, text);
	else
		assert.ok(ranged || Math.abs(least - truth) <= slack, text);
}

const show = (page, state) => page.evaluate(async (link) => {
	location.hash = link;
	await new Promise((done) => setTimeout(done, 0));
	await new Promise((done) => requestAnimationFrame(done));
}, new URLSearchParams(state).toString());
const subtitle = (page) => page.evaluate(() => document.querySelector('.subtitle').textContent);

// What the picture says of the widest match, and its stack; null: there is no match.
async function widestMatch(page)
{
	await page.evaluate(() => document.querySelector('.graph').focus());
	await page.keyboard.press('n');
	const text = await page.evaluate(() => document.querySelector('.details .rest').textContent);

	if (/^(at least )?0 frames/.test(await matched(page)))
		return null;
	await page.keyboard.press('Enter');
	return { text, stack: await page.locator('.crumb').allTextContents(),
		cut: (await page.textContent('.crumbs')).includes('\u2026') };
}

async function compare(page, stacks, cut, hasTime)
{
	const all = sum(stacks, () => true);
	let reversed = 0;

	for (let q = 0; q < QUERIES; q++) {
		const name = NAMES[random(NAMES.length)], other = NAMES[random(NAMES.length)];
		const kind = ['search', 'focus', 'both', 'reverse', 'hide', 'range'][q % (hasTime ? 6 : 5)];

		if (kind === 'search') {
			await show(page, { search: `^(${name}|${other})$` });
			check(bounds(await matched(page), '% matched'),
				100 * sum(stacks, (s) => s.includes(name) || s.includes(other)) / all,
				cut, `search ${name} ${other}`, 0.00501);
		} else if (kind === 'focus') {
			await show(page, { focus: name });
			check(bounds(await subtitle(page), 'samples?'),
				sum(stacks, (s) => s.includes(name)), cut, `focus ${name}`);
		} else if (kind === 'both') {
			await show(page, { focus: name, with: `/^${other}$/` });
			check(bounds(await subtitle(page), 'samples?'),
				sum(stacks, (s) => s.includes(name) && s.includes(other)), cut,
				`focus ${name} with ${other}`);
		} else if (kind === 'reverse') {
			/* Upper frames are in the file, however few boxes it has. */
			await show(page, { reverse: 1, search: `^${NAMES[random(4)]}$` });
			const found = await widestMatch(page);
			const ends = (s) => found.stack.slice(1).every((n, i) => s.at(-1 - i) === n);

			if (found && !found.cut)
				check(bounds(found.text, 'samples?'), sum(stacks, ends), cut,
					`reverse ${found.stack}`);
			reversed += found ? 1 : 0;
		} else if (kind === 'hide') {
			await show(page, { hide: other, search: `^${name}$` });
			if (name !== other)
				check(bounds(await matched(page), '% matched'),
					100 * sum(stacks, (s) => s.includes(name)) / all, cut,
					`hide ${other}, search ${name}`, 0.00501);
		} else {
			const from = random(5), to = from + random(6 - from);
			const inside = stacks.filter(([, , s]) => s >= from && s <= to);

			await show(page, { range: `${from}-${to}`, focus: name });
			check(bounds(await subtitle(page), 'samples?'),
				sum(inside, (s) => s.includes(name)), cut, `range ${from}-${to} of ${name}`);
		}
	}
	assert.ok(reversed > 0);
}

for (const [what, lines, boxes] of [['all boxes', 300, 0], ['some boxes', 300, 250],
	['few boxes', 600, 60]])
	await test(`numbers_are_those_of_the_folded_lines_with_${what.replace(' ', '_')}`, async () => {
		const stacks = profile(lines), options = ['--boxes', String(boxes)];

		await compare(await open(draw(folded(stacks), ...options)), stacks, boxes > 0, false);
		await compare(await open(draw(timed(stacks), ...options)), stacks, boxes > 0, true);
	});

// "name|>= 12 units >= 3.10%|..." of the table, as [name, share of self, share of total].
const shares = (page) => page.evaluate(() => [...document.querySelectorAll('tbody tr')].map((tr) =>
	[tr.querySelector('.function').title, ...[...tr.querySelectorAll('.share, td.other')].map((e) => e.textContent)]));

const isKernel = (name) => /[13579]$/.test(name);

await test('shares_of_the_table_and_the_legend_are_no_more_than_the_true_ones', async () => {
	const files = [profile(300), profile(200)], paths = files.map((stacks, i) => {
		const path = `${TMPDIR}/tab${i}`;

		writeFileSync(path, folded(stacks.map(([names, w]) => [names.map((n) => n + (isKernel(n) ? '_[k]' : '')), w])));
		return `${'ab'[i]}=${path}`;
	});
	const page = await open(draw('', '--boxes', '400', ...paths));
	let atLeast = 0;

	for (let q = 0; q < 12; q++) {
		const focus = NAMES[random(NAMES.length)];
		const [a, b] = files.map((stacks) => stacks.filter(([names]) => names.includes(focus)));
		const all = [a, b].map((stacks) => sum(stacks, () => true));
		const least = (text, truth, what) => {
			const [, sign, v] = /^(\u2265\u2009)?([\d.]+)\u2009?%$/.exec(text);

			atLeast += sign ? 1 : 0;
			assert.ok(sign && v <= truth + 1e-9, `${what}: ${text}, true ${truth}`);
		};

		await show(page, { focus, table: 1 });
		for (const [name, self, total, other] of await shares(page)) {
			least(self, 100 * sum(a, (s) => s.at(-1) === name) / all[0], `self of ${name}`);
			least(total, 100 * sum(a, (s) => s.includes(name)) / all[0], `total of ${name}`);
			least(other, all[1] ? 100 * sum(b, (s) => s.includes(name)) / all[1] : 0, `${name} in b`);
		}
		for (const entry of await page.locator('.legend .entry').allTextContents())
			least(entry.slice(entry.indexOf(' ') + 1), 100 * sum(a, (s) => isKernel(s.at(-1)) ===
				entry.startsWith('kernel')) / (all[0] || 1), entry);
	}
	assert.ok(atLeast > 100, atLeast);
	/* The table of tab a also has weights of tab b. */
	for (let q = 0; q < 12; q++) {
		await show(page, { reverse: 1, table: 1, search: `^${NAMES[random(4)]}$` });
		const found = await widestMatch(page);
		const ends = (s) => found.stack.slice(1).every((n, i) => s.at(-1 - i) === n);

		if (found && !found.cut)
			check(bounds(found.text, 'samples?'), sum(files[0], ends), true, `reverse ${found.stack}`);
	}
});

// "1 to 3 samples before, 2 samples after, \u22121 to +1 sample" as bounds of [before, after, change].
const sides = (text) => ['before', 'after', ''].map((side) => {
	const number = '([+\u2212\\d.,]+)';
	const m = new RegExp(`(?:^|, )(?:${number} to )?${number}(?:%| samples?| points)${side ? ' ' + side : '(?:,|$)'}`)
		.exec(text);

	assert.ok(m, `${side} of ${text}`);
	return [m[1] ?? m[2], m[2]].map((v) => Number(v.replace('\u2212', '-').replace(/,/g, '')));
});

await test('changes_of_a_cut_difference_are_within_their_bounds', async () => {
	const files = [profile(300), profile(300)], after = `${TMPDIR}/after`;
	let ranged = 0;

	writeFileSync(after, folded(files[1]));
	for (const unit of ['absolute', 'share']) {
		const page = await open(draw(folded(files[0]), '--boxes', '600', '--unit', unit, '--diff', '-', after));

		for (let q = 0; q < 16; q++) {
			const name = NAMES[random(4)], other = NAMES[random(NAMES.length)];
			const state = [{ focus: other }, { hide: other }, { reverse: 1 }][q % 3];

			await show(page, { ...state, search: `^${name}$` });
			const found = await widestMatch(page), hides = (n) => n === state.hide;

			if (!found || found.cut || hides(name))
				continue;
			const begins = (names) => found.stack.slice(1).every((n, i) => names[i] === n);
			const [x, y] = files.map((stacks) => {
				const kept = stacks.filter(([names]) => !state.focus || names.includes(other));
				const v = sum(kept, (names) => begins(state.reverse ? [...names].reverse()
					: names.filter((n) => !hides(n))));

				return unit === 'share' ? 100 * v / sum(kept, () => true) : v;
			});

			[x, y, y - x].forEach((v, k) => {
				const [least, most] = sides(found.text)[k];

				ranged += least < most ? 1 : 0;
				assert.ok(least - 0.00501 <= v && v <= most + 0.00501, `${JSON.stringify(state)}: ${found.text}, true ${v}`);
			});
		}
		await show(page, { focus: NAMES[0], table: 1 });
		assert.match(await subtitle(page), /^[\d,]+ to [\d,]+ samples -> [\d,]+ to [\d,]+ samples, /);
		const kept = files[0].filter(([names]) => names.includes(NAMES[0]));
		const k = unit === 'share' ? 100 / sum(kept, () => true) : 1;

		for (const [name, before, , change] of await page.evaluate(() => [...document.querySelectorAll('tbody tr')]
			.map((tr) => [tr.querySelector('.function').title, ...[...tr.children].slice(1).map((e) => e.textContent)]))) {
			assert.match(before, /^\u2265\u2009/);
			assert.ok(Number(before.replace(/[^\d.]/g, '')) <= k * sum(kept, (names) => names.includes(name)), name);
			assert.match(change, /^\u2248\u2009/);
		}
	}
	assert.ok(ranged > 20, ranged);
});

await test('a_file_that_lacks_boxes_states_how_many', async () => {
	const page = await open(draw('a;b 5\na;c 3\na;d 1\n', '--boxes', '2'));

	assert.equal(await subtitle(page), '9 samples, without the 2 narrowest boxes');
});

await browser.close();
process.exit(status());
