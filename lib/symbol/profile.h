/*
 * profile - samples with named frames, from any format.
 *
 * The only place that joins reader, process, binding and lookup.  psym, pfold and pmerge pull
 * from it, so they name frames identically.  A profile is one input: a file, a pipe, a directory
 * or an archive (which then is a source of names as well).
 *
 * A frame is a small integer for a function and the functions inlined into it at some addresses.
 * It stays valid until profile_close, a sample and its event until the next profile_next.
 */
#ifndef SYMBOL_PROFILE_H
#define SYMBOL_PROFILE_H

#include "base/intern.h"
#include "image/locate.h"
#include "reader/reader.h"

/* -p PID or -p PID=MAP. */
struct pid_opt {
	int32_t pid;
	const char *map; /* NULL when only the pid was given */
};

struct select;

struct profile_opts {
	const char *input;          /* NULL: standard input */
	const char *member;         /* --member, or NULL */
	const char *const *sources; /* -m, in order */
	size_t nsources;
	struct shared_sources *shared; /* keeps them open, or NULL */
	struct cache *cache;           /* source_opts, as the two below */
	const struct keeper *keeper;
	struct budget *budget;
	const struct pid_opt *pids; /* -p, in order */
	size_t npids;
	unsigned formats;         /* READ_SAMPLES ...: the sets that are accepted */
	uint64_t max_spool;       /* bytes, or 0 for the default */
	bool no_demangle, params; /* native names as linked, or with parameters */
	bool no_inline;           /* inlined functions are left out */
	bool lines;               /* source lines are wanted */
	bool strict;              /* a frame with a guessed name gets no name */
	unsigned compat;          /* 6, 7: names as perf 6.1 or 7 finds them, or 0 */
	enum host_policy host;    /* image/host.h: files of this machine */
	const struct host_roots *roots;   /* image/host_roots.h, or NULL */
	bool no_input;                    /* pmerge: only sources are read */
	const struct select *select;      /* symbol/select.h, or NULL for all samples */
	const struct event_names *events; /* of a nettrace, as samples, or NULL */
	uint64_t kinds;    /* 1 << enum event_kind.  EV_ROUND: in the order of the file */
	bool kernel_paths; /* modules of the kernel by their paths */
	bool absolute;     /* frames show their ip instead of the offset in a file */
	bool addresses;    /* frames with different addresses are different */
	bool scan;         /* pmerge: profile_learn looks through all of it in any case */
	bool unnamed;      /* samples only have the frames of their events */
	bool copies;       /* psym: text without a source of names is copied */
	struct diag *diag;
};

enum {
	NAMED_UNKNOWN = 1, /* no source names it, and func is empty */
	NAMED_INLINED = 2, /* inlined into the next physical frame */
	NAMED_KERNEL = 4,
	NAMED_JIT = 8, /* in code made at run time (perf map, doublemapper, jitdump) */
	NAMED_GUESSED = 16, /* several names in turn, and no time selects one */
};

/* One name: an inlined function or the function that is really there. */
struct named {
	str_id func;   /* without offset, or empty */
	str_id module; /* as perf prints it in the parentheses, or empty */
	unsigned flags;
	bool has_off;
	uint64_t begin; /* of func, in the form of perf's addresses, if has_off */
	str_id srcline; /* "FILE:LINE" if profile_opts.lines, or empty */
	str_id decl;    /* "PATH:LINE" at which func begins, or empty */
};

/* One frame: the names at some addresses, innermost first. */
struct resolved {
	const struct named *names;
	size_t n;          /* 1 + the inlined ones, or 0 for a line that is not a frame */
	uint64_t addr;     /* with profile_opts.addresses: as perf prints it, else 0 */
	uint64_t base;     /* in a file: the address that is printed for its first byte */
	struct str prefix; /* of a text: precedes its names, or empty for the address */
	bool bare;         /* of a text: an unknown module is not printed */
	bool improved;     /* named here, unlike in the text it came from */
	uint8_t how;       /* bind/verified.h */
	const struct mapping *m; /* the mapping of its first occurrence, or NULL */
	uint32_t code;           /* private to symbol/: code_number */
	const struct item *by;   /* the file that names it, or NULL */
};

typedef uint32_t frame_id;

struct placed {
	frame_id id;
	uint64_t addr; /* as perf prints it */
};

struct sample {
	const struct event *ev; /* SAMPLE, FOLDED, TEXT, or any kind with raw */
	struct str comm;        /* SAMPLE, COMM, FORK, EXIT: name of the thread then */
	int32_t pid, tid;       /* pid is -1 if unknown */
	const struct placed *frames; /* SAMPLE: leaf to root */
	size_t nframes;              /* as many as ev->nframes */
	size_t left_out;             /* unwanted frames of ev->frames after them */
};

struct profile;
/* Returns NULL after a report. */
struct profile *profile_open(const struct profile_opts *opts);

/* Replaces profile_opts.select, before profile_learn. */
void profile_select(struct profile *p, const struct select *select);

/*
 * Reads through the profile before the first profile_next, and binds maps, images and recorded texts
 * to its processes.  From a pipe, it holds back at most 1,000 unnamed addresses or 64 MiB.
 */
void profile_learn(struct profile *p);

const struct traits *profile_traits(const struct profile *p); /* of the input's format */

/* Returns 1 and the next sample, or 0 at the end.  Damage is reported and skipped. */
int profile_next(struct profile *p, struct sample *out);

const struct resolved *profile_frame(const struct profile *p, frame_id id);
size_t profile_frames(const struct profile *p);    /* ids are below this */
uint64_t profile_damages(const struct profile *p); /* places passed over so far */
bool profile_met_sample(const struct profile *p);  /* one was read, selected or not */

/* The name of an address of the current sample that is no frame: a data address. */
struct placed profile_lookup(struct profile *p, int32_t pid, uint64_t ip,
                             enum cpumode mode);

/* Return the name of a process's main thread, and the path of a cgroup, or empty. */
struct str profile_process_name(const struct profile *p, int32_t pid);
struct str profile_cgroup(const struct profile *p, uint64_t id);
struct str profile_str(const struct profile *p, str_id id); /* of func or module */

struct binder; /* the maps and images bound to processes, for pmerge */
const struct binder *profile_binder(const struct profile *p);

struct reader *profile_reader(const struct profile *p); /* for text of tracepoints */
/* Returns -1, after a report, if profile_opts.select matched no sample of the profile. */
int profile_check_chosen(const struct profile *p);

void profile_close(struct profile *p); /* accepts NULL */

#endif
