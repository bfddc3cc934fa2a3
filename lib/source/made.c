#include "source/made.h"

#include "base/pages.h"
#include "source/source_private.h"

uint64_t made_room(const struct source *s)
{
	const struct spool *members = &s->state->spool;
	uint64_t room = spool_room(members, members->end), used = s->state->made.end;

	return used < room ? room - used : 0;
}

int made_put(struct source *s, struct str bytes)
{
	struct spool *made = &s->state->made;

	if (!made->end)
		made->max = made_room(s) + 1; /* + 1, because 0 means no limit */
	return spool_put(made, made->end, bytes);
}

int made_set(struct source *s, uint64_t at, struct str bytes)
{
	return spool_put(&s->state->made, at, bytes);
}

void made_give_back(const struct source *s, struct str bytes)
{
	if (s->state->made.fd >= 0)
		pages_drop(bytes.p, bytes.n);
}

uint64_t made_size(const struct source *s)
{
	return s->state->made.end;
}

void made_drop(struct source *s, uint64_t size)
{
	spool_drop(&s->state->made, size);
}

struct str made_map(struct source *s)
{
	struct spool *made = &s->state->made;

	if (spool_map(made) < 0)
		return (struct str){ 0 };
	return spool_bytes(made, 0, made->end);
}
