/*
 * metadata - reads the tables and heaps of a .NET assembly in place.
 *
 * Only tables that are needed for names are read: types, methods, references.  As in tokens, row
 * numbers start at 1, and row 0 means "no row".  If a cell is outside of its table, its value is
 * 0.  Strings and blobs point into the image.  Memory is allocated only for the index of types by
 * name, when the index is first used.
 *
 * Specification: ECMA-335 II.22 (tables), II.24 (layout).
 */
#ifndef IMAGE_DOTNET_METADATA_H
#define IMAGE_DOTNET_METADATA_H

#include "base/table.h"

enum md_table {
	MD_MODULE = 0x00,
	MD_TYPEREF = 0x01,
	MD_TYPEDEF = 0x02,
	MD_METHODDEF = 0x06,
	MD_MEMBERREF = 0x0a,
	MD_MODULEREF = 0x1a,
	MD_TYPESPEC = 0x1b,
	MD_ASSEMBLY = 0x20,
	MD_ASSEMBLYREF = 0x23,
	MD_EXPORTEDTYPE = 0x27,
	MD_NESTEDCLASS = 0x29,
	MD_DOCUMENT = 0x30, /* tables from this one on exist only in portable PDBs */
	MD_METHODDEBUG = 0x31,
	MD_STATEMACHINE = 0x36,
	MD_CUSTOMDEBUG = 0x37,
	MD_TABLES,
};

enum {
	MD_COLUMNS = 9,
	MD_NAME = 4096, /* limit of a name in bytes.  The runtime allows 1023 */
	MD_DEPTH = 32,  /* maximum nesting depth of types and of signatures */
};

/* The columns that this module reads.  Each value is the position of a column in the row. */
enum {
	MODULE_MVID = 2,
	TYPEREF_SCOPE = 0,
	TYPE_NAME = 1, /* of TypeRef and TypeDef */
	TYPE_NAMESPACE = 2,
	TYPEDEF_METHODS = 5,
	METHODDEF_NAME = 3,
	METHODDEF_SIGNATURE = 4,
	MEMBERREF_CLASS = 0,
	MEMBERREF_NAME = 1,
	MEMBERREF_SIGNATURE = 2,
	MODULEREF_NAME = 0,
	TYPESPEC_SIGNATURE = 0,
	ASSEMBLY_NAME = 7,
	ASSEMBLYREF_NAME = 6,
	EXPORTED_NAME = 2,
	EXPORTED_NAMESPACE = 3,
	EXPORTED_BY = 4,
	NESTED_TYPE = 0,
	NESTED_IN = 1,
};

struct md_rows {
	const char *p;
	uint32_t n; /* number of rows */
	/* offset of each column in a row, then the size of a row */
	uint8_t at[MD_COLUMNS + 1];
	uint8_t columns;
};

struct metadata {
	struct md_rows table[MD_TABLES];
	struct str strings, guids, blobs; /* heaps */
	struct str name;                  /* name of the assembly, without ".dll" */
	const unsigned char *mvid;        /* 16 bytes, or NULL */
	struct arena *arena;
	bool indexed;
	/* The key of a type is (hash of namespace and name, enclosing type). */
	struct table types;   /* key -> row of TypeDef */
	struct table exports; /* key -> row of ExportedType */
};

/*
 * Reads the tables.  `bytes` begins with "BSJB".  The index is allocated in `a`.  Returns false
 * if the bytes contain no tables.
 */
bool metadata_read(struct metadata *md, struct str bytes, struct arena *a);

/* Reads the tables of a portable PDB (image/source/ppdb.h), from MD_DOCUMENT on. */
bool metadata_read_debug(struct metadata *md, struct str bytes);

uint32_t metadata_cell(const struct metadata *md, enum md_table t, uint32_t row,
                       unsigned column);
struct str metadata_string(const struct metadata *md, enum md_table t, uint32_t row,
                           unsigned column);
struct str metadata_blob_at(const struct metadata *md, uint32_t offset);
struct str metadata_blob(const struct metadata *md, enum md_table t, uint32_t row,
                         unsigned column);

/* Returns the row of the TypeDef that contains a MethodDef, or 0. */
uint32_t metadata_owner(const struct metadata *md, uint32_t method);

/*
 * Sets *first to the row of a TypeDef's first method, and *end to the row after its last method.
 */
void metadata_methods(const struct metadata *md, uint32_t type, uint32_t *first,
                      uint32_t *end);

/* Returns the row of the TypeDef that encloses a nested type, or 0 if the type is not nested. */
uint32_t metadata_enclosing(const struct metadata *md, uint32_t type);

/*
 * Returns the row of the TypeDef or ExportedType with that name, or 0.  enclosing: the enclosing
 * type, or 0.
 */
uint32_t metadata_find_type(struct metadata *md, struct str ns, struct str name,
                            uint32_t enclosing);
uint32_t metadata_find_export(struct metadata *md, struct str ns, struct str name);

#endif
