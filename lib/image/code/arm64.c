/* Prints instructions like objdump -d of binutils 2.40.  Supports Capstone 4 and 5. */
#include "image/code/arm64.h"

#include <elf.h>
#include <inttypes.h>

#include <capstone/capstone.h>

struct arm64 {
	csh handle;
	cs_insn *insn;
	uint32_t
	        atomic; /* the last instruction if Capstone did not decode it, otherwise 0 */
};

static void *arm64_open(struct arena *a)
{
	struct arm64 *s = arena_new(a, struct arm64, 1);

	if (cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &s->handle) != CS_ERR_OK)
		return NULL;
	cs_option(s->handle, CS_OPT_DETAIL, CS_OPT_ON);
	s->insn = cs_malloc(s->handle);
	return s;
}

static bool in_group(const struct arm64 *s, unsigned group)
{
	return cs_insn_group(s->handle, s->insn, group);
}

static void set_kind(const struct arm64 *s, struct code_insn *out)
{
	const cs_arm64 *a = &s->insn->detail->arm64;
	bool call = s->insn->id == ARM64_INS_BL || s->insn->id == ARM64_INS_BLR;

	if (!call && !in_group(s, CS_GRP_JUMP))
		return;
	out->kind = call ? CODE_CALL : CODE_JUMP;
	if (a->op_count && a->operands[a->op_count - 1].type == ARM64_OP_IMM)
		out->target = (uint64_t)a->operands[a->op_count - 1].imm;
}

static uint32_t read_word(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Returns true if one movz or movn can load the value. */
static bool is_short_move(uint64_t value, bool wide)
{
	uint64_t mask = wide ? UINT64_MAX : UINT32_MAX;

	for (unsigned shift = 0; shift < (wide ? 64 : 32); shift += 16) {
		uint64_t others = mask & ~((uint64_t)0xffff << shift);

		if (!(value & others) || (value & others) == others)
			return true;
	}
	return false;
}

/* Adds the names of hints that Capstone 4 prints as numbers. */
static bool add_hint(const struct arm64 *s, struct asm_text *t)
{
	static const struct {
		int64_t number;
		const char *text;
	} hints[] = {
		{ 0x07, "xpaclri" },   { 0x14, "csdb" },     { 0x19, "paciasp" },
		{ 0x1b, "pacibsp" },   { 0x1d, "autiasp" },  { 0x1f, "autibsp" },
		{ 0x20, "bti" },       { 0x22, "bti    c" }, { 0x24, "bti    j" },
		{ 0x26, "bti    jc" },
	};
	uint32_t word = read_word(s->insn->bytes);

	if ((word & 0xfffff01f) != 0xd503201f)
		return false;
	for (size_t i = 0; i < sizeof(hints) / sizeof(*hints); i++)
		if (hints[i].number == (word >> 5 & 0x7f)) {
			asm_text_word(t, hints[i].text);
			return true;
		}
	return false;
}

/* Returns the mnemonic that objdump prints for a mnemonic of Capstone. */
static const char *renamed(const char *mnemonic)
{
	return !strcmp(mnemonic, "b.hs")   ? "b.cs"
	       : !strcmp(mnemonic, "b.lo") ? "b.cc"
	       : !strcmp(mnemonic, "ins")  ? "mov"
	                                   : mnemonic;
}

/*
 * "mov    w0, #0x1": objdump prints `mov` for movz, movn and orr if an assembler encodes this `mov`
 * in the same way.  Capstone prints the original mnemonic.
 */
static bool add_move(const struct arm64 *s, struct asm_text *t)
{
	const cs_arm64 *a = &s->insn->detail->arm64;
	uint32_t word = read_word(s->insn->bytes);
	unsigned shift = (word >> 21 & 3) * 16;
	uint64_t part = word >> 5 & 0xffff, value = part << shift;
	bool wide = word >> 31;

	switch (word >> 23 & 0xff) {
	case 0xa5: /* movz */
		if (!part && shift)
			return false;
		break;
	case 0x25: /* movn */
		if ((!part && shift) || (!wide && part == 0xffff))
			return false;
		value = ~value;
		break;
	case 0x64: /* orr with an immediate */
		if ((word >> 5 & 31) != 31 || a->op_count != 3)
			return false;
		value = (uint64_t)a->operands[2].imm;
		if (is_short_move(value, wide))
			return false;
		break;
	default:
		return false;
	}
	asm_text_str(t, STR("mov"));
	asm_text_operands(t);
	asm_text_word(t, cs_reg_name(s->handle, a->operands[0].reg));
	asm_text_str(t, STR(", #"));
	asm_text_hex(t, wide ? value : value & UINT32_MAX);
	return true;
}

/*
 * Returns the operation of an atomic instruction of Armv8.1, without the suffixes of its name, or
 * NULL.  Capstone 4 does not decode these instructions.
 *
 * 	41 7c e0 88    casa   w0, w1, [x2]
 * 	6c 00 e0 b8    ldaddal w0, w0, [x1]
 */
static const char *atomic_operation(uint32_t word)
{
	static const char *const loads[] = { "add",  "clr",  "eor",  "set",
		                             "smax", "smin", "umax", "umin" };
	unsigned operation = word >> 12 & 15;

	if ((word & 0x3fa07c00) == 0x08a07c00)
		return "cas";
	if ((word & 0x3f200c00) != 0x38200000)
		return NULL;
	return operation == 8 ? "swp" : operation < 8 ? loads[operation] : NULL;
}

static void add_register(char kind, unsigned number, const char *last, struct asm_text *t)
{
	if (number < 31)
		asm_text_add(t, "%c%u", kind, number);
	else
		asm_text_add(t, "%s", last);
}

static void add_atomic(uint32_t word, struct asm_text *t)
{
	const char *operation = atomic_operation(word);
	bool cas = !strcmp(operation, "cas"), plain = cas || !strcmp(operation, "swp");
	bool acquire = word >> (cas ? 22 : 23) & 1, release = word >> (cas ? 15 : 22) & 1;
	bool store = !plain && !acquire && (word & 31) == 31;
	unsigned size = word >> 30;
	char kind = size == 3 ? 'x' : 'w';
	const char *zero = size == 3 ? "xzr" : "wzr";

	asm_text_word(t, plain ? "" : store ? "st" : "ld");
	asm_text_word(t, operation);
	asm_text_add(t, "%s%s", acquire ? "a" : "", release ? "l" : "");
	asm_text_word(t, size == 0 ? "b" : size == 1 ? "h" : "");
	asm_text_operands(t);
	add_register(kind, word >> 16 & 31, zero, t);
	if (!store) {
		asm_text_str(t, STR(", "));
		add_register(kind, word & 31, zero, t);
	}
	asm_text_str(t, STR(", ["));
	add_register('x', word >> 5 & 31, "sp", t);
	asm_text_str(t, STR("]"));
}

/* Adds "uxtl" or "sxtl", as objdump prints a shift by 0 that makes elements wider. */
static bool add_widening(const struct arm64 *s, struct asm_text *t)
{
	struct str name = str_of(s->insn->mnemonic), operands = str_of(s->insn->op_str);

	if ((!str_starts(name, STR("ushll")) && !str_starts(name, STR("sshll"))) ||
	    !str_ends(operands, STR(", #0")))
		return false;
	asm_text_add(t, "%cxtl%s", *name.p, name.p[name.n - 1] == '2' ? "2" : "");
	asm_text_operands(t);
	asm_text_str(t, str_head(operands, operands.n - 4));
	return true;
}

/* objdump prints targets without the "#0x" of Capstone. */
static void arm64_print(void *state, const struct code_insn *in, struct asm_text *t)
{
	const struct arm64 *s = state;
	const char *operands = s->insn->op_str;
	struct str last = str_of(operands);

	if (s->atomic) {
		add_atomic(s->atomic, t);
		return;
	}
	if (add_move(s, t) || add_hint(s, t) || add_widening(s, t))
		return;
	asm_text_word(t, renamed(s->insn->mnemonic));
	if (!last.n)
		return;
	asm_text_operands(t);
	if (in->target)
		last.n = str_rfind(last, '#');
	asm_text_str(t, last);
	if (in->target)
		asm_text_target(t, in->target);
}

static bool arm64_decode(void *state, struct str code, struct code_insn *out)
{
	struct arm64 *s = state;
	const uint8_t *p = out->bytes;
	size_t n = code.n;
	uint64_t addr = out->addr;

	s->atomic = 0;
	if (!cs_disasm_iter(s->handle, &p, &n, &addr, s->insn)) {
		if (code.n < 4 || !atomic_operation(read_word(out->bytes)))
			return false;
		s->atomic = read_word(out->bytes);
		out->len = 4;
		return true;
	}
	out->len = s->insn->size;
	set_kind(s, out);
	return true;
}

static void arm64_close(void *state)
{
	struct arm64 *s = state;

	cs_free(s->insn, 1);
	cs_close(&s->handle);
}

const struct decoder arm64_decoder = { EM_AARCH64,   4,           arm64_open,
	                               arm64_decode, arm64_print, arm64_close };
