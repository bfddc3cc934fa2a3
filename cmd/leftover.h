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
 * Opens a new file, or standard output if path is NULL.  The file also replaces a link, a device
 * or a FIFO at path.  Returns -1 with errno set.
 */
int leftover_open(struct out *o, const char *path);

/*
 * Writes the remaining bytes and names the file.  If this fails, removes the file, sets o->error
 * and returns -1.
 */
int leftover_close(struct out *o);

/* Removes the temporary file without naming it. */
void leftover_discard(struct out *o);

#endif
