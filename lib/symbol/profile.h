/*
 * profile - samples with named frames, from any format.
 *
 * Only this module joins reader, process, binding and lookup.  psym, pfold and pmerge use it, so
 * they name frames identically.  A profile is one input: a file, a pipe, a directory or an
 * archive.  The other files of a directory or archive are sources of names.
 *
 * A frame_id represents a function and the functions inlined into it at some addresses.  It is
 * valid until profile_close.  A sample and its event are valid until the next profile_next.
 */
#ifndef SYMBOL_PROFILE_H
#define SYMBOL_PROFILE_H

#include "base/intern.h"
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
	const char *const *sources; /* -m, in order */
	size_t nsources;
	struct shared_sources *shared; /* keeps the sources open, or NULL */
	struct cache *cache;           /* for source_opts, like the next two */
	const struct keeper *keeper;
	struct budget *budget;
	const struct pid_opt *pids; /* -p, in order */
	size_t npids;
	unsigned formats;         /* set of accepted formats: READ_SAMPLES ... */
	uint64_t max_spool;       /* bytes, or 0 for the default */
	bool no_demangle, params; /* native names: mangled, or with parameters */
	bool no_inline;           /* leave out inlined functions */
	bool lines, paths;        /* add source lines; paths: with their directories */
	bool strict;              /* a frame with a guessed name gets no name */
	unsigned compat;       /* 6, 7: find names as perf 6.1 or 7 does.  Otherwise 0 */
	enum host_policy host; /* image/host.h: files of this machine */
	const struct host_roots *roots;   /* see image/host_roots.h, or NULL */
	bool no_input;                    /* pmerge: there are only sources, no input */
	const struct select *select;      /* symbol/select.h, or NULL for all samples */
	const struct event_names *events; /* which events of a nettrace are samples */
	uint64_t kinds; /* 1 << enum event_kind.  EV_ROUND keeps the order of the file */
	bool kernel_paths; /* modules of the kernel are printed with their paths */
	bool absolute; /* frames show their run-time address instead of the file offset */
	bool addresses; /* one frame for each address, not for each function */
	bool scan;      /* pmerge: profile_learn always reads the whole profile */
	bool unnamed;   /* samples are not resolved */
	bool copies;    /* psym: text without a source of names is copied */
	struct diag *diag;
};

enum {
	NAMED_UNKNOWN = 1, /* no source names the frame, and func is empty */
	NAMED_INLINED = 2, /* inlined into the next physical frame */
	NAMED_KERNEL = 4,
	NAMED_JIT = 8, /* in code made at run time (perf map, doublemapper, jitdump) */
	NAMED_GUESSED = 16, /* several names in turn, and no time selects one */
};

/* The name of an inlined function, or of the function that contains the address. */
struct named {
	str_id func;   /* name without offset, or empty */
	str_id module; /* module in the parentheses, as perf prints it, or empty */
	unsigned flags;
	bool has_off;
	uint64_t begin; /* start of func, as perf prints addresses, if has_off */
	str_id srcline; /* "FILE:LINE" if profile_opts.lines, or "PATH:LINE", or empty */
	str_id decl;    /* "PATH:LINE" at which func begins, or empty */
};

/* One frame: the names at some addresses, innermost first. */
struct resolved {
	const struct named *names;
	size_t n;      /* 1 + inlined functions, or 0 for a line that is not a frame */
	uint64_t addr; /* address as perf prints it, if opts.addresses, else 0 */
	uint64_t base; /* printed address of the file's first byte */
	struct str prefix; /* text that is printed in place of the address, or empty */
	bool bare;         /* an unknown module is not printed */
	bool improved; /* named by this program, unlike in the text that it came from */
	uint8_t how;   /* enum verified, from bind/verified.h */
	const struct mapping *m; /* the mapping of its first occurrence, or NULL */
	uint32_t code;           /* private to symbol/: code_number */
	const struct item *by;   /* the file that names the frame, or NULL */
};

typedef uint32_t frame_id;

struct placed {
	frame_id id;
	uint64_t addr; /* as perf prints it */
};

struct sample {
	const struct event *ev; /* SAMPLE, FOLDED, TEXT, or any kind that has raw */
	struct str comm;  /* SAMPLE, COMM, FORK, EXIT: name of the thread at that time */
	int32_t pid, tid; /* pid is -1 if unknown */
	const struct placed *frames; /* SAMPLE: leaf to root */
	size_t nframes;              /* equal to ev->nframes */
	size_t left_out;             /* frames that --max-stack cut after the nframes */
};

struct profile;
struct profile *profile_open(const struct profile_opts *opts); /* NULL: reported */

/* Replaces profile_opts.select.  Call it before profile_learn. */
void profile_select(struct profile *p, const struct select *select);

/* Reads the profile before the first profile_next, and binds sources to its processes. */
void profile_learn(struct profile *p);

const struct traits *profile_traits(const struct profile *p); /* for the input's format */

/* Returns 1 and the next sample, or 0 at the end.  Skips damaged parts with a report. */
int profile_next(struct profile *p, struct sample *out);

const struct resolved *profile_frame(const struct profile *p, frame_id id);
size_t profile_frames(const struct profile *p);    /* each id is below this */
uint64_t profile_damages(const struct profile *p); /* damaged places skipped so far */
bool profile_met_sample(const struct profile *p);  /* true after any sample */

/* Returns the frame of an address of the current sample outside the stack: a data address. */
struct placed profile_lookup(struct profile *p, int32_t pid, uint64_t ip,
                             enum cpumode mode);

/* Return the name of a process's main thread, and the path of a cgroup, or empty. */
struct str profile_process_name(const struct profile *p, int32_t pid);
struct str profile_cgroup(const struct profile *p, uint64_t id);
struct str profile_str(const struct profile *p, str_id id); /* id: a func or module */

struct binder; /* the maps and images bound to processes, for pmerge */
const struct binder *profile_binder(const struct profile *p);

/* Return the mapping of a current frame, or NULL, and the frame of a location. */
const struct mapping *profile_mapping(const struct profile *p, const struct frame *f);
frame_id profile_location(struct profile *p, uint32_t number);

struct reader *profile_reader(const struct profile *p); /* for text of tracepoints */
/* Returns -1, after a report, if profile_opts.select matched no sample of the profile. */
int profile_check_chosen(const struct profile *p);

void profile_close(struct profile *p); /* accepts NULL */

#endif
