/*
 * groups - reads the modules, files and lines of names, and groups names by them.  The module does
 * not use elements of the page.
 */
const GROUPINGS = ['', 'module', 'namespace', 'file'];

/*
 * Returns a Map from names to [{ module, file, line, linked }].  Each line of text is a letter and
 * a module or file: m for a module, f for a file, l for a file with a link.
 */
function readPlaces(text, numbers)
{
	const from = new Numbers(numbers), lines = text.split('\n'), places = new Map();
	const line = (k) => k ? lines[k - 1] : '';

	for (let name = 0; from.more();) {
		name += from.next();
		const module = line(from.next()), file = line(from.next());

		(places.get(name) || places.set(name, []).get(name)).push({ module: module.slice(1), file: file.slice(1),
			line: from.next(), linked: file[0] === 'l' });
	}
	return places;
}

/* "/srv/app.c:17" */
const lineOf = ({ file, line }) => file + (line ? ':' + line : '');

const placeText = (place) => [place.module, lineOf(place)].filter((s) => s).join('  ');

function urlOf(url, { file, line })
{
	const path = encodeURI(file.replace(/^\/+/, '')).replace(/[?#]/g, encodeURIComponent);

	return url.replace('{file}', () => path).replace('{line}', line || 1);
}

/* Returns a module without directories and without ".dll". */
const moduleName = (module) => module.replace(/.*\//, '').replace(/\.dll$/, '');

/* Returns the part of s before the first `text` outside brackets, or s. */
function outside(s, text)
{
	for (let i = 0, depth = 0; i < s.length; i++) {
		if (!depth && s.startsWith(text, i))
			return s.slice(0, i);
		depth += '<([{'.includes(s[i]) ? 1 : depth && '>)]}'.includes(s[i]) ? -1 : 0;
	}
	return s;
}

const beforeDot = (s) => s.slice(0, max(0, s.lastIndexOf('.')));

/* Returns the namespace, package or crate of a name, or '', as lib/label/namespace.c does. */
function namespaceOf(name, managed)
{
	const s = name.replace(/^[<&*]+/, '');
	const owner = outside(s, '::');

	if (/^(\[|stub )/.test(s))
		return '';
	if (owner !== s)
		return (managed ? beforeDot : String)(outside(owner, '<'));
	if (/ (?!\()/.test(s))
		return '';
	const path = s.split(' ')[0], m = /^((?:.*\/)?[^/.]+)\.(.+)/.exec(path);

	if (managed)
		return beforeDot(beforeDot(path));

	return m && !CLONE.test(m[2]) ? m[1] : '';
}

/* Groups names.  The result has the same interface as class Names, so that the table can show both. */
function groupsOf({ names, facts, places }, by)
{
	const known = new Map(), texts = [], group = new Int32Array(names.n);

	names.map((name, sort, i) => {
		const text = groupOf(by, name, facts.sorts[sort], places.get(i) || []);

		if (!known.has(text))
			known.set(text, texts.push(text) - 1);
		group[i] = known.get(text);
	});
	return { by, group, n: texts.length, of: (i) => texts[i], sort: () => 0,
		map: (act) => Uint8Array.from(texts, act) };
}

function groupOf(by, name, sort, places)
{
	const list = (get) => [...new Set(places.map(get))].filter((s) => s).join(', ');
	const managed = /managed|framework|generated/.test(sort);
	const module = list((p) => moduleName(p.module)) || /^\[([^\]]+)\]$/.exec(name)?.[1];

	return (by === 'file' ? list((p) => p.file) : by === 'namespace' && module !== '[stubs]' &&
		namespaceOf(name, managed) || module) || '(unknown)';
}
