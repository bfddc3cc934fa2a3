/*
 * address_form - decides whether a text prints file offsets or run-time addresses, from its frames,
 * its mappings and the version of perf.
 *
 * The form depends on the version of perf (tools/perf/util/evsel_fprintf.c):
 *
 * 	4.19 to 5.15, and since 6.4    the run-time address
 * 	5.16 to 6.3	      the file offset in call chains
 *
 * Without a call chain, all versions print the run-time address.  The evidence comes from
 * mappings, from named frames, from the size of addresses, and from the version in the header.
 * Distributions may change the form in other versions, too, so the frames have priority over the
 * version.
 */
#ifndef SYMBOL_TEXT_ADDRESS_FORM_H
#define SYMBOL_TEXT_ADDRESS_FORM_H

#include "base/str.h"

struct event;
struct textplace;

enum address_form {
	FORM_UNSURE,
	FORM_OFFSET,   /* the file offset */
	FORM_ABSOLUTE, /* the run-time address */
};

/* Evidence from the frames of a text. */
struct form_votes {
	enum address_form said;  /* the form that the perf version in the header prints */
	size_t offset, absolute; /* numbers of frames that fit only this form */
	size_t named;            /* frames with names that prove the form */
};

/*
 * Adds the evidence of ev's frames.  If ev is a header line, looks for perf's version in it.
 */
void address_form_vote(struct form_votes *v, struct textplace *t, const struct event *ev);

/*
 * Decides the form of t and reports it.  Then finds the load addresses of modules and the
 * kallsyms of the kernel, if the frames prove them.
 */
void address_form_conclude(const struct form_votes *v, struct textplace *t);

/* Returns the form that a version of perf prints.  line: "# perf version : 6.1.187". */
enum address_form address_form_of_version(struct str line);

/* Returns the form that nearly all frames have, or FORM_UNSURE. */
enum address_form address_form_of_votes(const struct form_votes *v);

#endif
