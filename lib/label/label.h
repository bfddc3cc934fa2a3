/*
 * label - the names of frames that folded stacks use.
 *
 * Symbols contain more than a reader of a flame graph needs (argument lists, return types, tiers,
 * running numbers), and bytes that the folded format does not allow.  A label has no ';' and no
 * control byte.  Bytes outside UTF-8 stay.  Called once for each distinct frame, and linear in
 * the name's length.
 */
#ifndef LABEL_LABEL_H
#define LABEL_LABEL_H

#include "label/tidy.h"

/* A frame has one mark, the first of these that is wanted and true of it. */
enum {
	MARK_INLINED = 1, /* "_[i]" */
	MARK_JIT = 2,     /* "_[j]": managed code, made at run time or before */
	MARK_KERNEL = 4,  /* "_[k]" */
	MARK_RUNTIME = 8, /* "_[r]": a runtime's own native code */
	MARK_ALL = 15,
};

/* The program that defines the rules for names: this one, or another (label/compat.h). */
enum compat { COMPAT_NONE, COMPAT_FLAMEGRAPH, COMPAT_INFERNO };

struct label_opts {
	enum tidy_level tidy;
	enum compat compat;
	bool java;      /* compat: the thread is a Java program's */
	bool addrs;     /* unknown frames with their address: "[libc.so.6 <7f01>]" */
	unsigned marks; /* MARK_*: the marks to add after the name */
};

/* One name of a frame, as symbol/profile.h has it. */
struct label_name {
	struct str func;   /* empty when unknown */
	struct str module; /* as perf prints it, or empty */
	uint64_t addr;
	unsigned flags;     /* NAMED_* */
	struct str srcline; /* "FILE:LINE", to add after the name, or empty */
};

/*
 * Returns the label.  If one symbol contains a chain of inlined functions, as in Java, the result
 * is several labels, root first, with ';' between them: a part of a folded stack.
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
 * The frame at the root: "comm", "comm-PID" or "comm-PID/TID", blanks as '_' and
 * an unknown pid (-1) as '?'.  A thread without a name is called ":TID".
 */
struct str label_root(struct arena *a, struct str comm, int32_t pid, int32_t tid,
                      enum label_ids ids);

/* Returns label without the mark at its end, and sets *mark to its letter, or to 0. */
struct str label_without_mark(struct str label, char *mark);

/*
 * Returns s in the form that folded stacks allow: colons replace separators, and question marks
 * replace control bytes.  Returns s itself if it contains neither.
 */
struct str label_clean(struct arena *a, struct str s);

#endif
