/* frameline - parses a line of a stack from perf script, BCC or bpftrace. */
#ifndef READER_PERFTEXT_FRAMELINE_H
#define READER_PERFTEXT_FRAMELINE_H

#include "reader/event.h"

/* The fields of a frame line.  All strings point into the line. */
struct frame_text {
	/* as printed: run-time address or file offset, depending on perf */
	uint64_t addr;
	struct str func;   /* function without offset.  Empty if missing or "[unknown]" */
	uint64_t func_off; /* offset in the function: the number after "+0x" */
	bool has_off;
	struct str module; /* the text in the last parentheses, or empty */
	bool inlined;      /* the line has "(inlined)" */
	struct str tail;   /* the text after the parentheses ("insn: ...") */
	struct str prefix; /* LINE_BPF: the bytes before the name */
};

/*
 * Parses the line at the front of `text` if it has the usual form of perf: a padded address, a
 * function, and one group of parentheses.  Sets *f and returns the length of the line with its
 * line end.  Returns 0 if the line has another form, which frameline_read parses.
 */
size_t frameline_split(struct str text, struct frame *f);

enum { FRAMELINE_BODY = 18 }; /* bytes of "\t%16lx " */

/* Return the function and the module of a line that frameline_split parsed. */
static inline struct str frameline_func(const struct frame *f)
{
	return (struct str){ f->line.p + FRAMELINE_BODY, f->func_n };
}

static inline struct str frameline_module(const struct frame *f)
{
	return (struct str){ f->line.p + f->module_at, f->line.n - f->module_at - 1u };
}

/*
 * Parses the line of f and the source line below it.  Returns false if the line is not a frame.
 */
bool frameline_read(const struct frame *f, struct frame_text *out);

/* Parses a line of perf script.  Returns false if the line is not a frame. */
bool frameline_perf(struct str line, struct frame_text *out);

/*
 * Parses a line of BCC or bpftrace.  If it has no address, out->addr is 0.  Returns false if the
 * line is blank.
 */
bool frameline_bpf(struct str line, struct frame_text *out);

/* Returns true if BCC may print such a line in a stack: it is indented, or only an address. */
bool frameline_is_bpf(struct str line);

#endif
