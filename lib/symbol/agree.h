/*
 * agree - are a text and a perf.data of one capture?
 *
 * The first samples of the text are remembered by thread and time (perf prints
 * microseconds); where perf.data has a sample of that thread and time, all frames
 * they share must have the same addresses, printed in one of the two forms that
 * perf has used.  One capture agrees in all of them, another in none.
 */
#ifndef SYMBOL_AGREE_H
#define SYMBOL_AGREE_H

#include "base/table.h"
#include "image/recorded.h"
#include "process/process.h"

enum {
	AGREE_SAMPLES = 256, /* of the text that are remembered */
	AGREE_FRAMES = 64,   /* of each that are compared */
};

struct agree_sample {
	uint64_t addr[AGREE_FRAMES];
	size_t n;
	uint32_t older; /* another one of the same thread and time; index + 1 */
};

struct agree {
	struct arena *arena;
	struct table keys; /* (tid, microseconds) -> index + 1 */
	struct agree_sample *sample;
	size_t n;
	unsigned found, offset, absolute; /* met; equal in that form */
};

void agree_init(struct agree *a, struct arena *arena);

/* False: it has enough. */
bool agree_add(struct agree *a, const struct event *ev);

/* Reads until it has enough; the caller rewinds. */
void agree_learn(struct agree *a, struct reader *text);

/* A sample of perf.data, ps being the state at its time. */
void agree_check(struct agree *a, const struct event *ev, struct processes *ps);

/* True, and the form, when they are of one capture. */
bool agree_verdict(const struct agree *a, enum address_form *out);

#endif
