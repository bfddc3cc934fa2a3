/*
 * frameline - one line of a stack, as perf script or as BCC and bpftrace print it.
 */
#ifndef READER_PERFTEXT_FRAMELINE_H
#define READER_PERFTEXT_FRAMELINE_H

#include "reader/event.h"

/* What the line says.  All slices point into it. */
struct frame_text {
	uint64_t addr;     /* as printed: run-time or file offset, by perf version */
	struct str func;   /* without offset; empty when "[unknown]" or absent */
	uint64_t func_off; /* behind "+0x" */
	bool has_off;
	struct str module; /* what stands in the last parentheses; empty: none */
	bool inlined;      /* "(inlined)" stands there */
	struct str tail;   /* what follows the parentheses ("insn: ...") */
	struct str prefix; /* LINE_BPF: what stands in front of the name */
};

/* The line of f, and what the source line below it says.  False: it is no frame. */
bool frameline_read(const struct frame *f, struct frame_text *out);

/* A line of perf script; false: it is no frame. */
bool frameline_perf(struct str line, struct frame_text *out);

/* A line of BCC or bpftrace; one without an address has addr 0.  False: it is blank. */
bool frameline_bpf(struct str line, struct frame_text *out);

/* The line may belong to a stack of BCC: it is indented, or an address alone. */
bool frameline_is_bpf(struct str line);

#endif
