/*
 * pdb - the signature of a PDB file, by which images and symbol servers refer to it.
 *
 * Sources: dotnet/runtime docs/design/specs/PortablePdb-Metadata.md ("#Pdb" stream), and
 * llvm.org/docs/PDB (MsfFile, PdbStream) for the files of Windows.
 */
#ifndef IMAGE_DOTNET_PDB_H
#define IMAGE_DOTNET_PDB_H

#include "base/str.h"

enum { PDB_GUID_BYTES = 16 };

bool pdb_bid(struct str head);

/* Sets guid as the file stores it.  False if bytes are not a PDB or lack the signature. */
bool pdb_signature(struct str bytes, unsigned char guid[PDB_GUID_BYTES]);

#endif
