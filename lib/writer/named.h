/*
 * named - the interface of formats that keep addresses, mappings and names, for psym --to.
 */
#ifndef WRITER_NAMED_H
#define WRITER_NAMED_H

#include "base/out.h"
#include "symbol/profile.h"

struct named_format {
	const char *name;   /* argument of --to */
	const char *suffix; /* end of the names of files */
	/* Begins a profile.  opts.lines of p must be set.  arena must outlive the result. */
	void *(*begin)(struct profile *p, struct out *o, struct arena *arena);
	void (*sample)(void *w,
	               const struct sample *s); /* adds the current sample of p */
	void (*end)(void *w);                   /* after the last sample of p */
};

#endif
