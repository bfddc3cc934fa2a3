/* frameline - parses frame lines of perf script, BCC and bpftrace. */
#ifndef READER_PERFTEXT_FRAMELINE_H
#define READER_PERFTEXT_FRAMELINE_H

#include "reader/event.h"

/* The fields of a frame line.  All strings point into the line. */
struct frame_text {
	/* as printed: a run-time address or file offset */
	uint64_t addr;
	struct str func;   /* function without offset.  Empty for "[unknown]" */
	uint64_t func_off; /* the number after "+0x" */
	bool has_off;
	struct str module; /* text in the last parentheses, or empty */
	bool inlined;      /* the line has "(inlined)" */
	struct str tail;   /* text after the parentheses ("insn: ...") */
	struct str prefix; /* LINE_BPF: text before the name */
};

/*
 * Parses the line at the start of `text` if it has perf's usual form: a padded address, a
 * function, and one pair of parentheses.  Sets *f, and returns the length including the line end.
 * Returns 0 for other forms, which frameline_read parses.
 */
size_t frameline_split(struct str text, struct frame *f);

enum { FRAMELINE_BODY = 18 }; /* length of "\t%16lx " */

/* Return function and module of a line that frameline_split parsed. */
static inline struct str frameline_func(const struct frame *f)
{
	return (struct str){ f->line.p + FRAMELINE_BODY, f->func_n };
}

static inline struct str frameline_module(const struct frame *f)
{
	return (struct str){ f->line.p + f->module_at, f->line.n - f->module_at - 1u };
}

/* Parses the line of f and its source line.  Returns false if the line is not a frame. */
bool frameline_read(const struct frame *f, struct frame_text *out);

/* Parses a line of perf script.  Returns false if the line is not a frame. */
bool frameline_perf(struct str line, struct frame_text *out);

/*
 * Parses a line of BCC or bpftrace.  out->addr is 0 if there is no address.  Returns false if the
 * line is blank.
 */
bool frameline_bpf(struct str line, struct frame_text *out);

/* Returns true if the line can be part of a BCC stack: it is indented, or only an address. */
bool frameline_is_bpf(struct str line);

#endif
