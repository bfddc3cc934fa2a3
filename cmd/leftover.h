/*
 * leftover - an output with a temporary file, which is removed if a signal ends the program.
 *
 * The file gets its name when it is complete (base/place.h).  Only one such output may be open at
 * a time.
 */
#ifndef CMD_LEFTOVER_H
#define CMD_LEFTOVER_H

#include "base/out.h"

/*
 * Opens a new file, or standard output if path is NULL.  The file replaces an existing link,
 * device or FIFO.  Returns -1 with errno set after an error.
 */
int leftover_open(struct out *o, const char *path);

/*
 * Writes the remaining bytes and names the file.  After an error, removes the file and returns -1
 * with o->error set.
 */
int leftover_close(struct out *o);

/* Discards the output.  No file appears. */
void leftover_discard(struct out *o);

#endif
