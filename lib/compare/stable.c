#include "compare/stable.h"

#include "label/clone_suffix.h"
#include "label/tidy_dotnet.h"

/* Texts in generated names.  A number follows each of them. */
static const struct str markers[] = {
	STR("DisplayClass"),
	STR(">b__"),
	STR(">d__"),
	STR("{lambda#"),
	STR("{closure#"),
	STR("{{closure}}#"),
	STR("$$Lambda$"),
	STR("$$Lambda/"),
	STR("MethodAccessor"),
	STR("ConstructorAccessor"),
	STR("::$_"),
	STR("(lambda at "),
	STR("|"),
	STR("{lambda()#"),
};

static struct str without_digits(struct str s)
{
	while (s.n && str_is_digit(s.p[s.n - 1]))
		s.n--;
	return s;
}

/* "core::run::h0123456789abcdef" -> "core::run" */
static struct str without_hash(struct str s)
{
	enum { HASH = 16 };
	struct str tail = str_from(s, s.n > HASH ? s.n - HASH : s.n);
	uint64_t hash;

	if (s.n > HASH + 3 && str_is_hex(tail, &hash) &&
	    str_ends(str_head(s, s.n - HASH), STR("::h")))
		s.n -= HASH + 3;
	return s;
}

static bool is_of_number(char c)
{
	return str_is_digit(c) || c == '_';
}

/*
 * Returns the length of the number at the start of s.  If `java` is set, the number may also
 * contain letters, '/' and '+', as in names of hidden classes.
 */
static size_t number(struct str s, bool java)
{
	size_t n = 0;

	while (n < s.n &&
	       (is_of_number(s.p[n]) ||
	        (java && (str_is_alnum(s.p[n]) || s.p[n] == '/' || s.p[n] == '+'))))
		n++;
	return n;
}

static size_t marker_at(struct str s)
{
	for (size_t i = 0; i < sizeof(markers) / sizeof(*markers); i++)
		if (*s.p == *markers[i].p && str_starts(s, markers[i]) &&
		    s.n > markers[i].n && str_is_alnum(s.p[markers[i].n]))
			return markers[i].n;
	return 0;
}

struct str stable_name(struct str name, struct arena *a)
{
	struct str s = name;
	char *to;
	size_t n = 0;

	if (s.n > 4 && s.p[s.n - 1] == ']' && str_starts(str_from(s, s.n - 4), STR("_[")))
		s.n -= 4;
	s = clone_suffix_removed(without_hash(tidy_dotnet_without_tier(s, false)));
	if (str_has(s, STR("lambda$")) && without_digits(s).n < s.n &&
	    str_ends(without_digits(s), STR("$")))
		s = without_digits(s);
	to = arena_new(a, char, s.n + 1);
	for (size_t i = 0; i < s.n;) {
		size_t m = marker_at(str_from(s, i));
		struct str marker = str_head(str_from(s, i), m ? m : 1);

		memcpy(to + n, marker.p, marker.n);
		n += marker.n;
		i += marker.n;
		if (m)
			i += number(str_from(s, i), str_starts(marker, STR("$$Lambda")));
	}
	return (struct str){ to, n };
}
