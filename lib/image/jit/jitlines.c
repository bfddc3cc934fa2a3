#include "image/jit/jitlines.h"

#include <stdlib.h>

enum {
	ENTRY_BYTES = 17, /* minimum size of an entry */
	/* fewer than this number of bytes may follow the entries of a record */
	PADDING = 8,
};

/* V8 writes "\xff" if the name is that of the previous entry. */
static const struct str same_file = { "\xff", 1 };

static bool is_text(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f)
			return false;
	return true;
}

static int by_offset(const void *pa, const void *pb)
{
	const struct jit_line *a = pa, *b = pb;

	return num_cmp(a->from, b->from) ?: num_cmp(a->order, b->order);
}

/* Returns false if the entry is damaged, or not inside the `size` bytes of code. */
static bool read_entry(struct cursor *c, uint64_t start, uint64_t size, struct str *file,
                       struct jit_line *out)
{
	struct str name;

	out->from = cur_u64(c) - start;
	out->line = cur_u32(c);
	cur_u32(c); /* skip the discriminator or column */
	name = cur_zstr(c);
	if (!str_eq(name, same_file))
		*file = name;
	out->file = *file;
	return !c->bad && out->from <= size && is_text(*file);
}

void jitlines_read(struct jit_lines *t, struct cursor c, uint64_t size, uint64_t shift,
                   struct arena *a)
{
	uint64_t start = cur_u64(&c) + shift, n = cur_u64(&c);
	struct jit_line *line;
	struct str file = { 0 };
	bool sorted = true;

	t->read = true;
	if (c.bad || n > cur_left(&c) / ENTRY_BYTES)
		return;
	line = arena_new(a, struct jit_line, n);
	for (size_t i = 0; i < n; i++) {
		if (!read_entry(&c, start, size, &file, &line[i]))
			return;
		line[i].order = (uint32_t)i;
		sorted &= !i || line[i - 1].from <= line[i].from;
	}
	if (cur_left(&c) >= PADDING)
		return;
	if (!sorted)
		qsort(line, n, sizeof(*line), by_offset);
	t->line = line;
	t->n = n;
}

const struct jit_line *jitlines_find(const struct jit_lines *t, uint64_t off, bool ends)
{
	size_t low = bisect(t->n, i,
	                    t->line[i].from < off || (!ends && t->line[i].from == off));

	if (ends)
		return low < t->n ? &t->line[low] : NULL;
	return low ? &t->line[low - 1] : NULL;
}
