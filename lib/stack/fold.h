/*
 * fold - converts samples to stacks of labels.  A label is made once for each name, and looked up
 * once for each frame number of a profile.  Later uses of the frame need one array access.  A
 * sample with the same frames as a recent one needs one hash lookup.  Other samples are pushed
 * frame by frame.
 *
 * Adjacent unnamed frames of one module become one frame.  If an async method resumes inside
 * itself, with only frames of the runtime in between, its frames become one frame.  This is
 * detected from the labels of the stack alone.  If label_opts.compat is set, all frames stay
 * separate.
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

/* Which recursive calls are merged into one frame: no calls, adjacent calls, or all calls. */
enum fold_recursion { RECURSION_KEPT, RECURSION_DIRECT, RECURSION_CYCLIC };

/* The kind of frame at the root of a sample. */
enum fold_root {
	FOLD_ROOT_RULES, /* the thread's name, or the result of a rule */
	FOLD_ROOT_COMM,  /* the thread's name with its ids */
	/* the main thread's name if it was recorded, else as FOLD_ROOT_RULES */
	FOLD_ROOT_PROCESS,
	FOLD_ROOT_NONE, /* the outermost frame */
};

struct fold_opts {
	struct label_opts labels;
	enum fold_root root;
	enum label_ids ids; /* the ids that are shown with a thread's name */
	enum fold_recursion recursion;
	struct rules *rules; /* or NULL */
	/* rules for roots of threads that `rules` does not match, or NULL */
	struct rules *roots;
	bool threads;  /* sites of roots distinguish threads, not only processes */
	bool no_lines; /* labels do not contain source lines */
};

struct fold {
	struct arena *run;
	struct fold_opts opts; /* constant after the first sample */
	struct interner names; /* labels */
	/* the stacks.  Their names are ids of labels, or of sites if these are kept */
	struct stacks stacks;
	struct sites *sites; /* NULL: they are not kept */
	struct slices
	        *slices; /* if not NULL, each weight is also added to these slices */
	struct origins *origins; /* origins of labels, or NULL if they are not kept */
	/* the first frame of each line of folded input is a thread */
	bool rooted;
	/* private to fold.c */
	struct fold_codes codes;
	struct fold_verdicts verdicts;
	struct fold_starts starts;
	struct fold_pieces pieces;
	struct fold_traits traits;
	struct fold_path path;
	struct arena scratch; /* memory for labels that are being made */
	unsigned in_scratch;  /* number of labels in scratch */
};

void fold_init(struct fold *f, struct arena *run, const struct fold_opts *opts);

/* Names nodes by sites from now on.  Call it before the first sample. */
void fold_keep_sites(struct fold *f);

/* Keeps the origins of labels from now on.  Call it before the first sample. */
void fold_keep_origins(struct fold *f);

/* Returns the label of a node's name. */
static inline str_id fold_label(const struct fold *f, str_id name)
{
	return f->sites ? site_at(f->sites, name)->label : name;
}

/*
 * Forgets the frame numbers of the previous profile.  Call it before the first sample of each
 * profile.
 */
void fold_begin(struct fold *f);

/*
 * Sets *out to the stack of a sample from p, for fold_add.  Returns false if the rules drop the
 * sample.
 */
bool fold_sample(struct fold *f, const struct profile *p, const struct sample *s,
                 stack_id *out);

/*
 * fold_add adds the weight of a sample, whose time is in ns.  fold_add_span adds the length of an
 * interval, from_ns <= to_ns.
 */
void fold_add(struct fold *f, stack_id id, uint64_t weight, uint64_t time_ns);
void fold_add_span(struct fold *f, stack_id id, uint64_t from_ns, uint64_t to_ns);

/*
 * Pushes a frame with this label below `parent` and returns the new stack.  Rules do not apply to
 * this frame.
 */
stack_id fold_push(struct fold *f, stack_id parent, struct str label);

/*
 * Pushes a root frame with this label and returns its stack.  Roots of threads can be pushed
 * below it.
 */
stack_id fold_push_root(struct fold *f, struct str label);

/* If origins are kept, adds the origin in a comment line of folded stacks. */
void fold_add_origin(struct fold *f, struct str line);

/*
 * Sets *out to the stack in a line of folded stacks.  Returns false if the rules drop it.
 */
bool fold_line(struct fold *f, struct str line, stack_id *out);

/*
 * Sets whether the next samples are from a Java program.  Java programs have other labels, so
 * frames are cached separately.  If label_opts.compat is set, call it before each sample.
 */
void fold_set_java(struct fold *f, bool java);

/*
 * Removes the callers of some functions.  If a frame of a stack has one of the names as its label
 * or symbol, the stack then begins at the innermost such frame.  Sets met[i] if names[i] occurs.
 * Call it after the last sample.  Returns the new stack of each old stack, valid as long as run.
 */
const stack_id *fold_skip_callers(struct fold *f, const struct str *names, size_t n,
                                  bool *met);

/*
 * Returns "; is NAME meant?", in a, with the label that is most similar to want.  Returns an
 * empty string if no label is similar.
 */
struct str fold_nearest(const struct fold *f, struct str want, struct arena *a);

/* Releases the caches of fold_sample.  The stacks are valid as long as run. */
void fold_end(struct fold *f);

#endif
