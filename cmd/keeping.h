/*
 * keeping - implements the keeper, a process that is not confined.  Private to cmd.c.
 *
 * The keeper runs the filter in a child and waits for it.  The keeper reads no input.  It makes
 * the outputs, temporary files and cache entries that the child requests (base/keeper.h), and
 * names the outputs.  It names each file of -o DIR/ when the file is complete, and -o FILE after
 * the child has ended, unless the status of the child is 2.  If a signal would end the keeper,
 * the child is ended first, and the keeper then ends in the same way.
 */
#ifndef CMD_KEEPING_H
#define CMD_KEEPING_H

#include "cmd.h"

/*
 * Starts the child, and returns 0 in the child.  In the keeper, serves the child until it ends,
 * sets cmd.ended and returns -1.  If the child cannot be started, reports this and returns -1.
 */
int keeping_start(struct cmd *c);

#endif
