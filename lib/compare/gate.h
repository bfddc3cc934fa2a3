/*
 * gate - a limit on a change, stated before the look at the numbers:
 *
 *	self(/JsonSerializer/) > +5%
 *	total(Handle) > +3ms
 *	overall > +2%
 *	self(Parse) < -10%
 *
 * self and total are the weights that end in the functions, and that pass through them.  NAME is a
 * whole name, and /REGEX/ a regular expression of PCRE2.
 */
#ifndef COMPARE_GATE_H
#define COMPARE_GATE_H

#include "compare/moved.h"
#include "rule/rule.h"

struct gate {
	struct str text;
	bool overall, total;
	bool falls; /* '<': the upper end of the interval is below the limit */
	bool percent; /* limit is of the old weight, else in ns or in the unit of the weights */
	bool timed; /* limit has a unit of time: it is in ns */
	double limit;
	struct str name;     /* or empty */
	struct rules *rules; /* of /REGEX/, or NULL */
};

/* text lives as long as the gate.  -1: reported. */
int gate_parse(struct gate *g, struct str text, struct diag *diag);

/* Does the gate mean this function? */
bool gate_takes(const struct gate *g, struct str name, struct arena *scratch);

enum gate_result { GATE_HOLDS, GATE_PASSED, GATE_TOO_FEW, GATE_UNFIT };

/*
 * GATE_UNFIT: the limit is a time and weights are no time, or a weight and weights are compared in
 * shares.  weight_unit: of the weights, "ns".  at: the place of the gate in the profiles.  Cost that moved from functions outside the gate
 * is counted in both groups.  *change is the change that was tested.
 */
enum gate_result gate_test(const struct gate *g, size_t at, const struct contrast *c,
                           const struct findings *found, struct str weight_unit,
                           const struct moved *moved, size_t nmoved,
                           struct change *change, struct arena *scratch);

void gate_close(struct gate *g);

#endif
