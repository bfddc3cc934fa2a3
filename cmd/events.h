/* events - the output of --list-events. */
#ifndef CMD_EVENTS_H
#define CMD_EVENTS_H

#include "cmd.h"

/*
 * Writes a table of the events of all inputs.  Returns false after a report if there are no
 * events.  The filter passes the result to cmd_end.
 */
bool events_list(struct cmd *c);

#endif
