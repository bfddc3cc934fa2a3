/*
 * measure - computes the weights of samples.  Each way to compute them is a constant struct
 * measure.  It determines the inputs that it fits, the records that it reads, the weight of each
 * record, and the unit.  Each input of a run uses the first measure that fits it.  A measure that
 * fits no input is not initialised.
 *
 * For each input, call measure_open, profile_learn, measure_begin, measure_take for each sample
 * or record, measure_end and measure_head.
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
	const char *event; /* argument of --event, like `want` of struct events */
	enum compat compat;
	bool mix;   /* allow sums of weights with different units */
	bool marks; /* write marks with the fold */
	bool count; /* weigh each sample 1 */
	struct field_weight_opts field;
	struct offcpu_opts off; /* off.classes is 0 without --off-cpu */
	struct elapsed_opts elapsed;
	const struct clr_view *view; /* the view that --event names, or NULL */
	struct event_names events;   /* names of the nettrace events that are read */
	struct str event_list[CLR_EVENTS + MARKS_EVENTS];
	size_t asked; /* number of events at the start of event_list that are folded */
};

struct measure_counts {
	uint64_t samples; /* number of folded samples */
	uint64_t dropped; /* number of samples that rules drop */
	uint64_t weightless, negative;
	/* untimed: samples without a time, if slices need times.  ignored: unknown lines */
	uint64_t untimed, ignored;
	uint64_t bare;               /* folded runtime events without stacks */
	uint64_t lost, lost_samples; /* records and samples lost while recording */
};

enum { MEASURES = 4 };
/* The state of a run that folds one or more inputs. */
struct measure_run {
	const struct measure_opts *opts;
	struct arena *arena; /* lives as long as the run */
	struct fold *fold;
	struct spots *spots;    /* if not NULL, samples are added here, not to `fold` */
	struct marks *marks;    /* NULL without opts.marks */
	struct events events;   /* the events that are folded, or left out */
	struct events *lacking; /* counts of events that lack the field, or NULL */
	struct measure_counts counts;
	const char *noun;  /* noun for counts.samples: "sample", "event", "interval" */
	bool selects;      /* only selected samples were folded */
	bool events_alone; /* an input has runtime events and no samples */
	bool half; /* times on the CPU, or times off the CPU, are missing in the input */
	struct {
		struct profile *p;
		const struct measure *by; /* the measure that this input uses */
		void *state;              /* state of this measure */
		uint64_t before;          /* value of counts.samples before this input */
		struct extent extent;     /* times and CPUs of the folded samples */
		struct head stated; /* the header line of folded stacks in the input */
	} input;
	void *states[MEASURES]; /* state of each measure, or NULL if unused */
};

struct measure_option {
	const char *name; /* name on the command line, without dashes */
	bool (*set)(struct measure_opts *opts, const char *arg);
	const char *syntax; /* message if `set` returns false */
};

struct measure {
	const char *name;
	const struct measure_option *options; /* NULL, or ends with an empty element */
	size_t size;    /* size of the state.  All its bytes are initially zero */
	uint64_t kinds; /* set of 1 << EV_*: needed records that are not samples */
	/* state: offset of the `struct select *` of a measure that gets all samples, or 0 */
	size_t select_at;
	/* Returns true if opts request this measure, and r (if not NULL) has the data for it. */
	bool (*fits)(const struct measure_opts *opts, const struct reader *r);
	void (*init)(void *state, struct measure_run *run);
	/* Called before the first sample of an input.  May be NULL. */
	void (*begin)(void *state, struct profile *p);
	/* Returns false if the measure does not use the record. */
	bool (*take)(void *state, struct profile *p, const struct sample *s);
	void (*end)(void *state); /* called after each input */
	/* Returns event and unit of the input's weights. */
	struct head (*head)(const void *state, struct arena *a);
	/* Reports samples that were not added to the fold.  May be NULL. */
	void (*report)(const void *state, struct diag *diag, struct arena *a);
	/* Reports why the fold is empty.  Returns false if the reason is unknown. */
	bool (*nothing)(const void *state, struct diag *diag, const char *input);
};

/* Sets the option with that name.  Returns -1 after it has reported an error. */
int measure_set(struct measure_opts *opts, struct diag *diag, const char *option,
                const char *arg);

/* Checks and completes opts.  Returns -1 after it has reported a conflict. */
int measure_settle(struct measure_opts *opts, struct diag *diag);

/* Returns the kinds of records that profile_opts.kinds must include. */
uint64_t measure_kinds(const struct measure_opts *opts);

/* Initialises r.  `opts` must be settled.  `opts` and `fold` must outlive the run. */
void measure_init(struct measure_run *r, const struct measure_opts *opts,
                  struct fold *fold, struct arena *arena);

/* Chooses the measure for p, which was just opened.  select is NULL for all samples. */
void measure_open(struct measure_run *r, struct profile *p, const struct select *select);

/* Call it after profile_learn, when *select is final. */
void measure_begin(struct measure_run *r, const struct select *select);

void measure_take(struct measure_run *r, struct sample *s);
void measure_end(struct measure_run *r);

/* Adds the input's head to sum.  Returns false after it has reported different units. */
bool measure_head(struct measure_run *r, struct head_sum *sum, struct diag *diag,
                  const char *input);

/* Returns the number of folded samples of the current input. */
static inline uint64_t measure_samples(const struct measure_run *r)
{
	return r->counts.samples - r->input.before;
}

/* Returns true if samples of the event have no stack, because the runtime does not write it. */
static inline bool measure_is_bare(const struct attr *attr)
{
	return attr && attr->runtime && !(attr->sample_type & HAS_CALLCHAIN);
}

/* Report the events that were left out, and other samples that were not added to the fold. */
void measure_report_events(const struct measure_run *r, struct diag *diag,
                           struct arena *a);
void measure_report(const struct measure_run *r, struct diag *diag, struct arena *a);

/* Reports the reason why no sample was folded. */
void measure_report_nothing(const struct measure_run *r, struct diag *diag,
                            const char *input, struct arena *a);

#endif
