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

/* Escapes of Rust's legacy mangling for characters that symbols cannot contain. */
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

/* Decodes Rust's escapes in names such as "_$LT$core..fmt..Write$u20$as...". */
static struct str unescape(struct arena *a, struct str s)
{
	struct tidy t = { .arena = a };

	if (!str_has(s, STR("$LT$")) && !str_has(s, STR("$u20$")) &&
	    !str_has(s, STR("$RF$")))
		return s;
	for (size_t i = 0; i < s.n;) {
		struct str code, means = tidy_native_escape(str_from(s, i), &code);

		/* A name cannot begin with an escape, so Rust writes '_' before it. */
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

/* Removes Rust's crate disambiguators, as in "std[8d5a3b1c0f2e4d6a]::rt". */
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

/*
 * Writes a Go name.  "%2e" is a dot of a path, "go.shape." precedes a type's layout, and "-fm"
 * marks a method value.  Returns false for other names.
 */
static bool put_go(struct tidy *t, struct str s)
{
	static const char *const ends[] = { "-fm", ".abi0", ".abiinternal" };
	const struct str shape = STR("go.shape."), dot = STR("%2e");
	size_t before = s.n;

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (str_ends(s, str_of(ends[i])) &&
		    str_find(s, '.') + strlen(ends[i]) < s.n)
			s.n -= strlen(ends[i]);
	if (s.n == before && !str_has(s, shape) &&
	    !(str_has(s, dot) && str_find(s, '/') < s.n))
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

/* Removes the version of a symbol, as in "memcpy@@GLIBC_2.14" and "fopen@GLIBC_2.2.5". */
static struct str without_version(struct str s)
{
	size_t at = str_rfind(s, '@');
	struct str version = str_from(s, at + 1);

	if (at == s.n || !at || !version.n || version.p[0] < 'A' || version.p[0] > 'Z' ||
	    str_find(version, '_') == version.n)
		return s;
	for (size_t i = 0; i < version.n; i++)
		if (!tidy_is_word(version.p[i]) && version.p[i] != '.')
			return s;
	return str_head(s, at - (s.p[at - 1] == '@'));
}

/* Removes the suffix of shims, which rustc generates for calls through a table. */
static struct str without_shim(struct str s)
{
	static const char *const shims[] = { "{{vtable.shim}}", "{{vtable-shim}}",
		                             "{shim:vtable#0}" };

	for (size_t i = 0; i < sizeof(shims) / sizeof(*shims); i++)
		if (str_ends(s, str_of(shims[i]))) {
			s.n -= strlen(shims[i]);
			return str_ends(s, STR("::")) ? str_head(s, s.n - 2) : s;
		}
	return s;
}

bool tidy_native_is_shim(struct str s)
{
	s = tidy_native_without_hash(str_trim(s));
	return without_shim(s).n < s.n;
}

/*
 * Returns true if `rest` ends the name of a lambda.  rest: the text after "{lambda(" or "$_",
 * such as "int)#1}" or "2".
 */
static bool ends_lambda(struct str rest, char begin)
{
	uint64_t number;

	if (begin == '{')
		return rest.n && str_find(rest, '}') == rest.n - 1;
	if (begin == '$')
		return str_is_dec(rest, &number);
	return str_ends(rest, STR("'")) || str_ends(rest, STR(")"));
}

/* If s ends with a lambda, such as "X::{lambda(int)#1}" or "X::$_2", sets *function to X. */
static bool find_lambda(struct str s, struct str *function)
{
	static const char *const begins[] = { "::{lambda(", "::$_", "::'lambda" };

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
		struct str begin = str_of(begins[i]), rest = s;
		size_t at = s.n;

		for (size_t k; (k = str_search(rest, begin)) < rest.n;) {
			at = (size_t)(rest.p - s.p) + k;
			rest = str_from(rest, k + begin.n);
		}
		if (at == s.n || !at || !ends_lambda(rest, begin.p[2]))
			continue;
		*function = str_head(s, at);
		return true;
	}
	return false;
}

/*
 * Writes "X (lambda)" for functions through which C++ calls a lambda of X.  Returns false for
 * other functions.
 */
static bool put_lambda(struct tidy *t, struct str s)
{
	static const char *const ends[] = { "::_M_invoke", "::__invoke", "::_FUN" };
	const struct str handler = STR("std::_Function_handler<"),
	                 body = STR("::operator()");
	struct signature sig;
	struct str function;
	size_t n = 0;

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends) && !n; i++)
		n = str_ends(s, str_of(ends[i])) ? strlen(ends[i]) : 0;
	if (!n)
		return false;
	s = str_head(s, s.n - n);
	if (str_starts(s, handler) && str_ends(s, STR(">"))) {
		s = str_from(str_head(s, s.n - 1), handler.n);
		s = str_from(s, str_search(s, STR("), ")));
		s = str_trim(str_from(s, strlen("), ")));
	}
	if (!find_lambda(s, &function))
		return false;
	sig = signature_cut(t->arena, function);
	/* The lambda may be nested in another lambda of X. */
	while (str_ends(sig.name, body) &&
	       find_lambda(str_head(sig.name, sig.name.n - body.n), &function))
		sig = signature_cut(t->arena, function);
	if (!tidy_cpp(t, sig.name))
		tidy_put(t, sig.name);
	tidy_put(t, STR(" (lambda)"));
	return true;
}

void tidy_native(struct tidy *t, struct str s)
{
	struct signature sig;

	s = without_version(s);
	/* LLVM's linkers write "_<" for a '<' at the start of a name */
	if (str_starts(s, STR("_<")))
		s = str_from(s, 1);
	if (is_mangled(s))
		s = demangle(s, DEMANGLE_SHORT, t->arena);
	if (put_go(t, s))
		return;
	sig = signature_cut(t->arena, unescape(t->arena, s));
	sig.name = without_disambiguators(
	        t->arena, without_shim(str_trim(tidy_native_without_hash(sig.name))));
	if (!put_lambda(t, sig.name) && !tidy_cpp(t, sig.name))
		tidy_put(t, sig.name);
	tidy_put(t, sig.suffix);
}
