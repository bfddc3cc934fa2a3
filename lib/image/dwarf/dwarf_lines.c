/*
 * Lines: DWARF 5, 6.2; of the versions before, 6.2.4 of DWARF 4.  readelf -wL:
 *
 *	busy.c                        4              0x1143               x
 *	busy.c                        5              0x114a
 *	busy.c                        -              0x11c8
 *
 * A row holds up to the next one.  libdw keeps what it reads, 96 bytes a row, until its
 * handle is closed; so each table is read by a handle of its own, and of a row 16 bytes
 * are kept.
 */
#include "image/dwarf/dwarf_lines.h"

enum { FORMATS = 16 }; /* of what a table says of a file; compilers: 4 */

/*
 * The names of a table, before libdw reads them: it joins each with its directory's and
 * measures both, so that 1 MB of files in a directory of 1 MB take 500 GB.
 */
struct names {
	struct dwarf *d;
	struct cursor c;
	unsigned word;         /* bytes of an offset */
	uint64_t files;        /* bytes of all names */
	uint64_t n, directory; /* files; bytes of the longest directory */
};

static uint64_t take_word(struct names *s)
{
	return s->word == 8 ? cur_u64(&s->c) : cur_u32(&s->c);
}

static bool add_name(struct names *s, bool file, size_t n)
{
	if (!file && n > s->directory)
		s->directory = n;
	s->files += file ? n : 0;
	s->n += file;
	return !s->c.bad && dwarf_unit_may(s->d, n + 1);
}

/* Up to version 4: directories, then files with three numbers each. */
static bool measure_old(struct names *s)
{
	struct str name;

	while ((name = cur_zstr(&s->c)).n)
		if (!add_name(s, false, name.n))
			return false;
	while ((name = cur_zstr(&s->c)).n) {
		for (int i = 0; i < 3; i++)
			cur_uleb(&s->c);
		if (!add_name(s, true, name.n))
			return false;
	}
	return !s->c.bad;
}

static size_t string_bytes(struct names *s, enum dwarf_section section)
{
	struct str bytes = str_from(s->d->sections.at[section], take_word(s));

	return bytes.n ? strnlen(bytes.p, bytes.n) : 0;
}

/* Bytes of a string, or 0 of what is none.  What a compiler never wrote is damage. */
static size_t measure_form(struct names *s, uint64_t form)
{
	switch (form) {
	case DW_FORM_string:
		return cur_zstr(&s->c).n;
	case DW_FORM_line_strp:
		return string_bytes(s, DW_LINE_STR);
	case DW_FORM_strp:
		return string_bytes(s, DW_STR);
	case DW_FORM_udata:
		cur_uleb(&s->c);
		return 0;
	case DW_FORM_data1:
	case DW_FORM_data2:
		cur_take(&s->c, form == DW_FORM_data1 ? 1 : 2);
		return 0;
	case DW_FORM_data4:
	case DW_FORM_data8:
		cur_take(&s->c, form == DW_FORM_data4 ? 4 : 8);
		return 0;
	case DW_FORM_data16:
		cur_take(&s->c, 16);
		return 0;
	case DW_FORM_block:
		cur_take(&s->c, cur_uleb(&s->c));
		return 0;
	default:
		s->c.bad = true;
		return 0;
	}
}

/* Of version 5, where the entries say of what they consist. */
static bool measure_table(struct names *s, bool files)
{
	uint64_t what[FORMATS], form[FORMATS], n, entries;

	n = cur_u8(&s->c);
	for (uint64_t i = 0; i < n && n <= FORMATS; i++) {
		what[i] = cur_uleb(&s->c);
		form[i] = cur_uleb(&s->c);
	}
	entries = cur_uleb(&s->c);
	for (uint64_t k = 0; k < entries && n <= FORMATS; k++)
		for (uint64_t i = 0; i < n; i++) {
			size_t bytes = measure_form(s, form[i]);

			if (!add_name(s, files && what[i] == DW_LNCT_path, bytes))
				return false;
		}
	return !s->c.bad && n <= FORMATS;
}

/* May libdw read the table at that offset? */
static bool is_bounded(struct dwarf *d, uint64_t off)
{
	struct names s = { .d = d, .word = 4 };
	struct str bytes = str_from(d->sections.at[DW_LINE], off);
	uint64_t length;
	unsigned version;

	s.c = cur_over(bytes, d->sections.swap);
	length = cur_u32(&s.c);
	if (length == UINT32_MAX) {
		s.word = 8;
		length = cur_u64(&s.c);
	}
	version = cur_u16(&s.c);
	if (version >= 5)
		cur_take(&s.c, 2); /* sizes of an address and a segment */
	take_word(&s);             /* of the header */
	cur_take(&s.c, version >= 4 ? 5 : 4);
	cur_take(&s.c, (uint8_t)(cur_u8(&s.c) - 1)); /* operands of opcodes */
	if (!dwarf_unit_may(d, length < bytes.n ? length : bytes.n))
		return false;
	if (version < 5 ? !measure_old(&s)
	                : !measure_table(&s, false) || !measure_table(&s, true))
		return false;
	return !__builtin_mul_overflow(s.n, s.directory + 2, &length) &&
	       dwarf_unit_may(d, length + s.files);
}

/* Entry 0 is libdw's own, "???", where files are counted from 1. */
static void take_files(struct dwarf *d, struct lines *to, Dwarf_Files *files, size_t n)
{
	const char *first = n ? dwarf_filesrc(files, 0, NULL, NULL) : NULL;

	to->first_file = first && !strcmp(first, "???");
	to->file = arena_new(d->arena, struct str, n);
	for (size_t i = to->first_file; i < n; i++) {
		struct str path = str_of(dwarf_filesrc(files, i, NULL, NULL));

		to->file[to->files++] = arena_str(d->arena, str_base(path));
	}
}

/* libdw has sorted them; of rows at one address the last counts, but not across an end. */
static void take_rows(struct dwarf *d, struct lines *to, Dwarf_Lines *lines, size_t n)
{
	to->row = arena_new(d->arena, struct line_row, n);
	for (size_t i = 0; i < n; i++) {
		struct line_row *last = to->n ? &to->row[to->n - 1] : NULL;
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		Dwarf_Files *files;
		Dwarf_Addr va = 0;
		size_t file;
		bool ends = true;
		int number = 0;

		dwarf_lineaddr(line, &va);
		dwarf_lineendsequence(line, &ends);
		dwarf_lineno(line, &number);
		if (dwarf_line_file(line, &files, &file) != 0)
			file = UINT32_MAX - 1;
		if (!last || last->va != va || last->file == UINT32_MAX)
			last = &to->row[to->n++];
		*last = (struct line_row){ va, ends ? UINT32_MAX : (uint32_t)file,
			                   ends ? 0 : (uint32_t)number };
	}
}

static struct lines *read_table(struct dwarf *d, uint64_t off)
{
	struct lines *to = arena_new(d->arena, struct lines, 1);
	struct dwarf_sections s = { .wide = d->sections.wide, .swap = d->sections.swap };
	Dwarf_Off next;
	Dwarf_CU *cu = NULL;
	Dwarf_Files *files;
	Dwarf_Lines *lines;
	size_t nfiles, nlines;
	Dwarf *dbg;

	if (!is_bounded(d, off))
		return to;
	s.at[DW_LINE] = str_from(d->sections.at[DW_LINE], off);
	s.at[DW_LINE_STR] = d->sections.at[DW_LINE_STR];
	s.at[DW_STR] = d->sections.at[DW_STR];
	dbg = dwarf_handle_open(&s);
	if (!dbg)
		return to;
	if (!dwarf_next_lines(dbg, 0, &next, &cu, &files, &nfiles, &lines, &nlines)) {
		take_files(d, to, files, nfiles);
		take_rows(d, to, lines, nlines);
	}
	dwarf_handle_close(dbg);
	return to;
}

const struct lines *dwarf_lines_read(struct unit *u)
{
	struct dwarf *d = u->d;
	uint64_t off;
	uint32_t *at;

	if (!u->root.addr || !dwarf_unit_number(&u->root, DW_AT_stmt_list, &off))
		return NULL;
	at = table_at(&d->lines_of, d->arena, off, 0);
	if (!*at) {
		d->lines = arena_grow(d->arena, d->lines, &d->lines_cap, d->nlines + 1,
		                      sizeof(*d->lines));
		d->lines[d->nlines++] = read_table(d, off);
		*at = (uint32_t)d->nlines;
	}
	return d->lines[*at - 1];
}

struct str dwarf_lines_file(const struct lines *l, uint64_t number)
{
	uint64_t i = number - l->first_file;

	return i < l->files ? l->file[i] : (struct str){ 0 };
}

const struct line_row *dwarf_lines_row(const struct lines *l, uint64_t va)
{
	size_t low = 0, high = l->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (l->row[mid].va <= va)
			low = mid + 1;
		else
			high = mid;
	}
	return low && l->row[low - 1].file != UINT32_MAX ? &l->row[low - 1] : NULL;
}
