/*
 * annotated_page - writes listings as an HTML page, with source and instructions of each function
 * side by side.
 *
 * The page needs no other files, and its content security policy forbids them.  It is readable
 * without scripts.  share/annotate contains its script and style.
 */
#ifndef WRITER_ANNOTATE_ANNOTATED_PAGE_H
#define WRITER_ANNOTATE_ANNOTATED_PAGE_H

#include "writer/annotate/annotated.h"

struct annotated_page {
	struct out *o;
	const struct annotated_look *look;
	uint32_t functions; /* number of functions so far */
};

/* Starts a page for the n functions in f. */
void annotated_page_begin(struct annotated_page *p, const struct spots *s,
                          const struct spot_function *const *f, size_t n);
void annotated_page_put(struct annotated_page *p, const struct listing *l,
                        struct arena *scratch);
void annotated_page_end(struct annotated_page *p);

#endif
