/*
 * label - makes the names of frames for folded stacks.
 *
 * Symbols contain more than a reader of a flame graph needs (argument lists, return types, tiers,
 * running numbers), and bytes that the folded format does not allow.  A label contains neither
 * ';' nor control bytes.  Bytes that are not UTF-8 are kept.  Use it once for each distinct
 * frame.  The time is linear in the length of the name.
 */
#ifndef LABEL_LABEL_H
#define LABEL_LABEL_H

#include "label/tidy.h"

/* Marks of frames.  A frame gets only the first wanted mark that applies to it. */
enum {
	MARK_INLINED = 1, /* "_[i]" */
	MARK_JIT = 2,     /* "_[j]": managed code, compiled at run time or earlier */
	MARK_KERNEL = 4,  /* "_[k]" */
	MARK_RUNTIME = 8, /* "_[r]": native code of a language's runtime */
	MARK_ALL = 15,
};

/* The program whose rules for names are used: this program, or another one (label/compat.h). */
enum compat { COMPAT_NONE, COMPAT_FLAMEGRAPH, COMPAT_INFERNO };

struct label_opts {
	enum tidy_level tidy;
	enum compat compat;
	bool java;      /* with compat: the thread belongs to a Java program */
	bool addrs;     /* add the address to unnamed frames: "[libc.so.6 <7f01>]" */
	unsigned marks; /* MARK_*: the wanted marks */
};

/* A name of a frame, as in symbol/profile.h. */
struct label_name {
	struct str func;   /* empty if unknown */
	struct str module; /* as perf prints it, or empty */
	uint64_t addr;
	unsigned flags;     /* NAMED_* */
	struct str srcline; /* "FILE:LINE", to add after the name, or empty */
};

/*
 * Returns the label.  If the symbol contains a chain of inlined functions, as in Java, returns
 * several labels, root first, separated by ';', as they are in a folded stack.
 */
struct str label_frame(struct arena *a, const struct label_name *whole,
                       const struct label_opts *opts);

/*
 * Returns the index of the first "->" that is outside all brackets and not the name of an
 * operator, or s.n.
 */
size_t label_find_arrow(struct str s);

enum label_ids { LABEL_COMM, LABEL_PID, LABEL_TID };

/*
 * Returns the frame at the root: "comm", "comm-PID" or "comm-PID/TID".  Blanks become '_', and an
 * unknown pid (-1) becomes '?'.  A thread without a name is called ":TID".
 */
struct str label_root(struct arena *a, struct str comm, int32_t pid, int32_t tid,
                      enum label_ids ids);

/* Returns `label` without the mark at its end.  Sets *mark to the letter of the mark, or to 0. */
struct str label_without_mark(struct str label, char *mark);

/*
 * Returns s in the form that folded stacks allow, with ':' instead of ';' and '?' instead of
 * control bytes.  Returns s itself if it contains neither.
 */
struct str label_clean(struct arena *a, struct str s);

#endif
