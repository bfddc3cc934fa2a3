/*
 * named_evidence - what the names that a text already has show of its other frames: whether
 * addresses are offsets, where a module lay in a process of which no mapping tells, and that
 * a file among the sources is of another build; private to symbol/.
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

/* The form of address that a named frame proves; FORM_UNSURE: none. */
enum address_form named_evidence_form(struct named_evidence *e, int32_t pid,
                                      str_id module, const struct frame_text *ft);

/* Names show that the file called as module is not what ran. */
bool named_evidence_refutes(const struct named_evidence *e, int32_t pid, str_id module);

/* Where names show that module lay in pid; NULL: nowhere. */
const struct mapping *named_evidence_mapping(const struct named_evidence *e, int32_t pid,
                                             str_id module);

/* Tells the binder which files the names agree with, and the person. */
void named_evidence_settle(const struct named_evidence *e);

#endif
