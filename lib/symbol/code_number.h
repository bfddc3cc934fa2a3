/*
 * code_number - numbers of code that several mappings have; private to symbol/.
 */
#ifndef SYMBOL_CODE_NUMBER_H
#define SYMBOL_CODE_NUMBER_H

#include "base/table.h"
#include "symbol/session.h"

/* All zero is none. */
struct code_numbers {
	uint32_t *of_mapping; /* by mapping id: 1 + the number; 0: not asked yet */
	size_t cap;
	struct table places; /* (native and module, shift) -> number */
	struct table codes;  /* (that number, build-id and how) -> number */
};

/*
 * The number of what ELF files name in m, the same for all mappings of the code; 0: other
 * sources may name frames there, of which processes have their own.
 */
uint32_t code_number(struct code_numbers *c, struct session *s, const struct mapping *m);

#endif
