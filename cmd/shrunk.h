/*
 * shrunk - handles mapped files that shrink while they are read.
 *
 * A read after the end of a mapped file raises SIGBUS.  The handler maps zeros over the rest of
 * the mapping and notes the file, so that reading ends as it does for any damaged input.  A
 * confined worker cannot determine the file, and replaces single pages.
 */
#ifndef CMD_SHRUNK_H
#define CMD_SHRUNK_H

#include "base/diag.h"

/* Installs the handler.  Processes that are forked later inherit it. */
void shrunk_watch(void);

/*
 * Reports each file that shrank since the last call as damage, with the byte offset if it is
 * known.
 */
void shrunk_report(struct diag *d);

/* Returns the number of files that shrank since that call. */
int shrunk_count(void);

#endif
