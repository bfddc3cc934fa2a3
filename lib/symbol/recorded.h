/*
 * recorded - names that perf printed on the recording machine.
 *
 * If an archive contains no binaries, perf script text of the same capture can name native and
 * kernel frames.  A name applies to all frames with the same module and printed address.  If two
 * names contradict each other, both are ignored.
 *
 * The caller must check that the text and the profile are from the same capture, and must find
 * the form of the text's addresses (symbol/same_capture.h).
 */
#ifndef SYMBOL_RECORDED_H
#define SYMBOL_RECORDED_H

#include "base/table.h"
#include "process/process.h"
#include "reader/reader.h"
#include "symbol/text/address_form.h"

struct recorded_name {
	str_id func;  /* the function that contains the address */
	uint64_t off; /* the number printed after "+0x" */
	bool has_off;
	bool ambiguous; /* the texts contain different names for the address */
	/* number of inlined functions.  They precede this element, innermost first */
	uint32_t ninlined;
};

struct recorded {
	struct arena *run;
	struct interner *names;
	struct table keys; /* (address, module_key) -> index of the name + 1 */
	struct recorded_name *name;
	size_t n, cap;
	/* forms of addresses in the texts that were read so far */
	bool has_offset, has_absolute;
};

void recorded_init(struct recorded *r, struct arena *run, struct interner *names);

/* Reads the named frames of a text.  `ps` provides the process of each thread. */
void recorded_read(struct recorded *r, struct reader *text, enum address_form form,
                   const struct processes *ps);

/* Returns the name at ip in m, or NULL.  m may be NULL if no mapping contains ip. */
const struct recorded_name *recorded_find(const struct recorded *r,
                                          const struct mapping *m, int32_t pid,
                                          uint64_t ip);

/*
 * Finds a name by the module and the address that a text line prints.  Returns NULL if there is
 * no name.
 */
const struct recorded_name *recorded_find_printed(const struct recorded *r, str_id module,
                                                  uint64_t addr);

#endif
