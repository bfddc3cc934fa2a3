/*
 * procmaps - reads a saved /proc/PID/maps, and the namespace pid in a saved /proc/PID/status.
 *
 * Format: proc(5).  The file does not contain the pid, but its name does: maps-7679.txt,
 * 7679/maps.
 */
#ifndef READER_PROCMAPS_H
#define READER_PROCMAPS_H

#include "reader/reader.h"

bool procmaps_bid(struct str head);

/* Returns the pid in the name of the file, or -1. */
int32_t procmaps_pid(struct str name);

/*
 * Takes the next executable mapping off *rest.  Skips lines that are not mappings, and mappings
 * without execute permission.  Returns false at the end.  out->path points into the bytes of
 * *rest.
 */
bool procmaps_next(struct str *rest, struct mmap_event *out);

/* Works as procmaps_next, but also returns mappings without execute permission. */
bool procmaps_mapping(struct str *rest, struct mmap_event *out);

/* Returns true if `head` is the beginning of a saved /proc/PID/status. */
bool procmaps_is_status(struct str head);

/*
 * Reads the Pid and the innermost NSpid of a /proc/PID/status.  Returns false if one is missing.
 */
bool procmaps_read_status(struct str bytes, int32_t *pid, int32_t *nspid);

#endif
