#include "label/tidy_native.h"

#include "bind/native/demangle.h"
#include "label/signature.h"
#include "label/tidy_cpp.h"

static bool is_hex(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!(str_is_digit(s.p[i]) || (s.p[i] >= 'a' && s.p[i] <= 'f')))
			return false;
	return s.n != 0;
}

struct str tidy_native_without_hash(struct str s)
{
	enum { DIGITS = 16, TAIL = 3 + DIGITS };
	struct str tail = str_from(s, s.n > TAIL ? s.n - TAIL : s.n);

	if (str_starts(tail, STR("::h")) && is_hex(str_from(tail, 3)))
		return str_head(s, s.n - TAIL);
	return s;
}

/* Rust's legacy mangling writes these codes for characters that a symbol cannot hold. */
static const struct {
	const char *code, *means;
} escapes[] = {
	{ "$LT$", "<" },  { "$GT$", ">" },   { "$RF$", "&" },  { "$BP$", "*" },
	{ "$LP$", "(" },  { "$RP$", ")" },   { "$C$", "," },   { "$SP$", "@" },
	{ "$u20$", " " }, { "$u27$", "'" },  { "$u5b$", "[" }, { "$u5d$", "]" },
	{ "$u7b$", "{" }, { "$u7d$", "}" },  { "$u7e$", "~" }, { "$u3b$", ";" },
	{ "$u2b$", "+" }, { "$u22$", "\"" }, { "$u21$", "!" }, { "$u3d$", "=" },
	{ "..", "::" },
};

struct str tidy_native_escape(struct str s, struct str *code)
{
	for (size_t i = 0; i < sizeof(escapes) / sizeof(*escapes); i++) {
		*code = str_of(escapes[i].code);
		if (str_starts(s, *code))
			return str_of(escapes[i].means);
	}
	*code = (struct str){ 0 };
	return *code;
}

/* "_$LT$core..fmt..Write$u20$as..." as it was meant. */
static struct str unescape(struct arena *a, struct str s)
{
	struct tidy t = { .arena = a };

	if (str_search(s, STR("$LT$")) == s.n && str_search(s, STR("$u20$")) == s.n &&
	    str_search(s, STR("$RF$")) == s.n)
		return s;
	for (size_t i = 0; i < s.n;) {
		struct str code, means = tidy_native_escape(str_from(s, i), &code);

		/*
		 * A leading '_' precedes an escape if a name may not begin with the
		 * escape.
		 */
		if (s.p[i] == '_' && i + 1 < s.n && s.p[i + 1] == '$' &&
		    (!i || s.p[i - 1] == ':')) {
			i++;
			continue;
		}
		tidy_put(&t, code.n ? means : (struct str){ s.p + i, 1 });
		i += code.n ? code.n : 1;
	}
	return tidy_text(&t);
}

/* "std[8d5a3b1c0f2e4d6a]::rt": the crate's disambiguator goes. */
static struct str without_disambiguators(struct arena *a, struct str s)
{
	enum { MOST = 16, LEAST = 8 };
	struct tidy t = { .arena = a };
	size_t from = 0;

	for (size_t i = 0; i < s.n; i++) {
		struct str inside = str_head(str_from(s, i + 1), MOST + 1);
		size_t end;

		if (s.p[i] != '[')
			continue;
		end = str_find(inside, ']');
		if (end == inside.n || end < LEAST || !is_hex(str_head(inside, end)) ||
		    !str_starts(str_from(s, i + end + 2), STR("::")))
			continue;
		tidy_put(&t, str_span(s.p + from, s.p + i));
		i += end + 1;
		from = i + 1;
	}
	if (!from)
		return s;
	tidy_put(&t, str_from(s, from));
	return tidy_text(&t);
}

static bool is_mangled(struct str s)
{
	return str_starts(s, STR("_Z")) || str_starts(s, STR("_R")) ||
	       str_starts(s, STR("__Z"));
}

/* Go: "%2e" is a dot in a path, "go.shape." a type's layout, "-fm" a method's value. */
static bool put_go(struct tidy *t, struct str s)
{
	static const char *const ends[] = { "-fm", ".abi0", ".abiinternal" };
	const struct str shape = STR("go.shape."), dot = STR("%2e");
	size_t before = s.n;

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (str_ends(s, str_of(ends[i])) &&
		    str_find(s, '.') + strlen(ends[i]) < s.n)
			s.n -= strlen(ends[i]);
	if (s.n == before && str_search(s, shape) == s.n &&
	    !(str_search(s, dot) < s.n && str_find(s, '/') < s.n))
		return false;
	for (size_t i = 0; i < s.n;) {
		if (str_starts(str_from(s, i), shape)) {
			i += shape.n;
		} else if (str_starts(str_from(s, i), dot)) {
			tidy_put(t, STR("."));
			i += dot.n;
		} else {
			tidy_put(t, (struct str){ s.p + i++, 1 });
		}
	}
	return true;
}

void tidy_native(struct tidy *t, struct str s)
{
	struct signature sig;

	if (str_starts(s, STR("_<"))) /* LLVM's linkers escape a '<' in front */
		s = str_from(s, 1);
	if (is_mangled(s))
		s = demangle(s, DEMANGLE_SHORT, t->arena);
	if (put_go(t, s))
		return;
	sig = signature_cut(t->arena, unescape(t->arena, s));
	sig.name = without_disambiguators(t->arena,
	                                  str_trim(tidy_native_without_hash(sig.name)));
	if (!tidy_cpp(t, sig.name))
		tidy_put(t, sig.name);
	tidy_put(t, sig.suffix);
}
