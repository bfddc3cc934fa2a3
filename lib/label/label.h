/*
 * label - what a frame is called in folded stacks.
 *
 * Symbols carry more than a reader of a flame graph wants (argument lists, return
 * types, tiers, running numbers) and bytes that the folded format cannot hold.  A
 * label has no ';' and no control byte; bytes that are not UTF-8 stay.  Called once
 * for each distinct frame; linear in the name's length.
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

/* The program whose rules for names are followed: ours, or another (label/compat.h). */
enum compat { COMPAT_NONE, COMPAT_FLAMEGRAPH, COMPAT_INFERNO };

struct label_opts {
	enum tidy_level tidy;
	enum compat compat;
	bool java;      /* compat: the thread is a Java program's */
	bool addrs;     /* unknown frames with their address: "[libc.so.6 <7f01>]" */
	unsigned marks; /* MARK_*: which are put behind the name */
};

/* One name of a frame, as symbol/profile.h has it. */
struct label_name {
	struct str func;   /* empty when unknown */
	struct str module; /* as perf prints it; empty when absent */
	uint64_t addr;
	unsigned flags;     /* NAMED_* */
	struct str srcline; /* "FILE:LINE", to stand behind the name; may be empty */
};

/*
 * The label.  Where one symbol states a chain of inlined functions, as Java's do, it
 * is several, root first, with ';' between them: a piece of a folded stack.
 */
struct str label_frame(struct arena *a, const struct label_name *whole,
                       const struct label_opts *opts);

/* The first "->" that stands in no bracket and is no operator's name; s.n: none. */
size_t label_find_arrow(struct str s);

enum label_ids { LABEL_COMM, LABEL_PID, LABEL_TID };

/*
 * The frame at the root: "comm", "comm-PID" or "comm-PID/TID", blanks as '_' and
 * an unknown pid (-1) as '?'.  A thread without a name is called ":TID".
 */
struct str label_root(struct arena *a, struct str comm, int32_t pid, int32_t tid,
                      enum label_ids ids);

/* label without the mark at its end, whose letter becomes *mark; 0: it has none. */
struct str label_without_mark(struct str label, char *mark);

/* s with ':' for each ';' and '?' for each control byte; s itself when it has none. */
struct str label_clean(struct arena *a, struct str s);

#endif
