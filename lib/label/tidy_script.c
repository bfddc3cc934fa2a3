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

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (str_eq(kind, str_of(kinds[i])))
			return true;
	return false;
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

bool tidy_script(struct tidy *t, struct str s)
{
	const struct str python = STR("py::"), builtin = STR("Builtin:");
	size_t kind = kind_length(s);

	if (str_starts(s, python))
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
