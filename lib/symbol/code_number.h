/* code_number - numbers of code that several mappings share.  Private to symbol/. */
#ifndef SYMBOL_CODE_NUMBER_H
#define SYMBOL_CODE_NUMBER_H

#include "base/table.h"
#include "symbol/session.h"

/* Tables that are empty if all bytes are zero. */
struct code_numbers {
	/*
	 * indexed by mapping id: the number + 1, or 0 if the mapping was not looked up
	 * yet
	 */
	uint32_t *of_mapping;
	size_t cap;
	struct table places; /* (native and module, shift) -> number */
	struct table codes;  /* (number in places, build-id and how) -> number */
};

/*
 * Returns a number for the code in m that ELF files name.  All mappings of the code have the
 * same number.  Returns 0 if other sources may name frames in m, because they differ between
 * processes.
 */
uint32_t code_number(struct code_numbers *c, struct session *s, const struct mapping *m);

#endif
