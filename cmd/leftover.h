/*
 * leftover - an output whose temporary file does not outlive the program.
 *
 * The file gets its name when it is complete (base/place.h).  A signal that ends the program before
 * removes a temporary name.  Only one such output may be open at a time.
 */
#ifndef CMD_LEFTOVER_H
#define CMD_LEFTOVER_H

#include "base/out.h"

/*
 * Opens a new file, which replaces a link, a device or a FIFO at path instead of writing to it.
 * NULL is standard output.  Returns -1 with errno set.
 */
int leftover_open(struct out *o, const char *path);

/* Writes the rest and names the file.  Returns -1 with o->error set if no file is left. */
int leftover_close(struct out *o);

/* Discards the output.  No file appears. */
void leftover_discard(struct out *o);

#endif
