/*
 * function_code - the machine code of a function in a profile, with the name and the line of each
 * address.
 *
 * Addresses are in the form of objdump: a va in an ELF file, an RVA in a .NET image, or a
 * run-time address in JIT code.  Results live as long as the profile.
 */
#ifndef SYMBOL_FUNCTION_CODE_H
#define SYMBOL_FUNCTION_CODE_H

#include "bind/bind.h"
#include "image/code/code.h"
#include "symbol/profile.h"

struct function_code {
	struct code code; /* bytes is empty if no file contains the code */
	uint64_t start, end;
	/* the address that objdump prints minus the address that perf prints */
	uint64_t shift;
	const struct item *item; /* the file with the code */
	struct bound_name name;  /* name of the function */
	bool has_places;         /* function_code_places may find lines */
	const struct mapping *m; /* private, like from_ip */
	/* address in the form of objdump minus the run-time address */
	uint64_t from_ip;
};

/*
 * Finds the code of the function that contains addr.  id is a frame, and addr is its address as
 * perf prints it.  Returns false if the start of the function is unknown.
 */
bool function_code_find(struct profile *p, frame_id id, uint64_t addr,
                        struct function_code *out);

/* Finds the source line and the inlined functions at an address of c, as dwarf_find does. */
size_t function_code_places(struct profile *p, const struct function_code *c,
                            uint64_t addr, struct dwarf_place *out, size_t max);

/*
 * Returns the name of the function at an address of c's file, and sets *off to the offset in the
 * function.  Returns an empty string if the function is unknown.
 */
struct str function_code_target(struct profile *p, const struct function_code *c,
                                uint64_t addr, uint64_t *off);

/* Returns the locator of p's inputs, to search them for source code. */
struct locator *function_code_sources(struct profile *p);

#endif
