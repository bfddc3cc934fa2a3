/*
 * elf_calls - do the return addresses that were sampled in a file follow calls there?
 * private to bind/.
 *
 * In the file that ran they all do, in another build few do.
 */
#ifndef BIND_NATIVE_ELF_CALLS_H
#define BIND_NATIVE_ELF_CALLS_H

#include "bind/bind.h"

struct elf_calls {
	size_t all;
	size_t good; /* the byte before the address ends a call */
	size_t last; /* the byte at the address ends a call */
};

/*
 * Adds the return addresses in m to c.  *shift: va - file offset of all code in image.
 * False: parts of the code have different shifts.
 *
 * Chains through code without frame pointers end in pointers that lay on the stack: what
 * follows no call and is where one of symbols begins, which may be NULL, is not counted, nor
 * the goexit that Go puts at the root of a stack.
 */
bool elf_calls_count(struct binder *b, const struct mapping *m, struct item *image,
                     const struct symtab *symbols, uint64_t *shift, struct elf_calls *c);

/*
 * Do so many follow calls that they show the file is what ran?  given: it was named by -m on
 * purpose; then a few suffice, if all do.
 */
bool elf_calls_agree(const struct elf_calls *c, bool given);

/* Do all follow calls, and are they enough? */
bool elf_calls_all(const struct elf_calls *c);

/* Do so few follow calls that the file is of another build? */
bool elf_calls_refute(const struct elf_calls *c);

#endif
