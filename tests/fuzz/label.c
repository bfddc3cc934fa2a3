/*
 * A frame's label: one byte of options, one of flags, the source line if they say so and
 * the module, each up to a line end, the function.  Whatever these are, the label fits into a
 * folded stack, and so does the function's name as that of a thread.
 */
#include <stdint.h>
#include <stdlib.h>

#include "label/compat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A frame at the root has no blank and no ';'. */
static void check_root(struct str comm, int32_t id, struct arena *a)
{
	for (int ids = LABEL_COMM; ids <= LABEL_TID; ids++) {
		struct str root = label_root(a, comm, id, id, (enum label_ids)ids);

		if (!root.n || str_find(root, ';') < root.n ||
		    str_find(root, ' ') < root.n || str_find(root, '\t') < root.n)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = { (const char *)data, size };
	struct label_opts opts = { 0 };
	struct label_name name = { .addr = 0x7f00 };
	struct arena a = { 0 };
	struct str label;
	char mark;

	if (size < 2)
		return 0;
	opts.tidy = (enum tidy_level)(data[0] & 1 ? TIDY_NONE : data[0] >> 6 & 1);
	opts.marks = data[0] >> 1 & 7;
	opts.addrs = data[0] & 16;
	name.flags = data[1] & 15;
	rest = str_from(rest, 2);
	if (data[0] & 32)
		name.srcline = str_cut(&rest, '\n');
	name.module = str_cut(&rest, '\n');
	name.func = rest;
	opts.compat = (enum compat)((data[1] >> 4 & 3) % 3);
	opts.java = data[1] & 64;
	label = opts.compat ? compat_label(&a, &name, &opts)
	                    : label_frame(&a, &name, &opts);
	if (!label.n || label.p[0] == ';' || label.p[label.n - 1] == ';' ||
	    str_search(label, STR(";;")) < label.n)
		abort();
	if (opts.tidy == TIDY_NONE && !opts.compat && str_find(label, ';') < label.n)
		abort();
	for (size_t i = 0; i < label.n; i++)
		if ((unsigned char)label.p[i] < 0x20 || label.p[i] == 0x7f)
			abort();
	if (mark_cut(label, &mark).n != label.n - (mark ? 4 : 0))
		abort();
	check_root(name.func, (int8_t)data[0], &a);
	arena_release(&a);
	return 0;
}
