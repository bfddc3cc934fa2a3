/*
 * address_form - the meaning of an address that a text prints for a frame in a file.
 *
 * perf changed it (tools/perf/util/evsel_fprintf.c):
 *
 * 	4.19 to 5.15, and since 6.4    the run-time address
 * 	5.16 to 6.3		 in call chains the offset in the file
 *
 * Without a call chain all of them print the run-time address.  The text itself has the evidence:
 * its mappings or saved ones, named frames, the size of the addresses, and the version in its
 * header.  Distributions move such patches to other versions, so frames are used before the
 * version.
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
	size_t named;            /* number of those with names that show it */
};

/* Uses the frames of ev as evidence.  Other events may contain the version. */
void address_form_vote(struct form_votes *v, struct textplace *t, const struct event *ev);

/*
 * Sets the form of t by the votes, and reports it.  Then applies the other evidence of the
 * frames: places of modules, and the kernel.
 */
void address_form_conclude(const struct form_votes *v, struct textplace *t);

/* The form that perf of that version prints: "# perf version : 6.1.187". */
enum address_form address_form_of_version(struct str line);

/* The form that nearly all of the frames show. */
enum address_form address_form_of_votes(const struct form_votes *v);

#endif
