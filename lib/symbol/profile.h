/*
 * profile - samples with named frames, whatever they were read from.
 *
 * The one place that joins reader, process, binding and lookup; psym, pfold and
 * pmerge all pull from here, so they name alike.  A profile is one input: a file,
 * a pipe, a directory or an archive (which then is a source of names as well).
 *
 * Frames are small integers: a number stands for a function and what is inlined into it at some
 * addresses, and a sample has the addresses beside the numbers.  What a number stands for stays
 * valid until profile_close; a sample and its event until the next profile_next.
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
	struct shared_sources *shared; /* keeps them open; NULL: nobody does */
	struct cache *cache; /* as those below: source_opts */
	const struct keeper *keeper;
	struct budget *budget;
	const struct pid_opt *pids; /* -p, in order */
	size_t npids;
	unsigned formats;            /* 1 << enum reader_format, what is taken */
	uint64_t max_spool;          /* bytes; 0: the default */
	bool no_demangle, params;    /* native names as linkers see them; or with parameters */
	bool no_inline;              /* inlined functions are left out */
	bool lines;                  /* source lines are wanted */
	bool strict; /* a frame whose name would be a guess has no name */
	unsigned compat; /* 6, 7: names as perf 6.1 or 7 finds them (ip, not ip-1); 0 */
	enum host_policy host;       /* image/host.h: files of this machine */
	const struct host_roots *roots; /* image/host_roots.h; NULL: none */
	bool no_input;               /* pmerge: only sources are read */
	const struct select *select; /* symbol/select.h; NULL: everything */
	const struct event_names *events; /* of a nettrace: delivered as samples; NULL */
	uint64_t kinds; /* not of text: 1 << enum event_kind; EV_ROUND: in the file's order */
	bool kernel_paths; /* modules of the kernel by their paths */
	bool absolute;     /* frames say their ip, not their offset in a file */
	bool addresses;    /* frames are told apart by their addresses */
	bool scan;         /* pmerge: profile_learn looks through all of it in any case */
	bool unnamed; /* samples are not unwound and have no frames but those of their events */
	bool copies; /* psym: text that nothing can name is copied, its frames are counted */
	struct diag *diag;
};

enum {
	NAMED_UNKNOWN = 1, /* nothing names it: func is empty */
	NAMED_INLINED = 2, /* stands inside the next physical frame */
	NAMED_KERNEL = 4,
	NAMED_JIT = 8, /* in code made at run time (perf map, doublemapper, jitdump) */
	NAMED_GUESSED = 16, /* several names in turn, and no time decides which; see strict */
};

/* One name: an inlined function or the function that is really there. */
struct named {
	str_id func;   /* without offset; empty when unknown */
	str_id module; /* as perf prints it in the parentheses; empty when absent */
	unsigned flags;
	bool has_off;
	uint64_t begin; /* of func, as perf prints that address; when has_off */
	str_id srcline; /* "FILE:LINE" when profile_opts.lines; empty when unknown */
};

/* One frame: the names at some addresses, innermost first. */
struct resolved {
	const struct named *names;
	size_t n;      /* 1 + the inlined ones; 0: a line that is no frame */
	uint64_t addr; /* profile_opts.addresses: as perf prints it; else 0 */
	uint64_t base; /* in a file: the address that is printed for its first byte */
	struct str prefix; /* of a text: in front of its names; empty: the address */
	bool bare;      /* of a text: no module is printed where none is known */
	bool improved;  /* named here, unlike in the text it came from */
	uint8_t how;    /* bind/verified.h */
	const struct mapping *m; /* where it was met first; NULL when that is not known */
	uint32_t code; /* private to symbol/: code_number */
	const struct item *by; /* the file that names it, or NULL */
};

typedef uint32_t frame_id;

struct placed {
	frame_id id;
	uint64_t addr; /* as perf prints it */
};

struct sample {
	const struct event *ev; /* kind SAMPLE, FOLDED, TEXT; with text, any with raw */
	struct str comm;        /* SAMPLE, COMM, FORK, EXIT: name of the thread then */
	int32_t pid, tid;       /* pid -1 when nothing says it */
	const struct placed *frames; /* SAMPLE: leaf to root */
	size_t nframes;         /* as many as ev->nframes */
	size_t left_out;        /* ev->frames behind them that are not wanted */
};

struct profile;
struct profile *profile_open(const struct profile_opts *opts); /* NULL: not usable, reported */

/* Replaces profile_opts.select, before profile_learn. */
void profile_select(struct profile *p, const struct select *select);

/*
 * Before the first profile_next: looks through the profile, and binds maps, images and
 * recorded texts to its processes.  From a pipe it holds back 1,000 distinct unnamed
 * addresses or 64 MiB at most.
 */
void profile_learn(struct profile *p);

enum reader_format profile_format(const struct profile *p); /* of what was chosen */

/* 1: *out is the next.  0: end.  Damage is reported and passed over. */
int profile_next(struct profile *p, struct sample *out);

const struct resolved *profile_frame(const struct profile *p, frame_id id);
size_t profile_frames(const struct profile *p); /* ids are below this */
uint64_t profile_damages(const struct profile *p); /* places passed over so far */
bool profile_met_sample(const struct profile *p); /* one was read, selected or not */

/* The name of an address of the current sample that is no frame: a data address. */
struct placed profile_lookup(struct profile *p, int32_t pid, uint64_t ip, enum cpumode mode);

/* The name of a process's main thread now, the path of a cgroup; empty: no record tells. */
struct str profile_process_name(const struct profile *p, int32_t pid);
struct str profile_cgroup(const struct profile *p, uint64_t id);
struct str profile_str(const struct profile *p, str_id id); /* of func or module */

struct binder; /* the maps and images bound to processes; for pmerge */
const struct binder *profile_binder(const struct profile *p);

struct reader *profile_reader(const struct profile *p); /* for events' names, tracepoint text */

/* After the last sample.  -1: profile_opts.select wanted none; reported, with what there is. */
int profile_check_chosen(const struct profile *p);

void profile_close(struct profile *p); /* accepts NULL */

#endif
