/*
 * The values of attributes: DWARF 5, 7.5.6, and what GNU added to DWARF 4 for split
 * units and for dwz.
 */
#include "image/dwarf/dwarfdata.h"

bool dwarf_may(struct dwarf *d, uint64_t bytes)
{
	if (d->work < bytes) {
		d->work = 0;
		return false;
	}
	d->work -= bytes;
	return true;
}

uint64_t dwarf_word(struct cursor *c, unsigned size)
{
	return size == 8 ? cur_u64(c) : cur_u32(c);
}

struct cursor dwarf_at(const struct dwarf *d, enum dwarf_section s, uint64_t off)
{
	struct str bytes = d->section[s];

	return cur_over(off < bytes.n ? str_from(bytes, off) : (struct str){ 0 },
	                d->swap);
}

/* Of three bytes: DW_FORM_strx3 and addrx3. */
static uint64_t three_bytes(struct cursor *c)
{
	uint64_t a = cur_u8(c), b = cur_u8(c), e = cur_u8(c);

	return (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != c->swap
	               ? a | b << 8 | e << 16
	               : e | b << 8 | a << 16;
}

static void take_block(struct cursor *c, uint64_t n, struct form *out)
{
	if (n > UINT32_MAX) {
		c->bad = true;
		return;
	}
	out->p = cur_take(c, n);
	out->n = (uint32_t)n;
}

/* Those that are a number of so many bytes; false: none of them. */
static bool take_number(struct cursor *c, const struct unit *u, struct form *out)
{
	switch (out->form) {
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		out->u = cur_u8(c);
		return true;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		out->u = cur_u16(c);
		return true;
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		out->u = three_bytes(c);
		return true;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
	case DW_FORM_ref_sup4:
		out->u = cur_u32(c);
		return true;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8:
		out->u = cur_u64(c);
		return true;
	case DW_FORM_addr:
		out->u = dwarf_word(c, u->addr_size);
		return true;
	case DW_FORM_ref_addr:
		out->u = dwarf_word(c, u->version < 3 ? u->addr_size : u->off_size);
		return true;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_GNU_ref_alt:
		out->u = dwarf_word(c, u->off_size);
		return true;
	case DW_FORM_sdata:
		out->u = (uint64_t)cur_sleb(c);
		return true;
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		out->u = cur_uleb(c);
		return true;
	case DW_FORM_flag_present:
		out->u = 1;
		return true;
	default:
		return false;
	}
}

bool dwarf_form(struct cursor *c, const struct unit *u, unsigned form, int64_t value,
                struct form *out)
{
	struct str s;

	if (form == DW_FORM_indirect) {
		form = (unsigned)cur_uleb(c) & 0xffff;
		if (form == DW_FORM_indirect || form == DW_FORM_implicit_const)
			c->bad = true;
	}
	*out = (struct form){ .form = (uint16_t)form };
	if (take_number(c, u, out))
		return !c->bad;
	switch (form) {
	case DW_FORM_implicit_const:
		out->u = (uint64_t)value;
		break;
	case DW_FORM_string:
		s = cur_zstr(c);
		out->p = s.p;
		out->n = s.n > UINT32_MAX ? UINT32_MAX : (uint32_t)s.n;
		break;
	case DW_FORM_block1:
		take_block(c, cur_u8(c), out);
		break;
	case DW_FORM_block2:
		take_block(c, cur_u16(c), out);
		break;
	case DW_FORM_block4:
		take_block(c, cur_u32(c), out);
		break;
	case DW_FORM_block:
	case DW_FORM_exprloc:
		take_block(c, cur_uleb(c), out);
		break;
	case DW_FORM_data16:
		take_block(c, 16, out);
		break;
	default:
		c->bad = true;
	}
	return !c->bad;
}

static struct str string_at(const struct dwarf *d, enum dwarf_section s, uint64_t off)
{
	struct cursor c = dwarf_at(d, s, off);

	return cur_zstr(&c);
}

/* The entry of that number in a table of offsets or addresses. */
static bool entry_at(const struct dwarf *d, enum dwarf_section s, uint64_t base,
                     uint64_t number, unsigned size, uint64_t *out)
{
	struct cursor c;
	uint64_t at;

	if (__builtin_mul_overflow(number, size, &at) ||
	    __builtin_add_overflow(at, base, &at))
		return false;
	c = dwarf_at(d, s, at);
	*out = dwarf_word(&c, size);
	return !c.bad;
}

static struct str numbered_string(const struct unit *u, uint64_t number)
{
	uint64_t off;

	if (!entry_at(u->d, DW_STR_OFFSETS, u->str_base, number, u->off_size, &off))
		return (struct str){ 0 };
	return string_at(u->d, DW_STR, off);
}

struct str dwarf_string(const struct unit *u, const struct form *f)
{
	switch (f->form) {
	case DW_FORM_string:
		return (struct str){ f->p, f->n };
	case DW_FORM_strp:
		return string_at(u->d, DW_STR, f->u);
	case DW_FORM_line_strp:
		return string_at(u->d, DW_LINE_STR, f->u);
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		return u->d->alt ? string_at(u->d->alt, DW_STR, f->u) : (struct str){ 0 };
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
	case DW_FORM_GNU_str_index:
		return numbered_string(u, f->u);
	default:
		return (struct str){ 0 };
	}
}

bool dwarf_address(const struct unit *u, const struct form *f, uint64_t *out)
{
	const struct unit *from = u->skeleton ? u->skeleton : u;

	switch (f->form) {
	case DW_FORM_addr:
		*out = f->u;
		return true;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
	case DW_FORM_GNU_addr_index:
		return entry_at(from->d, DW_ADDR, from->addr_base, f->u, from->addr_size,
		                out);
	default:
		return false;
	}
}
