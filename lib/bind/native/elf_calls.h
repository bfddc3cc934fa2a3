/*
 * elf_calls - do the return addresses that were sampled in a file follow calls there?
 * Private to bind/.
 *
 * In the file that ran, all of them do.  In another build, few of them do.
 */
#ifndef BIND_NATIVE_ELF_CALLS_H
#define BIND_NATIVE_ELF_CALLS_H

#include "bind/bind.h"

struct elf_calls {
	size_t all;
	size_t good; /* the byte before the address is the last one of a call */
	size_t last; /* the byte at the address is the last one of a call */
};

/*
 * Counts the return addresses in m, and adds them to c.  Sets *shift to va - file offset of the
 * code in image.  Returns false if parts of the code have different shifts.
 *
 * Chains through code without frame pointers end in arbitrary pointers from the stack.  So an
 * address is not counted if it does not follow a call and is the start of a symbol, or is in the
 * goexit at the root of Go's stacks.  symbols may be NULL.
 */
bool elf_calls_count(struct binder *b, const struct mapping *m, struct item *image,
                     const struct symtab *symbols, uint64_t *shift, struct elf_calls *c);

/* Returns the number of sampled addresses in m that are in the code of image. */
size_t elf_calls_inside(struct binder *b, const struct mapping *m, struct item *image);

/*
 * Returns true if enough return addresses follow calls to identify the file.  given: -m named
 * the file itself, so a few addresses suffice if all of them follow calls.
 */
bool elf_calls_agree(const struct elf_calls *c, bool given);

/* Returns true if all return addresses follow calls, and if there are enough of them. */
bool elf_calls_all(const struct elf_calls *c);

/* Returns true if so few return addresses follow calls that the file must be of another build. */
bool elf_calls_refute(const struct elf_calls *c);

#endif
