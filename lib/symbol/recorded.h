/*
 * recorded - names that perf printed on the recording machine.
 *
 * perf script text of the same capture names native and kernel frames if the archive contains no
 * binaries.  A name is used for every frame with the same module and printed address. If two
 * names contradict each other, both are ignored.
 *
 * The caller must have checked that text and profile are of one capture, and the form of the
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
	str_id func;  /* of the function that is there */
	uint64_t off; /* the printed number after "+0x" */
	bool has_off;
	bool ambiguous;             /* two texts contradict each other */
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
	struct table keys; /* -> index of name + 1 */
	struct recorded_name *name;
	size_t n, cap;
	struct inlined_name *inlined;
	size_t ninlined, inlined_cap;
	bool has_offset, has_absolute; /* forms that were read */
};

void recorded_init(struct recorded *r, struct arena *run, struct interner *names);

/* Reads the named frames of a text.  ps has the process of each thread. */
void recorded_read(struct recorded *r, struct reader *text, enum address_form form,
                   const struct processes *ps);

/* The name at ip in m (m NULL: no mapping), or NULL. */
const struct recorded_name *recorded_find(const struct recorded *r,
                                          const struct mapping *m, int32_t pid,
                                          uint64_t ip);

/* The same for a line of text: module and address as printed there. */
const struct recorded_name *recorded_find_printed(const struct recorded *r, str_id module,
                                                  uint64_t addr);

#endif
