/*
 * Where code is: DWARF 4, 2.17.3 and 7.24 (.debug_ranges), DWARF 5, 7.25 (.debug_rnglists).
 */
#include "image/dwarf/dwarfdata.h"

/* Code that the linker left out is at 0, or at the end of all addresses. */
static void push(struct dwarf *d, uint64_t start, uint64_t end)
{
	if (!start || end <= start)
		return;
	d->range = arena_grow(d->arena, d->range, &d->ranges_cap, d->ranges + 1,
	                      sizeof(*d->range));
	d->range[d->ranges++] = (struct code_range){ start, end };
}

static void read_pairs(struct unit *u, uint64_t off)
{
	const struct unit *from = u->skeleton ? u->skeleton : u;
	struct cursor c = dwarf_at(from->d, DW_RANGES, off);
	uint64_t base = u->low, whole = u->addr_size == 8 ? UINT64_MAX : UINT32_MAX;

	while (dwarf_may(u->d, 2u * u->addr_size)) {
		uint64_t start = dwarf_word(&c, u->addr_size);
		uint64_t end = dwarf_word(&c, u->addr_size);

		if (c.bad || (!start && !end))
			return;
		if (start == whole)
			base = end;
		else
			push(u->d, base + start, base + end);
	}
}

static uint64_t numbered(const struct unit *u, uint64_t number)
{
	struct form f = { .form = DW_FORM_addrx, .u = number };
	uint64_t out = 0;

	dwarf_address(u, &f, &out);
	return out;
}

/* False: the end of the list. */
static bool read_item(struct unit *u, struct cursor *c, uint64_t *base)
{
	uint64_t start = 0, end = 0;

	switch (cur_u8(c)) {
	case DW_RLE_base_addressx:
		*base = numbered(u, cur_uleb(c));
		return true;
	case DW_RLE_base_address:
		*base = dwarf_word(c, u->addr_size);
		return true;
	case DW_RLE_startx_endx:
		start = numbered(u, cur_uleb(c));
		end = numbered(u, cur_uleb(c));
		break;
	case DW_RLE_startx_length:
		start = numbered(u, cur_uleb(c));
		end = start + cur_uleb(c);
		break;
	case DW_RLE_offset_pair:
		start = *base + cur_uleb(c);
		end = *base + cur_uleb(c);
		break;
	case DW_RLE_start_end:
		start = dwarf_word(c, u->addr_size);
		end = dwarf_word(c, u->addr_size);
		break;
	case DW_RLE_start_length:
		start = dwarf_word(c, u->addr_size);
		end = start + cur_uleb(c);
		break;
	default:
		return false;
	}
	if (c->bad)
		return false;
	push(u->d, start, end);
	return true;
}

static void read_list(struct unit *u, uint64_t off)
{
	struct cursor c = dwarf_at(u->d, DW_RNGLISTS, off);
	uint64_t base = u->low;
	const char *at = c.p;

	while (read_item(u, &c, &base) && dwarf_may(u->d, (uint64_t)(c.p - at)))
		at = c.p;
}

/* Lists may be numbered; offsets of the table count from its begin. */
static bool list_offset(const struct unit *u, const struct form *f, uint64_t *out)
{
	struct cursor c;
	uint64_t at;

	*out = f->u;
	if (f->form != DW_FORM_rnglistx)
		return true;
	if (__builtin_mul_overflow(f->u, u->off_size, &at) ||
	    __builtin_add_overflow(at, u->rnglists_base, &at))
		return false;
	c = dwarf_at(u->d, DW_RNGLISTS, at);
	*out = u->rnglists_base + dwarf_word(&c, u->off_size);
	return !c.bad;
}

void dwarf_ranges_of(struct unit *u, const struct attrs *at)
{
	uint64_t low, high, off;

	u->d->ranges = 0;
	if (at->ranges.form) {
		if (u->version >= 5) {
			if (list_offset(u, &at->ranges, &off))
				read_list(u, off);
		} else {
			read_pairs(u,
			           at->ranges.u +
			                   (u->skeleton ? u->skeleton->ranges_base : 0));
		}
		return;
	}
	if (!at->high.form || !dwarf_address(u, &at->low, &low))
		return;
	if (!dwarf_address(u, &at->high, &high))
		high = low + at->high.u;
	push(u->d, low, high);
}
