/*
 * function_code - the machine code of a function of a profile, with names and lines of each
 * address.
 *
 * Addresses are those that objdump prints: a va of an ELF file, an RVA of a .NET image, or a
 * run-time address of code that was made at run time.  Results live as long as the profile.
 */
#ifndef SYMBOL_FUNCTION_CODE_H
#define SYMBOL_FUNCTION_CODE_H

#include "bind/bind.h"
#include "image/code/code.h"
#include "symbol/profile.h"

struct function_code {
	struct code code; /* bytes is empty if no file has the code */
	uint64_t start, end;
	uint64_t shift;          /* address here - address as perf prints it */
	const struct item *item; /* the file with the code */
	struct bound_name name;  /* of the function that the code belongs to */
	bool has_places;         /* function_code_places may find something */
	const struct mapping *m; /* private, like from_ip */
	uint64_t from_ip;        /* address here - ip */
};

/*
 * Finds the code of the function that contains addr, an address of the frame id as perf prints
 * it.  Returns false if the start of the function is unknown.
 */
bool function_code_find(struct profile *p, frame_id id, uint64_t addr,
                        struct function_code *out);

/* Finds the functions and lines at an address in c, as dwarf_find does. */
size_t function_code_places(struct profile *p, const struct function_code *c,
                            uint64_t addr, struct dwarf_place *out, size_t max);

/*
 * Returns the name of the function at an address of the file of c, and sets *off to the offset in
 * the function.  Returns an empty string if the function is unknown.
 */
struct str function_code_target(struct profile *p, const struct function_code *c,
                                uint64_t addr, uint64_t *off);

/* Returns the sources of p, which may contain source files. */
struct locator *function_code_sources(struct profile *p);

#endif
