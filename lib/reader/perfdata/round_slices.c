#include "reader/perfdata/round_slices.h"

/*
 * The first slice is smaller than the others by this factor, because other processes wait until it
 * is read.
 */
enum { FIRST_PART = 8 };

void round_slices_rewind(struct round_slices *s, uint64_t at)
{
	s->noting = s->skips = s->passed = false;
	s->rounds = s->until = 0;
	s->round = (struct place){ .at = at };
}

void round_slices_begin(struct round_slices *s, uint64_t least, bool skips, uint64_t at)
{
	round_slices_rewind(s, at);
	s->noting = true;
	s->skips = skips;
	s->least = least;
	s->n = s->nchanges = s->nheld = 0;
	s->samples = 0;
	arena_fit(s->arena, s->place, 2, s->cap);
	s->place[s->n++] = s->round;
}

void round_slices_round(struct round_slices *s, size_t input, const struct input *in,
                        uint64_t newest)
{
	s->next = s->round;
	s->next.limit = newest;
	s->next.round = ++s->rounds;
	s->round = (struct place){ .at = in->at, .input = input };
	s->passed = true;
}

static void add_place(struct round_slices *s, unsigned long reports,
                      const struct losses *lost)
{
	arena_fit(s->arena, s->place, s->n + 2, s->cap);
	s->next.reports = reports;
	s->next.lost = *lost;
	s->next.changes = s->nchanges;
	s->place[s->n] = s->next;
}

bool round_slices_pass(struct round_slices *s, unsigned long reports,
                       const struct losses *lost)
{
	const struct place *last = s->noting ? s->place + s->n - 1 : NULL;
	uint64_t least = s->n > 1 ? s->least : s->least / FIRST_PART + 1;

	s->passed = false;
	if (last && (s->next.input != last->input || s->next.at >= last->at + least)) {
		add_place(s, reports, lost);
		s->n++;
	}
	return s->rounds == s->until;
}

void round_slices_end(struct round_slices *s, unsigned long reports,
                      const struct losses *lost)
{
	add_place(s, reports, lost);
}

void round_slices_change(struct round_slices *s, const struct change *c, uint64_t size,
                         bool copied)
{
	arena_fit(s->arena, s->change, s->nchanges + 1, s->changes_cap);
	s->change[s->nchanges] = *c;
	if (copied)
		s->change[s->nchanges].p =
		        arena_str(s->arena, (struct str){ c->p, size }).p;
	s->nchanges++;
}

void round_slices_hold(struct round_slices *s, const struct input *in, uint64_t at,
                       const char *text)
{
	*arena_push(s->arena, s->held, s->nheld, s->held_cap) =
	        (struct held_report){ in, at, arena_str(s->arena, str_of(text)) };
}
