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
 * Adds the return addresses in m to c.  *shift: va - file offset of all code in image. Returns
 * false if parts of the code have different shifts.
 *
 * Chains through code without frame pointers end in arbitrary pointers from the stack.  An
 * address that does not follow a call and is the start of one of symbols, which may be NULL, is
 * not counted, and neither is the goexit at the root of Go's stacks.
 */
bool elf_calls_count(struct binder *b, const struct mapping *m, struct item *image,
                     const struct symtab *symbols, uint64_t *shift, struct elf_calls *c);

/*
 * Returns true if enough of them follow calls to identify the file.  given: -m named the file
 * itself, so a few suffice if all of them do.
 */
bool elf_calls_agree(const struct elf_calls *c, bool given);

/* Returns true if all follow calls, and if they are enough. */
bool elf_calls_all(const struct elf_calls *c);

/* Returns true if so few follow calls that the file is of another build. */
bool elf_calls_refute(const struct elf_calls *c);

#endif
