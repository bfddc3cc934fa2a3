/*
 * named_evidence - uses the named frames of a text as evidence for its unnamed frames.  Named
 * frames show whether addresses are file offsets, where a module was loaded, and whether an input
 * file is from another build.  Private to symbol/.
 */
#ifndef SYMBOL_TEXT_NAMED_EVIDENCE_H
#define SYMBOL_TEXT_NAMED_EVIDENCE_H

#include "reader/perftext/frameline.h"
#include "symbol/session.h"
#include "symbol/text/address_form.h"

struct module_evidence;

/* All noted frames.  If all bytes except s are zero, the list is empty. */
struct named_evidence {
	struct session *s;
	struct table index;      /* (module, pid) -> index in `of` + 1 */
	struct table by_address; /* (address, index in `of`) -> 1 + enum address_form */
	struct module_evidence *of;
	size_t n, cap;
};

/* Returns the form of address that the name of a frame proves, or FORM_UNSURE. */
enum address_form named_evidence_form(struct named_evidence *e, int32_t pid,
                                      str_id module, const struct frame_text *ft);

/*
 * Returns true if named frames prove that the file with the module's name is from another build.
 */
bool named_evidence_refutes(const struct named_evidence *e, int32_t pid, str_id module);

/* Returns the mapping of module in pid that is proved by named frames, or NULL. */
const struct mapping *named_evidence_mapping(const struct named_evidence *e, int32_t pid,
                                             str_id module);

/* Passes to the binder the files that agree with the named frames, and reports these files. */
void named_evidence_settle(const struct named_evidence *e);

#endif
