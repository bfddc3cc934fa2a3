/*
 * keeping - the keeper, a process that is not confined.  Private to cmd.c.
 *
 * The keeper runs the filter in a child, waits for it, and reads no input itself.  It makes the
 * outputs, temporary files and cache entries that the child requests (base/keeper.h).  An output
 * gets its name late: -o FILE when the child has ended with status 0 or 1, and each file of -o
 * DIR/ when it is complete.  If a signal would end the keeper, it first ends the child, and then
 * ends by the same signal.
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
