/* shared_code - mappings of the same code, whose names are looked up once for all of them. */
#ifndef BIND_SHARED_CODE_H
#define BIND_SHARED_CODE_H

#include "bind/bind.h"

/*
 * The ELF files that name the code of a mapping, as a number, the place of the mapping in them,
 * and the evidence.  Mappings with equal values have the same names at the same file offset.
 */
struct shared_code {
	uint32_t native; /* index of the ELF files, or NO_NATIVE */
	enum verified how;
	uint64_t shift; /* va - file offset */
};

/*
 * Returns the shared code of m.  Returns false if m may have names, or remarks on files, of its
 * own.
 */
bool shared_code_find(struct binder *b, const struct mapping *m, struct shared_code *out);

/* Returns true if only ELF files can name q, but no perf map, jitdump or .NET image. */
bool shared_code_is_alone(const struct binder *b, const struct bind_query *q);

/* How the profile writes the addresses of a mapping that is `listed`. */
struct shared_code_form {
	uint64_t less; /* an address minus `less` is a run-time address */
	bool returns;  /* the addresses of callers are return addresses, not calls */
};

/* Returns the form of the addresses in m, by the evidence of the noted frames. */
struct shared_code_form shared_code_form(struct binder *b, const struct mapping *m);

#endif
