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
	               const struct sample *s); /* adds sample s, the current one of p */
	void (*end)(void *w); /* ends the profile, after its last sample */
};

#endif
