#include "symbol/code_blocks.h"

enum { FIRST_BITS = 6, MOST_BITS = 14 };

static void make(struct code_blocks *b, unsigned bits)
{
	b->bits = bits;
	b->kept = 0;
	b->page = arena_new(b->arena, struct code_page, (size_t)1 << bits);
}

void code_blocks_init(struct code_blocks *b, struct arena *a)
{
	*b = (struct code_blocks){ .arena = a };
	make(b, FIRST_BITS);
}

void code_blocks_end(struct code_blocks *b)
{
	arena_drop(b->arena, b->page, (size_t)1 << b->bits, sizeof(*b->page));
}

static void grow(struct code_blocks *b)
{
	struct code_blocks old = *b;

	make(b, old.bits + 1);
	for (size_t i = 0; i < (size_t)1 << old.bits; i++)
		*code_blocks_place(b, old.page[i].who, old.page[i].number) = old.page[i];
	code_blocks_end(&old);
}

/* Returns the page with this key.  If another page occupies the slot, replaces it. */
static struct code_page *page_at(struct code_blocks *b, uint64_t who, uint64_t number)
{
	struct code_page *p = code_blocks_place(b, who, number);

	if (p->who == who && p->number == number)
		return p;
	if (++b->kept > (size_t)1 << b->bits && b->bits < MOST_BITS)
		grow(b);
	p = code_blocks_place(b, who, number);
	*p = (struct code_page){ .who = who, .number = number };
	return p;
}

bool code_blocks_keep(struct code_blocks *b, uint64_t who, uint64_t at, uint64_t before,
                      uint64_t after, frame_id id)
{
	const uint64_t block = 1 << CODE_BLOCK_BITS, page = 1 << CODE_PAGE_BITS;
	uint64_t in = at % page, left = page - in;
	uint64_t first = (before < in ? in - before + block - 1 : 0) / block;
	uint64_t end = (after < left ? in + after : page) / block;
	struct code_page *p;

	if (in / block < first || in / block >= end)
		return false;
	p = page_at(b, who, at >> CODE_PAGE_BITS);
	for (uint64_t i = first; i < end; i++)
		p->frame[i] = id + 1;
	return true;
}
