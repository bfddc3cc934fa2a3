/*
 * agree - are a text and a perf.data of one capture?
 *
 * The first samples of the text are remembered by thread and time (perf prints
 * microseconds); where perf.data has a sample of that thread and time, all frames
 * of one module in both must have the same addresses, printed in one of the two forms
 * that perf has used.  One capture agrees in all of them, another in none.  Modules
 * differ where a text was made after `perf inject --jit`, which gives JIT code files.
 */
#ifndef SYMBOL_SAME_CAPTURE_H
#define SYMBOL_SAME_CAPTURE_H

#include "base/table.h"
#include "symbol/recorded.h"
#include "process/process.h"

enum {
	AGREE_SAMPLES = 256, /* of the text that are remembered */
	AGREE_FRAMES = 64,   /* of each that are compared */
	AGREE_SAME = 16,     /* samples of one thread and time that are tried */
};

/* What a distinct line of a frame says. */
struct agree_line {
	uint64_t addr;
	str_id module; /* as printed */
	bool counts;   /* it is of a frame, and that is not inlined */
};

struct agree_sample {
	size_t first, n; /* of places */
	uint32_t older;  /* another one of the same thread and time; index + 1 */
};

struct agree {
	struct arena *arena;
	struct interner *names;
	uint64_t seed;
	struct table line_of; /* (hash, length and kind) -> index of line + 1 */
	struct agree_line *line;
	size_t nlines, lines_cap;
	uint32_t *place; /* the lines of the samples' frames */
	size_t nplaces, places_cap;
	struct table keys; /* (tid, microseconds) -> index + 1 */
	struct agree_sample *sample;
	size_t n;
	unsigned found, offset, absolute; /* met; equal in that form */
};

/* names are those of the mappings that agree_check will see. */
void agree_init(struct agree *a, struct arena *arena, struct interner *names);

/* False: it has enough. */
bool agree_add(struct agree *a, const struct event *ev);

/* Reads until it has enough; the caller rewinds. */
void agree_learn(struct agree *a, struct reader *text);

/* A sample of perf.data, ps being the state at its time. */
void agree_check(struct agree *a, const struct event *ev, struct processes *ps);

/* True, and the form, when they are of one capture. */
bool agree_verdict(const struct agree *a, enum address_form *out);

#endif
