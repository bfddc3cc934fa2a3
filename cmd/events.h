/* events - implements --list-events. */
#ifndef CMD_EVENTS_H
#define CMD_EVENTS_H

#include "cmd.h"

/*
 * Writes a table with the events of all inputs.  If there are no events, reports this and returns
 * false.  The filter passes the result to cmd_end.
 */
bool events_list(struct cmd *c);

#endif
