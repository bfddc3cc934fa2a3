#include "label/tidy_script.h"

/* Returns the length of the kind at the start of a V8 name, such as "LazyCompile:", or 0. */
static size_t kind_length(struct str s)
{
	size_t i = 0;

	while (i < s.n && str_is_letter(s.p[i]))
		i++;
	return i && i + 1 < s.n && s.p[i] == ':' && s.p[i + 1] != ':' ? i + 1 : 0;
}

static bool is_function(struct str kind)
{
	static const char *const kinds[] = { "JS:", "LazyCompile:", "Function:",
		                             "Script:", "Eval:" };

	return STR_ANY(kind, str_eq, kinds);
}

/* Removes the directories from a position such as "/srv/app/server.js:6:13". */
static struct str without_directory(struct str place)
{
	size_t slash = str_rfind(place, '/');

	return slash < place.n ? str_from(place, slash + 1) : place;
}

/*
 * Writes a function and its position.  Omits the tier at the start of the name ("*" optimised,
 * "~" interpreted), so that all tiers have the same label.
 */
static void put_function(struct tidy *t, struct str s)
{
	size_t blank;

	if (s.n && strchr("*~^+", s.p[0]))
		s = str_from(s, 1);
	blank = str_find(s, ' ');
	tidy_put(t, blank ? str_head(s, blank) : STR("(anonymous)"));
	if (blank == s.n)
		return;
	tidy_put(t, STR(" "));
	tidy_put(t, t->level == TIDY_SHORT ? without_directory(str_from(s, blank + 1))
	                                   : str_from(s, blank + 1));
}

/*
 * Returns the file name of a path.  For __init__.py, adds the directory, which is the name of the
 * package.
 */
static struct str python_file(struct str path)
{
	struct str file = without_directory(path);

	if (str_eq(file, STR("__init__.py")) && path.n > file.n + 1)
		file = str_from(
		        path,
		        path.n - file.n - 1 -
		                without_directory(str_head(path, path.n - file.n - 1)).n);
	return file;
}

static void put_python(struct tidy *t, struct str s)
{
	struct str rest = s, name;
	size_t colon = str_find(s, ':');

	name = str_head(rest, colon);
	rest = python_file(str_from(rest, colon + 1));
	tidy_put(t, name.n ? name : STR("<unnamed>"));
	if (!rest.n)
		return;
	tidy_put(t, STR(" ("));
	tidy_put(t, rest);
	tidy_put(t, STR(")"));
}

/* Returns the length of an atom at the start of s, such as "lists" or "'Elixir.Enum'", or 0. */
static size_t atom_length(struct str s)
{
	size_t n = 0;

	if (s.n && s.p[0] == '\'') {
		n = str_find(str_from(s, 1), '\'') + 2;
		return n > s.n ? 0 : n;
	}
	if (s.n && s.p[0] >= 'a' && s.p[0] <= 'z')
		while (n < s.n && (tidy_is_word(s.p[n]) || s.p[n] == '@'))
			n++;
	return n;
}

/* Returns the length of digits at the start of s. */
static size_t number_length(struct str s)
{
	size_t n = 0;

	while (n < s.n && str_is_digit(s.p[n]))
		n++;
	return n;
}

/*
 * Writes a function that the Erlang compiler made from a part of another function, such as
 * '-main/1-fun-1-'.  Returns false, without output, if s is not such a function.
 */
static bool put_erlang_part(struct tidy *t, struct str s)
{
	static const struct {
		const char *begin, *what;
	} parts[] = { { "-fun-", "fun" },
		      { "-lc$^", "list comprehension" },
		      { "-lbc$^", "binary comprehension" },
		      { "-bc$^", "binary comprehension" },
		      { "-mc$^", "map comprehension" },
		      { "-after$^", "after" } };
	struct str rest = str_from(s, 2); /* skip the quote and the minus */
	size_t n = str_find(rest, '/');

	n += 1 + number_length(str_from(rest, n + 1));
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		struct str part = str_from(rest, n);
		struct str begin = str_of(parts[i].begin);

		if (n > rest.n || !str_starts(part, begin))
			continue;
		part = str_from(part, begin.n);
		tidy_put(t, str_head(rest, n));
		tidy_put(t, STR(" ("));
		tidy_put(t, str_of(parts[i].what));
		if (!i && t->level == TIDY_FULL) {
			tidy_put(t, STR(" "));
			tidy_put(t, str_head(part, number_length(part)));
		}
		tidy_put(t, STR(")"));
		return true;
	}
	return false;
}

/*
 * Writes the name of a function of Erlang or Elixir, or of code that functions share
 * (global::mul_body_shared).  The prologue that calls a function gets the label of the function.
 * Returns false, without output, for other names.
 */
static bool put_erlang(struct tidy *t, struct str s)
{
	const struct str prologue = STR("-CodeInfoPrologue"), elixir = STR("'Elixir.");
	bool marked = str_starts(s, STR("$"));
	struct str module, function, arity;

	s = str_from(s, marked);
	if (str_ends(s, prologue))
		s = str_head(s, s.n - prologue.n);
	module = str_head(s, atom_length(s));
	if (!module.n || module.n == s.n || s.p[module.n] != ':')
		return false;
	if (marked && str_starts(str_from(s, module.n), STR("::"))) {
		tidy_put(t, s);
		return true;
	}
	s = str_from(s, module.n + 1);
	function = str_head(s, atom_length(s));
	if (!function.n || function.n == s.n || s.p[function.n] != '/')
		return false;
	arity = str_from(s, function.n);
	if (arity.n < 2 || number_length(str_from(arity, 1)) != arity.n - 1)
		return false;
	if (str_starts(module, elixir)) {
		tidy_put(t, str_span(module.p + elixir.n, module.p + module.n - 1));
		tidy_put(t, STR("."));
	} else {
		tidy_put(t, module);
		tidy_put(t, STR(":"));
	}
	if (!str_starts(function, STR("'-")) || !put_erlang_part(t, function)) {
		tidy_put(t, function);
		tidy_put(t, arity);
	}
	return true;
}

/* If s ends with the character c and a number, returns s without them. */
static struct str without_number(struct str s, char c)
{
	size_t at = str_rfind(s, c);

	return at < s.n && number_length(str_from(s, at + 1)) == s.n - at - 1
	               ? str_head(s, at)
	               : s;
}

/* Writes a function of PHP: App\Counter::add, {closure:main():16}, or the path of a script. */
static void put_php(struct tidy *t, struct str s)
{
	const struct str closure = STR("{closure:");
	bool closed = false;

	while (str_starts(s, closure)) {
		s = str_span(s.p + closure.n, s.p + str_rfind(s, '}'));
		s = without_number(s, ':');
		closed = true;
	}
	if (closed && str_ends(s, STR("()")))
		s = str_head(s, s.n - 2);
	if (t->level == TIDY_SHORT && str_starts(s, STR("/")))
		s = without_directory(s);
	tidy_put(t, s);
	if (closed)
		tidy_put(t, STR(" (closure)"));
}

/* Returns the function in a name that PHP wrote, or an empty string. */
static struct str php_function(struct str s)
{
	const struct str whole = STR("JIT$"), trace = STR("TRACE-");
	size_t n = trace.n;

	/* Names that begin with JIT$$ are not functions, but code of the runtime. */
	if (str_starts(s, whole) && !str_starts(s, STR("JIT$$")))
		return str_from(s, whole.n);
	if (!str_starts(s, trace))
		return (struct str){ 0 };
	n += number_length(str_from(s, n));
	return n < s.n && s.p[n] == '$' ? without_number(str_from(s, n + 1), '$')
	                                : (struct str){ 0 };
}

bool tidy_script(struct tidy *t, struct str s)
{
	struct str php = php_function(s);
	const struct str python = STR("py::"), builtin = STR("Builtin:");
	size_t kind = kind_length(s);

	if (php.n)
		put_php(t, php);
	else if (put_erlang(t, s))
		return true;
	else if (str_starts(s, python))
		put_python(t, str_from(s, python.n));
	else if (is_function(str_head(s, kind)))
		put_function(t, str_from(s, kind));
	else if (kind && str_starts(s, builtin))
		tidy_put(t, str_from(s, builtin.n));
	else if (kind)
		tidy_put(t, s);
	else
		return false;
	return true;
}
