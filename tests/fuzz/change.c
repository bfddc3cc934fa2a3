/*
 * Any bytes as a difference: lines with two counts, or two inputs with a NUL between
 * them.  What it draws is well-formed.
 */
#include "drawn.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = (const char *)data, *cut = size ? memchr(p, 0, size) : NULL;
	struct diag diag = { .prog = "change" };
	struct arena run = { 0 };
	struct svg_opts opts = { .diff = true, .threshold = 0.01 };
	struct folds in;

	folds_init(&in, &run);
	take_in(&in, p, cut ? (size_t)(cut - p) : size, &run, &diag);
	if (cut) {
		folds_end_series(&in, STR("before"));
		take_in(&in, cut + 1, size - (size_t)(cut + 1 - p), &run, &diag);
		folds_end_series(&in, STR("after"));
	} else if (folds_are_paired(&in)) {
		folds_end_pair(&in);
	}
	if (in.nseries == 2)
		check_drawn(&in, &opts, size % 3 ? 0 : 0.05);
	folds_free(&in);
	arena_release(&run);
	return 0;
}
