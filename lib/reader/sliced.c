#include "reader/sliced.h"

#include "reader/format.h"

bool sliced_begin(struct reader *r, uint64_t least, bool skips)
{
	return r->format->divide && r->format->divide(r, least, skips);
}

size_t sliced_count(const struct reader *r)
{
	return r->format->slices(r);
}

uint64_t sliced_samples(const struct reader *r)
{
	return r->format->samples ? r->format->samples(r) : UINT64_MAX;
}

size_t sliced_enter(struct reader *r, size_t slice, size_t end)
{
	return r->format->enter(r, slice, end);
}

bool sliced_is_odd(const struct reader *r, size_t end)
{
	return r->format->is_odd(r, end);
}

void sliced_tell(struct reader *r, size_t slice)
{
	r->format->tell(r, slice);
}
