/*
 * coverage - writes a table or JSON of the sources from which the frames of each module got their
 * names.
 */
#ifndef WRITER_COVERAGE_H
#define WRITER_COVERAGE_H

#include "base/out.h"
#include "symbol/report/modules.h"
#include "symbol/report/summary.h"

/*
 * Writes lines for each module:
 *
 * 	      2508 of       9012 unnamed  /usr/lib/cc1  build-id 4178...
 * 	      6504 by usr/lib/cc1/4178.../elf (build-id)
 * 	           unnamed: it is stripped, and no debug file was found
 *
 * If `most` is 0, writes all modules.  Otherwise writes at most that number of modules, and only
 * those with unnamed frames.
 */
void coverage_write(struct out *o, const struct coverage *all,
                    const struct module_coverage *m, size_t n, size_t most);

/* Writes a line for each truncated jitdump, with the setting that prevents the truncation. */
void coverage_write_cut(struct out *o, const struct cut_dump *cut, size_t n);

/* Writes one JSON object on one line. */
void coverage_write_json(struct out *o, const char *input, const struct coverage *all,
                         const struct module_coverage *m, size_t n,
                         const struct cut_dump *cut, size_t ncut);

#endif
