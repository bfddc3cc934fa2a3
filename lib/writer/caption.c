#include "writer/caption.h"

#include "label/clone_suffix.h"

#define ELLIPSIS "\xe2\x80\xa6"

enum {
	SHORTEST = 3,   /* minimum number of characters of a shortened text */
	ROOMY = 24,     /* a box is wide if it has room for more characters than this */
	LONGEST = 2000, /* maximum bytes of a name that is divided into parts */
	DEEPEST = 100,  /* maximum depth of nested brackets */
};

/* Decodes the first character of s.  Returns its length in bytes, or 0 if it is not UTF-8. */
static size_t decode(struct str s, uint32_t *out)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char c = (unsigned char)s.p[0];
	size_t n = c < 0x80             ? 1
	           : (c & 0xe0) == 0xc0 ? 2
	           : (c & 0xf0) == 0xe0 ? 3
	           : (c & 0xf8) == 0xf0 ? 4
	                                : 0;

	if (!n || n > s.n)
		return 0;
	*out = n == 1 ? c : c & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if (((unsigned char)s.p[i] & 0xc0) != 0x80)
			return 0;
		*out = *out << 6 | ((unsigned char)s.p[i] & 0x3f);
	}
	return *out < least[n] || *out > 0x10ffff || (*out >> 11) == 0x1b ? 0 : n;
}

/*
 * Returns false for control characters, marks of text direction, line separators, and characters
 * that XML forbids.
 */
static bool is_shown(uint32_t c)
{
	if (c < 0x20 || (c >= 0x7f && c < 0xa0))
		return false;
	if ((c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	    (c >= 0x2060 && c <= 0x206f) || c == 0xfeff)
		return false;
	return (c & 0xfffe) != 0xfffe && !(c >= 0xfdd0 && c <= 0xfdef);
}

static size_t clean_prefix(struct str s)
{
	size_t i = 0;
	uint32_t c;

	while (i < s.n) {
		size_t n = 1;

		if ((signed char)s.p[i] < 0x20 || s.p[i] == 0x7f) {
			n = decode(str_from(s, i), &c);
			if (!n || !is_shown(c))
				break;
		}
		i += n;
	}
	return i;
}

struct str caption_clean(struct arena *a, struct str s)
{
	static const char hex[] = "0123456789abcdef";
	size_t at = clean_prefix(s), n = 0;
	char *to;

	if (at == s.n)
		return s;
	to = arena_alloc(a, s.n, 4);
	while (s.n) {
		size_t len;
		uint32_t c;

		if (at)
			memcpy(to + n, s.p, at);
		n += at;
		s = str_from(s, at);
		if (!s.n)
			break;
		len = decode(s, &c);
		for (size_t i = 0; i < (len ? len : 1); i++) {
			to[n++] = '\\';
			to[n++] = 'x';
			to[n++] = hex[(unsigned char)s.p[i] >> 4];
			to[n++] = hex[(unsigned char)s.p[i] & 15];
		}
		s = str_from(s, len ? len : 1);
		at = clean_prefix(s);
	}
	return (struct str){ to, n };
}

void caption_put(struct out *o, struct str s)
{
	arena_scope(scratch);

	out_str(o, caption_clean(&scratch, s));
}

static bool is_start(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

static size_t characters(struct str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += is_start(s.p[i]);
	return n;
}

/* Returns the number of bytes in the first n characters. */
static size_t bytes_of(struct str s, size_t n)
{
	size_t i = 0;

	while (i < s.n && (n || !is_start(s.p[i])))
		n -= is_start(s.p[i++]);
	return i;
}

/* Returns 1 + the index of c in a list of characters, or 0. */
static size_t one_of(const char *list, char c)
{
	const char *at = c ? strchr(list, c) : NULL;

	return at ? (size_t)(at - list) + 1 : 0;
}

/*
 * Returns the index of the bracket that closes the bracket at s.p[at], or s.n.  Arrows ("->",
 * "=>") do not close brackets.  If a closing bracket of another kind comes before the ">", the
 * "<" was an operator and not a bracket.
 */
static size_t find_closing(struct str s, size_t at)
{
	char open[DEEPEST];
	size_t n = 0, which;

	for (size_t i = at; i < s.n; i++) {
		char c = s.p[i];

		which = one_of("<([{", c);
		if (which) {
			if (n == DEEPEST)
				return s.n;
			open[n++] = ">)]}"[which - 1];
			continue;
		}
		if (!one_of(">)]}", c) || (c == '>' && one_of("-=", s.p[i - 1])))
			continue;
		while (c != '>' && n && open[n - 1] == '>')
			n--;
		if (!n)
			return s.n;
		if (open[n - 1] == c && !--n)
			return i;
	}
	return s.n;
}

/*
 * Returns true if the blank at s.p[i] ends a return type, as in "int java.util.List.size". A
 * blank before a file or line does not end a return type ("JS:*fib /srv/app.js:6:13", "end
 * node:http:12").
 */
static bool is_type_end(struct str s, size_t i)
{
	struct str word = str_from(s, i + 1);

	word = str_head(word, str_find(word, ' '));
	word = str_head(word, str_find(word, '('));
	return word.n && str_is_letter(word.p[0]) && str_find(word, '/') == word.n &&
	       str_find(word, ':') == str_search(word, STR("::"));
}

/*
 * Returns the end of the name of a C++ operator that begins at s.p[at]: "operator", followed by
 * its symbol or a blank.  Returns `at` if there is no such name.
 */
static size_t operator_end(struct str s, size_t at)
{
	struct str rest = str_from(s, at);
	size_t i = 8;

	if (!str_starts(rest, STR("operator")) || rest.n == i)
		return at;
	if (str_starts(str_from(rest, i), STR("()")))
		return at + i + 2;
	if (rest.p[i] == ' ')
		return at + i + 1;
	while (i < rest.n && one_of("<>=!+-*/%^&|~,[]", rest.p[i]))
		i++;
	return i == 8 ? at : at + i;
}

/*
 * Returns true if the text at s.p[at], which follows "::", is a list of type arguments in angle
 * brackets, as in Rust: "parse::<u32>".
 */
static bool is_turbofish(struct str s, size_t at)
{
	size_t end = find_closing(s, at);

	return s.p[at] == '<' && end < s.n &&
	       (end + 1 == s.n || str_starts(str_from(s, end + 1), STR("::"))) &&
	       !str_starts(str_from(s, at), STR("<lambda"));
}

/*
 * Returns the index after the bracketed text that begins at s.p[i], or s.n if no part of the name
 * follows.  The current part begins at `at`.
 */
static size_t behind_bracket(struct str s, size_t at, size_t i)
{
	size_t end = find_closing(s, i);

	if (s.p[i] != '(' || i == at || s.p[i - 1] == '.')
		return end < s.n ? end + 1 : s.p[i] == '(' ? s.n : i + 1;
	return str_starts(str_from(s, end + 1), STR("::")) ? end + 1 : s.n;
}

/*
 * If the ':' at s.p[*i] ends the current part, returns the start of the next part or s.n.
 * Otherwise moves *i after the ':', and returns `at`, the start of the current part.
 */
static size_t behind_colon(struct str s, size_t at, size_t *i)
{
	size_t k = *i;

	while (k < s.n && s.p[k] == ':')
		k++;
	if (k == *i + 1) {
		*i = k;
		return k < s.n && (s.p[k] == '/' || str_is_digit(s.p[k])) ? s.n : at;
	}
	if (k == s.n || !is_turbofish(s, k))
		return k;
	*i = find_closing(s, k) + 1;
	return at;
}

/*
 * Returns the start of the next part of a name, or s.n.  The current part begins at `at`.  Parts
 * are separated by "::", ".", "/" and "!" outside of brackets, and by a blank after a type.  The
 * arguments of a function, and the file and line of a script function, are not divided.
 */
static size_t next_part(struct str s, size_t at)
{
	for (size_t i = at; i + 1 < s.n;) {
		size_t behind = operator_end(s, i);
		char c = s.p[i];

		if (behind > i && (i == at || !str_is_letter(s.p[i - 1]))) {
			i = behind;
		} else if (one_of("<([{", c)) {
			i = behind_bracket(s, at, i);
		} else if (c == ' ') {
			return is_type_end(s, i) ? i + 1 : s.n;
		} else if (c == ':') {
			behind = behind_colon(s, at, &i);
			if (behind != at)
				return behind;
		} else if (i && one_of("./!", c) && !one_of("./:", s.p[i + 1]) &&
		           !(c == '.' && clone_suffix_begins(str_from(s, i + 1)))) {
			return i + 1;
		} else {
			i++;
		}
	}
	return s.n;
}

/*
 * Returns true if the part is meaningless without the preceding part, such as "{{closure}}" in
 * "poll::{{closure}}".
 */
static bool is_weak(struct str part)
{
	return one_of("{", part.p[0]) || str_starts(part, STR("<lambda")) ||
	       str_starts(part, STR("operator()"));
}

struct str caption_fit(struct str text, size_t most, bool right, char *out)
{
	size_t all = characters(text), left = all, last = 0, n;
	struct str looked_at = str_head(text, LONGEST);

	if (all <= most) {
		if (text.n)
			memcpy(out, text.p, text.n);
		return (struct str){ out, text.n };
	}
	if (most < SHORTEST)
		return (struct str){ out, 0 };
	while (!right) {
		size_t part = next_part(looked_at, last);

		if (part == looked_at.n || is_weak(str_from(text, part)))
			break;
		left -= characters(str_span(text.p + last, text.p + part));
		last = part;
		if (left >= most)
			continue;
		/*
		 * If the last parts would fill less than half of a wide box, show as many
		 * characters as fit instead.
		 */
		if (most > ROOMY && left < most / 2)
			last = bytes_of(text, all - (most - 1));
		memcpy(out, ELLIPSIS, 3);
		memcpy(out + 3, text.p + last, text.n - last);
		return (struct str){ out, text.n - last + 3 };
	}
	text = str_from(text, last);
	n = bytes_of(text, most - 1);
	memcpy(out, text.p, n);
	memcpy(out + n, ELLIPSIS, 3);
	return (struct str){ out, n + 3 };
}
