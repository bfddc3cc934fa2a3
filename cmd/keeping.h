/*
 * keeping - the process that stays outside of the confinement.  Private to cmd.c.
 *
 * The filter runs in its child, and it waits for the child.  It reads no input.  It makes the
 * outputs, temporary files and entries of the cache for which the child asks (base/keeper.h), and
 * names them: -o FILE when the child has ended with status 0 or 1, those of -o DIR/ one by one.
 * Signals that would end it end the child first, and it ends as the child has ended.
 */
#ifndef CMD_KEEPING_H
#define CMD_KEEPING_H

#include "cmd.h"

/* Returns 0 in the child, or -1 if it has ended (see cmd.ended) or could not be made (reported). */
int keeping_start(struct cmd *c);

#endif
