/*
 * shrunk - mapped files that shrink while they are read.
 *
 * A read behind the end of a mapped file raises SIGBUS.  The handler maps zeros over the rest
 * of that mapping and remembers the file, so that reading ends as with any damaged input.  A worker
 * that is confined cannot see which file it is, and replaces single pages.
 */
#ifndef CMD_SHRUNK_H
#define CMD_SHRUNK_H

#include "base/diag.h"

/* Installs the handler.  Processes that are forked later inherit it. */
void shrunk_watch(void);

/* Reports each file that has shrunk since the last call as damage, with the byte offset if it is known. */
void shrunk_report(struct diag *d);

#endif
