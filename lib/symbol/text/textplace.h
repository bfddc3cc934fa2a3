/*
 * textplace - where a line of a text lies in a process; private to symbol/.
 */
#ifndef SYMBOL_TEXT_TEXTPLACE_H
#define SYMBOL_TEXT_TEXTPLACE_H

#include "symbol/session.h"

/* Where the code of a text's line lies, as far as that is known. */
struct place {
	const struct mapping *m; /* NULL: not known */
	uint64_t ip;
	bool has_ip;
};
struct place profile_place(struct profile *p, int32_t pid, str_id module, uint64_t addr,
                           enum text_line kind);
enum text_line profile_line_kind(const struct frame *f);

/* Reads the beginning of a text, says what its addresses mean, and comes back. */
void profile_learn_form(struct profile *p);

/* The process a text's frame belongs to: the sample's, else its module says it. */
int32_t profile_text_pid(const struct profile *p, const struct event *ev);

/* A module that perf prints for code made at run time. */
bool profile_is_jit(struct str module);

/* Is frame i a return address?  The first of kernel and of user code are not. */
bool profile_is_caller(uint64_t addr, uint64_t before, size_t i);

#endif
