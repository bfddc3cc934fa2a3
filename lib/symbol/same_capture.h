/*
 * same_capture - finds whether a text and a perf.data are from the same capture.
 *
 * The first samples of the text are stored by thread and time.  The time is in microseconds, as
 * perf prints it.  If perf.data has a sample with this thread and time, frames with the same
 * module in both samples are compared.  The text has either the file offsets or the run-time
 * addresses of perf.data's frames.  If the captures are the same, all frames agree.  If they
 * differ, no frame agrees.  `perf inject --jit` writes JIT code to new files, so the modules of
 * JIT code differ in a text made from the output of `perf inject`.
 */
#ifndef SYMBOL_SAME_CAPTURE_H
#define SYMBOL_SAME_CAPTURE_H

#include "symbol/recorded.h"
#include "process/process.h"

enum {
	CAPTURED_SAMPLES = 256, /* maximum number of stored samples of a text */
	CAPTURED_FRAMES = 64,   /* maximum number of compared frames of a sample */
	/* maximum number of compared samples with the same thread and time */
	CAPTURED_SAME = 16,
};

/* The parsed fields of a distinct frame line. */
struct captured_line {
	uint64_t addr;
	str_id module; /* as printed */
	bool counts;   /* the line is a frame, not an inlined function */
};

struct captured_sample {
	size_t first, n; /* range of the sample's frames in same_capture.place */
	/* index + 1 of the previous sample with this thread and time, or 0 */
	uint32_t older;
};

struct same_capture {
	struct arena *arena;
	struct interner *names;
	struct interner lines;
	struct table line_of; /* (number in lines, kind) -> index of the line + 1 */
	struct captured_line *line;
	size_t nlines, lines_cap;
	uint32_t *place; /* frames of all samples, as indices into `line` */
	size_t nplaces, places_cap;
	struct table keys; /* (tid, microseconds) -> index of the newest sample + 1 */
	struct captured_sample *sample;
	size_t n;
	uint64_t last_ns; /* latest time of the stored samples */
	/*
	 * found: number of perf.data samples that the text also contains.  offset: number
	 * of these samples whose frames agree if the text prints file offsets.  absolute:
	 * the same for run-time addresses
	 */
	unsigned found, offset, absolute;
};

/* Initializes `a`.  names: the interner of the mappings' names. */
void same_capture_init(struct same_capture *a, struct arena *arena,
                       struct interner *names);

/* Stores the first samples of the text.  The caller must rewind the text afterwards. */
void same_capture_learn(struct same_capture *a, struct reader *text);

/* Clears the results of a comparison, before the next perf.data. */
void same_capture_reset(struct same_capture *a);

/* Compares a sample of perf.data.  ps must have the mappings at the time of the sample. */
void same_capture_check(struct same_capture *a, const struct event *ev,
                        struct processes *ps);

/* Returns true if ev is later than all stored samples, so that no match can follow. */
bool same_capture_is_behind(const struct same_capture *a, const struct event *ev);

/* Returns the form of the text's addresses, or FORM_UNSURE if the captures differ. */
enum address_form same_capture_form(const struct same_capture *a);

#endif
