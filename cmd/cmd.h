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
	const struct cmd_bare *bare; /* may be NULL */
	/* the long name of an option that must not be abbreviated, or NULL */
	const char *whole;
	/* the options that --help prints, letters and long names, or NULL for all */
	const char *usual;
	const struct cmd_words *words; /* may be NULL */
	/* Sets an option by its index in options.  Returns -1 after a report. */
	int (*set)(void *ctx, struct diag *diag, size_t option, const char *arg);
	/* Allows the files that only this filter reads or writes, or NULL. */
	void (*allow)(void *ctx, struct cmd *c, struct confine *to);
};

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
	bool no_cache;
	bool cache_sources;           /* --cache-sources: no profiles */
	uint64_t cache_max;           /* --cache-size, bytes, or 0 if not given */
	struct cache cache;           /* of that directory, if it can be used */
	struct shared_sources shared; /* sources, when there are several inputs */
	/* of -i, then operands; NULL is standard input */
	const char *const *inputs;
	size_t ninputs;
	struct host_roots roots; /* of containers of this machine */
	struct {
		const char *path;
		int fd;
	} reserved[2]; /* private: unnamed files, ready for outputs */
	size_t nreserved;
	bool skipped;            /* set by the filter if an input could not be used */
	struct interner written; /* private: names that cmd_open_output has returned */
};

/* Returns false, and sets *status, after --help, --version or wrong usage. */
bool cmd_start(struct cmd *c, const struct cmd_tool *tool, void *ctx, int argc,
               char **argv, int *status);

/*
 * Confines the filter (base/confine.h): files are written only in the place of the output, in the
 * cache and in TMPDIR, and with --no-host only named files are read.  Returns false after a report.
 */
bool cmd_confine(struct cmd *c, void *ctx);

/* Returns true if -o names a directory for one output per input. */
bool cmd_mirrors(const struct cmd *c);

/*
 * Opens the output of input: -o FILE, standard output, or with -o DIR/ the file
 * DIR/<relative path of input>.<suffix>, or DIR/<that path><suffix> if suffix begins with '/'.
 * Directories are created, a leading "/", "./" and every ".." are dropped, and standard input is
 * called "stdin".  Two inputs with one output are an error.  Returns -1 after a report.
 */
int cmd_open_output(struct cmd *c, struct out *o, const char *input, const char *suffix);

/* Opens the file path, or standard output for NULL.  Returns -1 after a report. */
int cmd_open_file(struct cmd *c, struct out *o, const char *path);

/* Closes the file.  Returns -1 after a report, without leaving a file. */
int cmd_close_output(struct cmd *c, struct out *o);

/* Closes the output and removes its file. */
void cmd_discard_output(struct out *o);

/* Returns profile options from the common ones, for one input, with a new budget. */
struct profile_opts cmd_profile_opts(struct cmd *c, const char *input);

/*
 * Reports which sources named the frames of input, by module with --coverage, and else on a
 * terminal the modules with most unnamed frames.  summary: print that line.
 */
void cmd_report(struct cmd *c, const struct profile *p, const char *input, bool summary);

/*
 * Finishes the run.  usable: some output was written.  Returns the exit status: 2 if not usable, 1
 * after damage or if an input was skipped, else 0.
 */
int cmd_end(struct cmd *c, bool usable);

#endif
