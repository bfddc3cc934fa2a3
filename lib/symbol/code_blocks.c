#include "symbol/code_blocks.h"

/* Returns the page with this key.  If another page occupies the slot, replaces it. */
static struct code_page *page_at(struct recent *pages, uint64_t who, uint64_t number)
{
	struct code_page *p = recent_slot(pages, sizeof(*p), who, number);

	if (p->who == who && p->number == number)
		return p;
	p = recent_replace(pages, sizeof(*p), who, number);
	*p = (struct code_page){ .who = who, .number = number };
	return p;
}

bool code_blocks_keep(struct recent *pages, uint64_t who, uint64_t at, uint64_t before,
                      uint64_t after, frame_id id)
{
	const uint64_t block = 1 << CODE_BLOCK_BITS, page = 1 << CODE_PAGE_BITS;
	uint64_t in = at % page, left = page - in;
	uint64_t first = (before < in ? in - before + block - 1 : 0) / block;
	uint64_t end = (after < left ? in + after : page) / block;
	struct code_page *p;

	if (in / block < first || in / block >= end)
		return false;
	p = page_at(pages, who, at >> CODE_PAGE_BITS);
	for (uint64_t i = first; i < end; i++)
		p->frame[i] = id + 1;
	return true;
}
