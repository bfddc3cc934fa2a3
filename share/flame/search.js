/* search - finds matching names, and the width that they cover. */

/*
 * Returns { re, bad }.  If text is not a regular expression, re matches it literally, and
 * bad is the reason.
 */
function patternOf(text, cased)
{
	const flags = cased ? 'u' : 'iu';
	let bad = '';

	for (const f of [flags, flags.replace('u', '')])
		try {
			return { re: new RegExp(text, f), bad: '' };
		} catch (e) {
			/*
			 * The message is "Invalid regular expression: /(/: Unterminated group".
			 * Keeps only "Unterminated group".
			 */
			bad = e.message.split(': ').at(-1);
		}
	return { re: new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
		flags.replace('u', '')), bad };
}

/* Returns an array indexed by name: 1 if the name matches. */
function hitsOf(names, pattern)
{
	return names.map((text) => pattern.re.test(text));
}

/* Returns for each node the number of matching names on its stack, including its own name. */
function matchedBelow({ n, name, parent }, hit)
{
	const sums = new Uint32Array(n);

	for (let i = 1; i < n; i++)
		sums[i] = sums[parent[i]] + (name[i] >= 0 && hit[name[i]] ? 1 : 0);
	return sums;
}

/*
 * Returns the number of matching nodes in the view of node zoom, the width that they cover,
 * and the width of missing boxes outside of matches.  Nodes in folded chains are counted.
 */
function coverage(t, hit, zoom)
{
	const { name, width, level, chain } = t, end = endOf(t, zoom);
	const folded = chain && matchedBelow(t.source, hit);
	let covered = 0, inside = Infinity, count = 0, open = 0;

	for (let i = zoom; i > 0; i = t.parent[i])
		if (hit[name[i]]) {
			covered = width[zoom];
			inside = -1;
			count += i !== zoom;
		}
	for (let i = zoom; i < end; i++) {
		const more = chain && chain[i] ? folded[chain[i]] : 0;
		const found = name[i] >= 0 && hit[name[i]] ? 1 + more : more;

		/* Node i is not below the last match, so that match does not cover it. */
		if (level[i] <= inside)
			inside = Infinity;
		count += found;
		if (inside < Infinity)
			continue;
		if (found) {
			covered += width[i];
			inside = level[i];
		} else if (name[i] === OMITTED) {
			open += width[i];
		}
	}
	return { count, covered, open, share: width[zoom] ? covered / width[zoom] : 0 };
}

/* Returns the matches in view, the widest first. */
function matchesOf(t, hit, zoom)
{
	const found = [];

	for (let i = t.parent[zoom]; i > 0; i = t.parent[i])
		if (hit[t.name[i]])
			found.push(i);
	for (let i = zoom, end = endOf(t, zoom); i < end; i++)
		if (t.name[i] >= 0 && hit[t.name[i]])
			found.push(i);
	return found.sort((a, b) => t.width[b] - t.width[a] || a - b);
}
