/*
 * frameline - one line of a stack, as perf script or as BCC and bpftrace print it.
 */
#ifndef READER_PERFTEXT_FRAMELINE_H
#define READER_PERFTEXT_FRAMELINE_H

#include "reader/event.h"

/* The fields of a frame line.  All slices point into it. */
struct frame_text {
	uint64_t addr;     /* as printed: run-time or file offset, by perf version */
	struct str func;   /* without offset; empty when "[unknown]" or absent */
	uint64_t func_off; /* behind "+0x" */
	bool has_off;
	struct str module; /* in the last parentheses; empty: there are none */
	bool inlined;      /* "(inlined)" stands there */
	struct str tail;   /* what follows the parentheses ("insn: ...") */
	struct str prefix; /* LINE_BPF: the bytes in front of the name */
};

/* Parses the line of f, and the source line below it.  False: it is no frame. */
bool frameline_read(const struct frame *f, struct frame_text *out);

/* Parses a line of perf script; false: it is no frame. */
bool frameline_perf(struct str line, struct frame_text *out);

/*
 * Parses a line of BCC or bpftrace, which may have no address (0).  False: it is blank.
 */
bool frameline_bpf(struct str line, struct frame_text *out);

/* True: a line of BCC's stacks may look so: indented, or an address alone. */
bool frameline_is_bpf(struct str line);

#endif
