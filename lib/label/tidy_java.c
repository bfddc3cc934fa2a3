#include "label/tidy_java.h"

static bool is_hex(char c)
{
	return str_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/*
 * Returns true if a serial number may follow `before`.  The JVM appends such numbers to the names
 * of generated classes.
 */
static bool is_numbered(struct str before)
{
	static const char *const ends[] = { "$$Lambda$", "GeneratedMethodAccessor",
		                            "GeneratedConstructorAccessor",
		                            "GeneratedSerializationConstructorAccessor",
		                            "$Proxy" };

	return STR_ANY(before, str_ends, ends);
}

/*
 * Returns the length of a hidden class's suffix at i, "/0x00007f6ac8002000" or "/1234567", or 0.
 */
static size_t hidden_length(struct str s, size_t i)
{
	size_t n = 1;

	if (s.p[i] != '/')
		return 0;
	if (str_starts(str_from(s, i + 1), STR("0x")))
		n += 2;
	while (i + n < s.n && (n > 1 && s.p[i + 1] == '0' ? is_hex(s.p[i + n])
	                                                  : str_is_digit(s.p[i + n])))
		n++;
	return n > 1 && (i + n == s.n || s.p[i + n] == '.') ? n : 0;
}

/* Writes a class and method with dots, and without numbers that differ between runs. */
static void put_path(struct tidy *t, struct str s)
{
	for (size_t i = 0; i < s.n;) {
		struct str c = { s.p + i, 1 };
		size_t skip = hidden_length(s, i);

		if (!skip && str_is_digit(s.p[i]) && is_numbered(str_head(s, i))) {
			while (i < s.n && str_is_digit(s.p[i]))
				i++;
			if (t->p[t->n - 1] == '$')
				t->n--;
			continue;
		}
		if (skip) {
			i += skip;
			continue;
		}
		tidy_put(t, *c.p == '/' ? STR(".") : c);
		i++;
	}
}

/*
 * Writes a name whose class is a descriptor: "Lorg/Foo;::call(Lorg/Bar;)V", "Lorg/Foo;.call".
 * Returns false for other names.
 */
static bool put_descriptor(struct tidy *t, struct str s)
{
	size_t end = str_search(s, STR(";::")), gap = 3;
	struct str method;

	if (end == s.n) {
		end = str_search(s, STR(";."));
		gap = 2;
	}
	if (end == s.n || !end)
		return false;
	method = str_from(s, end + gap);
	method = str_head(method, str_find(method, '('));
	put_path(t, s.p[0] == 'L' ? str_span(s.p + 1, s.p + end) : str_head(s, end));
	tidy_put(t, STR("."));
	tidy_put(t, method);
	return true;
}

/* Returns true if s has only characters of types and paths: letters, digits and "._$/[]<>-". */
static bool is_path(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!tidy_is_word(s.p[i]) && !strchr("./[]<>-", s.p[i]))
			return false;
	return s.n != 0;
}

bool tidy_java(struct tidy *t, struct str s)
{
	size_t open = str_find(s, '('), blank;
	struct str name;

	if (put_descriptor(t, s))
		return true;
	if (open == s.n || s.p[s.n - 1] != ')' || str_find(s, ':') < s.n)
		return false;
	name = str_head(s, open);
	blank = str_rfind(name, ' ');
	if (blank < name.n) {
		if (!is_path(str_head(name, blank)))
			return false;
		name = str_from(name, blank + 1);
	}
	if (!is_path(name) || str_find(name, '.') == name.n)
		return false;
	put_path(t, name);
	return true;
}
