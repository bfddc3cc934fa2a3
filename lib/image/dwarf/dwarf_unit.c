/*
 * Units: DWARF 5, 7.5.1.  Split units: 7.3.2 and 7.3.5.  readelf --debug-dump=info prints:
 *
 * 	<0><c>: Abbrev Number: 1 (DW_TAG_compile_unit)
 * 	   DW_AT_language    : 12 (ANSI C99)
 * 	   DW_AT_low_pc      : 0x1000
 * 	   DW_AT_stmt_list   : 0
 */
#include "image/dwarf/dwarf_unit.h"

enum {
	/* maximum number of attributes of an entry.  Compilers write up to 30 */
	MAX_ATTRS = 128,
	/*
	 * limit of consecutive base addresses in a list.  Compilers write only one
	 * address
	 */
	MAX_BASES = 64,
	WORK_AT_LEAST = 1 << 16,
	WORK_FACTOR = 8,           /* average number of times that a byte may be read */
	NAME_MAX_BYTES = 64 << 10, /* longer strings are treated as damage */
};

bool dwarf_unit_may(struct dwarf *d, uint64_t bytes)
{
	if (d->work < bytes) {
		d->work = 0;
		return false;
	}
	d->work -= bytes;
	return true;
}

static struct cursor bytes_at(const struct dwarf_sections *from, enum dwarf_section s,
                              uint64_t off)
{
	struct str bytes = from->at[s];

	return cur_over(off < bytes.n ? str_from(bytes, off) : (struct str){ 0 },
	                from->swap);
}

static uint64_t word(struct cursor *c, unsigned size)
{
	return size == 8 ? cur_u64(c) : cur_u32(c);
}

bool dwarf_unit_number(Dwarf_Die *die, unsigned name, uint64_t *out)
{
	Dwarf_Attribute at;

	return dwarf_attr(die, name, &at) && !dwarf_formudata(&at, out);
}

struct str dwarf_unit_string(Dwarf_Attribute *at)
{
	const char *p = at->cu ? dwarf_formstring(at) : NULL;
	size_t n = p ? strnlen(p, NAME_MAX_BYTES + 1) : 0;

	return n && n <= NAME_MAX_BYTES ? (struct str){ p, n } : (struct str){ 0 };
}

/*
 * Returns true if each abbreviation has at most MAX_ATTRS attributes.  For each entry, libdw
 * 0.188 reads all attributes of its abbreviation.  An abbreviation with 500,000 attributes
 * without values (1 MB) and 1 MB of entries would take 5 * 10^11 steps.
 */
enum { SHORT = 1, LONG };
static bool abbrevs_are_short(struct dwarf *d, const struct dwarf_sections *from,
                              uint64_t off)
{
	struct cursor c = bytes_at(from, DW_ABBREV, off);
	const char *begin = c.p;
	uint32_t *known = table_at(&d->abbrevs, d->arena, (uintptr_t)begin, 0);

	if (*known)
		return *known == SHORT;
	*known = LONG;
	while (cur_uleb(&c) && !c.bad) {
		unsigned attrs = 0;
		uint64_t name, form;

		cur_uleb(&c); /* skip the tag */
		cur_u8(&c);   /* skip the flag for children */
		do {
			name = cur_uleb(&c);
			form = cur_uleb(&c);
			if (form == DW_FORM_implicit_const)
				cur_sleb(&c);
		} while (!c.bad && (name || form) && ++attrs <= MAX_ATTRS);
		if (attrs > MAX_ATTRS)
			return false;
	}
	*known = dwarf_unit_may(d, (uint64_t)(c.p - begin)) ? SHORT : LONG;
	return *known == SHORT;
}

/* Reads the root entry.  Returns false if the unit cannot describe code. */
static bool read_root(struct unit *u)
{
	Dwarf_Attribute at;
	uint8_t type;
	bool here = dwarf_tag(&u->root) != DW_TAG_invalid;

	if (!here || dwarf_cu_info(u->root.cu, &u->version, &type, NULL, NULL, &u->id,
	                           &u->address, &u->word) != 0)
		return false;
	if (type == DW_UT_type || type == DW_UT_split_type)
		return false;
	if (dwarf_attr(&u->root, DW_AT_low_pc, &at))
		dwarf_formaddr(&at, &u->low);
	/*
	 * A split unit without DW_AT_rnglists_base uses the table directly after the
	 * header of .debug_rnglists.
	 */
	if (u->version >= 5 &&
	    !dwarf_unit_number(&u->root, DW_AT_rnglists_base, &u->lists))
		u->lists = u->word == 8 ? 20 : 12;
	u->is_skeleton = dwarf_attr(&u->root, DW_AT_dwo_name, &at) ||
	                 dwarf_attr(&u->root, DW_AT_GNU_dwo_name, &at);
	return true;
}

/*
 * Reads the unit at `off` in .debug_info and sets *next to the offset of the next unit.  Returns
 * false if the unit is unreadable.  Sets *end if no further unit can be read.
 */
static bool read_unit(struct unit *u, uint64_t off, uint64_t *next, bool *end)
{
	Dwarf_Half version = 0;
	Dwarf_Off abbrevs = 0;
	size_t header = 0;

	*end = dwarf_next_unit(u->dbg, off, next, &header, &version, &abbrevs, NULL, NULL,
	                       NULL, NULL) != 0;
	if (*end || version < 2 || version > 5)
		return false;
	/* libdw reads units in order, so units after a damaged unit are unreadable. */
	*end = !abbrevs_are_short(u->d, u->from, abbrevs);
	u->off = off;
	u->size = (*next < u->from->at[DW_INFO].n ? *next : u->from->at[DW_INFO].n) - off;
	return !*end && dwarf_offdie(u->dbg, off + header, &u->root) && read_root(u);
}

bool dwarf_unit_list(struct dwarf *d)
{
	uint64_t off = 0, next;
	bool end = false;

	if (!dwarf_handle_sections(&d->sections, d->bytes, d->arena))
		return false;
	d->work = WORK_AT_LEAST;
	for (size_t i = 0; i < DWARF_SECTIONS; i++)
		d->work += WORK_FACTOR * d->sections.at[i].n;
	d->dbg = dwarf_handle_open(&d->sections);
	for (; d->dbg && !end; off = next) {
		struct unit u = {
			.d = d, .file = d, .from = &d->sections, .dbg = d->dbg
		};

		if (!read_unit(&u, off, &next, &end))
			continue;
		*arena_push(d->arena, d->unit, d->units, d->units_cap) = u;
		d->listed = next;
		d->has_split |= u.is_skeleton;
	}
	return d->dbg;
}

/*
 * Adds a range.  Ignores ranges at 0 and at the end of the address space.  Linkers use these
 * addresses for discarded code.
 */
static void push(struct dwarf *d, uint64_t start, uint64_t end)
{
	if (!start || end <= start)
		return;
	*arena_push(d->arena, d->range, d->ranges, d->ranges_cap) =
	        (struct code_range){ start, end };
}

/*
 * Sets *out to the offset of a list of ranges.  libdw resolves DW_FORM_rnglistx only with the
 * base address in the same unit, but a split unit uses the base in its skeleton.
 */
static bool list_offset(struct unit *u, Dwarf_Attribute *at, uint64_t *out)
{
	Dwarf_Attribute number = *at;
	struct cursor c;
	uint64_t i;

	if (dwarf_whatform(at) != DW_FORM_rnglistx)
		return dwarf_formudata(at, out) == 0;
	number.form = DW_FORM_udata;
	if (dwarf_formudata(&number, &i) != 0 || __builtin_mul_overflow(i, u->word, &i) ||
	    __builtin_add_overflow(i, u->lists, &i))
		return false;
	c = bytes_at(u->from, DW_RNGLISTS, i);
	*out = u->lists + word(&c, u->word);
	return !c.bad;
}

/*
 * Returns false if a list has too many consecutive base addresses.  dwarf_ranges has no limit, so
 * it could read 1 MB of base addresses for each entry.
 */
static bool few_bases(const struct unit *u, uint64_t off)
{
	struct cursor c =
	        bytes_at(u->from, u->version < 5 ? DW_RANGES : DW_RNGLISTS, off);
	uint64_t whole = u->address == 8 ? UINT64_MAX : UINT32_MAX;

	for (int i = 0; i < MAX_BASES && !c.bad; i++) {
		if (u->version < 5) {
			if (word(&c, u->address) != whole)
				return true;
			word(&c, u->address);
			continue;
		}
		switch (cur_u8(&c)) {
		case DW_RLE_base_addressx:
			cur_uleb(&c);
			break;
		case DW_RLE_base_address:
			word(&c, u->address);
			break;
		default:
			return true;
		}
	}
	return c.bad;
}

static void read_list(struct unit *u, Dwarf_Die *die, uint64_t off)
{
	Dwarf_Addr base = u->low, start, end;
	ptrdiff_t at = (ptrdiff_t)off, before = at;

	while (few_bases(u, (uint64_t)at)) {
		at = dwarf_ranges(die, at, &base, &start, &end);
		if (at <= 0 || !dwarf_unit_may(u->d, (uint64_t)(at - before)))
			return;
		/*
		 * If a list begins without a base address, libdw uses the base of the
		 * unit.  A split unit has no base, so the base of its skeleton is added
		 * here.
		 */
		if (!before && u->is_split && !base) {
			start += u->low;
			end += u->low;
			base = u->low;
		}
		push(u->d, start, end);
		before = at;
	}
}

static int take_code(Dwarf_Attribute *at, void *arg)
{
	struct code_attrs *to = arg;

	switch (dwarf_whatattr(at)) {
	case DW_AT_low_pc:
		to->low = *at;
		break;
	case DW_AT_high_pc:
		to->high = *at;
		break;
	case DW_AT_ranges:
		to->ranges = *at;
		break;
	case DW_AT_call_file:
		dwarf_formudata(at, &to->call_file);
		break;
	case DW_AT_call_line:
		dwarf_formudata(at, &to->call_line);
		break;
	default:
		break;
	}
	return DWARF_CB_OK;
}

void dwarf_unit_code(struct unit *u, Dwarf_Die *die, struct code_attrs *at)
{
	Dwarf_Addr low, high;
	uint64_t off;

	*at = (struct code_attrs){ 0 };
	u->d->ranges = 0;
	dwarf_getattrs(die, take_code, at, 0);
	if (at->ranges.cu) {
		if (list_offset(u, &at->ranges, &off))
			read_list(u, die, off);
		return;
	}
	if (!at->high.cu || !at->low.cu || dwarf_formaddr(&at->low, &low) != 0)
		return;
	if (dwarf_formaddr(&at->high, &high) != 0) {
		if (dwarf_formudata(&at->high, &high) != 0)
			return;
		high += low;
	}
	push(u->d, low, high);
}

/*
 * Parts of the index of a package (.dwp).  libdw 0.188 cannot read it.  The index begins with
 * four 32-bit numbers: the version, and the numbers of columns, units and slots.  A 64-bit id for
 * each slot follows, then a row number (starting at 1) for each slot.  Then come the section
 * numbers of the columns, the rows of offsets, and the rows of sizes.
 */
enum { COLUMNS = 1, UNITS, SLOTS, IDS };

/* Section numbers at the heads of columns. */
enum { PART_INFO = 1, PART_ABBREV = 3, PART_STR_OFFSETS = 6, PART_RNGLISTS = 8 };

static struct cursor index_at(const struct dwarf_sections *from, uint64_t i)
{
	return bytes_at(from, DW_CU_INDEX, 4 * i);
}

static uint64_t index_number(const struct dwarf_sections *from, uint64_t i)
{
	struct cursor c = index_at(from, i);

	return cur_u32(&c);
}

/* Returns the row of the unit with that id, or 0 if the package does not contain it. */
static uint64_t row_of(const struct dwarf_sections *from, uint64_t id)
{
	uint64_t slots = index_number(from, SLOTS), mask = slots - 1;
	uint64_t i = id & mask, step = (id >> 32 & mask) | 1;

	if (slots > from->at[DW_CU_INDEX].n / 12)
		return 0;
	for (uint64_t tried = 0; tried < slots; tried++, i = (i + step) & mask) {
		struct cursor c = index_at(from, IDS + 2 * i);
		uint64_t row = index_number(from, IDS + 2 * slots + i);

		if (!row || cur_u64(&c) == id)
			return row;
	}
	return 0;
}

/* Returns the part of a section that belongs to the unit in row `row` of the index. */
static struct str part_of(const struct dwarf_sections *from, uint64_t row, uint64_t part,
                          enum dwarf_section section)
{
	uint64_t columns = index_number(from, COLUMNS), units = index_number(from, UNITS);
	uint64_t first = IDS + 3 * index_number(from, SLOTS);

	for (uint64_t i = 0; i < columns && i < 16; i++) {
		uint64_t at = first + row * columns + i;

		if (index_number(from, first + i) == part)
			return str_head(
			        str_from(from->at[section], index_number(from, at)),
			        index_number(from, at + units * columns));
	}
	return (struct str){ 0 };
}

/*
 * Finds the sections of one unit in a package.  The sections have the same format as in a .dwo.
 */
static bool unpack_unit(const struct dwarf_sections *from, uint64_t id,
                        struct dwarf_sections *out)
{
	uint64_t row = row_of(from, id);

	*out = *from;
	out->at[DW_INFO] = part_of(from, row, PART_INFO, DW_INFO);
	out->at[DW_ABBREV] = part_of(from, row, PART_ABBREV, DW_ABBREV);
	out->at[DW_STR_OFFSETS] = part_of(from, row, PART_STR_OFFSETS, DW_STR_OFFSETS);
	out->at[DW_RNGLISTS] = part_of(from, row, PART_RNGLISTS, DW_RNGLISTS);
	return row && out->at[DW_INFO].n && out->at[DW_ABBREV].n;
}

/*
 * Finds the unit with that id.  Sets its sections and its offset in .debug_info.  Returns false
 * if the file does not contain the unit.
 */
static bool find_unit(const struct dwarf *file, uint64_t id, struct dwarf_sections *out,
                      uint64_t *off)
{
	*off = 0;
	if (file->sections.at[DW_CU_INDEX].n)
		return unpack_unit(&file->sections, id, out);
	*out = file->sections;
	for (size_t i = 0; i < file->units; i++)
		if (file->unit[i].id == id) {
			*off = file->unit[i].off;
			return true;
		}
	return false;
}

/*
 * Adds the sections of the skeleton's file that a split unit uses: addresses and, up to DWARF 4,
 * ranges.  libdw itself finds them only if it opens the .dwo by its path.
 */
static void lend_sections(struct unit *skeleton, struct dwarf_sections *to)
{
	const struct dwarf_sections *from = skeleton->from;
	Dwarf_Die *root = &skeleton->root;
	uint64_t addresses = 0, lists = 0;

	if (!dwarf_unit_number(root, DW_AT_addr_base, &addresses))
		dwarf_unit_number(root, DW_AT_GNU_addr_base, &addresses);
	dwarf_unit_number(root, DW_AT_GNU_ranges_base, &lists);
	to->at[DW_ADDR] = str_from(from->at[DW_ADDR], addresses);
	to->at[DW_RANGES] = str_from(from->at[DW_RANGES], lists);
}

/* Returns the split unit of the skeleton u in `file`, or NULL. */
static struct unit *open_split(struct unit *u, const struct dwarf *file)
{
	struct dwarf *d = u->d;
	struct dwarf_sections *from = arena_new(d->arena, struct dwarf_sections, 1);
	struct unit *split = arena_new(d->arena, struct unit, 1);
	uint64_t off, next;
	bool end;

	if (!find_unit(file, u->id, from, &off))
		return NULL;
	lend_sections(u, from);
	*split = (struct unit){
		.d = d, .file = file, .from = from, .dbg = dwarf_handle_open(from)
	};
	if (!split->dbg)
		return NULL;
	split->next = d->split;
	d->split = split;
	split->is_split = true;
	if (!read_unit(split, off, &next, &end) || split->id != u->id)
		return NULL;
	split->low = u->low;
	return split;
}

static struct dwarf *find_file(struct unit *u)
{
	struct dwarf *d = u->d, *file, *known;
	Dwarf_Attribute name = { 0 }, directory = { 0 };

	if (!dwarf_attr(&u->root, DW_AT_dwo_name, &name))
		dwarf_attr(&u->root, DW_AT_GNU_dwo_name, &name);
	dwarf_attr(&u->root, DW_AT_comp_dir, &directory);
	file = d->splits.find(d->splits.ctx, dwarf_unit_string(&name),
	                      dwarf_unit_string(&directory));
	for (known = d->files; known && known != file; known = known->next)
		;
	if (file && !known) {
		file->next = d->files;
		d->files = file;
	}
	return file;
}

struct unit *dwarf_unit_split(struct unit *u)
{
	struct dwarf *file;

	if (u->split_tried)
		return u->split;
	u->split_tried = true;
	file = u->d->splits.find ? find_file(u) : NULL;
	u->split = file ? open_split(u, file) : NULL;
	u->d->missing += !u->split;
	return u->split;
}

void dwarf_unit_close(struct dwarf *d)
{
	if (!d)
		return;
	for (struct unit *u = d->split; u; u = u->next)
		dwarf_handle_close(u->dbg);
	for (struct dwarf *file = d->files; file; file = file->next)
		dwarf_unit_close(file);
	dwarf_unit_close(d->alt);
	if (d->dbg)
		dwarf_handle_close(d->dbg);
}
