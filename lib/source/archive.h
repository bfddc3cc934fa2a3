/*
 * archive - members of a tar, zip or 7-Zip archive, or the one compressed file.
 *
 * Only this module uses libarchive, with exactly these formats.  With all formats, libarchive
 * would read a perfinfo file as an mtree, and run programs.
 */
#ifndef SOURCE_ARCHIVE_H
#define SOURCE_ARCHIVE_H

#include "source/source.h"

/* Loads libarchive, for a process that cannot do that later.  Returns NULL, or why it failed. */
const char *archive_load(void);

/* These are the first bytes of such an archive or compressed file. */
bool archive_likely(struct str head);

/*
 * Puts the members that opts.look selects into the spool of s and makes them its members.
 * file_name names the content of a compressed file: its last part without ".gz" and similar
 * suffixes.  Returns true if the readable part is there and damage was reported.  Returns false
 * if it is not an archive, and s is unchanged.
 */
bool archive_unpack(struct source *s, struct str bytes, struct str file_name);

#endif
