/*
 * Units: DWARF 5, 7.5.1, and of split ones 7.3.2 and 7.3.5.
 */
#include "image/dwarf/dwarfdata.h"

/* In a package, the parts of its sections that belong to one unit. */
enum { PART_INFO = 1, PART_ABBREV = 3, PART_STR_OFFSETS = 6, PART_RNGLISTS = 8 };

/* What stands before the first entry; false: no unit that can be read. */
static bool read_header(struct cursor *c, struct unit *u)
{
	const char *begin = u->d->section[DW_INFO].p;
	uint64_t length = cur_u32(c);

	u->off_size = 4;
	if (length == UINT32_MAX) {
		u->off_size = 8;
		length = cur_u64(c);
	}
	if (c->bad || length > cur_left(c))
		return false;
	u->end = (uint64_t)(c->p - begin) + length;
	u->version = cur_u16(c);
	u->type = DW_UT_compile;
	if (u->version >= 5) {
		u->type = cur_u8(c);
		u->addr_size = cur_u8(c);
	}
	u->abbrev_off = dwarf_word(c, u->off_size);
	if (u->version < 5)
		u->addr_size = cur_u8(c);
	if (u->type == DW_UT_skeleton || u->type == DW_UT_split_compile)
		u->id = cur_u64(c);
	u->root = (uint64_t)(c->p - begin);
	return !c->bad && u->root < u->end;
}

static bool is_readable(const struct unit *u)
{
	return u->version >= 2 && u->version <= 5 &&
	       (u->addr_size == 4 || u->addr_size == 8) && u->type != DW_UT_type &&
	       u->type != DW_UT_split_type;
}

void dwarf_list_units(struct dwarf *d)
{
	struct cursor c = dwarf_at(d, DW_INFO, 0);
	const char *begin = c.p;

	while (cur_left(&c)) {
		struct unit u = { .d = d, .off = (uint64_t)(c.p - begin) };

		if (!read_header(&c, &u))
			break;
		c.p = begin + u.end;
		/* Without the header's size, as the standard has it for what is split. */
		if (d->split && u.version >= 5) {
			u.str_base = u.off_size == 8 ? 16 : 8;
			u.rnglists_base = u.off_size == 8 ? 20 : 12;
		}
		if (!is_readable(&u))
			continue;
		d->unit = arena_grow(d->arena, d->unit, &d->units_cap, d->units + 1,
		                     sizeof(*d->unit));
		d->unit[d->units++] = u;
	}
}

static void set(uint64_t *to, const struct form *f)
{
	if (f->form)
		*to = f->u;
}

/* The bases first: the addresses may need them. */
static void take_root(struct unit *u, const struct attrs *at)
{
	set(&u->str_base, &at->str_base);
	set(&u->addr_base, &at->addr_base);
	set(&u->rnglists_base, &at->rnglists_base);
	set(&u->ranges_base, &at->ranges_base);
	set(&u->id, &at->dwo_id);
	u->language = (uint16_t)at->language.u;
	u->stmt_list = at->stmt_list;
	u->dwo_name = at->dwo_name;
	u->comp_dir = at->comp_dir;
	dwarf_address(u, &at->low, &u->low);
}

bool dwarf_root(struct unit *u)
{
	const struct abbrev *ab;
	struct attrs at;
	struct cursor c;

	if (u->rooted)
		return u->abbrevs != NULL;
	u->rooted = true;
	if (!dwarf_load_abbrevs(u))
		return false;
	c = dwarf_at(u->d, DW_INFO, u->root);
	ab = dwarf_entry(u, &c);
	if (!ab) {
		u->abbrevs = NULL;
		return false;
	}
	dwarf_attrs(u, &c, ab, &at);
	take_root(u, &at);
	return true;
}

struct unit *dwarf_unit_of(struct dwarf *d, uint64_t entry)
{
	size_t low = 0, high = d->units;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (d->unit[mid].end <= entry)
			low = mid + 1;
		else
			high = mid;
	}
	return low < d->units && d->unit[low].off <= entry ? &d->unit[low] : NULL;
}

/*
 * The index of a package: version, columns, units, slots; slots of ids, slots of rows
 * (from 1), what the columns are about, then a row of offsets for each unit.
 */
struct package {
	struct cursor c;
	uint32_t columns, units, slots;
};

static bool open_package(const struct dwarf *d, struct package *p)
{
	uint64_t need;

	p->c = dwarf_at(d, DW_CU_INDEX, 0);
	cur_u32(&p->c);
	p->columns = cur_u32(&p->c);
	p->units = cur_u32(&p->c);
	p->slots = cur_u32(&p->c);
	need = (uint64_t)p->slots * 12 + ((uint64_t)p->units + 1) * p->columns * 4;
	return !p->c.bad && p->columns && p->columns <= 16 && need <= cur_left(&p->c);
}

static uint32_t number_at(const struct package *p, uint64_t off)
{
	struct cursor c = p->c;

	cur_take(&c, off);
	return cur_u32(&c);
}

/* From 1; 0: it has no such unit. */
static uint32_t row_of(const struct package *p, uint64_t id)
{
	for (uint64_t i = 0; i < p->slots; i++) {
		struct cursor c = p->c;

		cur_take(&c, i * 8);
		if (cur_u64(&c) == id) {
			uint32_t row = number_at(p, (uint64_t)p->slots * 8 + i * 4);

			return row <= p->units ? row : 0;
		}
	}
	return 0;
}

/* Where the part of a unit begins in that section. */
static uint64_t part_of(const struct package *p, uint32_t row, uint32_t which)
{
	uint64_t table = (uint64_t)p->slots * 12;

	for (uint32_t i = 0; i < p->columns; i++)
		if (number_at(p, table + i * 4) == which)
			return number_at(p, table + ((uint64_t)row * p->columns + i) * 4);
	return 0;
}

static struct unit *unpack_unit(struct dwarf *d, uint64_t id)
{
	struct package p;
	struct unit *u;
	uint32_t row;

	if (!open_package(d, &p))
		return NULL;
	row = row_of(&p, id);
	u = row ? dwarf_unit_of(d, part_of(&p, row, PART_INFO)) : NULL;
	if (!u || u->rooted)
		return u;
	u->abbrev_off += part_of(&p, row, PART_ABBREV);
	u->str_base += part_of(&p, row, PART_STR_OFFSETS);
	u->rnglists_base += part_of(&p, row, PART_RNGLISTS);
	return u;
}

/* The unit with the code of that skeleton; NULL: d is the file of another. */
static struct unit *find_split(struct dwarf *d, uint64_t id)
{
	if (d->section[DW_CU_INDEX].n)
		return unpack_unit(d, id);
	for (size_t i = 0; i < d->units; i++)
		if (dwarf_root(&d->unit[i]) && d->unit[i].id == id)
			return &d->unit[i];
	return NULL;
}

struct unit *dwarf_split_of(struct unit *u)
{
	struct dwarf *d = u->d, *file = NULL;
	struct unit *split;

	if (u->split_tried)
		return u->split;
	u->split_tried = true;
	if (d->splits.find)
		file = d->splits.find(d->splits.ctx, dwarf_string(u, &u->dwo_name),
		                      dwarf_string(u, &u->comp_dir));
	split = file ? find_split(file, u->id) : NULL;
	if (!split || split->skeleton) {
		d->missing++;
		return NULL;
	}
	split->skeleton = u;
	split->low = u->low;
	u->split = split;
	return split;
}
