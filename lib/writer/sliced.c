#include "writer/sliced.h"

void sliced_write(struct out *o, const struct slices *slices, const struct stacks *stacks,
                  struct interner *names, enum folded_order order, struct arena *scratch)
{
	struct slice slice;
	size_t at = 0;

	arena_release(scratch);
	while (slices_next(slices, &at, &slice)) {
		struct stacks own = { .arena = scratch };
		str_id root = intern(names, slices_name(slices, slice.number, scratch));

		slices_stacks(&slice, stacks, root, &own);
		folded_write(o, &own, names, order, scratch);
		arena_release(scratch);
	}
}
