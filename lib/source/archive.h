/*
 * archive - members of a tar, zip or 7-Zip archive, or the one compressed file.
 *
 * libarchive is known here only, and gets exactly these formats: with all of
 * its formats it takes a perfinfo file for an mtree, and it would run programs.
 */
#ifndef SOURCE_ARCHIVE_H
#define SOURCE_ARCHIVE_H

#include "source/source.h"

/* These are the first bytes of such an archive or compressed file. */
bool archive_likely(struct str head);

/*
 * Puts the members that opts.look wants into the spool of s and makes them its
 * members.  file_name names what a compressed file holds: its last part without
 * ".gz" and the like.  True: what was readable of it is there and damage is
 * reported.  False: no archive after all, s is as it was.
 */
bool archive_unpack(struct source *s, struct str bytes, struct str file_name);

#endif
