/*
 * procmaps - reads a saved /proc/PID/maps, and the namespace pid in a saved /proc/PID/status.
 *
 * Format: proc(5).  The pid is not in the file, but in its name: maps-7679.txt, 7679/maps.
 */
#ifndef READER_PROCMAPS_H
#define READER_PROCMAPS_H

#include "reader/reader.h"

bool procmaps_bid(struct str head);

/* Returns the pid in the name of a file, or -1. */
int32_t procmaps_pid(struct str name);

/*
 * Removes the next executable mapping from *rest.  Skips other lines and mappings without execute
 * permission.  Returns false at the end.  out->path points into the bytes of *rest.
 */
bool procmaps_next(struct str *rest, struct mmap_event *out);

/* Like procmaps_next, but also returns mappings without execute permission. */
bool procmaps_mapping(struct str *rest, struct mmap_event *out);

/* Returns true if `head` is the start of a saved /proc/PID/status. */
bool procmaps_is_status(struct str head);

/*
 * Reads Pid and the innermost NSpid of a saved /proc/PID/status.  Returns false if either is
 * missing.
 */
bool procmaps_read_status(struct str bytes, int32_t *pid, int32_t *nspid);

#endif
