#include "reader/perftext/known_lines.h"

#include "base/block.h"
#include "reader/perftext/frameline.h"

enum {
	LINE_BITS = 14, /* of places: their lines take 2 MiB, as much as a second cache level */
	LONGEST = 112,  /* bytes of a line with its end: one in a hundred is longer */
};

struct known_line {
	uint64_t ip;
	uint16_t n; /* bytes with the line end; 0: the place is free */
	uint16_t func_n, module_at;
	uint16_t event; /* number of the event that had it last */
	char text[LONGEST];
};

struct known_lines {
	uint16_t event;
	struct known_line *line;
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

/* The place of the line at p, of which the lower digits of the address and 8 bytes are read. */
static size_t place(const char *p)
{
	uint64_t key = block_word(p + FRAMELINE_BODY - 9) * 0x9e3779b97f4a7c15u;

	key ^= block_word(p + FRAMELINE_BODY);
	return key * 0xd6e8feb86659fd93u >> (64 - LINE_BITS);
}

size_t known_lines_take(struct known_lines *k, struct str text, struct frame *f, size_t most,
                        size_t *n)
{
	const char *p = text.p, *end = p + text.n;

	for (*n = 0; *n < most && end - p >= LONGEST; ++*n) {
		size_t at = place(p);
		struct known_line *l = &k->line[at];

		if (!l->n || !block_same(l->text, p, l->n))
			break;
		l->event = k->event;
		f[*n] = (struct frame){ .ip = l->ip,
			                .line = { p, l->n - 1u },
			                .func_n = l->func_n,
			                .module_at = l->module_at,
			                .known = (uint32_t)at + 1 };
		p += l->n;
	}
	return (size_t)(p - text.p);
}

void known_lines_keep(struct known_lines *k, struct frame *f)
{
	size_t at = place(f->line.p), n = f->line.n + 1;
	struct known_line *l = &k->line[at];

	if (n > LONGEST || (l->n && l->event == k->event))
		return;
	l->ip = f->ip;
	l->n = (uint16_t)n;
	l->func_n = f->func_n;
	l->module_at = f->module_at;
	l->event = k->event;
	memcpy(l->text, f->line.p, n);
	k->note[at] = 0;
	f->known = (uint32_t)at + 1;
}
