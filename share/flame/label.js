/*
 * label - shortens a name if the box is too narrow, like lib/writer/caption.c.  A name consists of
 * parts: scopes, the function and its arguments.  Both files are tested with fixtures/labels.tsv.
 */
const LONGEST_NAME = 2000, DEEPEST_BRACKETS = 100, DOTS = '\u2026';
const CLONE = /^(\d|(cold|constprop|isra|llvm|lto_priv|part)(?![^\W_]))/;

/* Returns the index of the bracket that closes s[at], or s.length. */
function closing(s, at)
{
	const open = [];

	for (let i = at; i < s.length; i++) {
		const c = s[i], which = '<([{'.indexOf(c);

		if (which >= 0) {
			if (open.length === DEEPEST_BRACKETS)
				return s.length;
			open.push('>)]}'[which]);
			continue;
		}
		if (!'>)]}'.includes(c) || (c === '>' && '-='.includes(s[i - 1])))
			continue;
		while (c !== '>' && open.at(-1) === '>')
			open.pop();
		if (!open.length)
			return s.length;
		if (open.at(-1) !== c)
			continue;
		open.pop();
		if (!open.length)
			return i;
	}
	return s.length;
}

/* Returns true if the blank at s[i] follows a return type and does not precede a file name. */
function isTypeEnd(s, i)
{
	const word = s.slice(i + 1).split(/[ (]/, 1)[0];

	return /^[a-z]/i.test(word) && !word.includes('/') &&
		word.indexOf(':') === word.indexOf('::');
}

/* If "operator" and a symbol or blank begin at s[at], returns the index after both, else at. */
function operatorEnd(s, at)
{
	const m = /^operator(\(\)| |[<>=!+\-*/%^&|~,[\]]+)/.exec(s.slice(at, at + 40));

	return m ? at + m[0].length : at;
}

/* Returns true if s[at], which follows "::", begins type arguments of the preceding name (Rust). */
function isTurbofish(s, at)
{
	const end = closing(s, at);

	return s[at] === '<' && end < s.length && !s.startsWith('<lambda', at) &&
		(end + 1 === s.length || s.startsWith('::', end + 1));
}

/* Returns the index after the text in brackets that begins at s[i].  `at`: start of the part with s[i]. */
function behindBracket(s, at, i)
{
	const end = closing(s, i);

	if (s[i] !== '(' || i === at || s[i - 1] === '.')
		return end < s.length ? end + 1 : s[i] === '(' ? s.length : i + 1;
	return s.startsWith('::', end + 1) ? end + 1 : s.length;
}

/* For the ':' at s[i], returns [start of the next part or -1, next index to use]. */
function behindColon(s, i)
{
	let k = i;

	while (s[k] === ':')
		k++;
	if (k === i + 1)
		return [k < s.length && /[/0-9]/.test(s[k]) ? s.length : -1, k];
	if (k === s.length || !isTurbofish(s, k))
		return [k, k];
	return [-1, closing(s, k) + 1];
}

/* Returns the start of the part that follows the part at `at`, or s.length. */
function nextPart(s, at)
{
	for (let i = at; i + 1 < s.length;) {
		const c = s[i];
		const behind = c === 'o' ? operatorEnd(s, i) : i;

		if (behind > i && (i === at || !/[a-z]/i.test(s[i - 1]))) {
			i = behind;
		} else if ('<([{'.includes(c)) {
			i = behindBracket(s, at, i);
		} else if (c === ' ') {
			return isTypeEnd(s, i) ? i + 1 : s.length;
		} else if (c === ':') {
			const [part, on] = behindColon(s, i);

			if (part >= 0)
				return part;
			i = on;
		} else if (i && './!'.includes(c) && !'./:'.includes(s[i + 1]) &&
			!(c === '.' && CLONE.test(s.slice(i + 1, i + 12)))) {
			return i + 1;
		} else {
			i++;
		}
	}
	return s.length;
}

/* Returns the longest end of text that fits. */
function tailOf(text, room, measure)
{
	const chars = Array.from(text);
	let n = chars.length, w = 0;

	while (n && (w += measure(chars[n - 1])) <= room)
		n--;
	return chars.slice(n).join('');
}

/* Returns text, cut at its end if it does not fit. */
function cutText(text, room, measure)
{
	const chars = Array.from(text.slice(0, 400));
	let n = 0;

	if (text.length < 400 && measure(text) <= room)
		return text;
	for (let w = measure(DOTS); n < chars.length && (w += measure(chars[n])) <= room;)
		n++;
	return n < 2 ? '' : chars.slice(0, n).join('') + DOTS;
}

/* Returns the label of a name for a box of width `room`.  A box wider than `roomy` is wide. */
function labelOf(name, room, measure, { right = false, roomy = Infinity } = {})
{
	const dots = measure(DOTS), parts = name.slice(0, LONGEST_NAME);
	let left = measure(name), last = 0;

	if (left <= room)
		return name;
	while (!right) {
		const part = nextPart(parts, last);

		if (part === parts.length || /^(\{|<lambda|operator\(\))/.test(name.slice(part, part + 10)))
			break;
		left -= measure(name.slice(last, part));
		last = part;
		if (left + dots > room)
			continue;
		/* If the name would fill less than half of a wide box, adds the end of its scope. */
		return DOTS + (room > roomy && left < room / 2
			? tailOf(name, room - dots, measure) : name.slice(part));
	}
	return cutText(name.slice(last), room, measure);
}
