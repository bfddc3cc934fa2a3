/*
 * A record is known by its header alone: a type below REC_KNOWN in four bytes and a
 * size that is a multiple of 8.  Addresses, text and zeros look like that once in
 * 2^25 places; CHAIN of them in a row do so by design only.
 */
#include "reader/perfdata/resync.h"

enum { CHAIN = 3, STEP = 8 };

static bool likely(const struct record *r)
{
	bool packed = r->type == REC_COMPRESSED || r->type == REC_COMPRESSED2;

	return r->type <= REC_KNOWN && (packed || r->size % STEP == 0);
}

static bool chain_begins(struct str left, bool swap)
{
	struct record r;

	for (int i = 0; i < CHAIN; i++) {
		if (!left.n)
			return i > 0;
		if (record_read(left, swap, &r) != RECORD_WHOLE || !likely(&r))
			return false;
		left = str_from(left, r.size);
	}
	return true;
}

size_t resync(struct str left, size_t from, bool swap)
{
	for (size_t at = from; at < left.n && left.n - at >= RECORD_HEAD; at += STEP)
		if (chain_begins(str_from(left, at), swap))
			return at;
	return left.n;
}
