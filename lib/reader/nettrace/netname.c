#include "reader/nettrace/netname.h"

enum {
	/* Bits of MethodFlags.  Three of them contain the tier. */
	JITTED = 8,
	TIER_SHIFT = 7,
	TIER_MASK = 7,
	GROWTH = 4, /* maximum factor by which a name grows: "int" becomes "native int" */
};

static const char *tier_of(uint32_t flags)
{
	static const char *const tiers[] = {
		"",
		"[MinOptJitted]",
		"[Optimized]",
		"[QuickJitted]",
		"[OptimizedTier1]",
		"[OptimizedTier1OSR]",
		"[InstrumentedTier]",
		"[InstrumentedTierOptimized]",
	};

	return flags & JITTED ? tiers[flags >> TIER_SHIFT & TIER_MASK] : "[PreJIT]";
}

/*
 * Returns true for characters in names such as "System.Int32", "Outer/Inner", "List`1", "<>c__1".
 */
static bool in_name(char c)
{
	return str_is_alnum(c) || (c && strchr("_.+`/$@", c));
}

/* Replacements of words.  Longer words precede their prefixes. */
static const struct {
	struct str old, now;
} words[] = {
	{ STR("value class"), STR("valuetype") },
	{ STR("generic "), STR("") },
	{ STR("unsigned int8"), STR("uint8") },
	{ STR("unsigned int16"), STR("uint16") },
	{ STR("unsigned int32"), STR("uint32") },
	{ STR("unsigned int64"), STR("uint64") },
	{ STR("unsigned int"), STR("native uint") },
	{ STR("int"), STR("native int") },
	{ STR("wchar"), STR("char") },
	{ STR("class System.Object"), STR("object") },
	{ STR("class System.String"), STR("string") },
};

/* Returns the index of the word at the start of s, or the number of words. */
static size_t word_at(struct str s)
{
	size_t i, n = sizeof(words) / sizeof(*words);

	for (i = 0; i < n; i++) {
		struct str old = words[i].old;

		if (str_starts(s, old) &&
		    (s.n == old.n || !in_name(s.p[old.n]) || old.p[old.n - 1] == ' '))
			break;
	}
	return i;
}

static struct str respell(struct arena *a, struct str s)
{
	char *text = arena_alloc(a, s.n * GROWTH + 1, 1), *to = text;
	bool inside = false; /* inside a name, where words are not replaced */

	while (s.n) {
		size_t i = inside ? sizeof(words) / sizeof(*words) : word_at(s);

		if (i < sizeof(words) / sizeof(*words)) {
			memcpy(to, words[i].now.p, words[i].now.n);
			to += words[i].now.n;
			s = str_from(s, words[i].old.n);
		} else {
			inside = in_name(*s.p);
			*to++ = *s.p;
			s = str_from(s, 1);
		}
	}
	return str_span(text, to);
}

struct str netname_method(struct arena *a, struct str module, struct str type,
                          struct str name, struct str signature, uint32_t flags)
{
	size_t at = str_search(signature, STR("  ("));
	struct str returned = respell(a, str_head(signature, at));
	struct str parameters = respell(a, str_from(signature, at + 2));

	return arena_fmt(a, PRSTR "%s%s" PRSTR "%s" PRSTR "::" PRSTR PRSTR "%s",
	                 STRARG(returned), returned.n ? " " : "", module.n ? "[" : "",
	                 STRARG(module), module.n ? "] " : "", STRARG(type), STRARG(name),
	                 STRARG(parameters), tier_of(flags));
}
