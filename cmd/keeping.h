/*
 * keeping - implements the keeper, a process that is not confined.  Private to cmd.c.
 *
 * The keeper runs the filter in a child and waits for it, but reads no input itself.  It makes
 * outputs, temporary files and cache entries on requests of the child (base/keeper.h).  It gives
 * -o FILE its name after the child has ended with status 0 or 1, and each file of -o DIR/ its
 * name when it is complete.  If a signal would end the keeper, it first ends the child, and then
 * ends with the same signal.
 */
#ifndef CMD_KEEPING_H
#define CMD_KEEPING_H

#include "cmd.h"

/*
 * Returns 0 in the child.  In the keeper, returns -1 after the child has ended (cmd.ended is its
 * status), or after it has reported that the child could not be started.
 */
int keeping_start(struct cmd *c);

#endif
