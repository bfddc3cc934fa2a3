/*
 * parcel - writes numbers, strings and objects for another process of this program.
 *
 * A parcel has the byte order of the machine.  base/cursor.h reads its numbers.
 */
#ifndef BASE_PARCEL_H
#define BASE_PARCEL_H

#include "base/cursor.h"
#include "base/out.h"

static inline void parcel_number(struct out *to, uint64_t n)
{
	out_str(to, (struct str){ (const char *)&n, sizeof(n) });
}

static inline void parcel_text(struct out *to, struct str s)
{
	parcel_number(to, s.n);
	out_str(to, s);
}

static inline void parcel_object(struct out *to, const void *p, size_t n)
{
	out_str(to, (struct str){ p, n });
}

/* Copies the next object.  Returns false and does not change *to if fewer than n bytes are left. */
static inline bool parcel_take_object(struct cursor *c, void *to, size_t n)
{
	const char *p = cur_take(c, n);

	if (p)
		memcpy(to, p, n);
	return p;
}

/* Returns the next string.  Its bytes remain in the parcel. */
static inline struct str parcel_take_text(struct cursor *c)
{
	uint64_t n = cur_u64(c);
	const char *p = cur_take(c, n);

	return (struct str){ p, p ? n : 0 };
}

#endif
