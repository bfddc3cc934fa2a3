/* search - which names match, and what they cover. */

/* What is no regular expression is searched for as it stands: bad is true then. */
function patternOf(text, cased)
{
	const flags = cased ? 'u' : 'iu';

	for (const f of [flags, flags.replace('u', '')])
		try {
			return { re: new RegExp(text, f), bad: false };
		} catch (e) {
			/* the u flag is stricter: tried without it next */
		}
	return { re: new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
		flags.replace('u', '')), bad: true };
}

/* 1 by name that matches. */
function hitsOf(names, pattern)
{
	return names.map((text) => pattern.re.test(text));
}

/* How many nodes in the view of node zoom match, and what share of it they cover. */
function coverage(t, hit, zoom)
{
	const end = t.end[zoom];
	let covered = 0, behind = 0, count = 0;

	for (let i = zoom; i > 0; i = t.parent[i])
		if (hit[t.name[i]]) {
			covered = t.width[zoom];
			behind = end;
			count += i !== zoom;
		}
	for (let i = zoom; i < end; i++) {
		if (t.name[i] < 0 || !hit[t.name[i]])
			continue;
		count++;
		if (i >= behind) {
			covered += t.width[i];
			behind = t.end[i];
		}
	}
	return { count, share: t.width[zoom] ? covered / t.width[zoom] : 0 };
}

/* The matches in view, the widest first. */
function matchesOf(t, hit, zoom)
{
	const found = [];

	for (let i = t.parent[zoom]; i > 0; i = t.parent[i])
		if (hit[t.name[i]])
			found.push(i);
	for (let i = zoom; i < t.end[zoom]; i++)
		if (t.name[i] >= 0 && hit[t.name[i]])
			found.push(i);
	return found.sort((a, b) => t.width[b] - t.width[a] || a - b);
}
