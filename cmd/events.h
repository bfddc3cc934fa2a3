/* events - what --list-events prints. */
#ifndef CMD_EVENTS_H
#define CMD_EVENTS_H

#include "cmd.h"

/*
 * Writes one table of the events that the inputs have.  False: there is none, reported;
 * the filter hands that to cmd_end.
 */
bool events_list(struct cmd *c);

#endif
