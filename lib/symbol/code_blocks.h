/*
 * code_blocks - a cache of frames, by blocks of code.  A block has a frame if one function
 * contains the whole block.  Private to symbol/.
 *
 * A function is looked up once, even if it is sampled at many addresses.  The blocks of a page
 * are adjacent in memory.  The pages are the slots of a table of recent.h.
 */
#ifndef SYMBOL_CODE_BLOCKS_H
#define SYMBOL_CODE_BLOCKS_H

#include "symbol/recent.h"

enum {
	CODE_BLOCK_BITS = 5,
	CODE_PAGE_BITS = 12,
	CODE_PAGE_BLOCKS = 1 << (CODE_PAGE_BITS - CODE_BLOCK_BITS),
};

struct code_page {
	/* the key: the owner of the code, and the page number.  If the slot is free, who is 0 */
	uint64_t who, number;
	/*
	 * frame_id + 1 of each block.  0 if the frame is unknown, or if the block has
	 * several frames
	 */
	frame_id frame[CODE_PAGE_BLOCKS];
};

/* Returns the frame + 1 of the byte at `at`, or 0.  who must not be 0. */
static inline frame_id code_blocks_find(const struct recent *pages, uint64_t who,
                                        uint64_t at)
{
	uint64_t number = at >> CODE_PAGE_BITS;
	const struct code_page *p = recent_slot(pages, sizeof(*p), who, number);

	if (p->who != who || p->number != number)
		return 0;
	return p->frame[(at >> CODE_BLOCK_BITS) % CODE_PAGE_BLOCKS];
}

/*
 * Stores the frame of the bytes from at - before to at + after.  If this range does not cover the
 * whole block of `at`, does not store the frame and returns false.
 */
bool code_blocks_keep(struct recent *pages, uint64_t who, uint64_t at, uint64_t before,
                      uint64_t after, frame_id id);

#endif
