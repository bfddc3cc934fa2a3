/*
 * Any bytes as a picture: of one input, or a difference: lines with two counts, or two inputs
 * with a NUL between them.  A first byte below 32 has the options.  What it draws is
 * well-formed.
 */
#include "drawn.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHART = 1, REVERSED = 2, BASE = 4, NARROW = 8, OPTIONS = 31 };

static void init(struct folds *in, struct arena *run, unsigned how)
{
	static const struct str base[] = { { "main", 4 }, { "run", 3 } };

	folds_init(in, run);
	in->base = base;
	in->nbase = how & BASE ? 2 : 0;
	in->single.rows.chart = in->single.rows.apart = how & CHART;
	in->paired.rows.chart = in->paired.rows.apart = how & CHART;
	in->single.path.reverse = in->paired.path.reverse = how & REVERSED;
}

static void draw(struct folds *in, unsigned how)
{
	struct svg_opts opts = { .diff = in->nseries == 2 && !in->timed,
		                 .chart = how & CHART,
		                 .reversed = how & REVERSED,
		                 .timed = in->timed && in->nseries == 1,
		                 .per_second = in->per_second,
		                 .threshold = 0.01 };

	check_drawn(in, &opts, how & NARROW ? 0.05 : 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned how = size && data[0] <= OPTIONS ? data[0] : 0;
	const char *p = (const char *)data + (how != 0), *cut;
	struct diag diag = { .prog = "change" };
	struct arena run = { 0 };
	struct folds in;

	size -= how != 0;
	cut = size ? memchr(p, 0, size) : NULL;
	init(&in, &run, how);
	take_in(&in, p, cut ? (size_t)(cut - p) : size, &run, &diag);
	if (cut) {
		folds_end_series(&in, STR("before"));
		take_in(&in, cut + 1, size - (size_t)(cut + 1 - p), &run, &diag);
		folds_end_series(&in, STR("after"));
	} else if (folds_are_paired(&in) && !(how & CHART)) {
		folds_end_pair(&in);
	} else {
		folds_end_series(&in, (struct str){ 0 });
	}
	draw(&in, how);
	folds_free(&in);
	arena_release(&run);
	return 0;
}
