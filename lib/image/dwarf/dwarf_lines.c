/*
 * Lines are specified in DWARF 5, 6.2, and for earlier versions in DWARF 4, 6.2.4. readelf -wL:
 *
 * 	busy.c            4          0x1143        x
 * 	busy.c            5          0x114a
 * 	busy.c            -          0x11c8
 *
 * A row is valid up to the address of the next row.  libdw keeps 96 bytes for each row until its
 * handle is closed.  Therefore each table is read with a handle of its own, and only 16 bytes of
 * each row are kept.
 */
#include "image/dwarf/dwarf_lines.h"

enum {
	MAX_PATHS = 256 << 20, /* limit in bytes of all paths in a table */
	MIN_ENTRY = 4,         /* minimum size of a file's entry, including the name */
};

/* Returns the length of the longest string in a section. */
static size_t longest(struct str s)
{
	size_t most = 0;

	while (s.n) {
		size_t n = str_find(s, '\0');

		most = n > most ? n : most;
		s = str_from(s, n + 1);
	}
	return most;
}

/*
 * Returns true if the paths of the table at `off` take at most MAX_PATHS bytes.  Before reading
 * rows, libdw joins the name of each file with the name of its directory.  A directory name of 1
 * MB and 1 MB of file entries would take 100 GB.
 */
static bool is_bounded(struct dwarf *d, uint64_t off)
{
	struct str bytes = str_from(d->sections.at[DW_LINE], off), header;
	struct cursor c = cur_over(bytes, d->sections.swap);
	uint64_t length = cur_u32(&c), n;
	bool wide = length == UINT32_MAX;
	size_t path;

	if (wide)
		length = cur_u64(&c);
	if (cur_u16(&c) >= 5)
		cur_u16(&c); /* skip the sizes of an address and of a segment selector */
	n = wide ? cur_u64(&c) : cur_u32(&c);
	header = str_head(str_span(c.p, c.end), n);
	if (!d->longest_path)
		d->longest_path = longest(d->sections.at[DW_LINE_STR]) + 1;
	path = longest(header);
	path = path > d->longest_path ? path : d->longest_path;
	return !c.bad && dwarf_unit_may(d, length < bytes.n ? length : bytes.n) &&
	       !__builtin_mul_overflow(header.n / MIN_ENTRY, path, &n) && n <= MAX_PATHS;
}

/* Returns the full path.  Before DWARF 5, directories are relative to the unit's directory. */
static struct str keep_path(struct unit *u, struct str path, struct arena *scratch)
{
	Dwarf_Attribute at = { 0 };
	struct str dir = { 0 };

	if (!str_starts(path, STR("/")) && dwarf_attr(&u->root, DW_AT_comp_dir, &at))
		dir = dwarf_unit_string(&at);
	/* In DWARF 5, a relative path may already begin with the unit's directory. */
	if (dir.n && !str_starts(path, dir))
		path = arena_fmt(scratch, PRSTR "/" PRSTR, STRARG(dir), STRARG(path));
	return intern_str(&u->d->paths, intern(&u->d->paths, path));
}

/* Copies the paths.  If file numbers start at 1, skips file 0, which libdw names "???". */
static void take_files(struct unit *u, struct lines *to, Dwarf_Files *files, size_t n)
{
	struct arena scratch = { 0 };
	struct dwarf *d = u->d;
	uint64_t work = 0;
	const char *first = n ? dwarf_filesrc(files, 0, NULL, NULL) : NULL;

	to->first_file = first && !strcmp(first, "???");
	to->file = arena_new(d->arena, struct str, n);
	if (!d->paths.arena)
		intern_init(&d->paths, d->arena);
	for (size_t i = to->first_file; i < n; i++) {
		struct str path = str_of(dwarf_filesrc(files, i, NULL, NULL));

		work += path.n;
		to->file[to->files++] = keep_path(u, path, &scratch);
	}
	arena_release(&scratch);
	dwarf_unit_may(d, work);
}

/*
 * Copies the rows, which libdw has sorted.  If several rows have one address, keeps the last one.
 * A row that ends a sequence is never replaced.
 */
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

static struct lines *read_table(struct unit *u, uint64_t off)
{
	struct dwarf *d = u->d;
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
	dbg = dwarf_handle_open(&s);
	if (!dbg)
		return to;
	if (!dwarf_next_lines(dbg, 0, &next, &cu, &files, &nfiles, &lines, &nlines)) {
		take_files(u, to, files, nfiles);
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
	return *table_item(at, d->arena, d->lines, d->nlines, d->lines_cap,
	                   read_table(u, off));
}

struct str dwarf_lines_path(const struct lines *l, uint64_t number)
{
	uint64_t i = number - l->first_file;

	return i < l->files ? l->file[i] : (struct str){ 0 };
}

/* Returns true if row i is the last row that does not begin after va. */
static bool is_last_before(const struct lines *l, size_t i, uint64_t va)
{
	return i < l->n && l->row[i].va <= va && (i + 1 == l->n || va < l->row[i + 1].va);
}

const struct line_row *dwarf_lines_row(const struct lines *l, uint64_t va, size_t *near,
                                       uint64_t *end)
{
	size_t next = *near + 1;

	if (is_last_before(l, next, va))
		next++;
	else if (!is_last_before(l, *near, va))
		next = bisect(l->n, i, l->row[i].va <= va);
	if (next < l->n && l->row[next].va < *end)
		*end = l->row[next].va;
	if (!next || l->row[next - 1].file == UINT32_MAX)
		return NULL;
	*near = next - 1;
	return &l->row[next - 1];
}
