#include "reader/perftext/tracefield.h"

/* Removes a number from the start of *s.  It may have a sign.  After 0x it is hexadecimal. */
static bool take_number(struct str *s, int64_t *out)
{
	struct str rest = *s;
	bool minus = str_skip(&rest, STR("-"));
	uint64_t v;

	if (str_skip(&rest, STR("0x"))) {
		if (!str_take_hex(&rest, &v))
			return false;
	} else if (!str_take_dec(&rest, &v)) {
		return false;
	}
	*s = rest;
	*out = (int64_t)(minus ? -v : v);
	return true;
}

/*
 * Reads the value at the start of s, which is a number or a word.  Returns false for other text.
 */
static bool take_value(struct str s, struct trace_value *out)
{
	struct str word = str_head(s, str_find(s, ' ')), rest;

	if (str_ends(word, STR(",")))
		word.n--;
	rest = word;
	*out = (struct trace_value){ .text = word };
	if (take_number(&rest, &out->number) && !rest.n)
		out->text = (struct str){ 0 };
	return word.n != 0;
}

static bool is_name(char c)
{
	return str_is_alnum(c) || c == '_';
}

/*
 * Separators of names and values.  The most reliable one is first.  The blank is last, because
 * blanks also separate other words.
 */
static const struct str separators[] = { { "=", 1 }, { ": ", 2 }, { " ", 1 } };

enum { BLANK = 2, LIST_MAX = 400 /* LIST_MAX: maximum bytes of a list, without "..." */ };

/*
 * Returns the value of the last field with this name, because a comm may contain text that looks
 * like a field.  The comm precedes the other fields of the thread:
 *
 * 	prev_comm=a b prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=...
 */
static struct str find_named(struct str text, struct str field, struct str separator)
{
	struct str found = { 0 };

	for (size_t at = 0; at < text.n; at += field.n) {
		struct str rest;

		at += str_search(str_from(text, at), field);
		rest = str_from(text, at + field.n);
		if (str_starts(rest, separator) && rest.n > separator.n &&
		    (!at || !is_name(text.p[at - 1])))
			found = str_from(rest, separator.n);
	}
	return found;
}

/* Returns the value of a field that perf prints without a name, or an empty string. */
static struct str find_unnamed(struct str event, struct str text, struct str field)
{
	if (str_eq(field, STR("ret")) && str_starts(event, STR("syscalls:sys_exit_")))
		return text;
	if (str_eq(field, STR("nr_sector")) && str_starts(event, STR("block:block_")))
		return str_from(text, str_search(text, STR(" + ")) + 3);
	return (struct str){ 0 };
}

/* Returns the name at the end of s. */
static struct str name_before(struct str s)
{
	size_t n = s.n;

	while (n && is_name(s.p[n - 1]))
		n--;
	return str_from(s, n);
}

/* Reads the name of a thread.  It may contain blanks, and ends before the next field. */
static bool take_comm(struct str s, struct trace_value *out)
{
	s = str_head(s, str_find(s, '='));
	s = str_trim(str_head(s, s.n - name_before(s).n));
	*out = (struct trace_value){ .text = s };
	return s.n != 0;
}

bool tracefield_value(struct str event, struct str text, struct str field,
                      struct trace_value *out)
{
	struct str found = find_unnamed(event, text, field);
	bool blank = false;

	for (int i = 0; i <= BLANK && !found.n && field.n; i++) {
		found = find_named(text, field, separators[i]);
		blank = i == BLANK;
	}
	if (!blank && str_ends(field, STR("_comm")))
		return take_comm(found, out);
	return take_value(found, out) && !(blank && out->text.n);
}

/* Appends a name to *list if its value is a number. */
static void add_name(struct str *list, struct str name, struct str value, struct arena *a)
{
	struct trace_value v;

	if (name.n && take_value(value, &v) && !v.text.n)
		*list = arena_fmt(a, PRSTR "%s" PRSTR, STRARG(*list), list->n ? ", " : "",
		                  STRARG(name));
}

struct str tracefield_list(struct str event, struct str text, struct arena *a)
{
	static const struct str unnamed[] = { { "ret", 3 }, { "nr_sector", 9 } };
	struct str list = { 0 };

	for (size_t i = 0; i < sizeof(unnamed) / sizeof(*unnamed); i++)
		add_name(&list, unnamed[i], find_unnamed(event, text, unnamed[i]), a);
	for (int i = 0; i < BLANK; i++)
		for (size_t at = 0; at < text.n && list.n < LIST_MAX; at++) {
			at += str_search(str_from(text, at), separators[i]);
			add_name(&list, name_before(str_head(text, at)),
			         str_from(text, at + separators[i].n), a);
		}
	return list.n < LIST_MAX ? list : arena_fmt(a, PRSTR " ...", STRARG(list));
}
