#include "bind/native/java_name.h"

/*
 * State of a conversion.  The first pass only measures the result, and the second pass writes it.
 */
struct spelling {
	struct str rest; /* the unread part of the name */
	bool as_perf;
	char *p; /* NULL in the first pass */
	size_t n;
	size_t dims; /* dimensions of the array whose element type comes next */
};

static void put(struct spelling *s, struct str piece)
{
	if (s->p)
		memcpy(s->p + s->n, piece.p, piece.n);
	s->n += piece.n;
}

/* Skips the next byte if it is c.  Returns false otherwise. */
static bool take(struct spelling *s, char c)
{
	if (!s->rest.n || s->rest.p[0] != c)
		return false;
	s->rest = str_from(s->rest, 1);
	return true;
}

/*
 * Returns the text up to the next byte that `ends` contains, or an empty string if there is no
 * such byte.
 */
static struct str part(struct spelling *s, const char *ends)
{
	struct str found = { s->rest.p, 0 };

	while (found.n < s->rest.n && !strchr(ends, s->rest.p[found.n]))
		found.n++;
	if (found.n == s->rest.n || !s->rest.p[found.n])
		return (struct str){ 0 };
	s->rest = str_from(s->rest, found.n);
	return found;
}

/* Writes "java/lang/String;" as "java.lang.String". */
static bool put_class(struct spelling *s)
{
	struct str name = part(s, ";()[");

	if (!name.n || !take(s, ';'))
		return false;
	while (name.n) {
		size_t n = str_find(name, '/');

		put(s, str_head(name, n));
		if (n == name.n)
			break;
		put(s, STR("."));
		name = str_from(name, n + 1);
	}
	return true;
}

static struct str base_type(char c)
{
	static const char *const names[UINT8_MAX + 1] = {
		['B'] = "byte", ['C'] = "char", ['D'] = "double", ['F'] = "float",
		['I'] = "int",  ['J'] = "long", ['S'] = "short",  ['Z'] = "boolean",
	};

	return str_of(names[(unsigned char)c]);
}

/*
 * Writes a type.  For an array of classes, perf 6.1 writes the brackets only after the next
 * primitive type.
 */
static bool put_type(struct spelling *s)
{
	struct str base;
	bool is_class;

	while (take(s, '['))
		s->dims++;
	is_class = take(s, 'L');
	if (is_class) {
		if (!put_class(s))
			return false;
	} else {
		base = s->rest.n ? base_type(s->rest.p[0]) : (struct str){ 0 };
		if (!base.n)
			return false;
		s->rest = str_from(s->rest, 1);
		put(s, base);
	}
	if (is_class && s->as_perf)
		return true;
	for (; s->dims; s->dims--)
		put(s, STR("[]"));
	return true;
}

static bool put_types(struct spelling *s)
{
	for (bool first = true; !take(s, ')'); first = false) {
		if (!first)
			put(s, STR(", "));
		if (!put_type(s))
			return false;
	}
	return true;
}

/*
 * Returns true if the rest of the text is one return type.  The return type is not written.
 */
static bool ends_well(struct spelling *s)
{
	size_t n = s->n;
	bool good = take(s, 'V') || put_type(s);

	s->n = n;
	return good && !s->rest.n;
}

static bool spell(struct spelling *s)
{
	struct str method;

	if (!take(s, 'L') || !put_class(s))
		return false;
	method = part(s, ";()[/");
	if (!method.n || !take(s, '('))
		return false;
	if (!s->as_perf || str_is_letter(method.p[0]))
		put(s, STR("."));
	put(s, method);
	put(s, STR("("));
	if (!put_types(s))
		return false;
	put(s, STR(")"));
	return s->p || ends_well(s);
}

struct str java_name(struct str name, bool as_perf, struct arena *a)
{
	struct spelling s = { .rest = name, .as_perf = as_perf };
	size_t n;

	if (!name.n || name.p[0] != 'L' || !spell(&s))
		return name;
	n = s.n;
	s = (struct spelling){ .rest = name, .as_perf = as_perf };
	s.p = arena_alloc(a, n + 1, 1);
	spell(&s);
	return (struct str){ s.p, n };
}
