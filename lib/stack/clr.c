/*
 * The two spellings, as the runtime and as crossgen2 write them (runtime:
 * src/coreclr/vm/method.cpp, ILCompiler.Diagnostics/PerfMapWriter.cs), in one line each:
 *
 *	instance bool [System.Private.CoreLib] System.Collections.Generic.Dictionary`2
 *		[System.__Canon,System.Int32]::TryGetValue(!0,!1&)[OptimizedTier1]
 *	System.Boolean System.Collections.Generic.Dictionary`2
 *		[System.__Canon, System.Int32]::TryGetValue(System.__Canon, System.Int32&)
 *
 * and beside methods
 *
 *	stub<36> AllocateTemporaryEntryPoints<PRECODE_FIXUP>
 *	instance System.Int32 {MT: 0x00007F8A736AA0E8} [System.Private.CoreLib]
 *		dynamicClass::IL_STUB_UnboxingStub()[Optimized]
 */
#include "stack/clr.h"

static bool is_alnum(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static bool is_tier(struct str word)
{
	static const char *const tiers[] = {
		"Unknown",
		"MinOptJitted",
		"Optimized",
		"QuickJitted",
		"Tier0",
		"OptimizedTier1",
		"ReadyToRun",
		"PreJIT",
		"OptimizedTier1OSR",
		"PreJit-cold",
		"ReJIT",
		"OptimizedTier1-OSR",
		"InstrumentedTier",
		"InstrumentedTierOptimized",
	};

	for (size_t k = 0; k < sizeof(tiers) / sizeof(*tiers); k++)
		if (str_eq(word, str_of(tiers[k])))
			return true;
	return false;
}

/* The jitdump names a cold part NAME[PreJIT]NAME[PreJit-cold]. */
static struct str without_twin(struct str s)
{
	const struct str mark = STR("[PreJIT]");
	size_t half = s.n > mark.n ? (s.n - mark.n) / 2 : 0;
	struct str head = str_head(s, half);

	if (half && str_starts(str_from(s, half), mark) &&
	    str_eq(head, str_from(s, half + mark.n)))
		return head;
	return s;
}

struct str clr_without_tier(struct str s, bool jit)
{
	size_t at = s.n && s.p[s.n - 1] == ']' ? str_rfind(s, '[') : s.n;
	struct str word;

	if (at == s.n || at + 2 >= s.n)
		return s;
	word = str_span(s.p + at + 1, s.p + s.n - 1);
	for (size_t i = 0; i < word.n; i++)
		if (!is_alnum(word.p[i]) && word.p[i] != '-')
			return s;
	if (!(at && s.p[at - 1] == ')') && !(jit && is_tier(word)))
		return s;
	return without_twin(str_head(s, at));
}

/* Without the comment " MT: 0x00007F38020BA0E8 ": an address, another in every run. */
static struct str without_addresses(struct arena *a, struct str s)
{
	const struct str begin = STR(" /* MT: 0x"), end = STR(" */");
	char *copy;
	size_t n = 0;

	if (str_search(s, begin) == s.n)
		return s;
	copy = arena_new(a, char, s.n + 1);
	while (s.n) {
		size_t at = str_search(s, begin), skip = str_search(str_from(s, at), end);

		memcpy(copy + n, s.p, at);
		n += at;
		s = str_from(s, at);
		if (skip == s.n) { /* no end: the rest as it is */
			memcpy(copy + n, s.p, s.n);
			n += s.n;
			break;
		}
		s = str_from(s, skip + end.n);
	}
	return (struct str){ copy, n };
}

/*
 * stub<36> KIND<OWNER>, stub KIND<OWNER>, KIND KIND<OWNER>: the number is the
 * running number of the stub and must not tell two stubs apart.
 */
static bool stub_label(struct arena *a, struct str s, struct str *out)
{
	struct str rest = s, first = str_cut(&rest, ' '), tail = rest;
	struct str kind = str_cut(&tail, '<'), owner = str_cut(&tail, '>');
	struct str word;
	uint64_t number;

	if (!kind.n || !owner.n || tail.n || rest.p[rest.n - 1] != '>' ||
	    str_find(rest, ' ') != rest.n)
		return false;
	word = str_cut(&first, '<');
	if (!str_eq(word, STR("stub")) && !str_eq(word, kind))
		return false;
	if (first.n && !(str_take_dec(&first, &number) && str_eq(first, STR(">"))))
		return false;
	if (str_is_dec(owner, &number))
		rest = kind;
	*out = (struct str){ arena_new(a, char, rest.n + 5), rest.n + 5 };
	memcpy((char *)out->p, "stub ", 5);
	memcpy((char *)out->p + 5, rest.p, rest.n);
	return true;
}

/*
 * What follows "[Assembly] ", the first word in brackets between blanks; an
 * assembly inside the return type has no blank behind it.  In Rust's
 * "<impl X for [T] as Y>" a '<' is open before it.
 */
static bool behind_assembly(struct str s, struct str *out)
{
	size_t open = 0, angles = 0;
	bool in = false;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == '[') {
			in = !i || s.p[i - 1] == ' ';
			open = i;
		} else if (c == ']' && in && i > open + 1 && i + 1 < s.n &&
		           s.p[i + 1] == ' ' && !angles) {
			*out = str_from(s, i + 2);
			return true;
		} else if (c == ' ' || c == ']') {
			in = false;
		} else if (c == '<') {
			angles++;
		} else if (c == '>' && angles) {
			angles--;
		}
	}
	return false;
}

/* Cuts the argument list off the end; false when its brackets do not pair up. */
static bool cut_arguments(struct str *s)
{
	size_t depth = 0, i = s->n;

	while (i-- > 0) {
		depth += s->p[i] == ')';
		depth -= s->p[i] == '(';
		if (!depth)
			break;
	}
	if (depth || i == SIZE_MAX)
		return false;
	s->n = i;
	return true;
}

/* What follows the return type: the last blank before `::` that is in no bracket. */
static struct str behind_return(struct str s)
{
	size_t from = 0, depth = 0;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == '[' || c == '(')
			depth++;
		else if ((c == ']' || c == ')') && depth)
			depth--;
		else if (c == ' ' && !depth)
			from = i + 1;
		else if (c == ':' && i + 1 < s.n && s.p[i + 1] == ':')
			break;
	}
	return str_from(s, from);
}

/* OWNER::METHOD with the owner unescaped and no blank behind its commas. */
static struct str respell(struct arena *a, struct str s, size_t colons)
{
	char *p = arena_new(a, char, s.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < colons; i++) {
		if (s.p[i] == '\\' && i + 1 < colons)
			i++;
		else if (s.p[i] == ' ' && i && s.p[i - 1] == ',')
			continue;
		p[n++] = s.p[i];
	}
	memcpy(p + n, s.p + colons, s.n - colons);
	return (struct str){ p, n + s.n - colons };
}

bool clr_label(struct arena *a, struct str s, bool managed, struct str *out)
{
	bool stated, arguments;
	size_t colons;

	s = clr_without_tier(s, managed);
	if (managed && stub_label(a, s, out))
		return true;
	s = without_addresses(a, s);
	stated = behind_assembly(s, &s);
	if (!stated && (!managed || str_starts(s, STR("py::"))))
		return false;
	arguments = s.n && s.p[s.n - 1] == ')';
	if (arguments ? !cut_arguments(&s) : !stated)
		return false;
	if (!stated)
		s = behind_return(s);
	colons = str_search(s, STR("::"));
	if (!colons || colons == s.n)
		return false;
	*out = respell(a, s, colons);
	return true;
}
