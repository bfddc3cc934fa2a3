/* frameline - one line of a stack, as perf script or as BCC and bpftrace print it. */
#ifndef READER_PERFTEXT_FRAMELINE_H
#define READER_PERFTEXT_FRAMELINE_H

#include "reader/event.h"

/* The fields of a frame line.  All slices point into it. */
struct frame_text {
	uint64_t addr;     /* as printed: run-time or file offset, by perf version */
	struct str func;   /* without offset.  Empty if "[unknown]" or absent */
	uint64_t func_off; /* after "+0x" */
	bool has_off;
	struct str module; /* in the last parentheses, or empty */
	bool inlined;      /* the line has "(inlined)" */
	struct str tail;   /* the text after the parentheses ("insn: ...") */
	struct str prefix; /* LINE_BPF: the bytes in front of the name */
};

/*
 * Parses the line at the front of text if it has the usual form of perf: padded address,
 * function, one group.  Sets *f and returns its bytes with the line end, or 0 if another form
 * needs a closer look.
 */
size_t frameline_split(struct str text, struct frame *f);

enum { FRAMELINE_BODY = 18 }; /* bytes of "\t%16lx " */

/* The function and the module of a line that frameline_split took. */
static inline struct str frameline_func(const struct frame *f)
{
	return (struct str){ f->line.p + FRAMELINE_BODY, f->func_n };
}

static inline struct str frameline_module(const struct frame *f)
{
	return (struct str){ f->line.p + f->module_at, f->line.n - f->module_at - 1u };
}

/*
 * Parses the line of f, and the source line below it.  Returns false if it is not a frame.
 */
bool frameline_read(const struct frame *f, struct frame_text *out);

/* Parses a line of perf script.  Returns false if it is not a frame. */
bool frameline_perf(struct str line, struct frame_text *out);

/*
 * Parses a line of BCC or bpftrace, which may have no address (0).  Returns false if it is blank.
 */
bool frameline_bpf(struct str line, struct frame_text *out);

/* True: a line of BCC's stacks may look so: indented, or an address alone. */
bool frameline_is_bpf(struct str line);

#endif
