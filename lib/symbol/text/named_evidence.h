/*
 * shown - what the names that a text already has show of its other frames; private to
 * symbol/.
 */
#ifndef SYMBOL_TEXT_NAMED_EVIDENCE_H
#define SYMBOL_TEXT_NAMED_EVIDENCE_H

#include "reader/perftext/frameline.h"
#include "symbol/session.h"

/* What is known of a module in a process. */
struct shown_module {
	str_id module;
	int32_t pid;
	size_t asked;                     /* distinct frames, and what they were: */
	size_t offset, absolute, neither; /* neither: of another build */
	uint64_t bias;                    /* absolute: address - file offset */
};

/* What a frame with a name shows of its number; FORM_UNSURE: nothing. */
enum address_form profile_shown(struct profile *p, int32_t pid, str_id module,
                                const struct frame_text *ft);

/* Names show that the file called as module is not what ran. */
bool profile_is_refuted(const struct profile *p, int32_t pid, str_id module);

/* Where names show that module lay in pid; NULL: nothing does. */
const struct mapping *profile_shown_mapping(struct profile *p, int32_t pid,
                                            str_id module);

/* Tells the binder, and the person, what names have shown. */
void profile_settle_shown(struct profile *p);

#endif
