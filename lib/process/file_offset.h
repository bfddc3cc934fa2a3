/* file_offset - finds the mapping of a file offset, for texts that have no addresses. */
#ifndef PROCESS_FILE_OFFSET_H
#define PROCESS_FILE_OFFSET_H

#include "process/process.h"

/*
 * Returns the newest mapping of pid that contains the byte at file_off of a file, or NULL.
 * module: the file, as perf prints it.  If `but` is not NULL, the mapping has another bias than
 * `but`.
 */
const struct mapping *file_offset_find(struct processes *ps, int32_t pid, str_id module,
                                       uint64_t file_off, const struct mapping *but);

#endif
