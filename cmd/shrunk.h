/*
 * shrunk - handles mapped files that become shorter while they are read.
 *
 * A read beyond the end of a mapped file raises SIGBUS.  The handler maps zeros over the rest of
 * the mapping and notes the file, so that reading ends as for any damaged input.  A confined
 * worker cannot determine the file, and replaces single pages.
 */
#ifndef CMD_SHRUNK_H
#define CMD_SHRUNK_H

#include "base/diag.h"

/* Installs the handler.  Processes that are forked later inherit it. */
void shrunk_watch(void);

/*
 * Reports as damage each file that has shrunk since the last call.  The report contains the byte
 * offset of the missing page, if it is known.
 */
void shrunk_report(struct diag *d);

/* Returns the number of files that have shrunk since the last call of shrunk_report. */
int shrunk_count(void);

#endif
