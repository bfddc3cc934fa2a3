#include "symbol/code_number.h"

#include "bind/shared_code.h"

/* Returns the number of the pair (a, b).  A new pair gets the next number. */
static uint32_t number(struct table *of, struct arena *run, uint64_t a, uint64_t b)
{
	uint32_t *at = table_at(of, run, a, b);

	if (!*at)
		*at = (uint32_t)of->n;
	return *at;
}

enum { NOTHING_NAMES = UINT8_MAX }; /* not a value of enum verified */

/*
 * Determines the number of the code in m.  This is not inlined, because its stack variable would
 * give code_number a stack protector.
 */
static __attribute__((noinline)) uint32_t find(struct code_numbers *c, struct session *s,
                                               const struct mapping *m)
{
	uint64_t nobody = (uint64_t)UINT32_MAX << 32;
	struct shared_code code;
	unsigned how = NOTHING_NAMES;
	uint32_t place;

	if (m->kind != MAPPED_IMAGE || m->assumed)
		return 0;
	if (!s->can_name) {
		place = number(&c->places, &s->run, nobody | m->module, m->path);
	} else if (shared_code_find(s->binder, m, &code)) {
		how = code.how;
		place = number(&c->places, &s->run,
		               (uint64_t)code.native << 32 | m->module, code.shift);
	} else {
		return 0;
	}
	return number(&c->codes, &s->run, place,
	              (uint64_t)intern(&s->names, m->build_id) << 8 | how);
}

uint32_t code_number(struct code_numbers *c, struct session *s, const struct mapping *m)
{
	arena_fit(&s->run, c->of_mapping, m->id + 1u, c->cap);
	if (!c->of_mapping[m->id])
		c->of_mapping[m->id] = 1 + find(c, s, m);
	return c->of_mapping[m->id] - 1;
}
