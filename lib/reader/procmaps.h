/*
 * procmaps - a saved /proc/PID/maps, and the namespace pid in /proc/PID/status.
 *
 * Format: proc(5).  The file does not contain the pid, but its name does, as in maps-7679.txt or
 * 7679/maps.
 */
#ifndef READER_PROCMAPS_H
#define READER_PROCMAPS_H

#include "reader/reader.h"

bool procmaps_bid(struct str head);

/* The pid in the name of the file, or -1. */
int32_t procmaps_pid(struct str name);

/*
 * Reads one line of *rest as a mapping.  Returns false at the end.  Other lines, and mappings
 * without execute permission, are skipped.  path points into rest.
 */
bool procmaps_next(struct str *rest, struct mmap_event *out);

/* The same, whatever the permissions are. */
bool procmaps_mapping(struct str *rest, struct mmap_event *out);

/* A saved /proc/PID/status. */
bool procmaps_is_status(struct str head);

/* Sets its Pid and the innermost NSpid.  Returns false if they are missing. */
bool procmaps_read_status(struct str bytes, int32_t *pid, int32_t *nspid);

#endif
