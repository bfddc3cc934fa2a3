/*
 * field_weight - samples of tracepoints and probes weighted by a field of their payload.
 *
 * The unit is given as "FIELD:UNIT".  Otherwise it follows from the name of the field or of the
 * event, if it is known to count bytes, sectors or nanoseconds.  Otherwise it is the field's
 * name.
 */
#ifndef MEASURE_FIELD_WEIGHT_H
#define MEASURE_FIELD_WEIGHT_H

#include "reader/reader.h"
#include "measure/events.h"

struct field_weight_opts {
	struct str field; /* empty: samples are weighed by their periods */
	struct str unit;  /* as given, or empty */
};

struct field_weight {
	struct field_weight_opts opts;
	struct events lacking; /* samples without such a field */
	struct str there;      /* the available fields: "EVENT (FIELDS), EVENT (none)" */
};

/* Parses "FIELD" or "FIELD:UNIT", and points into arg.  Returns false for other text. */
bool field_weight_parse(struct field_weight_opts *opts, const char *arg);

/* Call it before the first profile.  run holds the lists. */
void field_weight_init(struct field_weight *f, const struct field_weight_opts *opts,
                       struct arena *run);

/*
 * Sets the weight of ev.  Returns false if its payload has no number with that name, and notes
 * it.
 */
bool field_weight_read(struct field_weight *f, struct reader *r, const struct event *ev,
                       int64_t *out);

/* Returns the unit of the weights.  event is the name of the folded event. */
struct str field_weight_unit(const struct field_weight *f, struct str event);

#endif
