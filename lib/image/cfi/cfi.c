/*
 * .eh_frame and .debug_frame are lists of entries.  A CIE contains data that many functions
 * share, and an FDE describes one function.  readelf --debug-dump=frames prints:
 *
 * 	00000000 0000000000000014 00000000 CIE
 * 	  Augmentation:   "zR"
 * 	  Code alignment factor: 1
 * 	00000018 0000000000000014 0000001c FDE cie=00000000 pc=1060..1086
 * 	  DW_CFA_advance_loc: 1 to 0000000000001061
 * 	  DW_CFA_def_cfa_offset: 16
 * 	  DW_CFA_offset: r6 (rbp) at cfa-16
 *
 * libdw does not get the original file.  make_elf makes an ELF file with a padded copy of the
 * section, and with a table of the FDEs whose instructions have passed a check.  The copy and
 * the check avoid defects of libdw 0.188.  If a damaged entry has a large register number, libdw
 * allocates 16 bytes for each register up to this number (800 MB in 400 lookups).  libdw reads
 * past the end of damaged entries, and aborts if entries overlap.  It rejects one of the two
 * arm64 instructions for signed return addresses.
 */
#include "image/cfi/cfi.h"

#include <dwarf.h>
#include <endian.h>
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>

#include "base/cursor.h"
#include "base/table.h"
#include "image/elf/relocate.h"

enum {
	PADDING = 64, /* libdw may read this many bytes after the end of a section */
	/*
	 * additional padding for each letter of an augmentation.  Each byte of the section may
	 * be such a letter
	 */
	PADDING_PER_LETTER = 9,
	/* limit of the instructions in bytes, because libdw runs them for each lookup */
	PROGRAM_MAX = 1 << 17,
	/*
	 * limit of an expression in bytes.  Expressions of compilers have dozens of bytes
	 */
	EXPRESSION_MAX = 1024,
	/* maximum length of a LEB128.  libdw decodes longer numbers differently */
	NUMBER_MAX = 9,
	REGISTER_MAX = 255,
	/* length, id and version at the start of a CIE in .eh_frame */
	CIE_HEAD_BYTES = 9,
	STATES_MAX = 64, /* limit of remembered states.  Compilers use two */
	/* the bits of DW_EH_PE_* that determine the format and size of a pointer */
	FORM = 0x0f,
	/* a DW_CFA_AARCH64_* that <dwarf.h> does not define */
	NEGATE_RA_STATE_WITH_PC = 0x2c,
};

struct section {
	struct str bytes; /* empty if the section is missing */
	uint64_t va;
	bool eh, read;
	Elf *elf;
	Dwarf_CFI *libdw; /* NULL if the section describes no code */
};

struct cfi {
	struct arena *arena;
	struct section eh, debug;
	/* va of the image minus va of its debug file */
	uint64_t moved;
	uint64_t table; /* va of .eh_frame_hdr, or 0 */
	bool has_table; /* .eh_frame_hdr contains a table of FDEs */
	unsigned machine;
	const unsigned char *ident; /* e_ident of the file header */
};

static const unsigned char ident_64[EI_NIDENT] = { 0x7f,      'E',        'L',
	                                           'F',       ELFCLASS64, ELFDATA2LSB,
	                                           EV_CURRENT };

/* An entry of the table that is made for libdw. */
struct pair {
	uint64_t start, fde; /* va of a function, and va of the function's FDE */
};

/* State while a section is checked. */
struct check {
	const struct cfi *cfi;
	const struct section *s;
	char *bytes; /* a writable copy of the section */
	struct arena scratch;
	/* offset of a CIE -> flags SEEN and SIZED, and the pointer encoding of its FDEs */
	struct table cie_of;
	struct pair *fde;
	size_t n, cap;
};

enum {
	SEEN = 0x100,
	SIZED = 0x200
}; /* SIZED: FDEs contain the length of their augmentation data */

static uint64_t read_number(struct cursor *c)
{
	const char *p = c->p;
	uint64_t v = cur_uleb(c);

	c->bad |= c->p - p > NUMBER_MAX;
	return v;
}

/* Reads a pointer in an encoding that x86-64 and arm64 use in .eh_frame. */
static uint64_t read_pointer(const struct check *k, struct cursor *c, unsigned encoding)
{
	uint64_t base = k->s->va + (uint64_t)(c->p - k->bytes);

	if (!(encoding & DW_EH_PE_pcrel))
		base = 0;
	c->bad |= (encoding & ~(unsigned)(FORM | DW_EH_PE_pcrel)) != 0;
	switch (encoding & FORM) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return base + cur_u64(c);
	case DW_EH_PE_udata4:
		return base + cur_u32(c);
	case DW_EH_PE_sdata4:
		return base + (uint64_t)(int64_t)(int32_t)cur_u32(c);
	case DW_EH_PE_udata2:
		return base + cur_u16(c);
	case DW_EH_PE_sdata2:
		return base + (uint64_t)(int64_t)(int16_t)cur_u16(c);
	default:
		c->bad = true;
		return 0;
	}
}

/*
 * Operands of each instruction: a register (r), a number (n), a block (b), an address (a), or a
 * digit for that many bytes.
 */
static const char operands[0x30][3] = {
	[DW_CFA_nop] = "0",
	[DW_CFA_set_loc] = "a",
	[DW_CFA_advance_loc1] = "1",
	[DW_CFA_advance_loc2] = "2",
	[DW_CFA_advance_loc4] = "4",
	[DW_CFA_offset_extended] = "rn",
	[DW_CFA_restore_extended] = "r",
	[DW_CFA_undefined] = "r",
	[DW_CFA_same_value] = "r",
	[DW_CFA_register] = "rn",
	[DW_CFA_remember_state] = "0",
	[DW_CFA_restore_state] = "0",
	[DW_CFA_def_cfa] = "rn",
	[DW_CFA_def_cfa_register] = "r",
	[DW_CFA_def_cfa_offset] = "n",
	[DW_CFA_def_cfa_expression] = "b",
	[DW_CFA_expression] = "rb",
	[DW_CFA_offset_extended_sf] = "rn",
	[DW_CFA_def_cfa_sf] = "rn",
	[DW_CFA_def_cfa_offset_sf] = "n",
	[DW_CFA_val_offset] = "rn",
	[DW_CFA_val_offset_sf] = "rn",
	[DW_CFA_val_expression] = "rb",
	[DW_CFA_AARCH64_negate_ra_state] = "0",
	[DW_CFA_GNU_args_size] = "n",
	[DW_CFA_GNU_negative_offset_extended] = "rn",
};

static void skip_operand(const struct check *k, struct cursor *c, char kind,
                         unsigned encoding)
{
	uint64_t n;

	switch (kind) {
	case 'r':
		c->bad |= read_number(c) > REGISTER_MAX;
		return;
	case 'n':
		read_number(c);
		return;
	case 'b':
		n = read_number(c);
		c->bad |= n > EXPRESSION_MAX || !cur_take(c, n);
		return;
	case 'a':
		read_pointer(k, c, encoding);
		return;
	default: /* the instruction is unknown */
		c->bad |= !kind || !cur_take(c, (size_t)(kind - '0'));
	}
}

/* Returns true if it is safe to let libdw run these instructions. */
static bool is_whole(const struct check *k, struct cursor c, unsigned encoding)
{
	bool arm = k->cfi->machine == EM_AARCH64;
	int states = 0;

	c.bad |= cur_left(&c) > PROGRAM_MAX;
	while (!c.bad && cur_left(&c)) {
		uint8_t op = cur_u8(&c);
		const char *kind =
		        op < sizeof(operands) / sizeof(*operands) ? operands[op] : "";

		if (op == NEGATE_RA_STATE_WITH_PC && arm) {
			k->bytes[c.p - 1 - k->bytes] = DW_CFA_AARCH64_negate_ra_state;
			kind = "0";
		} else if (op & 0xc0) {
			kind = (op & 0xc0) == DW_CFA_offset ? "n" : "0";
		}
		states += op == DW_CFA_remember_state;
		states -= op == DW_CFA_restore_state;
		c.bad |= states < 0 || states > STATES_MAX ||
		         (op == DW_CFA_AARCH64_negate_ra_state && !arm);
		do
			skip_operand(k, &c, *kind, encoding);
		while (*kind && *++kind);
	}
	return !c.bad;
}

static struct cursor cursor_over(const uint8_t *p, const uint8_t *end)
{
	return cur_little(str_span((const char *)p, (const char *)end));
}

/*
 * Returns the flags and the pointer encoding of a CIE for cie_of, or 0 if the CIE is not usable.
 * Each letter of the augmentation, such as "zPLR", represents a part of the augmentation data.
 */
static unsigned check_cie(const struct check *k, const Dwarf_CIE *e)
{
	const uint8_t *data = e->augmentation_data;
	struct cursor c = cursor_over(data, data + e->augmentation_data_size);
	unsigned encoding = 0;

	c.bad = *e->augmentation && *e->augmentation != 'z';
	for (const char *letter = e->augmentation; *letter; letter++) {
		if (*letter == 'R')
			encoding = cur_u8(&c);
		else if (*letter == 'P')
			read_pointer(k, &c, cur_u8(&c) & ~(unsigned)DW_EH_PE_indirect);
		else if (*letter == 'L')
			cur_u8(&c);
		/* S: signal frame.  On arm64, B: the key for signatures, and G: tagged memory */
		else
			c.bad |= !strchr("zSBG", *letter);
	}
	c.bad |= !is_whole(
	        k, cursor_over(e->initial_instructions, e->initial_instructions_end),
	        encoding);
	return c.bad ? 0 : SEEN | encoding | (*e->augmentation ? SIZED : 0);
}

static bool check_fde(const struct check *k, const Dwarf_FDE *e, uint64_t *start)
{
	struct cursor c = cursor_over(e->start, e->end);
	unsigned cie = table_get(&k->cie_of, e->CIE_pointer, 0);
	uint64_t size;

	*start = read_pointer(k, &c, cie & 0xff);
	size = read_pointer(k, &c, cie & FORM);
	if (cie & SIZED)
		cur_take(&c, read_number(&c));
	/* If an FDE starts at 0, the linker removed its function, so the FDE is ignored. */
	return cie && *start && *start + size > *start && is_whole(k, c, cie & 0xff);
}

/*
 * Writes the id of an entry.  In .eh_frame, the id of a CIE is 0.  The id of an FDE is the
 * distance from the id's own position to the CIE.
 */
static void name_cie(char *bytes, size_t at, const Dwarf_CFI_Entry *e)
{
	bool wide = !memcmp(bytes + at, "\xff\xff\xff\xff", 4);
	size_t id_at = at + (wide ? 12 : 4);
	uint64_t id = dwarf_cfi_cie_p(e) ? 0 : id_at - e->fde.CIE_pointer;

	id = htole64(id);
	memcpy(bytes + id_at, &id, wide ? 8 : 4);
}

static void check_entries(struct check *k)
{
	Elf_Data data = { .d_buf = k->bytes, .d_size = k->s->bytes.n };
	Dwarf_Off next = 0;
	Dwarf_CFI_Entry e;
	uint64_t start;
	unsigned cie;
	int got;

	for (size_t at = 0;; at = next) {
		got = dwarf_next_cfi(k->cfi->ident, &data, k->s->eh, at, &next, &e);
		if (got > 0 || next <= at)
			return;
		if (got < 0)
			continue;
		if (dwarf_cfi_cie_p(&e)) {
			cie = check_cie(k, &e.cie);
			if (cie)
				*table_at(&k->cie_of, &k->scratch, at, 0) = cie;
		} else if (check_fde(k, &e.fde, &start)) {
			*arena_push(&k->scratch, k->fde, k->n, k->cap) =
			        (struct pair){ start, k->s->va + at };
		}
		if (!k->s->eh)
			name_cie(k->bytes, at, &e);
	}
}

ORDER(by_start, struct pair, num_cmp(a->start, b->start))

/*
 * The ELF file for libdw, little-endian and without section headers.  libdw finds .eh_frame_hdr
 * through the program header.
 */
struct made {
	Elf64_Ehdr head;
	Elf64_Phdr program;
	char unused[4];
	/* start of .eh_frame_hdr: version, then the encodings of its fields */
	uint8_t kind[4];
	uint64_t frame, n; /* va of .eh_frame, and number of entries in the table */
	struct pair table[];
};

static void make_elf(const struct check *k, struct section *s)
{
	const struct cfi *cfi = k->cfi;
	size_t table = k->n * sizeof(*k->fde), bytes = s->bytes.n + PADDING;
	struct made *m = arena_alloc(cfi->arena, sizeof(*m) + table + bytes, 1);
	size_t at = offsetof(struct made, kind), size = sizeof(*m) + table - at;

	m->head = (Elf64_Ehdr){ .e_machine = htole16((uint16_t)cfi->machine),
		                .e_version = htole32(EV_CURRENT),
		                .e_phoff = htole64(offsetof(struct made, program)),
		                .e_phentsize = htole16(sizeof(m->program)),
		                .e_phnum = htole16(1) };
	memcpy(m->head.e_ident, cfi->ident, EI_NIDENT);
	/*
	 * libdw computes the position of .eh_frame in memory from the difference between
	 * two va, so the va of .eh_frame_hdr must end where .eh_frame begins.
	 */
	m->program = (Elf64_Phdr){ .p_type = htole32(PT_GNU_EH_FRAME),
		                   .p_offset = htole64(at),
		                   .p_vaddr = htole64(s->va - size),
		                   .p_filesz = htole64(size) };
	memset(m->kind, DW_EH_PE_udata8, sizeof(m->kind));
	m->kind[0] = 1;
	m->frame = htole64(s->va);
	m->n = htole64(k->n);
	for (size_t i = 0; i < k->n; i++)
		m->table[i] =
		        (struct pair){ htole64(k->fde[i].start), htole64(k->fde[i].fde) };
	memcpy((char *)m->table + table, k->bytes, bytes);
	errno = 0;
	s->elf = arena_checked(elf_memory((char *)m, sizeof(*m) + table + bytes));
	s->libdw = arena_checked(dwarf_getcfi_elf(s->elf));
}

/* Reads a section.  Called on first use, because some files are opened but never used. */
static void read_section(const struct cfi *cfi, struct section *s)
{
	struct check k = { .cfi = cfi, .s = s };

	s->read = true;
	if (!s->bytes.n)
		return;
	k.bytes = arena_alloc(&k.scratch, s->bytes.n + PADDING, 1 + PADDING_PER_LETTER);
	memcpy(k.bytes, s->bytes.p, s->bytes.n);
	check_entries(&k);
	if (k.n) {
		order_by(k.fde, k.n, by_start);
		make_elf(&k, s);
	}
	arena_release(&k.scratch);
}

/*
 * Sets the rule for the CFA.  Returns false if there is no rule, or if the rule uses a register
 * that is not tracked.
 */
static bool take_cfa(Dwarf_Frame *frame, struct cfi_row *out)
{
	Dwarf_Op *op;
	size_t n;

	if (dwarf_frame_cfa(frame, &op, &n) != 0 || !n)
		return false;
	if (n > 1 || op->atom != DW_OP_bregx) {
		out->cfa_expr = (struct cfi_expr){ op, n };
		return true;
	}
	out->cfa_reg = (uint8_t)op->number;
	out->cfa_off = (int64_t)op->number2;
	return op->number < CFI_REGS;
}

/*
 * Returns true for registers that the ABI requires functions to preserve.  Only for these
 * registers, libdw distinguishes an undefined register from a register without a rule.
 */
static bool is_kept(unsigned machine, unsigned reg)
{
	return machine == EM_X86_64 ? reg == X86_BP || (reg >= 12 && reg <= X86_IP)
	                            : reg >= 19 && reg <= ARM_LR;
}

static bool take_rule(const struct cfi *cfi, Dwarf_Frame *frame, unsigned reg,
                      struct cfi_rule *r)
{
	Dwarf_Op simple[3], *op;
	bool value;
	size_t n;

	*r = (struct cfi_rule){ .reg = (uint8_t)reg };
	if (dwarf_frame_register(frame, (int)reg, simple, &op, &n) != 0)
		return false;
	value = n && op[n - 1].atom == DW_OP_stack_value;
	if (!n) {
		r->how = op && is_kept(cfi->machine, reg) ? CFI_UNDEFINED : CFI_SAME;
	} else if (op != simple) {
		r->how = value ? CFI_IS_EXPR : CFI_SAVED_EXPR;
		r->expr = (struct cfi_expr){ op, n };
	} else if (op->atom == DW_OP_regx) {
		r->how = CFI_MOVED;
		r->n = (int64_t)op->number;
	} else {
		r->how = value ? CFI_IS : CFI_SAVED;
		r->n = n > 1u + value ? (int64_t)op[1].number : 0;
	}
	return true;
}

static bool take_row(struct cfi *cfi, Dwarf_Frame *frame, struct cfi_row *out)
{
	bool x86 = cfi->machine == EM_X86_64;
	unsigned sp = x86 ? X86_SP : ARM_SP, regs = x86 ? X86_IP + 1 : CFI_REGS;
	struct cfi_rule rule[CFI_REGS], *all;
	int ra;

	*out = (struct cfi_row){ 0 };
	ra = dwarf_frame_info(frame, NULL, NULL, &out->signal);
	out->ra = (uint8_t)ra;
	if (ra < 0 || ra >= CFI_REGS || !take_cfa(frame, out))
		return false;
	for (unsigned reg = 0; reg < regs; reg++) {
		struct cfi_rule *r = &rule[out->nrules];

		if (!take_rule(cfi, frame, reg, r))
			return false;
		/*
		 * The rule SP = CFA is redundant, because cfi_step uses the CFA as the
		 * stack pointer anyway.
		 */
		if (r->how != CFI_SAME && !(reg == sp && r->how == CFI_IS && !r->n))
			out->nrules++;
	}
	out->rule = all = arena_new(cfi->arena, struct cfi_rule, out->nrules + 1u);
	memcpy(all, rule, out->nrules * sizeof(*rule));
	return true;
}

static enum cfi_found find_in(struct cfi *cfi, struct section *s, uint64_t va,
                              struct cfi_row *out)
{
	Dwarf_Frame *frame;
	bool good, found;

	if (!s->read)
		read_section(cfi, s);
	errno = 0;
	found = !dwarf_cfi_addrframe(s->libdw, va, &frame);
	good = found && take_row(cfi, frame, out);
	/* If memory has run out, the result of libdw may be incomplete, so end the program. */
	arena_checked(NULL);
	if (!found)
		return CFI_GAP;
	free(frame);
	return good ? CFI_FOUND : CFI_NONE;
}

enum cfi_found cfi_find(struct cfi *c, uint64_t va, bool as_perf, struct cfi_row *out)
{
	enum cfi_found found;

	if (as_perf && !c->has_table)
		return CFI_NONE;
	found = find_in(c, &c->eh, va, out);
	return found == CFI_FOUND || as_perf ? found
	                                     : find_in(c, &c->debug, va - c->moved, out);
}

/*
 * Reads .eh_frame_hdr.  It contains a version, the encodings of its fields, the address of
 * .eh_frame, the number of pairs, and the pairs.
 */
static void read_header(struct cfi *cfi, const struct elf *image)
{
	struct str h;

	if (!elf_section(image, STR(".eh_frame_hdr"), &h, &cfi->table))
		return;
	cfi->has_table = h.n >= 20 && h.p[0] == 1 && (uint8_t)h.p[2] != DW_EH_PE_omit &&
	                 h.p[3] == (DW_EH_PE_datarel | DW_EH_PE_sdata4);
}

/* Returns the .debug_frame of a file.  The section may be compressed. */
static struct str debug_frame(const struct elf *e, struct arena *a)
{
	struct section_file f;

	return section_open(&f, e->bytes) ? relocate_find(&f, STR(".debug_frame"), a)
	                                  : (struct str){ 0 };
}

struct cfi *cfi_open(const struct elf *image, const struct elf *debug, struct arena *a)
{
	const struct elf *any = image ? image : debug;
	struct cfi *cfi;

	if (!any || !any->wide || any->big ||
	    (any->machine != EM_X86_64 && any->machine != EM_AARCH64))
		return NULL;
	cfi = arena_new(a, struct cfi, 1);
	cfi->arena = a;
	cfi->machine = any->machine;
	cfi->ident = (const unsigned char *)any->bytes.p;
	cfi->eh.eh = true;
	if (image) {
		elf_section(image, STR(".eh_frame"), &cfi->eh.bytes, &cfi->eh.va);
		cfi->debug.bytes = debug_frame(image, a);
		read_header(cfi, image);
	}
	if (debug && debug->wide && !debug->big && debug->machine == cfi->machine &&
	    !cfi->debug.bytes.n) {
		cfi->debug.bytes = debug_frame(debug, a);
		cfi->moved = image ? elf_moved(image, debug) : 0;
	}
	return cfi->eh.bytes.n || cfi->debug.bytes.n || cfi->has_table ? cfi : NULL;
}

/*
 * Derives the machine from the return address register in the CIE, because CPython 3.13 does not
 * write the machine.
 */
static unsigned machine_of(struct str eh_frame)
{
	struct cursor c = cur_little(eh_frame);
	uint8_t ra;

	cur_take(&c, CIE_HEAD_BYTES);
	cur_zstr(&c); /* skip the augmentation */
	cur_uleb(&c); /* skip the alignment factors of code and data */
	cur_uleb(&c);
	ra = cur_u8(&c);
	return ra == X86_IP ? EM_X86_64 : ra == ARM_LR ? EM_AARCH64 : EM_NONE;
}

struct cfi *cfi_open_frames(struct str eh_frame, uint64_t va, unsigned machine,
                            struct arena *a)
{
	struct cfi *cfi;

	if (!machine)
		machine = machine_of(eh_frame);
	if (machine != EM_X86_64 && machine != EM_AARCH64)
		return NULL;
	cfi = arena_new(a, struct cfi, 1);
	*cfi = (struct cfi){ .arena = a,
		             .machine = machine,
		             .ident = ident_64,
		             .eh = { .bytes = eh_frame, .va = va, .eh = true } };
	return cfi;
}

void cfi_close(struct cfi *c)
{
	if (!c)
		return;
	dwarf_cfi_end(c->eh.libdw);
	dwarf_cfi_end(c->debug.libdw);
	elf_end(c->eh.elf);
	elf_end(c->debug.elf);
}

uint64_t cfi_table(const struct cfi *c)
{
	return c->table;
}

unsigned cfi_machine(const struct cfi *c)
{
	return c->machine;
}
