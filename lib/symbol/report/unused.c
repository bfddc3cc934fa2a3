#include "symbol/report/unused.h"

#include "symbol/profile_private.h"

/* Returns true if no other module reports the use of files of this kind. */
static bool is_quiet_kind(const struct item *it)
{
	return it->kind == ITEM_ELF || it->kind == ITEM_PE || it->kind == ITEM_KALLSYMS ||
	       (it->kind == ITEM_PERFMAP && !locate_is_named(it));
}

void unused_report(const struct profile *p)
{
	const struct locator *l = &p->session.locator;
	struct diag *diag = p->session.diag;

	for (size_t i = 0; i < l->n; i++) {
		const struct item *it = &l->item[i];

		if (it->placed || it->told || it->own || it->local || !is_quiet_kind(it))
			continue;
		if (locate_is_named(it))
			diag_note(diag, PRSTR ": not used: %s", STRARG(it->name),
			          it->why ? it->why
			                  : "no frame of this profile is in it");
		else if (it->why)
			diag_detail(diag, PRSTR ": not used: %s", STRARG(it->name),
			            it->why);
	}
}
