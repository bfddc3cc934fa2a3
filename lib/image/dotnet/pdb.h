/*
 * pdb - reads the signature of a PDB file, by which images and symbol servers refer to the file.
 *
 * Sources: dotnet/runtime docs/design/specs/PortablePdb-Metadata.md ("#Pdb" stream), and
 * llvm.org/docs/PDB (MsfFile, PdbStream) for Windows PDBs.
 */
#ifndef IMAGE_DOTNET_PDB_H
#define IMAGE_DOTNET_PDB_H

#include "base/str.h"

enum { PDB_GUID_BYTES = 16 };

bool pdb_bid(struct str head);

/*
 * Copies the signature to guid, in the byte order of the file.  Returns false if the file is not
 * a PDB, or if it has no signature.
 */
bool pdb_signature(struct str bytes, unsigned char guid[PDB_GUID_BYTES]);

#endif
