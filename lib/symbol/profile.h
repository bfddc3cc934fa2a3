/*
 * profile - samples with named frames, from any format.
 *
 * Only this module combines reader, process, binding and lookup.  All filters use it, so they
 * name frames identically.  A profile is one input: a file, a pipe, a directory or an archive.
 * The other files of a directory or archive are sources of names.
 *
 * A frame_id represents a function and the functions inlined into it at an address.  It is valid
 * until profile_close.  A sample and its event are valid until the next profile_next.
 */
#ifndef SYMBOL_PROFILE_H
#define SYMBOL_PROFILE_H

#include "image/locate.h"
#include "reader/reader.h"

/* -p PID or -p PID=MAP. */
struct pid_opt {
	int32_t pid;
	const char *map; /* NULL if only the pid was given */
};

struct select;
struct profile_opts {
	const char *input;          /* NULL: standard input */
	const char *member;         /* --member, or NULL */
	const char *const *sources; /* arguments of -m, in their order */
	size_t nsources;
	struct shared_sources *shared; /* files of -m that stay open, or NULL */
	/* cache, keeper and budget are copied to source_opts */
	struct cache *cache;
	const struct keeper *keeper;
	struct budget *budget;
	const struct pid_opt *pids; /* arguments of -p, in their order */
	size_t npids;
	unsigned formats;         /* set of accepted formats: READ_SAMPLES ... */
	uint64_t max_spool;       /* --max-spool in bytes, or 0 for the default */
	bool no_demangle, params; /* print mangled names.  params: print parameters */
	bool no_inline;           /* omit inlined functions */
	bool lines, paths;     /* add source lines.  paths: also add their directories */
	bool strict;           /* give no name to a frame if its name is only a guess */
	unsigned compat;       /* 6, 7: find names as perf 6.1 or 7 does.  Otherwise 0 */
	enum host_policy host; /* whether files of this machine may be used */
	const struct host_roots *roots;   /* root directories of containers, or NULL */
	bool no_input;                    /* pmerge: there is no profile, only -m */
	const struct select *select;      /* all samples if NULL */
	const struct event_names *events; /* nettrace events that are read as samples */
	uint64_t kinds;    /* set of 1 << enum event_kind.  EV_ROUND needs file order */
	bool kernel_paths; /* print kernel modules with their paths */
	bool absolute;     /* print run-time addresses instead of file offsets */
	bool addresses;    /* pfold --addrs: one frame for each address */
	bool scan;         /* pmerge: profile_learn always reads the whole profile */
	bool unnamed;      /* do not resolve samples */
	bool copies;       /* psym: copy a text if no file can name its code */
	bool places;       /* pannotate: find mappings of named frames of a text */
	struct diag *diag;
};

enum {
	NAMED_UNKNOWN = 1, /* no file names the frame, and func is empty */
	NAMED_INLINED = 2, /* inlined into its caller */
	NAMED_KERNEL = 4,
	NAMED_JIT = 8,      /* JIT code */
	NAMED_GUESSED = 16, /* several names are possible, and no time selects one */
};

/* The name of an inlined function, or of the function that contains the address. */
struct named {
	str_id func;   /* without offset, or empty */
	str_id module; /* module in the parentheses, as perf prints it, or empty */
	unsigned flags;
	bool has_off;
	uint64_t begin; /* if has_off: the address of func as perf would print it */
	str_id srcline; /* "FILE:LINE" or, with profile_opts.paths, "PATH:LINE" */
	str_id decl;    /* "PATH:LINE" of the start of func, or empty */
};

/* The names of a frame, innermost first. */
struct resolved {
	const struct named *names;
	size_t n;          /* number of names.  0 if a text line is not a frame */
	uint64_t addr;     /* printed address if opts.addresses is set.  Otherwise 0 */
	uint64_t base;     /* address that perf prints for the first byte of the file */
	struct str prefix; /* text that is printed in place of the address, or empty */
	bool bare;         /* do not print an unknown module */
	bool improved;     /* the frame has a name or a module that the input lacks */
	uint8_t how;       /* enum verified, from bind/verified.h */
	const struct mapping *m; /* mapping in which the frame first occurred, or NULL */
	uint32_t code;           /* private to symbol/: result of code_number */
	const struct item *by;   /* the file that gave the name, or NULL */
};

typedef uint32_t frame_id;

struct placed {
	frame_id id;
	uint64_t addr; /* as perf prints it */
};

struct sample {
	const struct event *ev; /* SAMPLE, FOLDED, TEXT, or another kind with raw text */
	struct str comm;  /* SAMPLE, COMM, FORK, EXIT: name of the thread at that time */
	int32_t pid, tid; /* pid is -1 if unknown */
	const struct placed *frames; /* SAMPLE: leaf to root */
	size_t nframes;              /* equal to ev->nframes */
	size_t left_out;             /* number of frames that --max-stack removed */
	bool delayed;                /* profile_resolve must resolve the frames */
};

struct profile;
struct profile *profile_open(const struct profile_opts *opts); /* NULL after an error */
/* Sets profile_opts.select.  Call it before profile_learn. */
void profile_select(struct profile *p, const struct select *select);
/* Reads the profile, and chooses the files that name its code.  Call it before profile_next. */
void profile_learn(struct profile *p);
const struct traits *profile_traits(const struct profile *p); /* of the input's format */

/* Returns 1 and the next sample, or 0 at the end.  Reports damaged parts and skips them. */
int profile_next(struct profile *p, struct sample *out);
/* From now on, does not resolve repeated stacks, and samples of attr i if left[i] is set. */
void profile_delay(struct profile *p, const bool *left);
void profile_join(struct profile *p); /* from now on, may join samples, as reader_join */
void profile_resolve(struct profile *p, struct sample *s);

const struct resolved *profile_frame(const struct profile *p, frame_id id);
size_t profile_frames(const struct profile *p);    /* number of frame_ids */
uint64_t profile_damages(const struct profile *p); /* number of damaged places skipped */
bool profile_met_sample(const struct profile *p);  /* true after the first sample */
/* Resolves a data address of the current sample.  Such an address is not in the stack. */
struct placed profile_lookup(struct profile *p, int32_t pid, uint64_t ip,
                             enum cpumode mode);

/* Return the name of a process's main thread and the path of a cgroup, or "" if unknown. */
struct str profile_process_name(const struct profile *p, int32_t pid);
struct str profile_cgroup(const struct profile *p, uint64_t id);
struct str profile_str(const struct profile *p, str_id id); /* id: a func or module */
struct binder; /* the maps and images bound to processes, for pmerge */
const struct binder *profile_binder(const struct profile *p);

/* Return the mapping of a frame of the current sample, or NULL, and true for a return address. */
const struct mapping *profile_mapping(const struct profile *p, const struct frame *f);
bool profile_is_return(const struct profile *p, const struct frame *f);
frame_id profile_location(struct profile *p, uint32_t number); /* a location's frame */

struct reader *profile_reader(const struct profile *p); /* prints tracepoints */
/* Reports an error and returns -1 if profile_opts.select matched no sample. */
int profile_check_chosen(const struct profile *p);
void profile_close(struct profile *p); /* accepts NULL */

#endif
