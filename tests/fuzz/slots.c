/*
 * Any bytes as a table by second.  Its marks ascend, and what it draws is
 * well-formed.
 */
#include "drawn.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char head[] =
	        "# pfold by-second event=e samples=3 slots=50 unit=ns\n";
	struct diag diag = { .prog = "slots" };
	struct arena run = { 0 };
	struct svg_opts opts = { 0 };
	struct folds in;
	size_t n = size % 2 ? sizeof(head) - 1 : 0;
	char *text = arena_alloc(&run, size + n + 1, 1);

	memcpy(text, head, n);
	if (size)
		memcpy(text + n, data, size);
	folds_init(&in, &run);
	take_in(&in, text, n + size, &run, &diag);
	folds_end_series(&in, (struct str){ 0 });
	spans_sort(&in.spans);
	for (size_t i = 1; i < in.spans.n; i++)
		must(in.spans.span[i - 1].from_ns <= in.spans.span[i].from_ns);
	opts.timed = in.timed;
	opts.per_second = in.per_second;
	check_drawn(&in, &opts, size % 3 ? 0 : 0.05);
	folds_free(&in);
	arena_release(&run);
	return 0;
}
