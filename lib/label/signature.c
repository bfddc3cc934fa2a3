/*
 * Names such as these must be split correctly:
 *
 * 	std::function<void (int, int)>::operator()(int, int) const
 * 	main::{lambda(int, int)#2}::operator()(int, int) const
 * 	bool operator< <int>(A<int> const&, int)
 * 	std::enable_if<(2u) < (sizeof(int)), int>::type
 * 	(anonymous namespace)::bar(int) [clone .cold]
 * 	<impl Fn(i32) -> i32 as core::ops::FnOnce>::call
 * 	net/http.(*Client).Do
 * 	void (*foo)(int)
 *
 * Only the last group in parentheses can be the argument list, and only qualifiers may follow it.
 * The characters around a '<' show whether it is a bracket or an operator.
 */
#include "label/signature.h"

#include "label/tidy.h"

struct scan {
	struct str s;
	size_t i;
	char *open;            /* open brackets, outermost first */
	size_t depth, angles;  /* number of open brackets, and number of open '<' */
	size_t word, word_end; /* bounds of the last word */
	size_t op_end;         /* end of the last operator's name */
	/* bounds of the last (...) that is outside of all other brackets */
	size_t group, group_end;
};

static char at(const struct scan *sc, size_t i)
{
	return i < sc->s.n ? sc->s.p[i] : '\0';
}

/* Returns the length of the operator's name after the word `operator`. */
static size_t operator_length(struct str rest)
{
	static const char *const names[] = { "()", "[]", "<=>", "<<=", ">>=", "->*", "<<",
		                             ">>", "<=", ">=",  "->",  "<",   ">" };

	for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++) {
		struct str name = str_of(names[k]);

		if (!str_starts(rest, name))
			continue;
		/* LLVM writes operator<<int>(...) for the instance <int> of operator<. */
		if (str_eq(name, STR("<<")) && rest.n > 2 && tidy_is_word(rest.p[2]))
			return 1;
		return name.n;
	}
	return 0;
}

static void take_word(struct scan *sc)
{
	sc->word = sc->i;
	while (sc->i < sc->s.n && tidy_is_word(sc->s.p[sc->i]))
		sc->i++;
	sc->word_end = sc->i;
	if (str_eq(str_span(sc->s.p + sc->word, sc->s.p + sc->i), STR("operator"))) {
		sc->i += operator_length(str_from(sc->s, sc->i));
		sc->op_end = sc->i;
	}
}

/* Returns true if the '<' at i is an operator instead of a bracket. */
static bool is_less(const struct scan *sc)
{
	size_t i = sc->i, before = i;
	char next = at(sc, i + 1);

	if (i == sc->op_end)
		return false;
	if (next == ' ' || next == '=' || next == '-')
		return true;
	if (sc->word_end == i && i && str_is_digit(sc->s.p[sc->word]))
		return true;
	if (next == '<' && str_is_digit(at(sc, i + 2)))
		return true;
	if (before && sc->s.p[before - 1] == ' ')
		before--;
	return before && before != sc->op_end && sc->s.p[before - 1] == ')';
}

static void open_bracket(struct scan *sc, char c)
{
	if (c == '(' && !sc->depth)
		sc->group = sc->i;
	sc->open[sc->depth++] = c;
	sc->angles += c == '<';
}

/*
 * Closes the last open bracket.  c is the closing bracket.  Returns false if the two brackets do
 * not match.  If a '<' after the open bracket is still open, the '<' is an operator: template
 * arguments may contain expressions such as "(N<3)".
 */
static bool close_bracket(struct scan *sc, char c)
{
	char want = c == ')' ? '(' : c == ']' ? '[' : '{';
	size_t had = sc->angles;

	while (sc->depth && sc->open[sc->depth - 1] == '<') {
		sc->depth--;
		sc->angles--;
	}
	if (had != sc->angles && !sc->angles)
		return false;
	if (!sc->depth || sc->open[sc->depth - 1] != want)
		return false;
	if (!--sc->depth && c == ')')
		sc->group_end = sc->i;
	return true;
}

static bool take_greater(struct scan *sc)
{
	if (!sc->depth)
		return false;
	if (sc->open[sc->depth - 1] == '<') {
		sc->depth--;
		sc->angles--;
	}
	return true;
}

static void take_less(struct scan *sc)
{
	if (!is_less(sc))
		open_bracket(sc, '<');
	else if (at(sc, sc->i + 1) == '<')
		sc->i++;
}

/* Scans the name.  Returns true if all brackets match. */
static bool scan_name(struct scan *sc)
{
	while (sc->i < sc->s.n) {
		char c = sc->s.p[sc->i];
		bool paired = true;

		if (tidy_is_word(c)) {
			take_word(sc);
			continue;
		}
		if (c == '(' || c == '[' || c == '{')
			open_bracket(sc, c);
		else if (c == ')' || c == ']' || c == '}')
			paired = close_bracket(sc, c);
		else if (c == '<')
			take_less(sc);
		else if (c == '>')
			paired = take_greater(sc);
		else if (c == '-' && at(sc, sc->i + 1) == '>')
			sc->i++;
		if (!paired)
			return false;
		sc->i++;
	}
	return !sc->depth;
}

/* Returns the index of a suffix that a linker or compiler has added, or s.n. */
static size_t find_suffix(struct str s)
{
	size_t end = s.n, begin, from;

	while (end) {
		struct str head = str_head(s, end);

		if (head.p[end - 1] == ']') {
			begin = str_rfind(head, '[');
			from = begin;
			if (!str_starts(str_from(head, begin), STR("[clone ")))
				break;
		} else if (head.p[end - 1] == ')') {
			begin = str_rfind(head, '(');
			from = begin;
			if (!str_starts(str_from(head, begin), STR("(.")))
				break;
		} else {
			begin = str_rfind(head, ')');
			from = begin + 1;
			if (from >= end || head.p[from] != '@')
				break;
		}
		if (from == begin && (!begin || head.p[begin - 1] != ' '))
			break;
		end = from - (from == begin);
	}
	return end;
}

static struct str without_qualifiers(struct str s)
{
	static const char *const words[] = { " const", " volatile", " noexcept",
		                             " restrict" };
	bool again = true;

	while (again) {
		again = false;
		for (size_t k = 0; k < sizeof(words) / sizeof(*words); k++)
			if (str_ends(s, str_of(words[k]))) {
				s.n -= strlen(words[k]);
				again = true;
			}
		while (s.n && (s.p[s.n - 1] == '&' || s.p[s.n - 1] == ' ')) {
			s.n--;
			again = true;
		}
	}
	return s;
}

/* Returns true if the parentheses at i may contain the arguments of a function. */
static bool may_be_arguments(const struct scan *sc, size_t i)
{
	char before = i ? sc->s.p[i - 1] : '\0';

	return i &&
	       (tidy_is_word(before) || before == '>' || before == ']' || before == '}' ||
	        before == '\'' || i == sc->op_end || strchr("=+*/%^&|~!,", before));
}

struct signature signature_cut(struct arena *scratch, struct str s)
{
	size_t end = find_suffix(s);
	struct str suffix = str_from(s, end);
	struct scan sc = { .s = without_qualifiers(str_head(s, end)) };

	if (!sc.s.n || sc.s.p[sc.s.n - 1] != ')')
		return (struct signature){ str_head(s, end), suffix };
	sc.open = arena_new(scratch, char, sc.s.n);
	sc.op_end = sc.word_end = SIZE_MAX;
	sc.group = sc.group_end = SIZE_MAX;
	if (!scan_name(&sc) || sc.group_end != sc.s.n - 1 ||
	    !may_be_arguments(&sc, sc.group))
		return (struct signature){ str_head(s, end), suffix };
	return (struct signature){ str_head(s, sc.group), suffix };
}
