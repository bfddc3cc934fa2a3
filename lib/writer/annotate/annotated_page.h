/*
 * annotated_page - writes listings as an HTML page, with source and instructions of each function
 * side by side.
 *
 * The page does not load other files, and its content security policy forbids them.  It is also
 * readable without scripts.  share/annotate has the script and the style.
 */
#ifndef WRITER_ANNOTATE_ANNOTATED_PAGE_H
#define WRITER_ANNOTATE_ANNOTATED_PAGE_H

#include "writer/annotate/annotated.h"

struct annotated_page {
	struct out *o;
	const struct annotated_look *look;
	const struct spots *spots;
	const struct spot_function *const *f; /* the functions of the page, */
	size_t n;                             /* and their number */
	uint32_t functions;                   /* number of functions written so far */
};

void annotated_page_begin(struct annotated_page *p);
void annotated_page_put(struct annotated_page *p, const struct listing *l,
                        struct arena *scratch);

/* Ends the page.  For each function without a listing, writes that the listing is left out. */
void annotated_page_end(struct annotated_page *p);

/* Write a page with links to the pages of functions.  file: name without ".html". */
void annotated_page_begin_index(struct out *o);
void annotated_page_put_index(struct out *o, struct str file, const struct spots *s,
                              const struct spot_function *f);
void annotated_page_end_index(struct out *o);

#endif
