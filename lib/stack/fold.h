/*
 * fold - from samples to stacks of labels.
 *
 * Labels are made once for each name and found once for each frame number of a profile.  After
 * that, a frame costs one array load, and a sample one probe among the recent ones.  Another
 * sample is pushed frame by frame.
 *
 * Adjacent equal frames become one frame: unnamed frames of one module, and an async method that
 * resumes inside itself with only frames of the runtime between. Only the labels of the stack
 * decide.  With label_opts.compat frames stay separate.
 */
#ifndef STACK_FOLD_H
#define STACK_FOLD_H

#include "label/label.h"
#include "rule/rule.h"
#include "stack/fold_parts.h"
#include "stack/origin.h"
#include "stack/site.h"
#include "stack/slices.h"
#include "symbol/profile.h"

/* Frames that become one with a frame they are called from. */
enum fold_recursion { RECURSION_KEPT, RECURSION_DIRECT, RECURSION_CYCLIC };

/* The kind of frame at the root of a sample. */
enum fold_root {
	FOLD_ROOT_RULES, /* the thread's name, or the result of a rule */
	FOLD_ROOT_COMM,  /* the thread's name, with the ids asked for */
	/* the main thread's name if records have it, else as by rules */
	FOLD_ROOT_PROCESS,
	FOLD_ROOT_NONE, /* the outermost frame */
};

struct fold_opts {
	struct label_opts labels;
	enum fold_root root;
	enum label_ids ids; /* that are shown with it */
	enum fold_recursion recursion;
	struct rules *rules; /* or NULL */
	struct rules *roots; /* for threads without a matching rule, or NULL */
	bool threads;        /* sites of roots distinguish threads, not only processes */
	bool no_lines;       /* lines of the source are no part of labels */
};

struct fold {
	struct arena *run;
	struct fold_opts opts;   /* do not change after the first sample */
	struct interner names;   /* labels */
	struct stacks stacks;    /* named by labels, or by sites if these are kept */
	struct sites *sites;     /* NULL: they are not kept */
	struct slices *slices;   /* receive each added weight, or NULL */
	struct origins *origins; /* of labels, or NULL: they are not kept */
	bool rooted;             /* folded input: its first frames represent threads */
	/* private to fold.c */
	struct fold_codes codes;
	struct fold_verdicts verdicts;
	struct fold_starts starts;
	struct fold_pieces pieces;
	struct fold_traits traits;
	struct fold_path path;
	struct arena scratch; /* labels being made */
	unsigned in_scratch;  /* how many */
};

void fold_init(struct fold *f, struct arena *run, const struct fold_opts *opts);

/* Nodes are named by sites from now on.  Before the first sample. */
void fold_keep_sites(struct fold *f);

/* The origins of labels are kept from now on.  Before the first sample. */
void fold_keep_origins(struct fold *f);

/* Returns the label of a node's name. */
static inline str_id fold_label(const struct fold *f, str_id name)
{
	return f->sites ? site_at(f->sites, name)->label : name;
}

/* Before the first sample of each profile: frame numbers mean something else now. */
void fold_begin(struct fold *f);

/*
 * The stack of a sample from p, for fold_add.  Returns false if the rules drop the sample.
 */
bool fold_sample(struct fold *f, const struct profile *p, const struct sample *s,
                 stack_id *out);

/* Adds the weight of a sample at that time, or an interval, from_ns <= to_ns, in ns. */
void fold_add(struct fold *f, stack_id id, uint64_t weight, uint64_t time_ns);
void fold_add_span(struct fold *f, stack_id id, uint64_t from_ns, uint64_t to_ns);

/* Returns the stack of a frame with that label below parent.  Rules do not judge it. */
stack_id fold_push(struct fold *f, stack_id parent, struct str label);

/* Returns the stack of a root with that label, which precedes the roots of threads. */
stack_id fold_push_root(struct fold *f, struct str label);

/* Adds the origin that a comment of folded stacks states, if origins are kept. */
void fold_add_origin(struct fold *f, struct str line);

/* The stack that a line of folded stacks names.  Returns false if the rules drop it. */
bool fold_line(struct fold *f, struct str line, stack_id *out);

/*
 * With label_opts.compat, call it before each sample.  java: the thread belongs to a Java
 * program. Frames are cached for both cases, because their labels differ.
 */
void fold_set_java(struct fold *f, bool java);

/*
 * After the last sample: a stack with a frame that has one of these names, as label or as symbol,
 * then begins at the innermost such frame.  Sets met[i] if names[i] occurs. Returns the new stack
 * by old stack, valid as long as run.
 */
const stack_id *fold_skip_callers(struct fold *f, const struct str *names, size_t n,
                                  bool *met);

/*
 * Returns "; is NAME meant?" with the label that is most similar to want, or an empty string.  In
 * a.
 */
struct str fold_nearest(const struct fold *f, struct str want, struct arena *a);

/* Releases the caches of fold_sample.  The stacks stay with run. */
void fold_end(struct fold *f);

#endif
