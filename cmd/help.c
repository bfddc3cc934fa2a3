#include "help.h"

#include <stdio.h>

enum { COLUMNS = 80, HELP_AT = 30 /* column at which the text of an option begins */ };

/*
 * Returns the spelling of an option, such as "-q, --quiet" or " --member NAME".  Options that
 * share a line are joined: " --keep, --drop PATTERN".  Moves *next to the option after them.
 */
static struct str spelling(struct cmd *c, const struct help *h, size_t *next)
{
	const struct cmd_option *o = h->all[(*next)++];
	const char *arg = o->arg ? o->arg : "", *gap = *arg && *arg != '[' ? " " : "";
	const char *name = o->name ? o->name : "";
	struct str s;

	if (!o->letter)
		s = arena_fmt(&c->run, "    --%s", name);
	else
		s = arena_fmt(&c->run, "-%c%s%s", o->letter, *name ? ", --" : "", name);
	while (*next < h->n && !h->all[*next]->help)
		s = arena_fmt(&c->run, "%s, --%s", s.p, h->all[(*next)++]->name);
	return arena_fmt(&c->run, "%s%s%s", s.p, gap, arg);
}

/*
 * Prints text from `column` on, with line breaks between words.  Further lines start at column
 * `at`.
 */
static void print_wrapped(const char *text, size_t at, size_t column)
{
	struct str rest = str_of(text);
	size_t first = column;

	while (rest.n) {
		struct str word = str_cut(&rest, ' ');

		if (column > first && column + 1 + word.n >= COLUMNS)
			column = first = (size_t)printf("\n%*s", (int)at, "") - 1;
		column += (size_t)printf("%s" PRSTR, column > first ? " " : "",
		                         STRARG(word));
	}
	putchar('\n');
}

static void print_options(struct cmd *c, const struct help *h)
{
	const struct cmd_tool *tool = h->tool;
	size_t width = 0;

	printf("usage: %s [options] %s\n\n%s - ", tool->name, tool->operands, tool->name);
	print_wrapped(tool->purpose, strlen(tool->name) + 3, strlen(tool->name) + 3);
	putchar('\n');
	for (size_t i = 0; i < h->n;) {
		size_t n = spelling(c, h, &i).n;

		width = n > width && n <= HELP_AT ? n : width;
	}
	for (size_t i = 0; i < h->n;) {
		const char *help = h->all[i]->help;
		struct str s = spelling(c, h, &i);

		printf("  %-*s  ", (int)width, s.p);
		print_wrapped(help, width + 4, s.n > width ? s.n + 4 : width + 4);
	}
	printf("\nexample: %s\n", tool->example);
}

/*
 * Returns the option with the long name `word`.  A letter finds an option that has no long name.
 * Returns NULL if there is no such option.
 */
static const struct cmd_option *find(const struct help *h, struct str word)
{
	for (size_t i = 0; i < h->n; i++) {
		const struct cmd_option *o = h->all[i];

		if (o->name ? str_eq(word, str_of(o->name))
		            : word.n == 1 && *word.p == o->letter)
			return o;
	}
	return NULL;
}

/* Returns the options in cmd_tool.usual, in the same order. */
static struct help choose(struct cmd *c, const struct help *h)
{
	const struct cmd_option **chosen =
	        arena_new(&c->run, const struct cmd_option *, h->n);
	struct help usual = { h->tool, chosen, 0 };
	struct str rest = str_of(h->tool->usual);

	while (rest.n && usual.n < h->n) {
		const struct cmd_option *o = find(h, str_cut(&rest, ' '));

		if (o)
			chosen[usual.n++] = o;
	}
	return usual;
}

static const char *words_of(const struct cmd_tool *tool, const struct cmd_option *o)
{
	const struct cmd_words *w = tool->words;

	while (w && w->option && (!o->name || strcmp(w->option, o->name) != 0))
		w++;
	return w && w->option ? w->words : "";
}

static void print_table(const struct help *h)
{
	const char *help = "";

	for (size_t i = 0; i < h->n; i++) {
		const struct cmd_option *o = h->all[i];

		help = o->help ? o->help : help;
		if (o->letter)
			putchar(o->letter);
		printf("\t%s\t%s\t%s\t%s\n", o->name ? o->name : "", o->arg ? o->arg : "",
		       words_of(h->tool, o), help);
	}
}

int help_print(const struct help *h, struct cmd *c, const char *arg)
{
	struct help usual;

	if (arg && strcmp(arg, "table") == 0) {
		print_table(h);
	} else if ((arg && strcmp(arg, "all") == 0) || (!arg && !c->tool->usual)) {
		print_options(c, h);
	} else if (arg) {
		return diag_fatal(&c->diag, "--help=%s: expected all or table", arg);
	} else {
		usual = choose(c, h);
		print_options(c, &usual);
	}
	return 0;
}
