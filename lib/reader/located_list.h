/*
 * located_list - adds frames to the current sample of struct located.  Private to reader/.
 *
 * A list has copies of pointers of struct located.  The compiler can keep these copies in
 * registers while it writes frames.
 */
#ifndef READER_LOCATED_LIST_H
#define READER_LOCATED_LIST_H

#include "reader/located.h"

struct located_list {
	struct frame *begin, *end; /* the frames of the sample so far */
	const struct located_place *place;
	size_t nplaces;
};

/* Begins to add at most n frames. */
static inline struct located_list located_list_begin(struct located *l, size_t n)
{
	arena_fit(l->base.run, l->frames, l->nframes + n, l->frames_cap);
	return (struct located_list){ l->frames, l->frames + l->nframes, l->place,
		                      l->nplaces };
}

/* Adds the frame of the place with index `at`.  SIZE_MAX means an unknown place. */
static inline void located_list_add(struct located_list *list, size_t at)
{
	static const struct located_place none = { .cpumode = MODE_USER };
	bool known = at < list->nplaces;
	const struct located_place *p = known ? &list->place[at] : &none;
	struct frame *f = list->end++;

	/* Fields that are not set here are always 0. */
	f->ip = p->addr;
	f->cpumode = p->cpumode;
	f->caller = f > list->begin && p->cpumode == f[-1].cpumode;
	f->known = known ? (uint32_t)at + 1 : 0;
}

static inline void located_list_end(struct located *l, const struct located_list *list)
{
	l->nframes = (size_t)(list->end - list->begin);
}

#endif
