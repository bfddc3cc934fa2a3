/*
 * same_capture - compares a text with a perf.data, to find whether both are of one capture.
 *
 * The first samples of the text are stored by thread and time (perf prints microseconds).  If
 * perf.data has a sample of that thread and time, the frames are compared if both have the same
 * module.  Their addresses must be equal, in one of the two forms that perf has used.  In one
 * capture, all frames agree.  In different captures, no frame does.  The modules differ if a
 * text was made after `perf inject --jit`, which writes files with JIT code.
 */
#ifndef SYMBOL_SAME_CAPTURE_H
#define SYMBOL_SAME_CAPTURE_H

#include "base/table.h"
#include "symbol/recorded.h"
#include "process/process.h"

enum {
	CAPTURED_SAMPLES = 256, /* samples of the text that are stored, at most */
	CAPTURED_FRAMES = 64,   /* frames of a sample that are compared, at most */
	/* maximum number of samples of one thread and time that are compared */
	CAPTURED_SAME = 16,
};

/* The parsed fields of a distinct frame line. */
struct captured_line {
	uint64_t addr;
	str_id module; /* as it is printed */
	bool counts;   /* the line is a frame, not an inlined function */
};

struct captured_sample {
	size_t first, n; /* the range of its frames in same_capture.place */
	/* index + 1 of the previous sample of the same thread and time, or 0 */
	uint32_t older;
};

struct same_capture {
	struct arena *arena;
	struct interner *names;
	struct interner lines;
	struct table line_of; /* (id in lines, kind) -> index of line + 1 */
	struct captured_line *line;
	size_t nlines, lines_cap;
	uint32_t *place; /* the frames of all samples, as indices of line */
	size_t nplaces, places_cap;
	struct table keys; /* (tid, microseconds) -> index of sample + 1 */
	struct captured_sample *sample;
	size_t n;
	uint64_t last_ns; /* the latest time of the samples */
	/*
	 * `found` is the number of samples of perf.data with a counterpart.  `offset` and
	 * `absolute` are the numbers of those that agree in each form of address
	 */
	unsigned found, offset, absolute;
};

/* Clears a.  names: the interner of the mappings that are passed to same_capture_check. */
void same_capture_init(struct same_capture *a, struct arena *arena,
                       struct interner *names);

/* Stores the first samples of the text.  The caller must rewind the text. */
void same_capture_learn(struct same_capture *a, struct reader *text);

/* Clears the results, to compare the text with another perf.data. */
void same_capture_reset(struct same_capture *a);

/* Compares a sample of perf.data.  ps must have the mappings at the time of the sample. */
void same_capture_check(struct same_capture *a, const struct event *ev,
                        struct processes *ps);

/* Returns true if ev is later than all stored samples. */
bool same_capture_is_behind(const struct same_capture *a, const struct event *ev);

/* Returns the form of the text's addresses, or FORM_UNSURE if the captures differ. */
enum address_form same_capture_form(const struct same_capture *a);

#endif
