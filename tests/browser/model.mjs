#!/usr/bin/env node
// What the picture's script knows of trees, without a page: node alone runs it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { BIN, TOP, TMPDIR } = process.env;
const FILES = ['page', 'label', 'number', 'tables', 'tree', 'search', 'color', 'time', 'groups', 'state', 'change'];
const WANTED = ['labelOf', 'amountsOf', 'percent', 'points', 'readFile', 'Views', 'defaultState',
	'linkOf', 'stateOf', 'placeOf', 'nodeOf', 'pathOf', 'patternOf', 'hitsOf', 'coverage', 'matchesOf',
	'changeOf', 'factorsOf', 'stripOf', 'spansBySlot', 'contrast', 'mixed', 'inkOn', 'Paints', 'changeColor', 'THEMES', 'deepest',
	'namespaceOf', 'urlOf'];
const model = new Function(FILES.map((f) => readFileSync(`${TOP}/share/flame/${f}.js`, 'utf8'))
	.join('\n') + `;return { ${WANTED} };`)();
let failed = 0;

function test(name, run)
{
	try {
		run();
		console.log('ok ' + name);
	} catch (e) {
		failed = 1;
		console.log('not ok ' + name + '\n' + e.stack);
	}
}

const unescape = (s) => s.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&quot;/g, '"')
	.replace(/&#39;/g, '\'').replace(/&amp;/g, '&');

function svgOf(folded, ...options)
{
	return execFileSync(BIN + '/pflame', ['-q', ...options], { input: folded,
		maxBuffer: 1 << 28, cwd: TMPDIR }).toString();
}

function fileOf(svg)
{
	return model.readFile((c) => {
		const text = new RegExp(`<metadata class="${c}">([^]*?)</metadata>`).exec(svg)?.[1] || '';

		return text.startsWith('<![CDATA[') ? text.slice(9, -3) : unescape(text);
	});
}

// A file of folded lines, and its trees by state.
function opened(folded, ...options)
{
	const file = fileOf(svgOf(folded, '--minwidth', '0', ...options));
	const views = new model.Views(file), usual = model.defaultState(file.facts);

	return { file, views, tree: (state) => views.tree({ ...usual, ...state }),
		sums: (state) => views.sums({ ...usual, ...state }),
		bySort: (state) => views.bySort({ ...usual, ...state }).share,
		sandwich: (state) => views.sandwich({ ...usual, ...state }) };
}

// "a;b:total" words of a tree, in its order; key: which total.
function shown({ file }, t, key = 'ta')
{
	const name = (i) => t.name[i] >= 0 ? file.names.of(t.name[i])
		: t.name[i] === -1 ? '(omitted)' : '(own)';

	return Array.from({ length: t.n - 1 }, (_, k) => model.pathOf(t, k + 1).map(name).join(';') +
		':' + t[key][k + 1] * file.scale).join(' ');
}

// A fixed sequence, so that a failure can be repeated.
let seed = 7;
const draw = (below) => {
	seed = (seed * 1103515245 + 12345) % 2147483648;
	return Math.floor(seed / 2147483648 * below);
};
const randomStacks = (lines) => Array.from({ length: 1 + draw(lines) }, () =>
	[Array.from({ length: 1 + draw(6) }, () => 'abcde<&"\u00fc'[draw(9)]).join(';'), 1 + draw(50)]);
const text = (stacks) => stacks.map(([s, n]) => `${s} ${n}\n`).join('');

// What goes through each path, counted here.
function counted(stacks)
{
	const total = new Map(), sum = (k, n) => total.set(k, (total.get(k) || 0) + n);

	for (const [stack, n] of stacks) {
		const names = stack.split(';');

		sum('', n);
		names.forEach((_, i) => sum(names.slice(0, i + 1).join(';'), n));
	}
	return total;
}

test('labels_are_those_of_the_fixture', () => {
	const lines = readFileSync(TOP + '/fixtures/labels.tsv', 'utf8').split('\n')
		.filter((l) => l && !l.startsWith('#')).map((l) => l.split('\t'));
	const measure = (s) => Array.from(s).length;

	assert.ok(lines.length >= 80);
	for (const [room, name, label] of lines)
		assert.equal(model.labelOf(name, Number(room), measure, { roomy: 24 }), label, name);
});

test('amounts_are_in_units', () => {
	const of = (facts) => model.amountsOf({ countname: '', unit: '', factor: 1, ...facts });

	assert.equal(of({ unit: 'ns' })(13020039976), '13.0 s');
	assert.equal(of({ unit: 'ns' })(1.5e6), '1.50 ms');
	assert.equal(of({ unit: 'bytes' })(2048), '2.05 kB');
	assert.equal(of({})(1), '1 sample');
	assert.equal(of({})(6497), '6,497 samples');
	assert.equal(of({ countname: 'ms', factor: 0.001 })(1500), '1.5 ms');
	assert.equal(model.points(0.0123), '+1.23');
	assert.equal(model.percent(1, 0), '0.00%');
});

test('trees_are_what_was_folded', () => {
	for (let round = 0; round < 50; round++) {
		const stacks = randomStacks(30), o = opened(text(stacks)), want = counted(stacks);
		const got = new Map(shown(o, o.tree()).split(' ').map((w) => {
			const at = w.lastIndexOf(':');

			return [w.slice(0, at), Number(w.slice(at + 1))];
		}));

		want.delete('');
		assert.deepEqual(new Map([...got].sort()), new Map([...want].sort()));
	}
});

test('a_view_is_the_subtree_of_its_box', () => {
	for (let round = 0; round < 50; round++) {
		const o = opened(text(randomStacks(30))), any = new Uint8Array(o.file.names.n).fill(1);

		for (const state of [{}, { order: 'weight' }, { reverse: 1 }]) {
			const t = o.tree(state), all = Array.from({ length: t.n - 1 }, (_, k) => k + 1);

			for (let i = 1; i < t.n; i++) {
				const inside = all.filter((k) => model.pathOf(t, k).includes(i));

				assert.equal(model.deepest(t, i), Math.max(...inside.map((k) => t.level[k])));
				assert.deepEqual(model.matchesOf(t, any, i).sort((a, b) => a - b),
					[...model.pathOf(t, t.parent[i]), ...inside]);
			}
		}
	}
});

test('differences_are_those_of_both_inputs', () => {
	for (let round = 0; round < 200; round++) {
		const before = randomStacks(20), after = randomStacks(20);
		const a = counted(before), b = counted(after);
		const both = new Set([...a.keys(), ...b.keys()]);
		const file = `${TMPDIR}/after.folded`;

		execFileSync('tee', [file], { input: text(after), stdio: ['pipe', 'ignore', 'inherit'] });
		const o = opened(text(before), '--diff', '-', file), t = o.tree();

		assert.equal(t.n, both.size);
		for (let i = 0; i < t.n; i++) {
			const path = model.pathOf(t, i).map((c) => o.file.names.of(t.name[c])).join(';');
			const { facts } = o.file;
			const whole = model.changeOf(t, i, facts, 'absolute');
			const share = model.changeOf(t, i, facts, 'share');

			assert.equal(whole.before * o.file.scale, a.get(path) || 0, path);
			assert.equal(whole.after * o.file.scale, b.get(path) || 0, path);
			assert.ok(Math.abs(share.by - ((b.get(path) || 0) / b.get('') -
				(a.get(path) || 0) / a.get(''))) < 1e-12, path);
		}
	}
});

test('two_counts_in_every_line_are_a_difference', () => {
	const o = opened('main;foo 3 7\nmain;bar 1 0\nmain;new 0 2\n');

	assert.equal(o.file.facts.diff, 1);
	assert.equal(shown(o, o.tree()), 'main:4 main;bar:1 main;foo:3 main;new:0');
	assert.equal(shown(o, o.tree(), 'tb'), 'main:9 main;bar:0 main;foo:7 main;new:2');
	const plain = opened('main;V8 Worker 3 7\nmain;x 2\n');

	assert.equal(plain.file.facts.diff, 0);
	assert.equal(shown(plain, plain.tree()), 'main:9 main;V8 Worker 3:7 main;x:2');
});

test('an_empty_side_is_no_division', () => {
	const o = opened('a;b 5 0\na;c 2 0\n'), t = o.tree();

	for (let i = 0; i < t.n; i++) {
		const c = model.changeOf(t, i, o.file.facts, 'share');

		assert.ok(Number.isFinite(c.before) && c.after === 0 && Number.isFinite(t.width[i]));
	}
});

test('a_difference_is_divided_by_the_median_ratio', () => {
	const file = `${TMPDIR}/after.folded`, opts = ['--diff', '-', file];
	const lines = (weights) => weights.map((w, i) => `main;f${i} ${w}\n`).join('');
	const before = Array.from({ length: 11 }, () => 100);
	const facts = (after) => {
		execFileSync('tee', [file], { input: lines(after), stdio: ['pipe', 'ignore', 'inherit'] });
		return opened(lines(before), ...opts).file.facts;
	};
	/* Twice as long; one function grows tenfold. */
	const f = facts([2000, ...before.slice(1).map((w) => 2 * w)]);

	assert.deepEqual([f.compare, f.ratio, f.common], ['normalized', 2, 11]);
	assert.deepEqual(model.factorsOf(f, 'normalized', 1, 1), [1, 0.5]);
	assert.equal(model.factorsOf(f, 'per-second', 1, 1), null);
	assert.deepEqual(model.factorsOf(f, 'share', 4, 0), [0.25, 0]);
	/* An even number of functions, and one below 0.1 %, which does not count. */
	const g = facts([100, 100, 100, 100, 100, 300, 300, 300, 300, 300, 1]);

	assert.deepEqual([g.compare, g.ratio, g.common], ['normalized', 2, 10]);
	const h = facts([100, 100, 100, 100, 100, 300, 300, 300, 300]);

	assert.deepEqual([h.compare, h.ratio, h.common], ['share', 0, 9]);
});

// Self and total by name, recursion once, counted here.
function functions(stacks)
{
	const self = {}, total = {};

	for (const [stack, n] of stacks) {
		const names = stack.split(';');

		self[names.at(-1)] = (self[names.at(-1)] || 0) + n;
		for (const name of new Set(names))
			total[name] = (total[name] || 0) + n;
	}
	return { self, total };
}

function checkFunctions(o, sums, want)
{
	for (let i = 0; i < o.file.names.n; i++) {
		const name = o.file.names.of(i);

		assert.equal(sums.selfA[i] * o.file.scale, want.self[name] || 0, 'self of ' + name);
		assert.equal(sums.totalA[i] * o.file.scale, want.total[name] || 0, 'total of ' + name);
	}
}

test('functions_count_recursion_once', () => {
	for (let round = 0; round < 50; round++) {
		const stacks = randomStacks(30), o = opened(text(stacks));

		checkFunctions(o, o.sums(), functions(stacks));
		const reversed = opened(text(stacks), '--reverse');

		checkFunctions(reversed, reversed.sums(), functions(stacks));
	}
});

test('functions_of_folded_stacks_are_counted', () => {
	for (let round = 0; round < 30; round++) {
		const stacks = randomStacks(60), left = stacks.map(([s, n]) =>
			[s.split(';').filter((f) => f !== 'b').join(';'), n]);
		const want = functions(left.filter(([s]) => s));

		for (const options of [[], ['--reverse']]) {
			const o = opened(text(stacks), ...options);

			checkFunctions(o, o.sums({ hide: ['b'] }), want);
		}
	}
});

// What the file says of its sorts, and what its boxes add up to.
test('sorts_have_their_share_of_self_weight', () => {
	for (let round = 0; round < 30; round++) {
		const stacks = randomStacks(60).map(([s, n]) => [s.replaceAll('b', 'b_[k]')
			.replaceAll('c', '[libcoreclr.so]'), n]);

		for (const options of [[], ['--reverse'], ['--minwidth', '20%']]) {
			const o = opened(text(stacks), ...options), sums = o.sums(), { facts, names } = o.file;
			const share = facts.sorts.map(() => 0);

			for (let i = 0; i < names.n; i++)
				share[names.sort(i)] += sums.selfA[i] / sums.allA;
			share.forEach((v, s) => assert.ok(Math.abs(v - o.bySort()[s]) < 1e-8, facts.sorts[s]));
			assert.ok(share.filter((v) => v).length > 0);
			if (!facts.least)
				assert.deepEqual(o.bySort({ hide: ['nothing'] }).map((v) => v.toFixed(7)),
					share.map((v) => v.toFixed(7)));
		}
	}
});

test('functions_count_boxes_that_were_left_out', () => {
	for (let round = 0; round < 30; round++) {
		const stacks = randomStacks(60), o = opened(text(stacks), '--minwidth', '10%');

		checkFunctions(o, o.sums(), Object.fromEntries(Object.entries(functions(stacks))));
	}
});

test('reversed_twice_is_what_it_was', () => {
	const stacks = randomStacks(30), o = opened(text(stacks));
	const reversed = o.tree({ reverse: 1 }), want = functions(stacks).self;

	for (let i = 1; i < reversed.n; i++)
		if (reversed.level[i] === 1)
			assert.equal(reversed.ta[i] * o.file.scale, want[o.file.names.of(reversed.name[i])]);
	const same = opened(text(stacks), '--reverse');

	assert.equal(shown(same, same.tree()), shown(o, o.tree({ reverse: 1 })));
	assert.equal(shown(same, same.tree({ reverse: 0 })), shown(o, o.tree()));
});

test('hidden_frames_give_their_weight_to_the_caller', () => {
	const o = opened('a;b;c 1\na;b 2\na;c 4\na_[k];d 8\n');

	assert.equal(shown(o, o.tree({ hide: ['b'] })), 'a:7 a;c:5 a:8 a;d:8');
	assert.equal(shown(o, o.tree({ only: 'kernel' })), 'a:8');
	assert.equal(shown(o, o.tree({ drop: ['kernel'] })), 'a:7 a;b:3 a;b;c:1 a;c:4 d:8');
	assert.equal(shown(o, o.tree({ focus: 'c' })), 'a:5 a;b:1 a;b;c:1 a;c:4');
});

test('recursion_collapses', () => {
	const o = opened('a;a;b;b;a 1\na;b;a;b;c 2\n');

	assert.equal(shown(o, o.tree({ collapse: 'recursion' })),
		'a:3 a;b:3 a;b;a:3 a;b;a;b:2 a;b;a;b;c:2');
	assert.equal(shown(o, o.tree({ collapse: 'cycles' })), 'a:3 a;b:2 a;b;c:2');
});

test('order_is_by_name_or_weight', () => {
	const o = opened('a;x 1\na;y 5\nb 9\n');

	assert.equal(shown(o, o.tree({ order: 'weight' })), 'b:9 a:6 a;y:5 a;x:1');
	assert.equal(shown(o, o.tree({ order: 'name' })), 'a:6 a;x:1 a;y:5 b:9');
});

test('a_sandwich_has_callers_and_callees', () => {
	const o = opened('a;f;x 1\nb;f;y 2\nb;f;f;y 4\nc 8\n'), made = o.sandwich({ sandwich: 'f' });

	assert.equal(made.callers.ta[0], 7);
	assert.equal(shown(o, made.callers), 'a:1 b:6');
	assert.equal(made.callees.ta[0], 7);
	assert.equal(shown(o, made.callees), 'f:4 f;y:4 x:1 y:2');
	assert.equal(o.sandwich({ sandwich: 'nowhere' }).name, -1);
});

const BY_SECOND = '# pfold by-second event=e samples=4 slots=10 unit=ns\n0.1;a;b 1\n0.2;a;c 2\n' +
	'0.3;a;b 4\n2.9;a;b 8\n2.9;z 16\n';

test('a_range_of_time_is_a_tree', () => {
	const o = opened(BY_SECOND);

	assert.equal(shown(o, o.tree()), 'a:15 a;b:13 a;c:2 z:16');
	const range = o.tree({ range: '2-3' });

	assert.equal(range.ta[0] * o.file.scale, 6);
	assert.equal(o.tree({ range: '29-29' }).ta[0] * o.file.scale, 24);
	assert.equal(o.sums({ range: '2-3' }).allA * o.file.scale, 6);
	assert.equal(shown(o, o.tree({ order: 'time' })), 'a:15 a;b:1 a;b;(own):1 a;c:2 ' +
		'a;c;(own):2 a;b:12 a;b;(own):4 a;b;(own):8 z:16 z;(own):16');
	const strip = model.stripOf(o.file.slots, 10);

	assert.equal(strip.columns, 3);
	assert.deepEqual([1, 2, 3, 29].map((k) => strip.sums[k] * o.file.scale), [1, 2, 4, 24]);
	assert.equal(strip.sums.reduce((x, y) => x + y, 0) * o.file.scale, 31);
});

test('marks_lie_in_slots', () => {
	const [head, ...stacks] = BY_SECOND.trim().split('\n');
	const o = opened([head, '# pfold mark from=0.150000 to=0.310000 [Suspension GC]',
		'# pfold mark from=0.16 to=0.17 [GC gen0 AllocSmall]', '# pfold mark from=0.18 to=0.19 [GC gen1 "]]>]',
		'# pfold mark from=2.85 to=9.9 [GC gen2 Induced]', '# pfold mark from=7 to=8 [GC gone]',
		...stacks].join('\n') + '\n');
	const by = model.spansBySlot(o.file.facts.spans, 10, 30);

	assert.deepEqual(o.file.facts.spans.map((s) => s.text)[2], 'GC gen1 "]]>');
	assert.deepEqual(Object.entries(by), [['1', 'Suspension GC, GC gen0 AllocSmall'],
		['2', 'Suspension GC'], ['3', 'Suspension GC'], ['28', 'GC gen2 Induced'], ['29', 'GC gen2 Induced']]);
	assert.deepEqual(opened(BY_SECOND).file.facts.spans, []);
});

test('tabs_share_one_table_of_names', () => {
	execFileSync('tee', [TMPDIR + '/off'], { input: 'a;wait 5\n', stdio: ['pipe', 'ignore', 'inherit'] });
	const o = opened('a;b 1\n', 'on=-', 'off=' + TMPDIR + '/off');

	assert.deepEqual(o.file.facts.series.map((s) => s.name), ['on', 'off']);
	assert.equal(o.tree({ tab: 0 }).ta[0] * o.file.scale, 1);
	assert.equal(o.tree({ tab: 1 }).ta[0] * o.file.scale, 5);
});

test('links_hold_the_state', () => {
	const { file } = opened('a;b 1\n'), usual = model.defaultState(file.facts);
	const state = { ...usual, reverse: 1, hide: ['x;y', '&=<'], search: 'a+b', zoom: '3,0.5',
		order: 'weight', table: 1 };

	assert.deepEqual(model.stateOf(model.linkOf(state, file.facts), file.facts), state);
	assert.equal(model.linkOf(usual, file.facts), '');
	const broken = model.stateOf('tab=9&order=bad&zoom=x,y&range=9-&threshold=NaN&x=1&hide=', file.facts);

	assert.equal(broken.tab, 0);
	assert.equal(broken.order, 'name');
	assert.equal(broken.threshold, usual.threshold);
	assert.equal(model.nodeOf(opened('a 1\n').tree(), 'x,y'), 0);
});

test('places_are_found_again', () => {
	const stacks = randomStacks(40), t = opened(text(stacks)).tree();

	for (let i = 1; i < t.n; i++)
		assert.equal(model.nodeOf(t, model.placeOf(t, i)), i);
});

test('a_search_covers_each_sample_once', () => {
	const o = opened('a;b;c 1\na;b 2\nd;b 4\ne 8\n'), t = o.tree();
	const hit = model.hitsOf(o.file.names, model.patternOf('b|c', false));
	const { count, share } = model.coverage(t, hit, 0);

	assert.equal(count, 3);
	assert.ok(Math.abs(share - 7 / 15) < 1e-12);
	assert.equal(t.width[model.matchesOf(t, hit, 0)[0]], 4);
	assert.equal(model.patternOf('[', false).bad, 'Unterminated character class');
});

// All colors of all palettes, on both grounds, in each state.
test('labels_can_be_read_on_every_box', () => {
	const names = ['kind', 'dotnet', 'hot', 'mem', 'io', 'red', 'green', 'blue', 'yellow', 'purple',
		'aqua', 'orange', 'java', 'js', 'perl', 'rust', 'python', 'wakeup', 'chain'];
	let checked = 0;

	for (const name of names) {
		const { facts } = fileOf(svgOf('a 1\n', '--colors', name)), paints = new model.Paints(facts);

		for (const theme of ['light', 'dark']) {
			paints.use(name, theme, model.THEMES[theme].ground);
			for (const color of facts.palettes[0].colors.match(/.{6}/g))
				for (const state of ['', 'above', 'dim', 'hit']) {
					const { fill, ink } = paints.paint('#' + color, state);

					assert.ok(model.contrast(fill, ink) >= 4.5, `${name} ${theme} ${state} ${color}`);
					checked++;
				}
		}
	}
	for (const theme of ['light', 'dark'])
		for (let by = -1; by <= 1; by += 0.01) {
			const color = model.changeColor({ before: 0.5, after: 0.5 + by / 2, by },
				model.THEMES[theme], 0.001, 0);

			assert.ok(model.contrast(color, model.inkOn(color)) >= 4.5);
		}
	assert.ok(checked > 5000);
});

test('namespaces_are_those_of_tables', () => {
	const lines = readFileSync(TOP + '/fixtures/namespaces.tsv', 'utf8').split('\n').slice(0, -1);

	assert.ok(lines.length > 20);
	for (const [name, mark, want] of lines.map((l) => l.split('\t')))
		assert.equal(model.namespaceOf(name, mark === 'j'), want, name);
});

test('modules_and_lines_are_read', () => {
	const file = fileOf(svgOf('# pfold event=x samples=3 unit=samples\n' +
		'# pfold frame\tparse\t/srv/web\t/srv/src/p q.c\t17\tend\n' +
		'# pfold frame\tparse\t/srv/lib.so\t/usr/x.c\t3\tend\n' +
		'# pfold frame\tread\tSystem.Text.Json\t\t\tend\nmain;parse 2\nmain;parse;read 1\n',
	'--source-url', 'https://host/{file}#L{line}', '--source-path', '/srv/=app/'));
	const of = (text) => file.places.get(file.names.map((t) => t === text).indexOf(1));

	assert.deepEqual(of('parse'), [{ module: '/srv/lib.so', file: '/usr/x.c', line: 3, linked: false },
		{ module: '/srv/web', file: 'app/src/p q.c', line: 17, linked: true }]);
	assert.deepEqual(of('read'), [{ module: 'System.Text.Json', file: '', line: 0, linked: false }]);
	assert.equal(of('main'), undefined);
	assert.equal(model.urlOf(file.facts.sourceUrl, of('parse')[1]), 'https://host/app/src/p%20q.c#L17');

	/* The weight of nested functions of a group counts once. */
	const views = new model.Views(file), state = { ...model.defaultState(file.facts), by: 'module' };
	const sums = views.sums(state), rows = views.listed(state);

	assert.deepEqual(Array.from({ length: rows.n }, (_, i) => [rows.of(i), sums.selfA[i], sums.totalA[i]]).sort(),
		[['(unknown)', 0, 3], ['System.Text.Json', 1, 1], ['lib.so, web', 2, 3]]);
});

test('the_scripts_are_small', () => {
	const size = (svg) => svg.match(/<(script|style)>[^]*?<\/\1>/g).reduce((n, s) => n + s.length, 0);

	for (const folded of ['a 1\n', 'a;b 1 2\n', BY_SECOND])
		for (const options of [[], ['--html']])
			assert.ok(size(svgOf(folded, ...options)) <= 75000, folded);
});

process.exit(failed);
