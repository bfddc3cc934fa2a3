#include "bind/refused.h"

void refusals_add(struct refusals *r, const struct refused_image *refused)
{
	uint32_t *at = table_at(&r->seen, &r->scratch, (uintptr_t)refused->item, 0);

	if (*at)
		return;
	*at = 1;
	if (!r->n++)
		r->first = *refused;
}

void refusals_report(struct refusals *r, struct diag *diag)
{
	if (r->n == 1)
		diag_note(diag, PRSTR ": not used: %s", STRARG(r->first.item->name),
		          r->first.why);
	else if (r->n)
		diag_note(diag, "%zu images not used; " PRSTR ": %s", r->n,
		          STRARG(r->first.item->name), r->first.why);
	arena_release(&r->scratch);
	*r = (struct refusals){ 0 };
}
