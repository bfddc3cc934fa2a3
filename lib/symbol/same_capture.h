/*
 * same_capture - are a text and a perf.data of one capture?
 *
 * The first samples of the text are stored by thread and time (perf prints microseconds).  If
 * perf.data has a sample of that thread and time, all frames of one module in both must have the
 * same addresses, in one of the two forms that perf has used.  If they are of one capture, all
 * agree.  Otherwise, no frame does.  Modules differ if a text was made after `perf inject --jit`,
 * which gives JIT code files.
 */
#ifndef SYMBOL_SAME_CAPTURE_H
#define SYMBOL_SAME_CAPTURE_H

#include "base/table.h"
#include "symbol/recorded.h"
#include "process/process.h"

enum {
	CAPTURED_SAMPLES = 256, /* of the text that are remembered */
	CAPTURED_FRAMES = 64,   /* of each that are compared */
	CAPTURED_SAME = 16,     /* samples of one thread and time that are tried */
};

/* The parsed fields of a distinct frame line. */
struct captured_line {
	uint64_t addr;
	str_id module; /* as printed */
	bool counts;   /* a frame, not an inlined function */
};

struct captured_sample {
	size_t first, n; /* of places */
	uint32_t older;  /* another one of the same thread and time: index + 1 */
};

struct same_capture {
	struct arena *arena;
	struct interner *names;
	struct interner lines;
	struct table line_of; /* (id in lines, kind) -> index of line + 1 */
	struct captured_line *line;
	size_t nlines, lines_cap;
	uint32_t *place; /* the lines of the samples' frames */
	size_t nplaces, places_cap;
	struct table keys; /* (tid, microseconds) -> index + 1 */
	struct captured_sample *sample;
	size_t n;
	uint64_t last_ns; /* of the samples: the latest */
	/* samples found, and the number of equal ones in each form */
	unsigned found, offset, absolute;
};

/* names: the interner of the mappings, which same_capture_check uses. */
void same_capture_init(struct same_capture *a, struct arena *arena,
                       struct interner *names);

/* Stores the first samples of the text.  The caller rewinds it. */
void same_capture_learn(struct same_capture *a, struct reader *text);

/* Clears the comparison, for another perf.data. */
void same_capture_reset(struct same_capture *a);

/* Compares a sample of perf.data.  ps is the state at its time. */
void same_capture_check(struct same_capture *a, const struct event *ev,
                        struct processes *ps);

/* Returns true if the sample is later than all remembered samples. */
bool same_capture_is_behind(const struct same_capture *a, const struct event *ev);

/* Returns the form of the text's addresses, or FORM_UNSURE if they are not of one capture. */
enum address_form same_capture_form(const struct same_capture *a);

#endif
