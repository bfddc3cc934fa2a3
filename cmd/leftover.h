/*
 * leftover - outputs whose temporary files do not outlive the program.
 *
 * A file that is being written has no name, or a temporary one where the file system knows no
 * other way.  A signal that ends the program removes that first.  One such output is open at a
 * time.
 */
#ifndef CMD_LEFTOVER_H
#define CMD_LEFTOVER_H

#include "base/out.h"

/* These are out_open_at, out_close and out_discard otherwise. */
int leftover_open(struct out *o, const char *path, int reserved);
int leftover_close(struct out *o);
void leftover_discard(struct out *o);

#endif
