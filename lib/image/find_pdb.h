/*
 * find_pdb - finds the portable PDB of a .NET assembly.
 *
 * A PDB is looked up by its file name in all sources, then in the assembly itself, then beside
 * the assembly if this is a file of this machine.  A PDB with another id is ignored.
 */
#ifndef IMAGE_FIND_PDB_H
#define IMAGE_FIND_PDB_H

#include "image/locate.h"

/* The PDB of an assembly. */
struct wanted_pdb {
	struct str image,
	        pdb;   /* paths of the assembly, and of the PDB when it was built */
	struct str id; /* PPDB_GUID or PPDB_ID bytes */
	struct item *assembly; /* the assembly itself, or NULL if it is not known */
};

/* Returns NULL if the PDB is missing.  Looks for the file at each call. */
struct ppdb *find_pdb(struct locator *l, const struct wanted_pdb *w);

/* Returns the file name in a path with '/' or '\\'. */
struct str find_pdb_name(struct str path);

#endif
