/*
 * cmd - the common front of the filters: options, outputs, exit status.
 *
 * A filter describes itself in a cmd_tool, calls cmd_start, works, and returns cmd_end.  The
 * common options are parsed here, the filter's own by its `set`.  --help is made from the same
 * tables, so the two always agree.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include "base/arena.h"
#include "base/confine.h"
#include "base/diag.h"
#include "base/out.h"
#include "image/host_roots.h"
#include "symbol/profile.h"
#include "symbol/shared_sources.h"

enum { EXIT_COMPLETE = 0, EXIT_PARTIAL = 1, EXIT_UNUSABLE = 2 };

/* An option of one filter. */
struct cmd_option {
	const char *name; /* long name without dashes, or NULL at the end of the table */
	char letter;      /* short form, or 0 */
	const char *arg;  /* name of the argument for --help, or NULL */
	const char *help; /* a few words, or NULL to share the previous line of --help */
};

/* Options that take no argument if another option asks for the syntax of another program. */
struct cmd_bare {
	const char *options; /* long names with blanks between them */
	const char *beside;  /* the other option */
	const char *instead; /* ends the message if the argument is missing */
};

/* The words that the argument of an option may be, with blanks between them. */
struct cmd_words {
	const char *option; /* its long name, or NULL at the end of the table */
	const char *words;
};

struct cmd;

struct cmd_tool {
	const char *name;     /* "psym" */
	const char *purpose;  /* "name the frames of perf.data or perf script text" */
	const char *operands; /* "[FILE ...]" */
	const char *example;  /* one line, a pipeline */
	bool names_frames;    /* takes -m, -p, --no-host and --trust-host */
	bool shows_inlined;   /* takes --no-inline, --strict, --coverage and others */
	bool needs_no_input;  /* without operand ninputs is 0, not standard input */
	bool alone; /* takes only -q, --help and --version of the common options */
	const struct cmd_option *options;
	const struct cmd_bare *bare; /* or NULL */
	const char *whole; /* a long option that must not be abbreviated, or NULL */
	const char
	        *usual; /* letters and long names that --help prints, or NULL for all */
	const struct cmd_words *words; /* or NULL */
	/* Sets an option by its index in options.  Returns -1 after a report. */
	int (*set)(void *ctx, struct diag *diag, size_t option, const char *arg);
	/* Allows the files that only this filter reads or writes, or NULL. */
	void (*allow)(void *ctx, struct cmd *c, struct confine *to);
};

enum cmd_confining { CONFINING_ON, CONFINING_OFF, CONFINING_MUST }; /* --confine */
enum cmd_report { REPORT_SHORT, REPORT_TABLE, REPORT_JSON };

struct cmd {
	const struct cmd_tool *tool;
	struct diag diag;
	struct arena run;   /* until cmd_end */
	const char *output; /* -o FILE or DIR/, or NULL for standard output */
	unsigned workers;   /* -j, or 0 by default */
	const char *member; /* --member, or NULL */
	const char **named; /* -i */
	size_t nnamed, named_cap;
	const char **sources; /* -m */
	size_t nsources, sources_cap;
	struct pid_opt *pids; /* -p */
	size_t npids, pids_cap;
	bool no_host, trust_host, no_inline, no_demangle, params, strict;
	bool list_events;         /* --list-events */
	enum cmd_report coverage; /* --coverage */
	uint64_t max_spool;       /* --max-spool, bytes, or 0 for the default */
	struct budget budget;     /* --max-time, --max-memory, for the current input */
	const char *cache_dir;    /* --cache, or NULL for the default */
	bool no_cache, cache_sources; /* --cache-sources: no profiles */
	uint64_t cache_max;           /* --cache-size, bytes, or 0 if not given */
	struct cache cache;           /* of that directory, if it can be used */
	struct shared_sources shared; /* sources, when there are several inputs */
	const char *const *inputs;    /* of -i, then operands; NULL is standard input */
	size_t ninputs;
	struct host_roots roots; /* of containers of this machine */
	enum cmd_confining confining;
	const char *also;     /* set by the filter: its second output, or NULL */
	struct keeper keeper; /* private */
	int direct;           /* private: the output, if it is no regular file; -1 */
	int ended;            /* private: in the keeper, the status of its child; -1 */
	bool skipped;         /* set by the filter: an input could not be used */
	int verdict; /* set by the filter: an exit status that wins over 0 and 1 */
	struct interner written; /* private: names cmd_open_output has handed out */
};

/* Returns false, and sets *status, after --help, --version or wrong usage. */
bool cmd_start(struct cmd *c, const struct cmd_tool *tool, void *ctx, int argc,
               char **argv, int *status);

/*
 * Gives up the rights that no filter needs (base/confine.h).  The keeper (keeping.h) makes all
 * files.  Returns in another process.  Returns false after a report.
 */
bool cmd_confine(struct cmd *c, void *ctx);

/*
 * The output below DIR/: the path of input, "stdin" for NULL, without empty, "." and ".." parts, then
 * ".suffix", or suffix itself if it begins with '/'.
 */
const char *cmd_mirror(struct cmd *c, const char *input, const char *suffix);

/* Makes the directories above path.  NULL, or the one that cannot be made. */
const char *cmd_make_directories(struct cmd *c, struct str path, mode_t mode);

/* -o ends in '/': each input has an output of its own below that directory. */
bool cmd_mirrors(const struct cmd *c);

/*
 * Opens the output of input: -o FILE, standard output, or the file of cmd_mirror.  Two inputs with
 * one output are an error, which cmd_start finds with -o DIR/.  Returns -1 after a report.
 */
int cmd_open_output(struct cmd *c, struct out *o, const char *input, const char *suffix);
/* Opens the file path, or standard output for NULL.  Returns -1 after a report. */
int cmd_open_file(struct cmd *c, struct out *o, const char *path);

/* Closes what one of these has opened, or gives it up: no file is left.  -1: as that, reported. */
int cmd_close_output(struct cmd *c, struct out *o);
void cmd_discard_output(struct cmd *c, struct out *o);

/* Returns profile options from the common ones, for one input, with a new budget. */
struct profile_opts cmd_profile_opts(struct cmd *c, const char *input);

/*
 * Prints the sources that named the frames of input: the summary if wanted, with --coverage by module,
 * and on a terminal the modules with most unnamed frames.
 */
void cmd_report(struct cmd *c, const struct profile *p, const char *input, bool summary);

/* Returns the exit status: 2 without a usable output, the verdict, 1 after damage or a skipped input, or 0. */
int cmd_end(struct cmd *c, bool usable);

#endif
