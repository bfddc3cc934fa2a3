/*
 * field_weight - samples of tracepoints and probes weighed by a field of their payload.
 *
 * The unit is the one that was given, "FIELD:UNIT"; else what the name of the field, or of
 * the event, is known to count: bytes, sectors, nanoseconds; else the field's name.
 */
#ifndef MEASURE_FIELD_WEIGHT_H
#define MEASURE_FIELD_WEIGHT_H

#include "reader/reader.h"
#include "measure/events.h"

struct field_weight_opts {
	struct str field; /* empty: samples are weighed by their periods */
	struct str unit;  /* as given; empty: not given */
};

struct field_weight {
	struct field_weight_opts opts;
	struct events lacking; /* samples without such a field */
	struct str there;      /* "EVENT (FIELDS), EVENT (none)": of these */
};

/* "FIELD", "FIELD:UNIT"; points into arg.  False: not of that syntax. */
bool field_weight_parse(struct field_weight_opts *opts, const char *arg);

/* Before the first profile; run holds the lists. */
void field_weight_init(struct field_weight *f, const struct field_weight_opts *opts,
                       struct arena *run);

/* The weight of ev; false: its payload has no number of that name, which is noted. */
bool field_weight_read(struct field_weight *f, struct reader *r, const struct event *ev,
                       int64_t *out);

/* The unit of the weights; event is the name of the event that was folded. */
struct str field_weight_unit(const struct field_weight *f, struct str event);

#endif
