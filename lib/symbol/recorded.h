/*
 * recorded - names that perf printed on the recording machine.
 *
 * perf script text of the same capture names native and kernel frames if the archive contains no
 * binaries.  A name is used for every frame with the same module and printed address.  If two
 * names contradict each other, both are ignored.
 *
 * The caller must check that text and profile are of one capture, and must find the form of the
 * text's addresses (symbol/same_capture.h).
 */
#ifndef SYMBOL_RECORDED_H
#define SYMBOL_RECORDED_H

#include "base/intern.h"
#include "base/table.h"
#include "process/process.h"
#include "reader/reader.h"
#include "symbol/text/address_form.h"

struct recorded_name {
	str_id func;  /* the function that contains the address */
	uint64_t off; /* the number printed after "+0x" */
	bool has_off;
	bool ambiguous;             /* there are several names for the address */
	uint32_t inlined, ninlined; /* indices into recorded.inlined, innermost first */
};

struct inlined_name {
	str_id func;
	uint64_t off;
	bool has_off;
	str_id srcline; /* symbol/: "FILE:LINE", or empty */
	str_id decl;    /* symbol/: as in struct named */
	bool there;     /* symbol/: printed as if it were not inlined */
};

struct recorded {
	struct arena *run;
	struct interner *names;
	struct table keys; /* (address, module_key) -> index of name + 1 */
	struct recorded_name *name;
	size_t n, cap;
	struct inlined_name *inlined;
	size_t ninlined, inlined_cap;
	/* forms of addresses in the texts that were read */
	bool has_offset, has_absolute;
};

void recorded_init(struct recorded *r, struct arena *run, struct interner *names);

/* Reads the named frames of a text.  ps gives the process of each thread. */
void recorded_read(struct recorded *r, struct reader *text, enum address_form form,
                   const struct processes *ps);

/* Returns the name at ip in m, or NULL.  m is NULL if no mapping contains ip. */
const struct recorded_name *recorded_find(const struct recorded *r,
                                          const struct mapping *m, int32_t pid,
                                          uint64_t ip);

/* Returns the name of a text's line, or NULL, by the printed module and address. */
const struct recorded_name *recorded_find_printed(const struct recorded *r, str_id module,
                                                  uint64_t addr);

#endif
