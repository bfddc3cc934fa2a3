#include "image/source/source_link.h"

#include "image/source/source_path.h"

enum { TEXT_MOST = 4096 /* limit in bytes of a key or URL */ };

static struct str skip_blanks(struct str s)
{
	while (s.n && (*s.p == ' ' || *s.p == '\t' || *s.p == '\n' || *s.p == '\r'))
		s = str_from(s, 1);
	return s;
}

/* Skips blanks and the punctuation character `sign`. */
static bool take_sign(struct str *json, char sign)
{
	*json = skip_blanks(*json);
	if (!json->n || *json->p != sign)
		return false;
	*json = str_from(*json, 1);
	return true;
}

/* Reads the character after a backslash.  Replaces characters that are not ASCII by '?'. */
static char take_escaped(struct str *json)
{
	char c = json->n ? *json->p : '\\';
	struct str digits;
	uint64_t v;

	*json = str_from(*json, json->n != 0);
	if (c != 'u')
		return c == 'n' || c == 't' || c == 'r' || c == 'b' || c == 'f' ? ' ' : c;
	digits = str_head(*json, 4);
	*json = str_from(*json, digits.n);
	return str_take_hex(&digits, &v) && !digits.n && v >= ' ' && v < 0x7f ? (char)v
	                                                                      : '?';
}

/* Takes a string.  Returns false if the next value is not a string, or if it is too long. */
static bool take_string(struct str *json, char to[TEXT_MOST], struct str *out)
{
	size_t n = 0;

	if (!take_sign(json, '"'))
		return false;
	while (json->n && *json->p != '"' && n < TEXT_MOST) {
		char c = *json->p;

		*json = str_from(*json, 1);
		to[n++] = c == '\\' ? take_escaped(json) : c;
	}
	*out = (struct str){ to, n };
	return take_sign(json, '"');
}

/* Returns true if the key matches the path.  Sets *rest to the part that "*" matches. */
static bool is_match(struct str key, struct str path, struct str *rest)
{
	*rest = (struct str){ path.p, 0 };
	if (!str_ends(key, STR("*")))
		return str_eq(key, path);
	key.n--;
	if (!str_starts(path, key))
		return false;
	*rest = str_from(path, key.n);
	return true;
}

/*
 * Replaces "*" in a URL by `rest`, the part of the path that "*" in the key matched.  Writes
 * '/' as separator.
 */
static struct str fill(struct str address, struct str rest, struct arena *a)
{
	size_t star = str_find(address, '*');

	if (star == address.n)
		return arena_str(a, address);
	return arena_fmt(a, PRSTR PRSTR PRSTR, STRARG(str_head(address, star)),
	                 STRARG(source_path_slashes(rest, a)),
	                 STRARG(str_from(address, star + 1)));
}

static bool is_web(struct str address)
{
	return str_starts(address, STR("https://")) ||
	       str_starts(address, STR("http://"));
}

struct str source_link_find(struct str json, struct str path, struct arena *a)
{
	static const struct str documents = STR("\"documents\"");
	char key_text[TEXT_MOST], address_text[TEXT_MOST];
	struct str key, address, rest, best = { 0 };
	size_t longest = 0;

	json = str_from(json, str_search(json, documents) + documents.n);
	if (!take_sign(&json, ':') || !take_sign(&json, '{'))
		return best;
	while (take_string(&json, key_text, &key) && take_sign(&json, ':') &&
	       take_string(&json, address_text, &address)) {
		if (is_match(key, path, &rest) && (!best.n || key.n > longest) &&
		    is_web(address)) {
			longest = key.n;
			best = fill(address, rest, a);
		}
		if (!take_sign(&json, ','))
			break;
	}
	return best;
}
