/*
 * keeping - the keeper, a process that is not confined.  Private to cmd.c.
 *
 * The keeper runs the filter in a child and waits for it.  The keeper reads no input.  It makes
 * the outputs, temporary files and cache entries that the child requests (base/keeper.h), and
 * names the outputs: -o FILE after the child has ended, unless its status is 2, and each file of -o
 * DIR/ when it is complete.  If a signal would end the keeper, the child is ended first, and the
 * keeper then ends in the same way.
 */
#ifndef CMD_KEEPING_H
#define CMD_KEEPING_H

#include "cmd.h"

/*
 * Returns 0 in the child.  In the keeper, returns -1 if the child has ended (cmd.ended is its
 * status) or could not be started, which is reported.
 */
int keeping_start(struct cmd *c);

#endif
