#include "writer/shrink.h"

#include <stdlib.h>

/*
 * Words of share/flame that get a name of two signs, in the order of their bytes.  They
 * are words of ours alone wherever they stand: no property of the browser's, no key of
 * the file's or a link's, and never looked up by a string.
 */
static const char *const ours[] = {
	"CELL",
	"COLLAPSES",
	"ENDING",
	"LABEL",
	"LEAST_CELL",
	"MARGIN",
	"OMITTED",
	"OTHERS",
	"VALUE",
	"above",
	"addNode",
	"alone",
	"amountOf",
	"ancestor",
	"app",
	"asRead",
	"attrs",
	"badPattern",
	"begun",
	"behind",
	"behindBracket",
	"callersTree",
	"canvas",
	"cased",
	"channels",
	"chars",
	"childLists",
	"choose",
	"chosen",
	"chosenMark",
	"clearSearch",
	"closing",
	"color",
	"column",
	"columns",
	"count",
	"counted",
	"counts",
	"covered",
	"cutText",
	"deepest",
	"defaultState",
	"depth",
	"digits",
	"draw",
	"drawSide",
	"exact",
	"facts",
	"fields",
	"file",
	"first",
	"firstBehind",
	"focusSearch",
	"follow",
	"fontSize",
	"forward",
	"found",
	"ground",
	"groupColor",
	"host",
	"hoverMark",
	"hovered",
	"html",
	"inGraph",
	"inside",
	"isFolded",
	"known",
	"last",
	"layout",
	"level",
	"levels",
	"lines",
	"list",
	"listen",
	"listenToPage",
	"luminance",
	"make",
	"matchAt",
	"measure",
	"menuButton",
	"most",
	"names",
	"naturalHeight",
	"newTree",
	"nnames",
	"node",
	"nseries",
	"nslots",
	"orderedChildren",
	"others",
	"outermost",
	"paint",
	"paints",
	"palette",
	"parent",
	"path",
	"pathOf",
	"paths",
	"pattern",
	"percent",
	"pictureOf",
	"place",
	"placeOf",
	"plot",
	"rangeOf",
	"readLeaves",
	"readSlots",
	"region",
	"render",
	"reverseTree",
	"room",
	"rowAt",
	"rows",
	"saying",
	"selfInSlots",
	"shade",
	"share",
	"showDetails",
	"showMatched",
	"shown",
	"single",
	"slot",
	"slotAt",
	"slots",
	"sorted",
	"spansBySlot",
	"start",
	"starts",
	"state",
	"stripOf",
	"sumOf",
	"sums",
	"textOf",
	"tiles",
	"timeTree",
	"toggleTable",
	"totalsOf",
	"tree",
	"update",
	"values",
	"viewed",
	"views",
	"weighed",
	"weight",
	"whole",
	"withTarget",
};

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

/* Returns the sign that must stay between two signs that blanks part; 0: none. */
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

struct shrink {
	struct out *out;
	enum shrink_kind kind;
	char last;         /* sign before the place that is read; ';' for a line end */
	bool waits;        /* a ';' that is not written yet */
	unsigned depth;    /* open brackets */
	unsigned declared; /* depth + 1 of the declaration that is read; 0: none */
	unsigned squares;  /* "]" written one after the other */
};

static void count_brackets(struct shrink *k, char c)
{
	k->squares = c == ']' ? k->squares + 1 : 0;
	if (one_of("([{", c))
		k->depth++;
	else if (one_of(")]}", c) && k->depth-- < k->declared)
		k->declared = 0;
}

/*
 * A statement's last sign is not needed in front of a bracket, so it waits.  "]]>" would end
 * the CDATA section that the script stands in.
 */
static void put(struct shrink *k, struct str s)
{
	if (k->waits && s.p[0] != '}')
		out_char(k->out, ';');
	if (k->waits && k->depth + 1 == k->declared)
		k->declared = 0;
	k->waits = s.p[0] == ';';
	if (s.p[0] == '>' && k->squares >= 2)
		out_char(k->out, ' ');
	if (s.n == 1)
		count_brackets(k, s.p[0]);
	else
		k->squares = 0;
	if (!k->waits)
		out_str(k->out, s);
	k->last = s.p[s.n - 1];
}

/* Behind the name that begins at s.p[at], or the sign that is none. */
static size_t word_end(struct str s, size_t at)
{
	size_t end = at + 1;

	while (is_name(s.p[at]) && end < s.n && is_name(s.p[end]))
		end++;
	return end;
}

static int by_bytes(const void *word, const void *other)
{
	return str_cmp(*(const struct str *)word, str_of(*(const char *const *)other));
}

/* The word at the start of s, which is not followed by a sign of a name. */
static void put_word(struct shrink *k, struct str word)
{
	static const char letters[] =
	        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	const char *const *found = bsearch(&word, ours, sizeof(ours) / sizeof(*ours),
	                                   sizeof(*ours), by_bytes);
	size_t at = found ? (size_t)(found - ours) : 0;
	char letter = letters[at % 52], sign = "$_"[at / 52 % 2];

	if (!found || k->kind != SHRINK_SCRIPT)
		put(k, word);
	else if (at < 104)
		put(k, (struct str){ (char[]){ sign, letter }, 2 });
	else
		put(k, (struct str){ (char[]){ letter, sign }, 2 });
}

/* As it stands, but for the words in a template's expressions. */
static void put_literal(struct shrink *k, struct str s)
{
	bool inside = false;

	if (s.p[0] != '`') {
		put(k, s);
		return;
	}
	put(k, STR("`"));

	for (size_t i = 1, end; i < s.n; i = end) {
		end = word_end(s, i);
		inside = inside ? s.p[i] != '}' : s.p[i] == '{' && s.p[i - 1] == '$';
		if (inside)
			put_word(k, str_span(s.p + i, s.p + end));
		else
			out_str(k->out, str_span(s.p + i, s.p + end));
		k->last = s.p[end - 1];
	}
}

static void put_blank(struct shrink *k, char next, bool line)
{
	char c = next ? between(k->last, next, line, k->kind) : 0;

	if (c)
		put(k, (struct str){ &c, 1 });
	k->last = c == '\n' ? ';' : k->last;
}

/* "let" for "const" as well, since nothing is assigned twice; a second one is a ",". */
static void put_declaration(struct shrink *k)
{
	if (k->waits && k->declared == k->depth + 1) {
		k->waits = false;
		out_char(k->out, ',');
		k->last = ',';
		return;
	}
	put(k, STR("let"));
	k->declared = k->depth + 1;
}

/* The length of a word that begins a declaration at s.p[at]; 0: there is none. */
static size_t declares(const struct shrink *k, struct str s, size_t at)
{
	struct str rest = str_from(s, at);

	if (k->kind != SHRINK_SCRIPT || is_name(k->last))
		return 0;
	return str_starts(rest, STR("const ")) ? 5
	       : str_starts(rest, STR("let ")) ? 3
	                                       : 0;
}

void shrink_write(struct out *out, struct str s, enum shrink_kind kind)
{
	struct shrink k = { .out = out, .kind = kind, .last = ';' };

	for (size_t i = 0; i < s.n;) {
		bool line;
		size_t end = blanks_end(s, i, &line), word = declares(&k, s, i);

		if (end > i) {
			put_blank(&k, end < s.n ? s.p[end] : 0, line);
		} else if (word) {
			put_declaration(&k);
			end = i + word;
		} else if (begins_literal(s.p[i], k.last, kind)) {
			end = literal_end(s, i);
			put_literal(&k, str_span(s.p + i, s.p + end));
		} else {
			end = word_end(s, i);
			put_word(&k, str_span(s.p + i, s.p + end));
		}
		i = end;
	}
	if (k.waits)
		out_char(out, ';');
}
