/*
 * top - sorts functions, modules or threads by weight, and writes them as a table with self and
 * total weights.
 *
 * The table for people is aligned and has bars.  The form for other programs consists of lines
 * with fields separated by tabs.  The first line names the columns:
 *
 * 	self    self%   sum%    total   total%  kind    module  function
 * 	self    self%   sum%    total   total%  module
 *
 * Weights are in the unit of the fold, shares are percentages.  sum% is the sum of self% in
 * this row and all rows above.  Rows are sorted by self, total and name.
 *
 * The CSV form for other programs has no shares:
 *
 * 	function,module,kind,self,total
 * 	module,self,total
 */
#ifndef WRITER_TOP_H
#define WRITER_TOP_H

#include "stack/group.h"
#include "stack/head.h"

enum top_form { TOP_FIELDS, TOP_ALIGNED, TOP_CSV, TOP_TSV, TOP_JSON };

struct top_opts {
	enum group_by by;
	size_t most; /* maximum number of rows, or 0 for all */
	enum top_form form;
};

/* Returns the title of the name column: "function", "module", ... */
const char *top_column(enum group_by by);

/* Writes the table.  Returns the number of rows, including omitted ones. */
size_t top_write(struct out *o, const struct fold *f, const struct head *h,
                 const struct top_opts *opts, struct arena *scratch);

#endif
