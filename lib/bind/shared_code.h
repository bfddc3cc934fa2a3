/* shared_code - mappings of the same code, whose names are looked up once for all of them. */
#ifndef BIND_SHARED_CODE_H
#define BIND_SHARED_CODE_H

#include "bind/bind.h"

/*
 * The ELF files that name code, as a number, the place of the code in them, and the evidence.
 * Mappings with the same values have the same names at the same place in the file.
 */
struct shared_code {
	uint32_t native; /* NO_NATIVE: there are none */
	enum verified how;
	uint64_t shift; /* va - file offset */
};

/* Returns false if m may have names, or remarks on files, of its own. */
bool shared_code_of(struct binder *b, const struct mapping *m, struct shared_code *out);

/* Returns true if only the ELF files of its mapping can name q: no map, jitdump or .NET image. */
bool shared_code_alone(const struct binder *b, const struct bind_query *q);

#endif
