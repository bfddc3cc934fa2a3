/* options - describes the options of a filter, and parses the command line. */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include <stddef.h>

struct cmd;

/* An option of a filter. */
struct cmd_option {
	const char *name; /* long name without dashes, or NULL at the end of the table */
	char letter;      /* letter of the short form, or 0 */
	const char *arg;  /* name of the argument for --help, or NULL */
	const char *help; /* a few words, or NULL to share the previous line of --help */
	/*
	 * CMD_SETS of the field that the option sets: a bool, or a const char * if the option
	 * has an argument.  It is 0 if the function `set` handles the option.
	 */
	size_t field;
};

#define CMD_SETS(type, member) (offsetof(type, member) + 1)

/* Options that take no argument if the option `beside` (--compat) is given. */
struct cmd_bare {
	const char *options; /* long names, separated by blanks */
	const char *beside;  /* long name of the other option */
	const char *instead; /* end of the message about a missing argument */
};

/* The words that an option accepts as its argument, separated by blanks. */
struct cmd_words {
	const char *option; /* long name, or NULL at the end of the table */
	const char *words;
};

/*
 * Parses the command line.  Sets fields of c and ctx, and passes other options of the filter to
 * cmd_tool.set.  Returns 1 with optind at the first operand, 0 if --help or --version was
 * printed, or -1 after it has reported an error.
 */
int options_parse(struct cmd *c, void *ctx, int argc, char **argv);

/* Returns the index of `arg` among the words that the option accepts, or -1. */
int options_word(const struct cmd_words *words, const char *option, const char *arg);

#endif
