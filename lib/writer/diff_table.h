/*
 * diff_table - writes a comparison of two groups of profiles as a table, CSV, TSV, JSON, or folded
 * stacks.
 *
 * The fields of a row are function, module, measure, old, new, change_percent, low_percent,
 * high_percent, p, q, verdict.  Weights are means per profile.  If a function occurs only in new
 * profiles, its percentages are "inf" (null in JSON).
 */
#ifndef WRITER_DIFF_TABLE_H
#define WRITER_DIFF_TABLE_H

#include "base/out.h"
#include "compare/gate.h"
#include "stack/head.h"
#include "writer/unit.h"

struct diff_table_gate {
	const struct gate *gate;
	enum gate_result result;
	struct change change;
};

struct diff_table {
	const struct contrast *compare;
	const struct findings *found;
	const char *measure; /* "self", "total" or "stack" */
	struct unit unit;    /* unit of the weights of the profiles */
	struct head head;    /* event and unit of the weights, for folded stacks */
	/* indexed by name: the module of the name.  NULL if modules are unknown */
	const struct str *module;
	const struct moved *moved;
	size_t nmoved;
	const struct diff_table_gate *gate;
	size_t ngates;
	const struct moved_stacks *stacks; /* only for folded stacks */
};

enum diff_table_form {
	DIFF_TABLE_TABLE,
	DIFF_TABLE_CSV,
	DIFF_TABLE_TSV,
	DIFF_TABLE_JSON,
	DIFF_TABLE_FOLDED
};

void diff_table_write(struct out *o, const struct diff_table *c,
                      enum diff_table_form form, struct arena *scratch);

/* Returns "+5.2 % (+3.1 % to +7.0 %)". */
struct str diff_table_percent(const struct change *ch, struct arena *a);

#endif
