/*
 * named - the interface of the output formats of psym --to, which keep addresses and mappings in
 * addition to names.
 */
#ifndef WRITER_NAMED_H
#define WRITER_NAMED_H

#include "base/out.h"
#include "symbol/profile.h"

struct named_format {
	const char *name;   /* argument of --to */
	const char *suffix; /* suffix of output files */
	/* Begins a profile.  opts.lines of p must be set.  arena must outlive the result. */
	void *(*begin)(struct profile *p, struct out *o, struct arena *arena);
	void (*sample)(void *w,
	               const struct sample *s); /* adds the current sample of p */
	void (*end)(void *w);                   /* called after the last sample of p */
	/* write only the default value of each sample.  The input may be text */
	bool one_value;
};

static inline bool named_is_known(const struct resolved *r)
{
	return r->n && !(r->names[r->n - 1].flags & NAMED_UNKNOWN);
}

/*
 * Returns the address of a frame.  For a caller, this is the address of the call, not the return
 * address.
 */
static inline uint64_t named_address(const struct profile *p, const struct frame *f)
{
	bool returns = f->caller && !profile_traits(p)->has_locations;

	return f->ip - (returns && f->ip && !f->unwound);
}

#endif
