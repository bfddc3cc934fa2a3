#include "writer/shrink.h"

/* Where the string, template or regular expression that begins at s.p[at] ends. */
static size_t literal_end(struct str s, size_t at)
{
	char quote = s.p[at];
	bool in_class = false;
	size_t i = at + 1;

	for (; i < s.n && (s.p[i] != quote || in_class); i++) {
		if (s.p[i] == '\\')
			i++;
		else if (quote == '/' && s.p[i] == '[')
			in_class = true;
		else if (quote == '/' && s.p[i] == ']')
			in_class = false;
	}
	return i < s.n ? i + 1 : s.n;
}

static bool is_name(char c)
{
	return str_is_alnum(c) || c == '_' || c == '$';
}

static bool one_of(const char *list, char c)
{
	return c && strchr(list, c) != NULL;
}

/* A '/' behind last, the sign that was written before it, begins an expression. */
static bool begins_literal(char c, char last, enum shrink_kind kind)
{
	return c == '"' || c == '\'' || (c == '`' && kind == SHRINK_SCRIPT) ||
	       (c == '/' && kind == SHRINK_SCRIPT && one_of("(,=:[!&|?{};", last));
}

/* Blanks and comments from s.p[at] on; *line: there is a line end among them. */
static size_t blanks_end(struct str s, size_t at, bool *line)
{
	size_t i = at;

	*line = false;
	while (i < s.n) {
		if (one_of(" \t\n", s.p[i])) {
			*line |= s.p[i++] == '\n';
		} else if (str_starts(str_from(s, i), STR("/*"))) {
			struct str rest = str_from(s, i);

			i += str_search(rest, STR("*/")) + 2;
		} else {
			break;
		}
	}
	return i < s.n ? i : s.n;
}

/* What has to stand between two signs that blanks part; 0: nothing. */
static char between(char last, char next, bool line, enum shrink_kind kind)
{
	if (kind == SHRINK_STYLE)
		return one_of("{}:;,", last) || one_of("{}", next) ? 0 : ' ';
	if (line)
		return one_of("{;,([=?:|&+-*<>", last) || one_of(".?:&|)]}", next) ? 0
		                                                                   : '\n';
	if ((is_name(last) && is_name(next)) || (one_of("+-", last) && last == next))
		return ' ';
	return 0;
}

/* A statement's last sign is not needed in front of a bracket, so it waits. */
static void put(struct out *out, struct str s, bool *waits)
{
	if (*waits && s.p[0] != '}')
		out_char(out, ';');
	*waits = s.p[0] == ';';
	if (!*waits)
		out_str(out, s);
}

void shrink_write(struct out *out, struct str s, enum shrink_kind kind)
{
	bool waits = false;
	char last = ';';

	for (size_t i = 0; i < s.n;) {
		bool line;
		size_t end = blanks_end(s, i, &line);

		if (end > i) {
			char c = end < s.n ? between(last, s.p[end], line, kind) : 0;

			if (c)
				put(out, (struct str){ &c, 1 }, &waits);
			last = c == '\n' ? ';' : last;
			i = end;
			continue;
		}
		/* Who runs it has been told by then that nothing is assigned twice. */
		if (kind == SHRINK_SCRIPT && !is_name(last) &&
		    str_starts(str_from(s, i), STR("const "))) {
			put(out, STR("let"), &waits);
			last = 't';
			i += 5;
			continue;
		}
		end = begins_literal(s.p[i], last, kind) ? literal_end(s, i) : i + 1;
		put(out, str_span(s.p + i, s.p + end), &waits);
		last = s.p[end - 1];
		i = end;
	}
	if (waits)
		out_char(out, ';');
}
