/*
 * address_form - what a text prints as the address of a frame of a file.
 *
 * perf changed it (tools/perf/util/evsel_fprintf.c):
 *
 *	4.19 to 5.15, and since 6.4    the address it ran at
 *	5.16 to 6.3                    in call chains its offset in the file
 *
 * Where no call chain was recorded it is the former in all of them.  Which it is the text
 * itself shows: mappings that it holds or that were saved beside it, frames that have names,
 * the size of the addresses, and the version in its header.  Distributions move such patches
 * to other versions, so frames count for more than the version.
 */
#ifndef SYMBOL_TEXT_ADDRESS_FORM_H
#define SYMBOL_TEXT_ADDRESS_FORM_H

#include "base/str.h"

struct event;
struct textplace;

enum address_form {
	FORM_UNSURE,
	FORM_OFFSET,   /* its offset in the file */
	FORM_ABSOLUTE, /* the address it ran at */
};

/* Evidence from the frames of a text. */
struct form_votes {
	enum address_form said;  /* by the version in its header */
	size_t offset, absolute; /* frames that can only be such */
	size_t named;            /* of them, those whose names show it */
};

/* Counts what the frames of ev show; other events may tell the version. */
void address_form_vote(struct form_votes *v, struct textplace *t, const struct event *ev);

/*
 * Sets the form of t by the votes, and tells the person.  Then settles what the frames
 * showed besides: places of modules, and the kernel.
 */
void address_form_conclude(const struct form_votes *v, struct textplace *t);

/* The form that perf of that version prints: "# perf version : 6.1.187". */
enum address_form address_form_of_version(struct str line);

/* The form that nearly all of the frames show. */
enum address_form address_form_of_votes(const struct form_votes *v);

#endif
