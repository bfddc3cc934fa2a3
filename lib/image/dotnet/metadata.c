/*
 * A "#~" stream contains the set of tables, the number of rows of each table, and the rows.  The
 * width of a column may depend on the number of rows of other tables.  To find a table, the code
 * computes the sizes of all preceding tables.
 */
#include "image/dotnet/metadata.h"

#include <endian.h>

#include "base/cursor.h"
#include "image/dotnet/streams.h"

/*
 * The type of a column: one of these constants, or a table number.  A column with a table number
 * is an index into that table.
 */
enum column {
	END = 0, /* end of the list.  0 is free, because no column refers only to table 0 */
	CODED = 0x40,
	/* TypeDefOrRef.  The other coded indices follow in the order of II.24.2.6 */
	TDR = CODED,
	CONST,
	ATTR,
	MARSHAL,
	SECURITY,
	PARENT,
	SEMANTICS,
	MDR,
	FORWARDED,
	IMPL,
	ATTRTYPE,
	SCOPE,
	TMD,
	CUSTOM, /* HasCustomDebugInformation, in portable PDBs */
	U2 = 0x80,
	U4,
	STRING,
	GUID,
	BLOB,
};

static const uint8_t schema[MD_TABLES][MD_COLUMNS] = {
	[0x00] = { U2, STRING, GUID, GUID, GUID },
	[0x01] = { SCOPE, STRING, STRING },
	[0x02] = { U4, STRING, STRING, TDR, 0x04, 0x06 },
	[0x03] = { 0x04 },
	[0x04] = { U2, STRING, BLOB },
	[0x05] = { 0x06 },
	[0x06] = { U4, U2, U2, STRING, BLOB, 0x08 },
	[0x07] = { 0x08 },
	[0x08] = { U2, U2, STRING },
	[0x09] = { 0x02, TDR },
	[0x0a] = { PARENT, STRING, BLOB },
	[0x0b] = { U2, CONST, BLOB },
	[0x0c] = { ATTR, ATTRTYPE, BLOB },
	[0x0d] = { MARSHAL, BLOB },
	[0x0e] = { U2, SECURITY, BLOB },
	[0x0f] = { U2, U4, 0x02 },
	[0x10] = { U4, 0x04 },
	[0x11] = { BLOB },
	[0x12] = { 0x02, 0x14 },
	[0x13] = { 0x14 },
	[0x14] = { U2, STRING, TDR },
	[0x15] = { 0x02, 0x17 },
	[0x16] = { 0x17 },
	[0x17] = { U2, STRING, BLOB },
	[0x18] = { U2, 0x06, SEMANTICS },
	[0x19] = { 0x02, MDR, MDR },
	[0x1a] = { STRING },
	[0x1b] = { BLOB },
	[0x1c] = { U2, FORWARDED, STRING, 0x1a },
	[0x1d] = { U4, 0x04 },
	[0x1e] = { U4, U4 },
	[0x1f] = { U4 },
	[0x20] = { U4, U2, U2, U2, U2, U4, BLOB, STRING, STRING },
	[0x21] = { U4 },
	[0x22] = { U4, U4, U4 },
	[0x23] = { U2, U2, U2, U2, U4, BLOB, STRING, STRING, BLOB },
	[0x24] = { U4, 0x23 },
	[0x25] = { U4, U4, U4, 0x23 },
	[0x26] = { U4, STRING, BLOB },
	[0x27] = { U4, U4, STRING, STRING, IMPL },
	[0x28] = { U4, U4, STRING, IMPL },
	[0x29] = { 0x02, 0x02 },
	[0x2a] = { U2, U2, TMD, STRING },
	[0x2b] = { MDR, BLOB },
	[0x2c] = { 0x2a, TDR },
	[0x30] = { BLOB, GUID, BLOB, GUID },
	[0x31] = { 0x30, BLOB },
	[0x32] = { 0x06, 0x35, 0x33, 0x34, U4, U4 },
	[0x33] = { U2, U2, STRING },
	[0x34] = { STRING, BLOB },
	[0x35] = { 0x35, BLOB },
	[0x36] = { 0x06, 0x06 },
	[0x37] = { CUSTOM, GUID, BLOB },
};

enum {
	NO_TABLE = 0xff,
	ASSEMBLY_TABLES = 0x2d, /* number of tables in an assembly */
	PDB_ID = 20,
};

static const struct coded {
	uint8_t bits, n;
	uint8_t table[27];
} coded[] = {
	[TDR - CODED] = { 2, 3, { 0x02, 0x01, 0x1b } },
	[CONST - CODED] = { 2, 3, { 0x04, 0x08, 0x17 } },
	[ATTR - CODED] = { 5, 22, { 0x06, 0x04, 0x01, 0x02, 0x08, 0x09, 0x0a, 0x00,
	                            0x0e, 0x17, 0x14, 0x11, 0x1a, 0x1b, 0x20, 0x23,
	                            0x26, 0x27, 0x28, 0x2a, 0x2c, 0x2b } },
	[MARSHAL - CODED] = { 1, 2, { 0x04, 0x08 } },
	[SECURITY - CODED] = { 2, 3, { 0x02, 0x06, 0x20 } },
	[PARENT - CODED] = { 3, 5, { 0x02, 0x01, 0x1a, 0x06, 0x1b } },
	[SEMANTICS - CODED] = { 1, 2, { 0x14, 0x17 } },
	[MDR - CODED] = { 1, 2, { 0x06, 0x0a } },
	[FORWARDED - CODED] = { 1, 2, { 0x04, 0x06 } },
	[IMPL - CODED] = { 2, 3, { 0x26, 0x23, 0x27 } },
	[ATTRTYPE - CODED] = { 3, 5, { NO_TABLE, NO_TABLE, 0x06, 0x0a, NO_TABLE } },
	[SCOPE - CODED] = { 2, 4, { 0x00, 0x1a, 0x23, 0x01 } },
	[TMD - CODED] = { 1, 2, { 0x02, 0x06 } },
	[CUSTOM - CODED] = { 5, 27, { 0x06, 0x04, 0x01, 0x02, 0x08, 0x09, 0x0a,
	                              0x00, 0x0e, 0x17, 0x14, 0x11, 0x1a, 0x1b,
	                              0x20, 0x23, 0x26, 0x27, 0x28, 0x2a, 0x2c,
	                              0x2b, 0x30, 0x32, 0x33, 0x34, 0x35 } },
};

enum { WIDE_STRINGS = 1, WIDE_GUIDS = 2, WIDE_BLOBS = 4, EXTRA_WORD = 0x40 };

static unsigned width(const struct metadata *md, uint8_t column, unsigned heaps)
{
	const struct coded *c;
	uint32_t most = 0;

	switch (column) {
	case U2:
		return 2;
	case U4:
		return 4;
	case STRING:
		return heaps & WIDE_STRINGS ? 4 : 2;
	case GUID:
		return heaps & WIDE_GUIDS ? 4 : 2;
	case BLOB:
		return heaps & WIDE_BLOBS ? 4 : 2;
	default:
		break;
	}
	if (column < CODED)
		return md->table[column].n > 0xffff ? 4 : 2;
	c = &coded[column - CODED];
	for (unsigned i = 0; i < c->n; i++)
		if (c->table[i] != NO_TABLE && md->table[c->table[i]].n > most)
			most = md->table[c->table[i]].n;
	return most >= 1u << (16 - c->bits) ? 4 : 2;
}

/* Reads the number of rows of each table in a set. */
static void read_counts(struct metadata *md, struct cursor *c, uint64_t set)
{
	for (unsigned t = 0; t < MD_TABLES; t++)
		if (set >> t & 1)
			md->table[t].n = cur_u32(c);
}

/* Reads the tables from `first` to `end`.  Returns false if the stream contains other tables. */
static bool read_tables(struct metadata *md, struct str stream, unsigned first,
                        unsigned end)
{
	struct cursor c = cur_little(stream);
	unsigned heaps;
	uint64_t valid;

	cur_take(&c, 6);
	heaps = cur_u8(&c);
	cur_u8(&c);
	valid = cur_u64(&c);
	cur_u64(&c);
	if (c.bad || valid >> end || valid & ((UINT64_C(1) << first) - 1))
		return false;
	read_counts(md, &c, valid);
	if (heaps & EXTRA_WORD)
		cur_u32(&c);
	for (unsigned t = first; t < end; t++) {
		struct md_rows *r = &md->table[t];

		while (r->columns < MD_COLUMNS && schema[t][r->columns]) {
			unsigned w = width(md, schema[t][r->columns], heaps);

			r->at[r->columns + 1] = (uint8_t)(r->at[r->columns] + w);
			r->columns++;
		}
		r->p = cur_take(&c, (size_t)r->n * r->at[r->columns]);
		if (!r->p)
			return false;
	}
	return true;
}

static void find_heaps(struct metadata *md, struct str bytes, struct arena *a)
{
	*md = (struct metadata){
		.arena = a,
		.strings = streams_find(bytes, STR("#Strings")),
		.guids = streams_find(bytes, STR("#GUID")),
		.blobs = streams_find(bytes, STR("#Blob")),
	};
}

/*
 * The stream "#Pdb" contains the id, the entry point, and the numbers of rows of the assembly's
 * tables.
 */
bool metadata_read_debug(struct metadata *md, struct str bytes)
{
	struct cursor c = cur_little(streams_find(bytes, STR("#Pdb")));
	uint64_t set;

	find_heaps(md, bytes, NULL);
	cur_take(&c, PDB_ID + 4);
	set = cur_u64(&c);
	if (set >> MD_DOCUMENT)
		return false;
	read_counts(md, &c, set);
	return !c.bad &&
	       read_tables(md, streams_find(bytes, STR("#~")), MD_DOCUMENT, MD_TABLES);
}

bool metadata_read(struct metadata *md, struct str bytes, struct arena *a)
{
	uint32_t guid;

	find_heaps(md, bytes, a);
	/*
	 * Pointer tables are not supported.  They occur only in the uncompressed "#-"
	 * stream of an edit session.
	 */
	if (!read_tables(md, streams_find(bytes, STR("#~")), 0, ASSEMBLY_TABLES) ||
	    md->table[0x05].n)
		return false;
	md->name = metadata_string(md, MD_ASSEMBLY, 1, ASSEMBLY_NAME);
	guid = metadata_cell(md, MD_MODULE, 1, MODULE_MVID);
	if (guid && guid <= md->guids.n / 16)
		md->mvid = (const unsigned char *)md->guids.p + (guid - 1) * (size_t)16;
	return true;
}

uint32_t metadata_cell(const struct metadata *md, enum md_table t, uint32_t row,
                       unsigned column)
{
	const struct md_rows *r = &md->table[t];
	const char *p;
	uint16_t narrow;
	uint32_t wide;

	if (!row || row > r->n || column >= r->columns)
		return 0;
	p = r->p + (size_t)(row - 1) * r->at[r->columns] + r->at[column];
	if (r->at[column + 1] - r->at[column] == 2) {
		memcpy(&narrow, p, 2);
		return le16toh(narrow);
	}
	memcpy(&wide, p, 4);
	return le32toh(wide);
}

struct str metadata_string(const struct metadata *md, enum md_table t, uint32_t row,
                           unsigned column)
{
	struct str s = str_from(md->strings, metadata_cell(md, t, row, column));

	return str_head(s, s.n ? strnlen(s.p, s.n < MD_NAME ? s.n : MD_NAME) : 0);
}

struct str metadata_blob(const struct metadata *md, enum md_table t, uint32_t row,
                         unsigned column)
{
	return metadata_blob_at(md, metadata_cell(md, t, row, column));
}

struct str metadata_blob_at(const struct metadata *md, uint32_t offset)
{
	struct str s = str_from(md->blobs, offset);
	const unsigned char *p = (const unsigned char *)s.p;

	if (s.n >= 1 && p[0] < 0x80)
		return str_head(str_from(s, 1), p[0]);
	if (s.n >= 2 && p[0] < 0xc0)
		return str_head(str_from(s, 2), (p[0] & 0x3fu) << 8 | p[1]);
	if (s.n >= 4)
		return str_head(str_from(s, 4), (p[0] & 0x1fu) << 24 |
		                                        (uint32_t)p[1] << 16 |
		                                        (uint32_t)p[2] << 8 | p[3]);
	return (struct str){ 0 };
}

uint32_t metadata_owner(const struct metadata *md, uint32_t method)
{
	if (!method || method > md->table[MD_METHODDEF].n)
		return 0;
	return (uint32_t)bisect(md->table[MD_TYPEDEF].n, i,
	                        metadata_cell(md, MD_TYPEDEF, (uint32_t)i + 1,
	                                      TYPEDEF_METHODS) <= method);
}

void metadata_methods(const struct metadata *md, uint32_t type, uint32_t *first,
                      uint32_t *end)
{
	uint32_t last = md->table[MD_METHODDEF].n + 1;

	*first = metadata_cell(md, MD_TYPEDEF, type, TYPEDEF_METHODS);
	*end = type < md->table[MD_TYPEDEF].n
	               ? metadata_cell(md, MD_TYPEDEF, type + 1, TYPEDEF_METHODS)
	               : last;
	if (*end > last)
		*end = last;
	if (!*first || *first > *end)
		*first = *end;
}

uint32_t metadata_enclosing(const struct metadata *md, uint32_t type)
{
	uint32_t n = md->table[MD_NESTEDCLASS].n;
	uint32_t row =
	        1 + (uint32_t)bisect(n, i,
	                             metadata_cell(md, MD_NESTEDCLASS, (uint32_t)i + 1,
	                                           NESTED_TYPE) < type);

	if (row > n || metadata_cell(md, MD_NESTEDCLASS, row, NESTED_TYPE) != type)
		return 0;
	return metadata_cell(md, MD_NESTEDCLASS, row, NESTED_IN);
}

static uint64_t hash_name(struct str ns, struct str name)
{
	return hash_mix(hash_str(ns), hash_str(name));
}

static void add_names(struct metadata *md, struct table *to, enum md_table t,
                      unsigned name, unsigned ns)
{
	for (uint32_t row = 1; row <= md->table[t].n; row++) {
		uint64_t h = hash_name(metadata_string(md, t, row, ns),
		                       metadata_string(md, t, row, name));
		uint32_t in = t == MD_TYPEDEF ? metadata_enclosing(md, row) : 0;
		uint32_t *at = table_at(to, md->arena, h, in);

		if (!*at)
			*at = row;
	}
}

static void index_names(struct metadata *md)
{
	if (md->indexed)
		return;
	md->indexed = true;
	add_names(md, &md->types, MD_TYPEDEF, TYPE_NAME, TYPE_NAMESPACE);
	add_names(md, &md->exports, MD_EXPORTEDTYPE, EXPORTED_NAME, EXPORTED_NAMESPACE);
}

uint32_t metadata_find_type(struct metadata *md, struct str ns, struct str name,
                            uint32_t enclosing)
{
	uint32_t row;

	index_names(md);
	row = table_get(&md->types, hash_name(ns, name), enclosing);
	if (row && str_eq(name, metadata_string(md, MD_TYPEDEF, row, TYPE_NAME)) &&
	    str_eq(ns, metadata_string(md, MD_TYPEDEF, row, TYPE_NAMESPACE)))
		return row;
	return 0;
}

uint32_t metadata_find_export(struct metadata *md, struct str ns, struct str name)
{
	uint32_t row;

	index_names(md);
	row = table_get(&md->exports, hash_name(ns, name), 0);
	if (row &&
	    str_eq(name, metadata_string(md, MD_EXPORTEDTYPE, row, EXPORTED_NAME)) &&
	    str_eq(ns, metadata_string(md, MD_EXPORTEDTYPE, row, EXPORTED_NAMESPACE)))
		return row;
	return 0;
}
