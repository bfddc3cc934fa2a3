/* field - writes a field of CSV or TSV. */
#ifndef WRITER_FIELD_H
#define WRITER_FIELD_H

#include "base/out.h"

/*
 * Writes s with the escapes of caption_clean, so that it contains neither tabs nor line ends.  In
 * CSV, quotes it if it contains a comma or a quote.
 */
void field_put(struct out *o, struct str s, bool csv);

#endif
