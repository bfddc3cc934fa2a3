/*
 * keep - unpacked archives, kept in a directory from one run to the next; private to
 * source/.
 *
 * An entry is one file: what the archive was (device, inode, size, times), where each
 * member lies, a checksum of each, and their bytes.  It appears whole, by rename, and is
 * never changed, so any number of programs may use the directory at once.  An entry
 * that is damaged, of another version or of an archive that was changed is as good as
 * none, and is written anew.  All of it is best effort: nothing fails for want of it.
 */
#ifndef SOURCE_KEEP_H
#define SOURCE_KEEP_H

#include "source/source.h"

/* What an archive is told by. */
struct keep_key {
	uint64_t dev, ino, size, mtime_ns, ctime_ns;
	uint64_t look; /* who looks, as a profile or not, and under which name */
};

/*
 * The archive open in fd.  False: not known, or so young that a change might not show in
 * its times.
 */
bool keep_identify(int fd, struct str name, bool is_profile, struct keep_key *out);

/* True: s has the members, and their bytes in its spool. */
bool keep_load(struct source *s, const struct keep_key *key);

/* Writes what s has, and removes what is too much. */
void keep_store(struct source *s, const struct keep_key *key);

/*
 * The members that an entry lists, into s; off is their place in it.  False: it is
 * damaged, or of something else.
 */
bool keep_read(struct source *s, struct str entry, const struct keep_key *key);

#endif
