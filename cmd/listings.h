/*
 * listings - writes the listings of functions to one output, or each to a file.
 *
 * Several workers write many listings.  The output does not depend on their number.
 */
#ifndef CMD_LISTINGS_H
#define CMD_LISTINGS_H

#include "cmd.h"
#include "writer/annotate/annotated.h"

enum listings_form { TO_TEXT, TO_CSV, TO_JSON, TO_HTML };

struct listings {
	struct cmd *c;
	enum listings_form form;
	const struct annotated_look *look;
	const struct listing_opts *opts;
	const struct spots *spots;
	const struct spot_function **f; /* the functions, hottest first, */
	size_t n;                       /* and their number */
};

/*
 * If the output is a directory, writes a file for each function, and an index.  Otherwise writes
 * all listings to the output.  Returns false after a reported error.
 */
bool listings_write(const struct listings *l);

#endif
