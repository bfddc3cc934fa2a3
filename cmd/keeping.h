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
 * Starts the child.  Returns 0 in the child.  Returns -1 in the keeper when the child has ended
 * (cmd.ended is its status), or after a report if it could not be started.
 */
int keeping_start(struct cmd *c);

#endif
