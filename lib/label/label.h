/*
 * label - makes the names of frames for folded stacks.
 *
 * Symbols contain more than a reader of a flame graph needs (argument lists, return types, tiers,
 * serial numbers), and characters that the folded format does not allow.  A label contains
 * neither ';' nor control characters.  Bytes that are not UTF-8 are kept.  Make a label once for
 * each distinct frame.  The time is linear in the length of the name.
 */
#ifndef LABEL_LABEL_H
#define LABEL_LABEL_H

#include "label/mark.h"
#include "label/tidy.h"

/*
 * The program whose spelling is used: this program, FlameGraph or inferno (label/compat.h).
 */
enum compat { COMPAT_NONE, COMPAT_FLAMEGRAPH, COMPAT_INFERNO };

struct label_opts {
	enum tidy_level tidy;
	enum compat compat;
	bool java; /* if compat is set: the thread belongs to a Java program */
	/* add the address to the label of an unnamed frame: "[libc.so.6 <7f01>]" */
	bool addrs;
	unsigned marks; /* set of MARK_*: the wanted marks */
};

/* A name of a frame, as in symbol/profile.h. */
struct label_name {
	struct str func;   /* empty if unknown */
	struct str module; /* as perf prints it, or empty */
	uint64_t addr;
	unsigned flags;     /* NAMED_* */
	struct str srcline; /* "FILE:LINE" that is appended to the name, or empty */
};

/*
 * Returns the label.  If the symbol contains a chain of inlined functions, as in Java, returns
 * several labels, root first, with ';' between them, as in a folded stack.
 */
struct str label_frame(struct arena *a, const struct label_name *whole,
                       const struct label_opts *opts);

/*
 * Returns the index of the first "->" that is outside of all brackets and not part of an
 * operator's name, or s.n.
 */
size_t label_find_arrow(struct str s);

enum label_ids { LABEL_COMM, LABEL_PID, LABEL_TID };

/*
 * Returns the root frame: "comm", "comm-PID" or "comm-PID/TID".  Replaces blanks by '_', and an
 * unknown pid (-1) by '?'.  A thread without a name is ":TID".
 */
struct str label_root(struct arena *a, struct str comm, int32_t pid, int32_t tid,
                      enum label_ids ids);

/*
 * Makes s valid for folded stacks: replaces ';' by ':' and control characters by '?'.  Returns s
 * itself if it contains neither.
 */
struct str label_clean(struct arena *a, struct str s);

#endif
