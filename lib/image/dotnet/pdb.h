/*
 * pdb - the signature of a PDB file.  Images and symbol servers use it to refer to the
 * file.
 *
 * Sources: dotnet/runtime docs/design/specs/PortablePdb-Metadata.md ("#Pdb" stream), and
 * llvm.org/docs/PDB (MsfFile, PdbStream) for the files of Windows.
 */
#ifndef IMAGE_DOTNET_PDB_H
#define IMAGE_DOTNET_PDB_H

#include "base/str.h"

enum { PDB_GUID_BYTES = 16 };

bool pdb_bid(struct str head);

/*
 * Copies the signature, in the byte order of the file, to guid.  Returns false if the
 * bytes are not a PDB with a signature.
 */
bool pdb_signature(struct str bytes, unsigned char guid[PDB_GUID_BYTES]);

#endif
