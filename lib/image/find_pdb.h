/*
 * find_pdb - searches all sources for the portable PDB of a .NET assembly.
 *
 * The search compares file names in all sources (source/source.h) first.  Then it examines the
 * assembly, which may embed its PDB, and the directory of the assembly if files of this machine
 * are used.  A PDB with a different id is ignored.
 */
#ifndef IMAGE_FIND_PDB_H
#define IMAGE_FIND_PDB_H

#include "image/locate.h"

/* The PDB for which find_pdb searches. */
struct wanted_pdb {
	struct str image, pdb; /* path of the assembly, and build-time path of the PDB */
	struct str id;         /* id of the PDB: PPDB_GUID or PPDB_ID bytes */
	struct item *assembly; /* the assembly, or NULL if it is unknown */
};

/* Returns NULL if the PDB is missing.  Each call searches again. */
struct ppdb *find_pdb(struct locator *l, const struct wanted_pdb *w);

/* Returns the file name in a path.  The separators are '/' or '\\'. */
struct str find_pdb_name(struct str path);

#endif
