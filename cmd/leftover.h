/*
 * leftover - an output with a temporary file that is removed if a signal ends the program.
 *
 * The file gets its name when it is complete (base/place.h).  Only one such output may be open at
 * a time.
 */
#ifndef CMD_LEFTOVER_H
#define CMD_LEFTOVER_H

#include "base/out.h"

/*
 * Opens a new file, or standard output if path is NULL.  If path is a link, a device or a FIFO,
 * the file replaces it.  Returns -1 with errno set.
 */
int leftover_open(struct out *o, const char *path);

/*
 * Writes the remaining bytes and names the file.  Returns -1 with o->error set if this fails.  No
 * file is left then.
 */
int leftover_close(struct out *o);

/* Discards the output.  No file appears. */
void leftover_discard(struct out *o);

#endif
