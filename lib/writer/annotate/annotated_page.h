/*
 * annotated_page - listings as one page of HTML, with the source and the instructions of each
 * function side by side.
 *
 * The page loads no other file, and its content security policy forbids this.  It is also
 * readable without scripts.  share/annotate has the script and the style.
 */
#ifndef WRITER_ANNOTATE_ANNOTATED_PAGE_H
#define WRITER_ANNOTATE_ANNOTATED_PAGE_H

#include "writer/annotate/annotated.h"

struct annotated_page {
	struct out *o;
	const struct annotated_look *look;
	uint32_t functions; /* so far */
};

/* Begins a page for the n functions in f, in this order. */
void annotated_page_begin(struct annotated_page *p, const struct spots *s,
                          const struct spot_function *const *f, size_t n);
void annotated_page_put(struct annotated_page *p, const struct listing *l,
                        struct arena *scratch);
void annotated_page_end(struct annotated_page *p);

#endif
