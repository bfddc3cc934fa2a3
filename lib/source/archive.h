/*
 * archive - unpacks a tar, zip or 7-Zip archive, or a single compressed file.
 *
 * Only this module uses libarchive.  It enables only these formats.  If all formats were enabled,
 * libarchive would take a perfinfo file for an mtree, and would run external programs.
 */
#ifndef SOURCE_ARCHIVE_H
#define SOURCE_ARCHIVE_H

#include "source/source.h"

/*
 * Loads libarchive now, because a confined process cannot load it later.  Returns NULL, or the
 * reason why this failed.
 */
const char *archive_load(void);

/* Returns true if `head` is the start of an archive or compressed file. */
bool archive_likely(struct str head);

/*
 * Unpacks members into the spool of s, and sets s->members.  opts.look selects the members.
 * file_name: a compressed file's member gets the last part of this name, without ".gz" and
 * similar suffixes.  If the archive is damaged, reports this, keeps the readable part and returns
 * true.  If the file is not an archive, returns false and does not change s.
 */
bool archive_unpack(struct source *s, struct str bytes, struct str file_name);

#endif
