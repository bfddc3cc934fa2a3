/*
 * archive - unpacks the members of a tar, zip or 7-Zip archive, or one compressed file.
 *
 * Only this module uses libarchive, with exactly these formats.  With all formats
 * enabled, libarchive would read a perfinfo file as an mtree, and run programs.
 */
#ifndef SOURCE_ARCHIVE_H
#define SOURCE_ARCHIVE_H

#include "source/source.h"

/* Returns true if these are the first bytes of such an archive or compressed file. */
bool archive_likely(struct str head);

/*
 * Unpacks the members that opts.look selects into the spool of s, and sets s->members.
 * file_name: for a compressed file, the member is named after its last part, without
 * ".gz" and similar suffixes.  If the archive is damaged, reports the damage, keeps the
 * readable part and returns true.  Returns false if it is not an archive.  Then s is
 * unchanged.
 */
bool archive_unpack(struct source *s, struct str bytes, struct str file_name);

#endif
