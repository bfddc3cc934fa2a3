/*
 * named_evidence - uses the named frames of a text as evidence for the unnamed ones.  They show
 * whether addresses are offsets, the place of a module in a process without mappings, and
 * whether a file among the sources is of another build.  Private to symbol/.
 */
#ifndef SYMBOL_TEXT_NAMED_EVIDENCE_H
#define SYMBOL_TEXT_NAMED_EVIDENCE_H

#include "reader/perftext/frameline.h"
#include "symbol/session.h"
#include "symbol/text/address_form.h"

struct module_evidence;

/* All frames that were noted.  If all bytes except s are zero, the list is empty. */
struct named_evidence {
	struct session *s;
	struct table index;      /* (module, pid) -> index of `of` + 1 */
	struct table by_address; /* (address, index of `of`) -> 1 + enum address_form */
	struct module_evidence *of;
	size_t n, cap;
};

/* Returns the form of address that a named frame proves, or FORM_UNSURE. */
enum address_form named_evidence_form(struct named_evidence *e, int32_t pid,
                                      str_id module, const struct frame_text *ft);

/* Returns true if named frames show that the file with the name of module did not run. */
bool named_evidence_refutes(const struct named_evidence *e, int32_t pid, str_id module);

/* Returns the mapping of module in pid that named frames show, or NULL. */
const struct mapping *named_evidence_mapping(const struct named_evidence *e, int32_t pid,
                                             str_id module);

/* Passes the files that agree with named frames to the binder, and reports them. */
void named_evidence_settle(const struct named_evidence *e);

#endif
