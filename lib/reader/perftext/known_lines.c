#include "reader/perftext/known_lines.h"

#include "base/block.h"
#include "reader/perftext/frameline.h"

enum {
	/*
	 * There are 2^LINE_BITS places.  Their lines use 2 MiB, the size of a second-level cache.
	 */
	LINE_BITS = 14,
	/* maximum bytes of a line with its end.  1 % of lines are longer */
	LONGEST = 112,
	/* If few addresses repeat, searching costs more than it saves. */
	TRIAL = 1 << 16, /* lines to search before each decision about a pause */
	/* Lines to parse without search, if less than half of a trial's lines were known. */
	PAUSE = 1 << 19,
};

struct known_line {
	uint64_t ip;
	uint16_t func_n, module_at;
	uint16_t event; /* number of the last event that had the line */
	char text[LONGEST];
};

/*
 * The part of a place that is read first.  It is small, so all of these fit into a near cache.
 * Its n gives the end of the line.  The next line begins there, and its place is prefetched while
 * this line is compared.
 */
struct hot {
	uint16_t n;    /* bytes of the line with its end, or 0 if the place is free */
	uint16_t tag;  /* bits of the line's hash */
	uint16_t last; /* tag of the last line for this place that was not known */
};

struct known_lines {
	uint16_t event;
	uint32_t looked, known; /* lines of the trial: searched, and found */
	uint32_t pause;         /* remaining lines of the pause, or 0 */
	struct known_line *line;
	struct hot hot[1 << LINE_BITS];
	uint32_t note[1 << LINE_BITS];
};

struct known_lines *known_lines_new(struct arena *run)
{
	struct known_lines *k = arena_new(run, struct known_lines, 1);

	k->line = arena_new(run, struct known_line, 1 << LINE_BITS);
	return k;
}

void known_lines_begin(struct known_lines *k)
{
	k->event++;
}

uint32_t *known_lines_notes(struct known_lines *k)
{
	return k->note;
}

/*
 * Hashes the lower digits of the address in the line at p, and the 8 bytes that follow the
 * address.
 */
static uint64_t hash_line(const char *p)
{
	uint64_t key = block_word(p + FRAMELINE_BODY - 9) * 0x9e3779b97f4a7c15u;

	return (key ^ block_word(p + FRAMELINE_BODY)) * 0xd6e8feb86659fd93u;
}

static size_t place_of(uint64_t hash)
{
	return hash >> (64 - LINE_BITS);
}

/* Counts a search that found n lines and then an unknown one. */
static void count(struct known_lines *k, size_t n)
{
	k->looked += (uint32_t)n + 1;
	k->known += (uint32_t)n;
	if (k->looked < TRIAL)
		return;
	if (k->known < k->looked / 2)
		k->pause = PAUSE;
	k->looked = k->known = 0;
}

size_t known_lines_take(struct known_lines *k, struct str text, struct frame *f,
                        size_t most, size_t *n)
{
	const char *p = text.p, *end = p + text.n;
	size_t taken = 0;

	*n = 0;
	if (k->pause) {
		k->pause--;
		return 0;
	}
	for (; taken < most && end - p >= LONGEST; taken++) {
		uint64_t hash = hash_line(p);
		size_t at = place_of(hash);
		struct hot hot = k->hot[at];
		struct known_line *l = &k->line[at];

		if (!hot.n || hot.tag != (uint16_t)hash || !block_same(l->text, p, hot.n))
			break;
		l->event = k->event;
		f[taken] = (struct frame){ .ip = l->ip,
			                   .line = { p, hot.n - 1u },
			                   .func_n = l->func_n,
			                   .module_at = l->module_at,
			                   .known = (uint32_t)at + 1 };
		p += hot.n;
	}
	count(k, taken);
	*n = taken;
	return (size_t)(p - text.p);
}

void known_lines_keep(struct known_lines *k, struct frame *f)
{
	uint64_t hash = hash_line(f->line.p);
	size_t at = place_of(hash), n = f->line.n + 1;
	struct known_line *l = &k->line[at];
	struct hot *hot = &k->hot[at];
	bool again = hot->last == (uint16_t)hash;

	if (k->pause)
		return;
	hot->last = (uint16_t)hash;
	if (!again || n > LONGEST || (hot->n && l->event == k->event))
		return;
	hot->n = (uint16_t)n;
	hot->tag = (uint16_t)hash;
	l->ip = f->ip;
	l->func_n = f->func_n;
	l->module_at = f->module_at;
	l->event = k->event;
	memcpy(l->text, f->line.p, n);
	k->note[at] = 0;
	f->known = (uint32_t)at + 1;
}
