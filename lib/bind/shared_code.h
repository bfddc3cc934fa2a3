/*
 * shared_code - finds mappings of the same code, so that names are looked up once for all of
 * them.
 */
#ifndef BIND_SHARED_CODE_H
#define BIND_SHARED_CODE_H

#include "bind/bind.h"

/*
 * Identifies code: the ELF files that name it, the position of the mapping in these files, and
 * the evidence.  If two mappings have equal values, the same file offset has the same name in
 * both mappings.
 */
struct shared_code {
	uint32_t native; /* index of the ELF files in natives.native, or NO_NATIVE */
	enum verified how;
	uint64_t shift; /* va minus file offset */
};

/* Finds the shared code of m.  Returns false if names or reports may be specific to m. */
bool shared_code_find(const struct binder *b, const struct mapping *m,
                      struct shared_code *out);

/*
 * Returns true if q can be named only by ELF files, not by a perf map, a jitdump or a .NET image.
 */
bool shared_code_is_alone(const struct binder *b, const struct bind_query *q);

/* Returns true if no perf map and no jitdump is bound to any process. */
bool shared_code_has_no_maps(const struct binder *b);

/* The form of addresses in a mapping with `listed` set. */
struct shared_code_form {
	uint64_t less; /* subtract this from an address to get the run-time address */
	/* callers are recorded as return addresses, not as addresses of calls */
	bool returns;
};

/* Returns the form of the addresses in m.  The noted frames are the evidence. */
struct shared_code_form shared_code_form(const struct binder *b, const struct mapping *m);

#endif
