#include "reader/perftext/known_heads.h"

#include "base/block.h"
#include "base/hash.h"

enum {
	PLACE_BITS = 7,  /* there are 1 << PLACE_BITS slots for texts before the time */
	SHORTEST = 16,   /* the slot of a text is selected by its last SHORTEST bytes */
	LONGEST = BLOCK, /* maximum length of a remembered text in bytes */
};

/*
 * A substring of a remembered text.  `at` is an offset, so it is also valid in copies of the text.
 */
struct slice {
	uint8_t at, n;
};

struct known_before {
	char text[LONGEST];
	uint8_t n; /* length of text, or 0 if the slot is free */
	struct slice comm;
	int32_t pid, tid, cpu;
};

struct known_after {
	char text[LONGEST];
	uint8_t n;
	bool has_period;
	uint64_t period;
	struct slice event, rest;
};

struct known_heads {
	struct known_before before[1 << PLACE_BITS];
	/* only the last text after a time, because most samples have the same event */
	struct known_after after;
};

struct known_heads *known_heads_new(struct arena *run)
{
	return arena_new(run, struct known_heads, 1);
}

static size_t place(struct str before)
{
	const char *end = before.p + before.n;

	return hash_slot(block_word(end - 16), block_word(end - 8), PLACE_BITS);
}

static bool fits(struct str part)
{
	return part.n >= SHORTEST && part.n <= LONGEST;
}

static struct slice slice_of(struct str part, struct str s)
{
	return s.n ? (struct slice){ (uint8_t)(s.p - part.p), (uint8_t)s.n }
	           : (struct slice){ 0 };
}

static struct str slice_in(struct str part, struct slice s)
{
	return (struct str){ part.p + s.at, s.n };
}

bool known_heads_find_before(const struct known_heads *k, struct str before,
                             struct script_header *h)
{
	const struct known_before *b;

	if (!fits(before))
		return false;
	b = &k->before[place(before)];
	if (b->n != before.n || !block_same(b->text, before.p, before.n))
		return false;
	h->comm = slice_in(before, b->comm);
	h->pid = b->pid;
	h->tid = b->tid;
	h->cpu = b->cpu;
	return true;
}

void known_heads_keep_before(struct known_heads *k, struct str before,
                             const struct script_header *h)
{
	struct known_before *b;

	if (!fits(before))
		return;
	b = &k->before[place(before)];
	memcpy(b->text, before.p, before.n);
	b->n = (uint8_t)before.n;
	b->comm = slice_of(before, h->comm);
	b->pid = h->pid;
	b->tid = h->tid;
	b->cpu = h->cpu;
}

bool known_heads_find_after(const struct known_heads *k, struct str after,
                            struct script_header *h)
{
	const struct known_after *a = &k->after;

	if (!fits(after) || a->n != after.n || !block_same(a->text, after.p, after.n))
		return false;
	h->has_period = a->has_period;
	h->period = a->period;
	h->event = slice_in(after, a->event);
	h->rest = slice_in(after, a->rest);
	return true;
}

void known_heads_keep_after(struct known_heads *k, struct str after,
                            const struct script_header *h)
{
	struct known_after *a = &k->after;

	if (!fits(after))
		return;
	memcpy(a->text, after.p, after.n);
	a->n = (uint8_t)after.n;
	a->has_period = h->has_period;
	a->period = h->period;
	a->event = slice_of(after, h->event);
	a->rest = slice_of(after, h->rest);
}
