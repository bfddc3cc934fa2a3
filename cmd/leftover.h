/*
 * leftover - outputs with temporary files that do not outlive the program.
 *
 * An unfinished file has no name, or a temporary name if the file system does not support unnamed
 * files.  A signal that ends the program removes that file first.  One such output is open at a
 * time.
 */
#ifndef CMD_LEFTOVER_H
#define CMD_LEFTOVER_H

#include "base/out.h"

/* Like out_open_at, out_close and out_discard. */
int leftover_open(struct out *o, const char *path, int reserved);
int leftover_close(struct out *o);
void leftover_discard(struct out *o);

#endif
