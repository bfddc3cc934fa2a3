/*
 * gate - parses and tests the conditions of pdiff --fail-if.  A condition limits a change:
 *
 * 	self(/JsonSerializer/) > +5%
 * 	total(Handle) > +3ms
 * 	overall > +2%
 * 	self(Parse) < -10%
 *
 * The text in parentheses selects functions: NAME is a whole name, and /REGEX/ is a regular
 * expression of PCRE2.  self is the weight of the stacks that end in a selected function.
 * total is the weight of the stacks that contain a selected function.
 */
#ifndef COMPARE_GATE_H
#define COMPARE_GATE_H

#include "compare/moved.h"
#include "rule/rule.h"

struct gate {
	struct str text;
	bool overall, total;
	/*
	 * true for '<': a change passes the limit if its whole interval is below the
	 * limit
	 */
	bool falls;
	bool percent; /* true if the limit is in percent of the old weight */
	bool timed;   /* limit is in ns */
	/*
	 * the limit: in percent if `percent` is set, in ns if `timed` is set, else in the
	 * unit of the weights
	 */
	double limit;
	struct str name;     /* NAME or /REGEX/, or empty for overall */
	struct rules *rules; /* the compiled /REGEX/, or NULL */
};

/* Parses text, which must live as long as the gate.  Returns -1 after a report. */
int gate_parse(struct gate *g, struct str text, struct diag *diag);

/* Returns true if the gate selects the function with this name. */
bool gate_takes(const struct gate *g, struct str name, struct arena *scratch);

/*
 * Returns the weight of the functions that the gate selects.  name[i] is the name of the function
 * of node i in the stacks.
 */
double gate_weight(const struct gate *g, const struct stacks *s, const str_id *name,
                   const struct interner *names, struct arena *scratch);

enum gate_result { GATE_HOLDS, GATE_PASSED, GATE_TOO_FEW, GATE_UNFIT };

/*
 * Tests gate g, and sets *change to the result.  gate[at] of each profile is the weight of g
 * in this profile.  If cost moved between functions of the gate and other functions, the
 * weights of the other functions are added.  weight_unit is "ns" if weights are times.
 * Returns GATE_UNFIT if the limit is a time and weights are not times.  Also returns
 * GATE_UNFIT if the limit is a weight and weights are compared as shares.
 */
enum gate_result gate_test(const struct gate *g, size_t at, const struct contrast *c,
                           const struct findings *found, struct str weight_unit,
                           const struct moved *moved, size_t nmoved,
                           struct change *change, struct arena *scratch);

void gate_close(struct gate *g);

#endif
