/*
 * fold - converts samples to stacks of labels.
 *
 * A label is made once for each name, and looked up once for each frame_id of a profile.  Later,
 * one array access finds the code of the label.  A sample with the codes of a recent sample needs
 * one hash lookup, and a sample whose event.stack was folded before needs no codes.  Any other
 * sample is pushed frame by frame.
 *
 * Adjacent unnamed frames of one module are merged.  If only frames of the runtime are between
 * two frames of one async method, these two frames are merged, too.  Both merges depend only on
 * the labels of the stack.  With label_opts.compat all frames stay separate.
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

/*
 * The recursive calls that are merged into one frame: no calls, adjacent calls, or all calls.
 */
enum fold_recursion { RECURSION_KEPT, RECURSION_DIRECT, RECURSION_CYCLIC };

/* The frame at the root of a sample. */
enum fold_root {
	FOLD_ROOT_RULES, /* the thread's name, or the name that a rule sets */
	FOLD_ROOT_COMM,  /* the thread's name with its ids */
	/*
	 * the name of the main thread.  If it was not recorded, same as FOLD_ROOT_RULES
	 */
	FOLD_ROOT_PROCESS,
	FOLD_ROOT_NONE, /* no root frame */
};

struct fold_opts {
	struct label_opts labels;
	enum fold_root root;
	enum label_ids ids; /* ids that follow the thread's name */
	enum fold_recursion recursion;
	struct rules *rules; /* may be NULL */
	/* rules for threads that `rules` does not match, or NULL */
	struct rules *roots;
	bool threads;  /* sites of roots distinguish threads instead of processes */
	bool no_lines; /* omit source lines in labels */
};

struct fold {
	struct arena *run;
	struct profile *profile; /* the current profile, for profile_resolve */
	struct fold_opts opts;   /* must not change after the first sample */
	struct interner names;   /* labels */
	/*
	 * The name of a node is the id of a label or, if sites are kept, the number of a
	 * site
	 */
	struct stacks stacks;
	struct sites *sites;     /* NULL unless fold_keep_sites was called */
	struct slices *slices;   /* receives each weight that is added.  May be NULL */
	struct origins *origins; /* NULL unless fold_keep_origins was called */
	/* the first frame of each stack in folded input is a thread */
	bool rooted;
	/* private to fold.c */
	struct fold_codes codes;
	struct fold_verdicts verdicts;
	struct fold_starts starts;
	struct fold_pieces pieces;
	struct fold_traits traits;
	struct fold_path path;
	struct arena scratch; /* memory for new labels */
	unsigned in_scratch;  /* number of labels in scratch */
};

void fold_init(struct fold *f, struct arena *run, const struct fold_opts *opts);

/* Names each node by the number of a site (stack/site.h).  Call it before the first sample. */
void fold_keep_sites(struct fold *f);

/* Stores the origins (stack/origin.h) of labels.  Call it before the first sample. */
void fold_keep_origins(struct fold *f);

/* Returns the label of a node with that name. */
static inline str_id fold_label(const struct fold *f, str_id name)
{
	return f->sites ? site_at(f->sites, name)->label : name;
}

/*
 * Forgets every frame_id of the previous profile.  Call it before the first sample of each
 * profile.
 */
void fold_begin(struct fold *f, struct profile *p);

/*
 * Sets *out to the stack of a sample from p, for fold_add.  Returns false if the rules drop the
 * sample.
 */
bool fold_sample(struct fold *f, const struct profile *p, const struct sample *s,
                 stack_id *out);

/*
 * Add the weight of a sample at a time in ns, or the length of an interval from from_ns to to_ns.
 */
void fold_add(struct fold *f, stack_id id, uint64_t weight, uint64_t time_ns);
void fold_add_span(struct fold *f, stack_id id, uint64_t from_ns, uint64_t to_ns);

/* Returns the stack of a frame with that label, below parent.  Rules do not apply. */
stack_id fold_push(struct fold *f, stack_id parent, struct str label);

/* Returns the stack of a root with that label.  Roots of threads can be pushed below this stack. */
stack_id fold_push_root(struct fold *f, struct str label);

/* Adds the origin in a comment of folded stacks, if fold_keep_origins was called. */
void fold_add_origin(struct fold *f, struct str line);

/* Sets *out to the stack in a folded line.  Returns false if the rules drop the stack. */
bool fold_line(struct fold *f, struct str line, stack_id *out);

/*
 * Sets whether the next samples belong to a Java program.  The labels of Java programs and of
 * other programs have separate caches.  If label_opts.compat is set, call it before each sample.
 */
void fold_set_java(struct fold *f, bool java);

/*
 * Removes the callers of functions.  `names` are labels or symbols.  A stack that contains some of
 * the functions then begins at the innermost of their frames.  Sets met[i] if names[i] occurs.
 * Call it after the last sample.  Returns the new stack of each old stack, in f->run.
 */
const stack_id *fold_skip_callers(struct fold *f, const struct str *names, size_t n,
                                  bool *met);

/*
 * Returns "; is NAME meant?", in arena `a`.  NAME is the label most similar to `want`.  Returns
 * an empty string if no label is similar.
 */
struct str fold_nearest(const struct fold *f, struct str want, struct arena *a);

/* Releases the caches of fold_sample.  The stacks live as long as f->run. */
void fold_end(struct fold *f);

#endif
