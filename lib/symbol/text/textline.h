/*
 * textline - the frames of a text, line by line; private to symbol/.
 */
#ifndef SYMBOL_TEXT_TEXTLINE_H
#define SYMBOL_TEXT_TEXTLINE_H

#include "symbol/session.h"

/* The frames of a sample, into p->ids; returns the number of its callers' chain. */
uint32_t profile_resolve_lines(struct profile *p, const struct event *ev, int32_t pid);

/* Reading ahead: tells the binder of what has no name in ev, a sample. */
void profile_note_lines(struct profile *p, const struct event *ev);

#endif
