/* field - writes one field of a line of CSV or TSV. */
#ifndef WRITER_FIELD_H
#define WRITER_FIELD_H

#include "base/out.h"

/*
 * Writes s with the escapes of caption_clean, so it has no tab and no line end.  In CSV it is in quotes
 * if it has a comma or a quote.
 */
void field_put(struct out *o, struct str s, bool csv);

#endif
