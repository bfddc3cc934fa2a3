/*
 * The tables of debug information follow the numbers of those of the assembly.  The
 * stream "#Pdb" has the id of the PDB, and the numbers of rows of the assembly's tables.
 *
 * Sequence points of a method in several files:
 *
 *	00 01		      no local variables; document 1
 *	00 00 0a 03 09	      IL 0: 0 lines, 10 columns, from line 3, column 9 on
 *	00 04		      document 4
 *	01 00 07 80 c2 00     IL 1: 0 lines, 7 columns, from line 100, column 9 on
 *	02 00 00	      IL 3: hidden
 */
#include "image/source/ppdb.h"

#include <endian.h>

#include "image/dotnet/sig.h"
#include "image/dotnet/streams.h"
#include "source/decompress.h"

enum {
	METHOD_DEBUG = 0x31,
	STATE_MACHINE = 0x36,
	CUSTOM_DEBUG = 0x37,
	METHOD_DEF = 0x06,
	WIDE_STRINGS = 1,
	WIDE_GUIDS = 2,
	WIDE_BLOBS = 4,
	EXTRA_WORD = 0x40,
	HIDDEN_LINE = 0xfeefee,
	PARENT_BITS = 5, /* of the column Parent, for the table */
	PARENT_MODULE = 7,
	PARENT_DOCUMENT = 22,
	PATH_MOST = 4096,
	TEXT_MOST = 16 << 20, /* bytes of a source file */
};

/* The type of a column: a row of the table of that number, or one of these. */
enum column { END, U2 = 0x80, U4, STRING, GUID, BLOB, PARENT };

static const uint8_t schema[][PPDB_COLUMNS] = {
	{ BLOB, GUID, BLOB, GUID },
	{ 0x30, BLOB },
	{ METHOD_DEF, 0x35, 0x33, 0x34, U4, U4 },
	{ U2, U2, STRING },
	{ STRING, BLOB },
	{ 0x35, BLOB },
	{ METHOD_DEF, METHOD_DEF },
	{ PARENT, GUID, BLOB },
};

/* The tables to which the column Parent can refer, in the order that it uses. */
static const uint8_t parents[] = { 0x06, 0x04, 0x01, 0x02, 0x08, 0x09, 0x0a, 0x00, 0x0e,
	                           0x17, 0x14, 0x11, 0x1a, 0x1b, 0x20, 0x23, 0x26, 0x27,
	                           0x28, 0x2a, 0x2c, 0x2b, 0x30, 0x32, 0x33, 0x34, 0x35 };

/* GUIDs of kinds of CustomDebugInformation, in the byte order of the file. */
static const char embedded_source[] =
        "\x1b\x57\x8a\x0e\x26\x69\x6e\x46\xb4\xad\x8a\xb0\x46\x11\xf5\xfe";
static const char source_link[] =
        "\x56\x05\x11\xcc\x91\xa0\x38\x4d\x9f\xec\x25\xab\x9a\x35\x1a\x6a";

static unsigned width(const struct ppdb *p, uint8_t column, unsigned heaps)
{
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
	case PARENT:
		for (size_t i = 0; i < sizeof(parents); i++)
			if (p->table[parents[i]].n >= 1u << (16 - PARENT_BITS))
				return 4;
		return 2;
	default:
		return p->table[column].n > 0xffff ? 4 : 2;
	}
}

/* Reads the numbers of rows of the tables in a set.  Returns false for unknown tables. */
static bool read_counts(struct ppdb *p, struct cursor *c, uint64_t set)
{
	for (unsigned t = 0; t < 64; t++) {
		if (!(set >> t & 1))
			continue;
		if (t >= PPDB_TABLES)
			return false;
		p->table[t].n = cur_u32(c);
	}
	return !c->bad;
}

static bool read_id(struct ppdb *p, struct str stream)
{
	struct cursor c = cur_little(stream);
	uint64_t set;

	p->id = (const unsigned char *)cur_take(&c, PPDB_ID);
	cur_u32(&c); /* entry point */
	set = cur_u64(&c);
	return !c.bad && set < UINT64_C(1) << PPDB_DOCUMENT && read_counts(p, &c, set);
}

static bool read_tables(struct ppdb *p, struct str stream)
{
	struct cursor c = cur_little(stream);
	unsigned heaps;
	uint64_t set;

	cur_take(&c, 6);
	heaps = cur_u8(&c);
	cur_u8(&c);
	set = cur_u64(&c);
	cur_u64(&c);
	/* A PDB contains no table of the assembly. */
	if (c.bad || set & ((UINT64_C(1) << PPDB_DOCUMENT) - 1) ||
	    !read_counts(p, &c, set))
		return false;
	if (heaps & EXTRA_WORD)
		cur_u32(&c);
	for (unsigned t = PPDB_DOCUMENT; t < PPDB_TABLES; t++) {
		const uint8_t *columns = schema[t - PPDB_DOCUMENT];
		struct ppdb_rows *r = &p->table[t];

		while (r->columns < PPDB_COLUMNS && columns[r->columns] != END) {
			unsigned w = width(p, columns[r->columns], heaps);

			r->at[r->columns + 1] = (uint8_t)(r->at[r->columns] + w);
			r->columns++;
		}
		r->p = cur_take(&c, (size_t)r->n * r->at[r->columns]);
		if (!r->p)
			return false;
	}
	return true;
}

bool ppdb_read(struct ppdb *p, struct str bytes)
{
	*p = (struct ppdb){ .guids = streams_find(bytes, STR("#GUID")),
		            .blobs = streams_find(bytes, STR("#Blob")) };
	return read_id(p, streams_find(bytes, STR("#Pdb"))) &&
	       read_tables(p, streams_find(bytes, STR("#~")));
}

static uint32_t cell(const struct ppdb *p, unsigned t, uint32_t row, unsigned column)
{
	const struct ppdb_rows *r = &p->table[t];
	const char *at;
	uint16_t narrow;
	uint32_t wide;

	if (!row || row > r->n)
		return 0;
	at = r->p + (size_t)(row - 1) * r->at[r->columns] + r->at[column];
	if (r->at[column + 1] - r->at[column] == 2) {
		memcpy(&narrow, at, 2);
		return le16toh(narrow);
	}
	memcpy(&wide, at, 4);
	return le32toh(wide);
}

static struct str blob(const struct ppdb *p, uint32_t at)
{
	struct cursor c = cur_little(str_from(p->blobs, at));
	uint32_t n = sig_uint(&c);
	const char *bytes = at ? cur_take(&c, n) : NULL;

	return (struct str){ bytes, bytes && !c.bad ? n : 0 };
}

/* Reads a signed number: its lowest bit is the sign, its size decides the range. */
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
	uint32_t document = cell(p, METHOD_DEBUG, method, 0);

	*w = (struct ppdb_walk){ .c = cur_little(
		                         blob(p, cell(p, METHOD_DEBUG, method, 1))) };
	if (!cur_left(&w->c))
		return;
	sig_uint(&w->c); /* the signature of the local variables */
	w->point.document = document ? document : sig_uint(&w->c);
}

/* Reads the place of a visible point. */
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

/* The name of a document is a separator, and the blobs of the parts between them. */
struct str ppdb_path(const struct ppdb *p, uint32_t document, struct arena *a)
{
	struct cursor c = cur_little(blob(p, cell(p, PPDB_DOCUMENT, document, 0)));
	char text[PATH_MOST], separator = (char)cur_u8(&c);
	size_t n = 0;

	for (bool first = true; cur_left(&c) && !c.bad; first = false) {
		struct str part = blob(p, sig_uint(&c));

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
	return blob(p, cell(p, PPDB_DOCUMENT, document, 2));
}

/* Returns the value of a kind of custom information.  Uses that the rows are sorted by Parent. */
static struct str custom(const struct ppdb *p, uint32_t parent, const char *kind)
{
	uint32_t low = 1, high = p->table[CUSTOM_DEBUG].n + 1;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (cell(p, CUSTOM_DEBUG, mid, 0) < parent)
			low = mid + 1;
		else
			high = mid;
	}
	for (; cell(p, CUSTOM_DEBUG, low, 0) == parent; low++) {
		uint32_t guid = cell(p, CUSTOM_DEBUG, low, 1);

		if (guid && guid <= p->guids.n / PPDB_GUID &&
		    !memcmp(p->guids.p + (guid - 1) * (size_t)PPDB_GUID, kind, PPDB_GUID))
			return blob(p, cell(p, CUSTOM_DEBUG, low, 2));
	}
	return (struct str){ 0 };
}

/* The value is the unpacked size, and the packed text.  Size 0: the text is not packed. */
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

uint32_t ppdb_kickoff(const struct ppdb *p, uint32_t method)
{
	uint32_t low = 1, high = p->table[STATE_MACHINE].n + 1, kickoff;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (cell(p, STATE_MACHINE, mid, 0) < method)
			low = mid + 1;
		else
			high = mid;
	}
	kickoff = cell(p, STATE_MACHINE, low, 0) == method
	                  ? cell(p, STATE_MACHINE, low, 1)
	                  : 0;
	return kickoff ? kickoff : method;
}
