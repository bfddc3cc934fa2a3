/* code_number - gives mappings of the same code the same number.  Private to symbol/. */
#ifndef SYMBOL_CODE_NUMBER_H
#define SYMBOL_CODE_NUMBER_H

#include "symbol/session.h"

/* Numbers of mapped code.  Zero bytes are a valid empty state. */
struct code_numbers {
	/* indexed by mapping id: the number + 1, or 0 before the first lookup */
	uint32_t *of_mapping;
	size_t cap;
	struct table places; /* (native, module, shift) -> number */
	struct table codes;  /* (number in `places`, build-id, evidence) -> number */
};

/*
 * Returns the number of the code in m.  Mappings of the same code in several processes have the
 * same number.  Returns 0 if sources other than ELF files may name frames in m, because such
 * names differ between processes.
 */
uint32_t code_number(struct code_numbers *c, struct session *s, const struct mapping *m);

#endif
