/*
 * elf_calls - checks whether a file has call instructions directly before the return addresses
 * that were sampled in its mappings.  Private to bind/.
 *
 * In the file that ran, all return addresses follow calls.  In another build, few return addresses
 * follow calls.
 */
#ifndef BIND_NATIVE_ELF_CALLS_H
#define BIND_NATIVE_ELF_CALLS_H

#include "bind/bind.h"

struct elf_calls {
	size_t all;
	size_t good; /* number of return addresses that directly follow a call */
	/* number of return addresses that point to the last byte of a call */
	size_t last;
};

/*
 * Adds the counts of return addresses in m to c.  Sets *shift to va minus file offset of the code
 * in image.  Returns false if parts of the code have different shifts.
 *
 * A call chain through code without frame pointers may end with an arbitrary pointer from the
 * stack.  So an address is not counted if it is the start of a symbol and does not follow a call.
 * An address in goexit, the root of Go's stacks, is not counted either.  symbols may be NULL.
 */
bool elf_calls_count(const struct binder *b, const struct mapping *m, struct item *image,
                     const struct symtab *symbols, uint64_t *shift, struct elf_calls *c);

/* Returns how many addresses sampled in m are in the code of image. */
size_t elf_calls_inside(const struct binder *b, const struct mapping *m,
                        struct item *image);

/*
 * Returns true if so many return addresses follow calls that they identify the file.  If -m names
 * the file (given), a few addresses suffice, but all of them must follow calls.
 */
bool elf_calls_agree(const struct elf_calls *c, bool given);

/* Returns true if there are enough return addresses, and if all of them follow calls. */
bool elf_calls_all(const struct elf_calls *c);

/* Returns true if so few return addresses follow calls that the file must be another build. */
bool elf_calls_refute(const struct elf_calls *c);

#endif
