/*
 * address_form - finds the meaning of the addresses that a text prints for frames in files.
 *
 * perf changed it (tools/perf/util/evsel_fprintf.c):
 *
 * 	4.19 to 5.15, and since 6.4    the run-time address
 * 	5.16 to 6.3		 in call chains the offset in the file
 *
 * Without a call chain, all versions print the run-time address.  The evidence is in the text
 * itself and in saved mappings: mappings, named frames, the size of the addresses, and the
 * version in the header.  Distributions port such patches to other versions, so frames count
 * before the version.
 */
#ifndef SYMBOL_TEXT_ADDRESS_FORM_H
#define SYMBOL_TEXT_ADDRESS_FORM_H

#include "base/str.h"

struct event;
struct textplace;

enum address_form {
	FORM_UNSURE,
	FORM_OFFSET,   /* the offset in the file */
	FORM_ABSOLUTE, /* the run-time address */
};

/* Evidence from the frames of a text. */
struct form_votes {
	enum address_form said;  /* the form of the version in the header */
	size_t offset, absolute; /* frames that are only possible in this form */
	size_t named;            /* frames that show their form by their names */
};

/* Counts the frames of ev.  If ev is not a sample, looks for the version. */
void address_form_vote(struct form_votes *v, struct textplace *t, const struct event *ev);

/*
 * Sets the form of t by the votes, and reports it.  Then uses the other results from the frames:
 * the places of modules, and the kernel.
 */
void address_form_conclude(const struct form_votes *v, struct textplace *t);

/* Returns the form of a version of perf: "# perf version : 6.1.187". */
enum address_form address_form_of_version(struct str line);

/* Returns the form of nearly all frames, or FORM_UNSURE. */
enum address_form address_form_of_votes(const struct form_votes *v);

#endif
