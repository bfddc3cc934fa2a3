/*
 * named_evidence - evidence from the named frames of a text for its other frames: whether
 * addresses are offsets, the place of a module in a process without mappings, and whether a file
 * among the sources is of another build.  Private to symbol/.
 */
#ifndef SYMBOL_TEXT_NAMED_EVIDENCE_H
#define SYMBOL_TEXT_NAMED_EVIDENCE_H

#include "reader/perftext/frameline.h"
#include "symbol/session.h"
#include "symbol/text/address_form.h"

struct module_evidence;

/* All zero but s: no frame has been looked at. */
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

/* Returns true if names show that the file with the name of module is not the one that ran. */
bool named_evidence_refutes(const struct named_evidence *e, int32_t pid, str_id module);

/* Returns the mapping of module in pid that names show, or NULL. */
const struct mapping *named_evidence_mapping(const struct named_evidence *e, int32_t pid,
                                             str_id module);

/* Passes the files that agree with the names to the binder, and reports them. */
void named_evidence_settle(const struct named_evidence *e);

#endif
