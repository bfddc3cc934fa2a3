/*
 * Table numbers for debug information follow the table numbers of assemblies.  The stream "#Pdb"
 * contains the id of the PDB, and the row counts of the assembly's tables.
 *
 * The sequence points of a method in several files:
 *
 * 	00 01                 no local variables; document 1
 * 	00 00 0a 03 09        IL 0: 0 lines, 10 columns, from line 3, column 9 on
 * 	00 04                 document 4
 * 	01 00 07 80 c2 00     IL 1: 0 lines, 7 columns, from line 100, column 9 on
 * 	02 00 00              IL 3: hidden
 */
#include "image/source/ppdb.h"

#include "image/dotnet/sig.h"
#include "image/dotnet/streams.h"
#include "source/decompress.h"

enum {
	HIDDEN_LINE = 0xfeefee,
	PARENT_BITS = 5, /* number of bits in column Parent that select the table */
	PARENT_MODULE = 7,
	PARENT_DOCUMENT = 22,
	PATH_MOST = 4096,
	TEXT_MOST = 16 << 20, /* limit of a source file in bytes */
};

/* GUIDs of kinds of CustomDebugInformation, in the byte order of the file. */
static const char embedded_source[] =
        "\x1b\x57\x8a\x0e\x26\x69\x6e\x46\xb4\xad\x8a\xb0\x46\x11\xf5\xfe";
static const char source_link[] =
        "\x56\x05\x11\xcc\x91\xa0\x38\x4d\x9f\xec\x25\xab\x9a\x35\x1a\x6a";

bool ppdb_read(struct ppdb *p, struct str bytes)
{
	struct str stream = streams_find(bytes, STR("#Pdb"));

	*p = (struct ppdb){ .id = (const unsigned char *)stream.p };
	return stream.n >= PPDB_ID && metadata_read_debug(&p->md, bytes);
}

static uint32_t cell(const struct ppdb *p, enum md_table t, uint32_t row, unsigned column)
{
	return metadata_cell(&p->md, t, row, column);
}

/*
 * Reads a signed number.  The lowest bit is the sign, and the encoded size determines the range.
 */
static int32_t take_signed(struct cursor *c)
{
	const char *from = c->p;
	uint32_t v = sig_uint(c);
	unsigned bytes = (unsigned)(c->p - from);
	unsigned bits = bytes == 1 ? 6 : bytes == 2 ? 13 : 28;

	return (int32_t)(v >> 1) - (v & 1 ? (int32_t)1 << bits : 0);
}

void ppdb_begin(const struct ppdb *p, uint32_t method, struct ppdb_walk *w)
{
	uint32_t document = cell(p, MD_METHODDEBUG, method, 0);

	*w = (struct ppdb_walk){ .c = cur_little(metadata_blob(&p->md, MD_METHODDEBUG,
		                                               method, 1)) };
	if (!cur_left(&w->c))
		return;
	sig_uint(&w->c); /* skip the signature of the local variables */
	w->point.document = document ? document : sig_uint(&w->c);
}

/*
 * Reads the start of a visible point's range.  lines and columns: the size of the range.
 */
static void take_place(struct ppdb_walk *w, uint32_t lines, int32_t columns)
{
	struct ppdb_point *point = &w->point;

	if (w->visible) {
		w->line += (uint32_t)take_signed(&w->c);
		w->column += (uint32_t)take_signed(&w->c);
	} else {
		w->line = sig_uint(&w->c);
		w->column = sig_uint(&w->c);
	}
	w->visible = true;
	point->hidden = w->line == HIDDEN_LINE;
	point->line = w->line;
	point->column = w->column;
	point->end_line = w->line + lines;
	point->end_column = w->column + (uint32_t)columns;
}

bool ppdb_next(struct ppdb_walk *w, struct ppdb_point *out)
{
	struct ppdb_point *point = &w->point;
	uint32_t il = 0, lines;
	int32_t columns;

	while (cur_left(&w->c) && !w->c.bad) {
		il = sig_uint(&w->c);
		if (il || !w->begun)
			break;
		point->document = sig_uint(&w->c);
	}
	if (!cur_left(&w->c) || w->c.bad)
		return false;
	*point = (struct ppdb_point){ .il = point->il + il, .document = point->document };
	w->begun = true;
	lines = sig_uint(&w->c);
	columns = lines ? take_signed(&w->c) : (int32_t)sig_uint(&w->c);
	if (lines || columns)
		take_place(w, lines, columns);
	else
		point->hidden = true;
	if (point->hidden)
		point->line = point->column = point->end_line = point->end_column = 0;
	*out = *point;
	return !w->c.bad;
}

bool ppdb_find(const struct ppdb *p, uint32_t method, uint32_t il, struct ppdb_point *out)
{
	struct ppdb_walk w;
	struct ppdb_point point;
	bool found = false;

	ppdb_begin(p, method, &w);
	while (ppdb_next(&w, &point) && (point.il <= il || !found)) {
		if (point.hidden)
			continue;
		*out = point;
		found = true;
	}
	return found;
}

/*
 * The name of a document consists of a separator and of blobs, which contain the parts of the
 * path.
 */
struct str ppdb_path(const struct ppdb *p, uint32_t document, struct arena *a)
{
	struct cursor c = cur_little(metadata_blob(&p->md, MD_DOCUMENT, document, 0));
	char text[PATH_MOST], separator = (char)cur_u8(&c);
	size_t n = 0;

	for (bool first = true; cur_left(&c) && !c.bad; first = false) {
		struct str part = metadata_blob_at(&p->md, sig_uint(&c));

		if (part.n + 1 > sizeof(text) - n)
			return (struct str){ 0 };
		if (!first && separator)
			text[n++] = separator;
		if (part.n)
			memcpy(text + n, part.p, part.n);
		n += part.n;
	}
	return c.bad ? (struct str){ 0 } : arena_str(a, (struct str){ text, n });
}

struct str ppdb_hash(const struct ppdb *p, uint32_t document)
{
	return metadata_blob(&p->md, MD_DOCUMENT, document, 2);
}

/*
 * Returns the first row of a table whose first cell is `least` or more.  The rows are sorted by
 * this cell.
 */
static uint32_t first_from(const struct ppdb *p, enum md_table table, uint32_t least)
{
	return 1 + (uint32_t)bisect(p->md.table[table].n, i,
	                            cell(p, table, (uint32_t)i + 1, 0) < least);
}

/* Returns the custom information of that kind.  The rows are sorted by Parent. */
static struct str custom(const struct ppdb *p, uint32_t parent, const char *kind)
{
	for (uint32_t row = first_from(p, MD_CUSTOMDEBUG, parent);
	     cell(p, MD_CUSTOMDEBUG, row, 0) == parent; row++) {
		uint32_t guid = cell(p, MD_CUSTOMDEBUG, row, 1);

		if (guid && guid <= p->md.guids.n / PPDB_GUID &&
		    !memcmp(p->md.guids.p + (guid - 1) * (size_t)PPDB_GUID, kind,
		            PPDB_GUID))
			return metadata_blob(&p->md, MD_CUSTOMDEBUG, row, 2);
	}
	return (struct str){ 0 };
}

/*
 * An embedded source consists of the uncompressed size and the compressed text.  If the size is 0,
 * the text is not compressed.
 */
struct str ppdb_text(const struct ppdb *p, uint32_t document, struct arena *a)
{
	struct cursor c = cur_little(
	        custom(p, document << PARENT_BITS | PARENT_DOCUMENT, embedded_source));
	uint32_t size = cur_u32(&c);
	struct str rest = { c.p, cur_left(&c) };

	if (c.bad || size > TEXT_MOST || document > UINT32_MAX >> PARENT_BITS)
		return (struct str){ 0 };
	return size ? decompress_deflate(rest, size, false, a) : rest;
}

struct str ppdb_source_link(const struct ppdb *p)
{
	return custom(p, 1 << PARENT_BITS | PARENT_MODULE, source_link);
}
