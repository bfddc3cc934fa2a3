#include "rule/rule_parse.h"

/* Returns the index of `word` in `list`, or n. */
static size_t index_of(struct str word, const char *const *list, size_t n)
{
	size_t i = 0;

	while (i < n && !str_eq(word, str_of(list[i])))
		i++;
	return i;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Removes the first word and the blanks after it from *s, and returns the word. */
static struct str cut_word(struct str *s)
{
	struct str word = *s;
	size_t n = 0;

	while (n < s->n && !is_blank(s->p[n]))
		n++;
	*s = str_trim(str_from(word, n));
	return str_head(word, n);
}

int rule_parse_mark(struct str word)
{
	static const char *const words[] = { "inlined", "managed", "kernel", "runtime",
		                             "none" };
	static const char letters[] = { 'i', 'j', 'k', 'r', '\0' };
	size_t i = index_of(word, words, sizeof(letters));

	return i < sizeof(letters) ? letters[i] : -1;
}

/*
 * Returns the index of the last "=>" that has blanks on both sides or is at the end of s, or s.n.
 */
static size_t find_arrow(struct str s)
{
	for (size_t i = s.n; i-- > 0;)
		if ((!i || is_blank(s.p[i - 1])) &&
		    str_starts(str_from(s, i), STR("=>")) &&
		    (i + 2 == s.n || is_blank(s.p[i + 2])))
			return i;
	return s.n;
}

static bool wants_name(enum rule_action a)
{
	return a == RULE_RENAME || a == RULE_GROUP || a == RULE_MARK || a == RULE_ROOT;
}

static int fail(struct rule_error *e, size_t column, const char *why)
{
	*e = (struct rule_error){ column, why };
	return -1;
}

/*
 * Reads the scope.  If *rest begins with a scope and more text follows, removes the scope from
 * *rest.
 */
static void take_scope(struct str *rest, struct rule_text *out)
{
	static const char *const words[RULE_SCOPES] = { "frame",   "leaf",    "comm",
		                                        "module",  "kernel",  "managed",
		                                        "runtime", "inlined", "native" };
	struct str behind = *rest;
	size_t i = index_of(cut_word(&behind), words, RULE_SCOPES);

	out->scope = RULE_FRAME;
	if (i == RULE_SCOPES || !behind.n)
		return;
	out->scope = (enum rule_scope)i;
	*rest = behind;
}

static const char *refuse_scope(const struct rule_text *t)
{
	bool samples = t->action == RULE_KEEP || t->action == RULE_DROP;

	if (t->action == RULE_ROOT && t->scope != RULE_FRAME)
		return "root applies only to names of threads";
	if ((t->scope == RULE_LEAF || t->scope == RULE_COMM) && !samples)
		return "leaf and comm need keep or drop";
	if (t->scope == RULE_MODULE && t->action == RULE_RENAME)
		return "rename applies only to names of frames; use group for modules";
	return NULL;
}

int rule_parse_rest(struct str rest, struct rule_text *out, struct rule_error *error)
{
	const char *begin = rest.p, *why;
	size_t arrow;

	rest = str_trim(rest);
	take_scope(&rest, out);
	why = refuse_scope(out);
	if (why)
		return fail(error, 1, why);
	arrow = find_arrow(rest);
	if (wants_name(out->action) && arrow == rest.n)
		return fail(error, (size_t)(rest.p + rest.n - begin) + 1,
		            "'=> NAME' is missing");
	out->name = (struct str){ 0 };
	if (wants_name(out->action)) {
		out->name = str_trim(str_from(rest, arrow + 2));
		out->name_at = (size_t)(out->name.p - begin) + 1;
		rest = str_trim(str_head(rest, arrow));
	}
	out->pattern = rest;
	out->pattern_at = (size_t)(rest.p - begin) + 1;
	if (!rest.n)
		return fail(error, out->pattern_at, "the pattern is missing");
	if (!out->name.n && wants_name(out->action) && out->action != RULE_RENAME)
		return fail(error, out->name_at, "the name is missing");
	if (out->action == RULE_MARK && rule_parse_mark(out->name) < 0)
		return fail(error, out->name_at,
		            "expected a mark: kernel, managed, runtime, inlined or none");
	return 0;
}

int rule_parse_line(struct str line, struct rule_text *out, struct rule_error *error)
{
	static const char *const words[RULE_ACTIONS] = {
		"keep",     "drop",    "hide",  "rename", "group",
		"start-at", "stop-at", "apart", "mark",   "root",
	};
	struct str rest = str_trim(line);
	size_t i, before;

	if (!rest.n || rest.p[0] == '#')
		return 0;
	before = (size_t)(rest.p - line.p);
	i = index_of(cut_word(&rest), words, RULE_ACTIONS);
	if (i == RULE_ACTIONS)
		return fail(error, before + 1,
		            "expected keep, drop, hide, rename, group, start-at, "
		            "stop-at, apart, mark or root");
	out->action = (enum rule_action)i;
	before = rest.n ? (size_t)(rest.p - line.p) : line.n;
	if (rule_parse_rest(rest.n ? rest : str_from(line, line.n), out, error) < 0) {
		error->column += before;
		return -1;
	}
	out->pattern_at += before;
	out->name_at += before;
	return 1;
}
