/*
 * Shortens the names of .NET methods.  A method has two spellings.  The runtime
 * (src/coreclr/vm/method.cpp) uses the first, and crossgen2
 * (ILCompiler.Diagnostics/PerfMapWriter.cs) uses the second.  The lines are wrapped here:
 *
 * 	instance bool [System.Private.CoreLib] System.Collections.Generic.Dictionary`2
 * 	        [System.__Canon,System.Int32]::TryGetValue(!0,!1&)[OptimizedTier1]
 * 	System.Boolean System.Collections.Generic.Dictionary`2
 * 	        [System.__Canon, System.Int32]::TryGetValue(System.__Canon, System.Int32&)
 *
 * Stubs have these forms:
 *
 * 	stub<36> AllocateTemporaryEntryPoints<PRECODE_FIXUP>
 * 	instance System.Int32 {MT: 0x00007F8A736AA0E8} [System.Private.CoreLib]
 * 	        dynamicClass::IL_STUB_UnboxingStub()[Optimized]
 */
#include "label/tidy_dotnet.h"

#include "label/tidy_method.h"

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

/* Returns NAME if s is NAME[PreJIT]NAME[PreJit-cold], a jitdump's name for a cold part. */
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

struct str tidy_dotnet_without_tier(struct str s, bool jit)
{
	size_t at = s.n && s.p[s.n - 1] == ']' ? str_rfind(s, '[') : s.n;
	struct str word;

	if (at == s.n || at + 2 >= s.n)
		return s;
	word = str_span(s.p + at + 1, s.p + s.n - 1);
	for (size_t i = 0; i < word.n; i++)
		if (!str_is_alnum(word.p[i]) && word.p[i] != '-')
			return s;
	if (!(at && s.p[at - 1] == ')') && !(jit && is_tier(word)))
		return s;
	return without_twin(str_head(s, at));
}

/* Removes comments such as " MT: 0x00007F38020BA0E8 ", because the address differs in each run. */
static struct str without_addresses(struct arena *a, struct str s)
{
	const struct str begin = STR(" /* MT: 0x"), end = STR(" */");
	char *copy;
	size_t n = 0;

	if (!str_has(s, begin))
		return s;
	copy = arena_new(a, char, s.n + 1);
	while (s.n) {
		size_t at = str_search(s, begin), skip = str_search(str_from(s, at), end);

		memcpy(copy + n, s.p, at);
		n += at;
		s = str_from(s, at);
		if (skip == s.n) { /* the comment is not closed */
			memcpy(copy + n, s.p, s.n);
			n += s.n;
			break;
		}
		s = str_from(s, skip + end.n);
	}
	return (struct str){ copy, n };
}

/*
 * Writes the name of a stub: stub<36> KIND<OWNER>, stub KIND<OWNER>, or KIND KIND<OWNER>.  Drops
 * the serial number 36, so that equal stubs have the same name.
 */
static bool put_stub(struct tidy *t, struct str s)
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
	tidy_put(t, STR("stub "));
	tidy_put(t, rest);
	return true;
}

/*
 * Removes "[Assembly] " and the text before it from *s.  Sets *type to the return type, which
 * precedes the assembly.  The assembly is the first word in brackets with a blank on both sides.
 * An assembly inside the return type has no blank after it.  Brackets inside '<' and '>' do not
 * contain an assembly, as in Rust's "<impl X for [T] as Y>".
 */
static bool cut_assembly(struct str *s, struct str *type)
{
	size_t open = 0, angles = 0;
	bool in = false;

	for (size_t i = 0; i < s->n; i++) {
		char c = s->p[i];

		if (c == '[') {
			in = !i || s->p[i - 1] == ' ';
			open = i;
		} else if (c == ']' && in && i > open + 1 && i + 1 < s->n &&
		           s->p[i + 1] == ' ' && !angles) {
			*type = str_head(*s, open);
			*s = str_from(*s, i + 2);
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

/* Removes the argument list from *s.  Returns false if its brackets do not match. */
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

/*
 * Removes the return type from *s, and returns it.  The type ends at the last blank that is
 * before `::` and outside of all brackets.
 */
static struct str cut_return(struct str *s)
{
	size_t from = 0, depth = 0;
	struct str type;

	for (size_t i = 0; i < s->n; i++) {
		char c = s->p[i];

		depth = tidy_depth(depth, c, "[(", "])");
		if (c == ' ' && !depth)
			from = i + 1;
		else if (c == ':' && i + 1 < s->n && s->p[i + 1] == ':')
			break;
	}
	type = str_head(*s, from);
	*s = str_from(*s, from);
	return type;
}

static enum tidy_returns what_returns(struct str type)
{
	type = str_trim(type);
	if (str_skip(&type, STR("instance ")))
		type = str_trim(type);
	if (!type.n)
		return RETURNS_UNSAID;
	if (str_eq(type, STR("void")) || str_eq(type, STR("System.Void")))
		return RETURNS_VOID;
	if (str_eq(type, STR("bool")) || str_eq(type, STR("System.Boolean")))
		return RETURNS_BOOL;
	return RETURNS_OTHER;
}

/* Removes escapes, and blanks after commas, from the type that contains a method. */
static struct str respell(struct arena *a, struct str s)
{
	char *p;
	size_t n = 0;

	if (str_find(s, '\\') == s.n && str_find(s, ' ') == s.n)
		return s;
	p = arena_new(a, char, s.n + 1);
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\\' && i + 1 < s.n)
			i++;
		else if (s.p[i] == ' ' && i && s.p[i - 1] == ',')
			continue;
		p[n++] = s.p[i];
	}
	return (struct str){ p, n };
}

/* Writes a stub that resumes an async method, dynamicClass::IL_STUB_AsyncResume_NAME_TIER. */
static bool put_resume(struct tidy *t, struct str owner, struct str method)
{
	const struct str begin = STR("IL_STUB_AsyncResume_");
	struct str name;

	if (!str_eq(owner, STR("dynamicClass")) || !str_starts(method, begin))
		return false;
	name = str_from(method, begin.n);
	name = str_head(name, str_rfind(name, '_'));
	if (name.n > 2 && name.p[0] == '<')
		name = str_span(name.p + 1, name.p + tidy_close(name, 0) - 1);
	tidy_put(t, STR("[resume "));
	tidy_put(t, name);
	tidy_put(t, STR("]"));
	return true;
}

bool tidy_dotnet(struct tidy *t, struct str s, bool managed)
{
	struct str type = { 0 }, owner, method;
	bool stated, arguments;
	size_t colons;

	s = tidy_dotnet_without_tier(s, managed);
	if (managed && put_stub(t, s))
		return true;
	s = without_addresses(t->arena, s);
	stated = cut_assembly(&s, &type);
	if (!stated && (!managed || str_starts(s, STR("py::"))))
		return false;
	arguments = s.n && s.p[s.n - 1] == ')';
	if (arguments ? !cut_arguments(&s) : !stated)
		return false;
	if (!stated)
		type = cut_return(&s);
	colons = str_search(s, STR("::"));
	if (!colons || colons == s.n)
		return false;
	owner = respell(t->arena, str_head(s, colons));
	method = str_from(s, colons + 2);
	if (t->level == TIDY_NONE)
		return true;
	if (!put_resume(t, owner, method))
		tidy_method(t, owner, method,
		            /* In maps of crossgen2, a missing return type means void. */
		            !stated && !type.n ? RETURNS_VOID : what_returns(type));
	return true;
}

bool tidy_dotnet_assembly(struct str s, struct str *assembly)
{
	struct str rest = s, type;

	if (!cut_assembly(&rest, &type))
		return false;
	*assembly = str_span(s.p + type.n + 1, rest.p - 2);
	return true;
}

bool tidy_dotnet_is_stub(struct str s)
{
	struct str first = str_head(s, str_find(s, ' ')), word = first;

	word = str_head(word, str_find(word, '<'));
	if (str_eq(word, STR("stub")) && first.n < s.n)
		return true;
	return str_has(s, STR("dynamicClass::IL_STUB_"));
}
