/* identities - implements psym --id. */
#ifndef CMD_IDENTITIES_H
#define CMD_IDENTITIES_H

#include "cmd.h"

/*
 * Writes a line for each input, and for each member of an archive or directory that has an id.  A
 * line contains the kind, the id ("-" if it is missing) and the path, separated by tabs.  Returns
 * false if no line was written.
 */
bool identities_list(struct cmd *c);

#endif
