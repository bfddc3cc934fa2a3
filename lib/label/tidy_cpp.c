#include "label/tidy_cpp.h"

enum {
	NESTING = 24,
	ARGS = 64,
	/* maximum number of characters of an operator: "<=>", "<<=", "->*" */
	OPERATOR_MOST = 3,
};

static bool put_name(struct tidy *t, struct str s, unsigned depth);

/*
 * Returns the length of an inline namespace at i, or 0.  Libraries use inline namespaces for
 * versions.  The source of a program does not contain inline namespaces of libraries.
 */
static size_t inline_namespace(struct str s, size_t i)
{
	static const char *const names[] = { "__cxx11::", "__1::", "__ndk1::",
		                             "_V2::",     "__8::", "__cxx1998::" };

	if (i < 2 || s.p[i - 1] != ':')
		return 0;
	for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++)
		if (str_starts(str_from(s, i), str_of(names[k])))
			return strlen(names[k]);
	return 0;
}

/* Returns the length of an ABI tag at i, such as "[abi:cxx11]", or 0. */
static size_t abi_tag(struct str s, size_t i)
{
	enum { LONGEST = 64 };
	struct str rest = str_head(str_from(s, i), LONGEST);

	if (!str_starts(rest, STR("[abi:")) || str_find(rest, ']') == rest.n)
		return 0;
	return str_find(rest, ']') + 1;
}

/*
 * Returns true if "operator" precedes i.  The characters '<', '>', '=' and '-' may be between
 * "operator" and i.
 */
static bool follows_operator(struct str s, size_t i)
{
	for (int n = 0; n < OPERATOR_MOST && i && strchr("<>=-", s.p[i - 1]); n++)
		i--;
	return str_ends(str_head(s, i), STR("operator")) &&
	       (i == 8 || !tidy_is_word(s.p[i - 9]));
}

/*
 * Returns true if the '<' at i starts template arguments.  A name, or "operator<<" and a blank,
 * must precede the '<'.
 */
static bool opens(struct str s, size_t i)
{
	if (s.p[i] != '<' || !i || follows_operator(s, i))
		return false;
	if (str_ends(str_head(s, i), STR("operator()")) ||
	    (s.p[i - 1] == ' ' && follows_operator(s, i - 1)))
		return true;
	return tidy_is_word(s.p[i - 1]) || s.p[i - 1] == ':' || s.p[i - 1] == ']' ||
	       s.p[i - 1] == '}';
}

/*
 * Returns true if the '<' at i, which follows a blank, is an operator: "a < b", "1 << n".  In
 * Rust, such a '<' may also start a type: "&mut <T as Trait>::Item".
 */
static bool is_less(struct str s, size_t i)
{
	for (int n = 0; n < OPERATOR_MOST && i < s.n && strchr("<=>", s.p[i]); n++)
		i++;
	return i == s.n || s.p[i] == ' ';
}

/*
 * Returns the index of the '>' that closes the '<' at i, or s.n.  Ignores "->".  If "<" and ">"
 * have blanks around them, or are in parentheses that are not arguments, they are operators.
 */
static size_t closes(struct str s, size_t i)
{
	size_t angles = 1, round = 0;

	while (++i < s.n) {
		char c = s.p[i], before = s.p[i - 1];

		if (c == '(' || c == '[' || c == '{')
			round++;
		else if (c == ')' || c == ']' || c == '}')
			round -= round != 0;
		else if (c == '<' &&
		         ((before == ' ' && is_less(s, i)) || follows_operator(s, i)))
			continue;
		else if (c == '<')
			angles++;
		else if (c == '>' && before != '-' && !follows_operator(s, i) &&
		         !--angles)
			return round ? s.n : i;
	}
	return s.n;
}

/* Returns true if arg, the last argument of a standard template, is the default. */
static bool is_default(struct str arg)
{
	static const char *const heads[] = {
		"std::allocator<",      "std::char_traits<",
		"std::less<",           "std::hash<",
		"std::equal_to<",       "std::default_delete<",
		"std::__1::allocator<", "std::__1::char_traits<",
		"std::__1::less<",      "std::__1::hash<",
		"std::__1::equal_to<",  "std::__1::default_delete<",
	};

	for (size_t k = 0; k < sizeof(heads) / sizeof(*heads); k++)
		if (str_starts(arg, str_of(heads[k])))
			return arg.p[arg.n - 1] == '>';
	return false;
}

/* Returns true if name ends with a standard template whose default arguments can be omitted. */
static bool has_defaults(struct str name)
{
	static const char *const others[] = { "pair",     "tuple",    "variant",
		                              "function", "optional", "tuple_element" };
	size_t from = name.n;
	struct str last;

	while (from && tidy_is_word(name.p[from - 1]))
		from--;
	last = str_from(name, from);
	for (size_t k = 0; k < sizeof(others) / sizeof(*others); k++)
		if (str_eq(last, str_of(others[k])))
			return false;
	name = str_head(name, from);
	return str_ends(name, STR("std::")) || str_ends(name, STR("__gnu_cxx::")) ||
	       str_ends(name, STR("std::__detail::")) ||
	       str_ends(name, STR("std::__1::")) || str_ends(name, STR("std::__cxx11::"));
}

/*
 * Splits the text between brackets into arguments.  Returns their number, or ARGS + 1 if there
 * are more than ARGS.
 */
static size_t split(struct str inside, struct str args[ARGS])
{
	size_t n = 0, depth = 0, from = 0;

	for (size_t i = 0; i <= inside.n; i++) {
		char c = i < inside.n ? inside.p[i] : ',';

		if (c == '(' || c == '[' || c == '{' || (c == '<' && opens(inside, i)))
			depth++;
		else if (c == ')' || c == ']' || c == '}' ||
		         (c == '>' && i && inside.p[i - 1] != '-'))
			depth -= depth != 0;
		if (c != ',' || (depth && i < inside.n))
			continue;
		if (n == ARGS)
			return ARGS + 1;
		args[n++] = str_trim(str_span(inside.p + from, inside.p + i));
		from = i + 1;
	}
	return n;
}

/*
 * Writes the short name of std::basic_string<char> and similar types.  Returns false for other
 * types.
 */
static bool put_alias(struct tidy *t, size_t from, const struct str *args, size_t n)
{
	static const char *const ends[] = { "basic_string",        "basic_string_view",
		                            "basic_ostream",       "basic_istream",
		                            "basic_iostream",      "basic_ios",
		                            "basic_streambuf",     "basic_stringstream",
		                            "basic_ostringstream", "basic_istringstream",
		                            "basic_stringbuf",     "basic_filebuf",
		                            "basic_ofstream",      "basic_ifstream",
		                            "basic_fstream",       "basic_regex" };
	struct str name = str_from(tidy_text(t), from);
	bool wide = n && str_eq(args[0], STR("wchar_t"));
	size_t begin;

	if (n != 1 || !(wide || str_eq(args[0], STR("char"))))
		return false;
	for (size_t k = 0; k < sizeof(ends) / sizeof(*ends); k++) {
		struct str end = str_of(ends[k]), std = STR("std::");

		if (!str_ends(name, end) ||
		    !str_ends(str_head(name, name.n - end.n), std))
			continue;
		begin = t->n - end.n;
		t->n = begin;
		if (wide)
			tidy_put(t, STR("w"));
		tidy_put(t, str_from(end, strlen("basic_")));
		return true;
	}
	return false;
}

/*
 * Writes the template arguments in `inside`, the text between the brackets.  In the output, the
 * template's name begins at `from`.
 */
static bool put_args(struct tidy *t, size_t from, struct str inside, struct str name,
                     unsigned depth)
{
	struct str args[ARGS];
	size_t n = split(inside, args);

	if (n > ARGS) {
		tidy_put(t, STR("<"));
		tidy_put(t, inside);
		tidy_put(t, STR(">"));
		return true;
	}
	while (n > 1 && has_defaults(name) && is_default(args[n - 1]))
		n--;
	if (put_alias(t, from, args, n))
		return true;
	if (t->level == TIDY_SHORT) {
		tidy_put(t, STR("<…>"));
		return true;
	}
	tidy_put(t, STR("<"));
	for (size_t i = 0; i < n; i++) {
		if (i)
			tidy_put(t, STR(", "));
		if (!put_name(t, args[i], depth + 1))
			return false;
	}
	/* "operator<< <int>" and "A<operator> >" keep the blank. */
	if (t->n && t->p[t->n - 1] == '>' && follows_operator(tidy_text(t), t->n))
		tidy_put(t, STR(" "));
	tidy_put(t, STR(">"));
	return true;
}

static bool put_name(struct tidy *t, struct str s, unsigned depth)
{
	size_t from = t->n;

	if (depth > NESTING) {
		tidy_put(t, s);
		return true;
	}
	for (size_t i = 0; i < s.n;) {
		size_t skip = inline_namespace(s, i), end;

		if (!skip)
			skip = abi_tag(s, i);
		if (skip) {
			i += skip < s.n - i ? skip : s.n - i;
			continue;
		}
		if (!opens(s, i)) {
			tidy_put(t, (struct str){ s.p + i++, 1 });
			continue;
		}
		end = closes(s, i);
		if (end == s.n || !put_args(t, from, str_span(s.p + i + 1, s.p + end),
		                            str_head(s, i), depth))
			return false;
		i = end + 1;
	}
	return true;
}

bool tidy_cpp(struct tidy *t, struct str s)
{
	size_t from = t->n;

	if (str_find(s, '<') == s.n && !str_has(s, STR("__cxx11::")) &&
	    !str_has(s, STR("[abi:")) && !str_has(s, STR("std::__1::")) &&
	    !str_has(s, STR("::_V2::")))
		return false;
	if (put_name(t, s, 0))
		return true;
	t->n = from;
	return false;
}
