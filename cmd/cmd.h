/*
 * cmd - the common code of the filters: options, outputs, exit status.
 *
 * A filter describes itself in a cmd_tool, calls cmd_start, does its work, and returns the result
 * of cmd_end.  The same tables of options serve the parser and --help.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include "base/confine.h"
#include "base/out.h"
#include "image/host_roots.h"
#include "options.h"
#include "symbol/profile.h"
#include "symbol/shared_sources.h"

enum { EXIT_COMPLETE = 0, EXIT_PARTIAL = 1, EXIT_UNUSABLE = 2 };

struct cmd_tool {
	const char *name;     /* "psym" */
	const char *purpose;  /* "name the frames of perf.data or perf script text" */
	const char *operands; /* "[FILE ...]" */
	const char *example;  /* a pipeline on one line */
	bool names_frames;    /* takes -m, -p, --no-host and --trust-host */
	bool shows_inlined;   /* takes --no-inline, --strict, --coverage and others */
	bool needs_no_input;  /* do not read standard input if there are no operands */
	bool alone;           /* takes only the common options -q, --help and --version */
	const struct cmd_option *options;
	const struct cmd_bare *bare; /* may be NULL */
	const char *whole; /* a long option that may not be abbreviated, or NULL */
	const char
	        *usual; /* the options of --help, as letters and long names.  NULL: all */
	const struct cmd_words *words; /* may be NULL */
	/* Handles options[option], which has no `field`.  Returns -1 after a reported error. */
	int (*set)(void *ctx, struct diag *diag, size_t option, const char *arg);
	/* Allows the files that only this filter uses.  May be NULL. */
	void (*allow)(void *ctx, struct cmd *c, struct confine *to);
	/* Returns true if a file in -o DIR/ may have this name.  May be NULL. */
	bool (*makes)(struct str name);
};

enum cmd_confining { CONFINING_ON, CONFINING_OFF, CONFINING_MUST }; /* --confine */
enum cmd_report { REPORT_SHORT, REPORT_TABLE, REPORT_JSON };

struct cmd {
	const struct cmd_tool *tool;
	struct diag diag;
	struct arena run;             /* memory until cmd_end */
	const char *output;           /* -o FILE or DIR/, or NULL for standard output */
	unsigned workers, processors; /* -j, or 0; number of usable processors */
	const char *member;           /* --member, or NULL */
	const char **named;           /* -i */
	size_t nnamed, named_cap;
	const char **sources; /* -m */
	size_t nsources, sources_cap;
	struct pid_opt *pids; /* -p PID or -p PID=MAP */
	size_t npids, pids_cap;
	bool no_host, trust_host, no_inline, no_demangle, params, strict;
	enum cmd_report coverage; /* --coverage */
	uint64_t max_spool;       /* --max-spool in bytes, or 0 for the default */
	struct budget budget;     /* --max-time and --max-memory, for the current input */
	const char *cache_dir;    /* --cache, or NULL for the default */
	bool list_events, no_cache, cache_sources; /* the options with these names */
	uint64_t cache_max;           /* --cache-size in bytes, or 0 if not given */
	struct cache cache;           /* the cache in cache_dir, if usable */
	struct shared_sources shared; /* the open files of -m, shared by all inputs */
	const char *const *inputs;    /* -i, then operands.  NULL is standard input */
	size_t ninputs;
	struct host_roots roots; /* root directories of running containers */
	enum cmd_confining confining;
	const char *also;     /* set by the filter: path of a second output, or NULL */
	struct keeper keeper; /* private */
	/* direct: open FIFO or device for output, or -1.  ended: status of the child, or -1 */
	int direct, ended;
	bool in_batch;           /* batch_run makes several outputs */
	bool skipped;            /* set by the filter: an input was unusable */
	int verdict;             /* set by the filter: exit status in place of 0 and 1 */
	struct interner written; /* private: paths opened by cmd_open_output */
};

/* Parses the options.  Returns false and sets *status after --help, --version or an error. */
bool cmd_start(struct cmd *c, const struct cmd_tool *tool, void *ctx, int argc,
               char **argv, int *status);

/*
 * Drops rights that no filter needs (base/confine.h).  The filter continues in a child.  The
 * parent creates all files (keeping.h).  Returns false after it has reported an error.
 */
bool cmd_confine(struct cmd *c, void *ctx);

/*
 * Returns the output's path DIR/INPUT.suffix.  INPUT is `input` without empty, "." and ".."
 * components, or "stdin" for NULL.  If `suffix` begins with '/', it is appended as it is.
 */
const char *cmd_mirror(struct cmd *c, const char *input, const char *suffix);

/* Makes the directories above path.  Returns NULL, or the directory that cannot be made. */
const char *cmd_make_directories(struct cmd *c, struct str path, mode_t mode);

/* Returns true if -o ends with '/', so that each input has an output in that directory. */
bool cmd_mirrors(const struct cmd *c);

/*
 * Open -o FILE, standard output, or the file of cmd_mirror.  Return -1 after a reported error.  A
 * later call may report that a small file could not be written.
 */
int cmd_open_output(struct cmd *c, struct out *o, const char *input, const char *suffix);
int cmd_open_small(struct cmd *c, struct out *o, const char *input, const char *suffix);
/* Opens the file `path`, or standard output if it is NULL. */
int cmd_open_file(struct cmd *c, struct out *o, const char *path);

/* Close or remove an output.  cmd_close_output returns -1 after a reported error. */
int cmd_close_output(struct cmd *c, struct out *o);
void cmd_discard_output(struct cmd *c, struct out *o);

/* Returns the name of an input, which may be NULL, for messages. */
const char *cmd_input_name(const char *input);

/*
 * Opens a file, directory or archive with the common options.  look and is_profile are fields of
 * struct source_opts.  Returns NULL after a reported error.
 */
struct source *cmd_open_source(struct cmd *c, const char *path,
                               enum source_look (*look)(struct str name, struct str head),
                               bool is_profile);

/* Makes a profile's options from the common options.  Starts the budget of this input. */
struct profile_opts cmd_profile_opts(struct cmd *c, const char *input);

/*
 * Prints how the frames of `input` were named.  `summary` adds the summary, and --coverage lists
 * all modules.  Without --coverage, a terminal shows the modules with most unnamed frames.
 */
void cmd_report(struct cmd *c, const struct profile *p, const char *input, bool summary);

/*
 * Returns 2 if no output is usable, else verdict if set, else 1 if an input was damaged, else 0.
 */
int cmd_end(struct cmd *c, bool usable);

#endif
