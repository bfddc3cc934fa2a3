/* code_number - numbers of code that several mappings share.  Private to symbol/. */
#ifndef SYMBOL_CODE_NUMBER_H
#define SYMBOL_CODE_NUMBER_H

#include "base/table.h"
#include "symbol/session.h"

/* All zero is empty. */
struct code_numbers {
	/* by mapping id: 1 + the number, or 0 if not looked up yet */
	uint32_t *of_mapping;
	size_t cap;
	struct table places; /* (native and module, shift) -> number */
	struct table codes;  /* (that number, build-id and how) -> number */
};

/*
 * Returns a number for the code in m that ELF files name, equal for all mappings of the code, or
 * 0 if other sources, which are different for each process, may name frames there.
 */
uint32_t code_number(struct code_numbers *c, struct session *s, const struct mapping *m);

#endif
