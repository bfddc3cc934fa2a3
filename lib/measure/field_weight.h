/*
 * field_weight - weights samples of tracepoints and probes by a field of their payload.
 *
 * The option may contain the unit: "FIELD:UNIT".  Otherwise the name of the field or of the event
 * may imply bytes, sectors or ns.  If neither does, the name of the field is the unit.
 */
#ifndef MEASURE_FIELD_WEIGHT_H
#define MEASURE_FIELD_WEIGHT_H

#include "reader/reader.h"
#include "measure/events.h"

struct field_weight_opts {
	struct str field; /* name of the field, or empty to weigh samples by period */
	struct str unit;  /* the given unit, or empty */
};

struct field_weight {
	struct field_weight_opts opts;
	struct events lacking; /* counts of samples that lack the field */
	/* fields of the events in `lacking`: "EVENT (FIELDS), EVENT (none)" */
	struct str there;
};

/* Parses "FIELD" or "FIELD:UNIT".  *opts points into arg.  Returns false for other text. */
bool field_weight_parse(struct field_weight_opts *opts, const char *arg);

/* Initialises f.  Call it before the first profile.  run must outlive f. */
void field_weight_init(struct field_weight *f, const struct field_weight_opts *opts,
                       struct arena *run);

/*
 * Sets *out to the weight of ev.  If the payload has no numeric field with that name, notes the
 * event and returns false.
 */
bool field_weight_read(struct field_weight *f, struct reader *r, const struct event *ev,
                       int64_t *out);

/* Returns the unit of the weights of `event`, the folded event. */
struct str field_weight_unit(const struct field_weight *f, struct str event);

#endif
