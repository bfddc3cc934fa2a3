#include "measure/counted.h"

struct str counted_list(struct arena *a, const struct counted *counts, size_t n)
{
	struct str list = STR("");

	for (size_t i = 0; i < n; i++)
		if (counts[i].n)
			list = arena_fmt(a, PRSTR ", %llu %s", STRARG(list),
			                 (unsigned long long)counts[i].n,
			                 counts[i].n == 1 || !counts[i].many
			                         ? counts[i].one
			                         : counts[i].many);
	return list;
}

void counted_report(struct diag *diag, struct arena *a, const struct counted *counts,
                    size_t n)
{
	struct str list = counted_list(a, counts, n);

	if (list.n)
		diag_note(diag, "left out" PRSTR, STRARG(list));
}
