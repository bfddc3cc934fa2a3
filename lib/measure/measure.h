/*
 * measure - the weight of a sample.
 *
 * A measure is a constant row: the inputs that it fits, the records that it reads, the weight
 * that each of them adds to the fold, and the unit.  Each input of a run is measured by the first
 * row that fits it.  If a row fits no input, it is not initialised.
 *
 * For each input, use measure_open, profile_learn, measure_begin, then measure_take for each
 * sample or record, measure_end and measure_head.
 */
#ifndef MEASURE_MEASURE_H
#define MEASURE_MEASURE_H

#include "measure/clr.h"
#include "measure/elapsed.h"
#include "measure/events.h"
#include "measure/extent.h"
#include "measure/field_weight.h"
#include "measure/marks.h"
#include "measure/offcpu.h"
#include "reader/fields.h"

struct measure_opts {
	const char *event; /* as in struct events, or NULL */
	enum compat compat;
	bool mix;   /* weights of different units are added up */
	bool marks; /* are wanted beside the fold */
	bool count; /* a sample weighs 1 */
	struct field_weight_opts field;
	struct offcpu_opts off; /* classes 0: not asked for */
	struct elapsed_opts elapsed;
	const struct clr_view *view; /* of a runtime's events, or NULL */
	/* set by measure_settle: the events of a nettrace that are wanted */
	struct event_names events;
	struct str event_list[CLR_EVENTS + MARKS_EVENTS];
	size_t asked; /* events that are not wanted for marks alone */
};

struct measure_counts {
	uint64_t samples; /* folded */
	uint64_t dropped; /* by rules */
	uint64_t weightless, negative;
	uint64_t untimed;            /* without a time, which slices need */
	uint64_t ignored;            /* lines of text */
	uint64_t bare;               /* events of a runtime that have no stacks */
	uint64_t lost, lost_samples; /* while recording */
};

enum { MEASURES = 4 };
/* The run that folds some inputs. */
struct measure_run {
	const struct measure_opts *opts;
	struct arena *arena; /* of the run */
	struct fold *fold;
	struct marks *marks;    /* NULL: not wanted */
	struct events events;   /* taken, and left out */
	struct events *lacking; /* events without the field, or NULL */
	struct measure_counts counts;
	const char *noun;  /* counts.samples are of: "sample", "event", "interval" */
	bool selects;      /* samples were selected */
	bool events_alone; /* an input has no samples, but events of a runtime */
	bool half;         /* an input lacks one part */
	struct {
		struct profile *p;
		const struct measure *by; /* the row that fits */
		void *state;              /* of that row */
		uint64_t before;          /* counts.samples before this input */
		struct extent extent;     /* of its folded samples */
		struct head stated;       /* by the first line of folded stacks */
	} input;
	void *states[MEASURES]; /* by row, or NULL if unused */
};

struct measure_option {
	const char *name; /* as on the command line, without dashes */
	bool (*set)(struct measure_opts *opts, const char *arg);
	const char *syntax; /* the message if set returns false */
};

struct measure {
	const char *name;
	const struct measure_option *options; /* ends with an empty one, or NULL */
	size_t size;                          /* of its state, which is zeroed */
	uint64_t kinds; /* 1 << EV_*: the records it reads beside samples */
	bool selects;   /* it is given all samples, and selects itself */
	/* True if requested and provided by r, which is NULL before an input is open. */
	bool (*fits)(const struct measure_opts *opts, const struct reader *r);
	void (*init)(void *state, struct measure_run *run);
	/* Before the first sample of an input.  select: NULL uses all. */
	void (*begin)(void *state, struct profile *p, const struct select *select);
	/* Returns false if the measure has no use for the record. */
	bool (*take)(void *state, struct profile *p, const struct sample *s);
	void (*end)(void *state); /* after each input */
	/* The event and unit of the weights of the input. */
	struct head (*head)(const void *state, struct arena *a);
	/* Notes samples that are not in the sums, or NULL. */
	void (*report)(const void *state, struct diag *diag, struct arena *a);
	/* Reports why the fold is empty.  Returns false if unknown. */
	bool (*nothing)(const void *state, struct diag *diag, const char *input);
};

/* Sets the option of that name.  Returns -1 after a report. */
int measure_set(struct measure_opts *opts, struct diag *diag, const char *option,
                const char *arg);

/* After all options.  -1: two of them do not go together, reported. */
int measure_settle(struct measure_opts *opts, struct diag *diag);

/* The kinds of records that profile_opts.kinds has to ask for. */
uint64_t measure_kinds(const struct measure_opts *opts);

/* opts, which are settled, and fold outlive the run. */
void measure_init(struct measure_run *r, const struct measure_opts *opts,
                  struct fold *fold, struct arena *arena);

/* Chooses the measure of p, which is just open.  select: NULL for all samples. */
void measure_open(struct measure_run *r, struct profile *p, const struct select *select);

/* After profile_learn, when select is settled. */
void measure_begin(struct measure_run *r, const struct select *select);

void measure_take(struct measure_run *r, struct sample *s);
void measure_end(struct measure_run *r);

/* Adds the event and unit of the input to sum.  Returns false if units differ, reported. */
bool measure_head(struct measure_run *r, struct head_sum *sum, struct diag *diag,
                  const char *input);

/* Samples of this input that were folded. */
static inline uint64_t measure_samples(const struct measure_run *r)
{
	return r->counts.samples - r->input.before;
}

/* Returns true if samples of the event have no stack, because the runtime omits it. */
static inline bool measure_is_bare(const struct attr *attr)
{
	return attr && attr->runtime && !(attr->sample_type & HAS_CALLCHAIN);
}

/* Notes the events that were left out, and other samples that are not in the sums. */
void measure_report_events(const struct measure_run *r, struct diag *diag,
                           struct arena *a);
void measure_report(const struct measure_run *r, struct diag *diag, struct arena *a);

/* Reports why nothing was folded. */
void measure_report_nothing(const struct measure_run *r, struct diag *diag,
                            const char *input, struct arena *a);

#endif
