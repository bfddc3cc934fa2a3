#include "reader/perftext/known_lines.h"

#include "base/block.h"
#include "reader/perftext/frameline.h"

enum {
	/*
	 * there are 1 << LINE_BITS slots.  Their lines use 2 MiB, the size of a
	 * second-level cache
	 */
	LINE_BITS = 14,
	/* maximum length including the line end.  1 % of lines are longer */
	LONGEST = 112,
	/* number of searches after which a pause may begin */
	TRIAL = 1 << 16,
	/*
	 * If less than half of TRIAL lines were known, the next PAUSE searches are
	 * omitted, because they would cost more time than they save.
	 */
	PAUSE = 1 << 19,
};

struct known_line {
	uint64_t ip;
	uint16_t func_n, module_at;
	uint16_t event; /* number of the last event that contained the line */
	char text[LONGEST];
};

/*
 * The part of a slot that is read first.  The hot parts of all slots use only 96 KiB, so they
 * stay in a cache.  n determines the end of the line, at which the next line begins.
 * The next line's slot is prefetched while this line is compared.
 */
struct hot {
	uint16_t n;    /* length including the line end, or 0 if the slot is free */
	uint16_t tag;  /* bits of the line's hash */
	uint16_t last; /* tag of the last unknown line for this slot */
};

struct known_lines {
	uint16_t event;
	uint32_t looked, known; /* numbers of searches and of known lines in this trial */
	uint32_t pause;         /* number of lines until the pause ends, or 0 */
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

/* Hashes the low digits of the address in the line at p, and the 8 bytes after the address. */
static uint64_t hash_line(const char *p)
{
	uint64_t key = block_word(p + FRAMELINE_BODY - 9) * 0x9e3779b97f4a7c15u;

	return (key ^ block_word(p + FRAMELINE_BODY)) * 0xd6e8feb86659fd93u;
}

static size_t place_of(uint64_t hash)
{
	return hash >> (64 - LINE_BITS);
}

/* Counts a search that found n known lines before an unknown line. */
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
