/* Prints instructions like objdump -d of binutils 2.40 and 2.44.  Uses Zydis 4. */
#include "image/code/x86.h"

#include <elf.h>

#include "base/hash.h"
#include "image/code/x86_name.h"

/*
 * An instruction that was printed recently.  Programs repeat most of their instructions, and
 * decoding takes long.  Only instructions whose text does not depend on their address are kept.
 */
struct recent_insn {
	uint64_t bytes[2]; /* only the first `len` bytes are set */
	unsigned char len; /* 0 if the slot is free */
	unsigned char kind, ntext;
	char text[45];
};

/*
 * The first bytes of an instruction select its slot in the table.  Because its length is unknown
 * before it is decoded, it may be in two slots: FEW bytes select the slot of a short instruction, and
 * MANY bytes the slot of others.
 */
enum { RECENT_BITS = 11, FEW = 3, MANY = 5 };

struct x86 {
	ZydisDecoder decoder;
	ZydisDecoderContext context;
	struct recent_insn *recent;     /* 1 << RECENT_BITS slots */
	struct recent_insn *few, *many; /* slots for the last instruction, or NULL */
	const struct recent_insn
	        *known;       /* the last instruction if it was kept, or NULL */
	struct x86_insn insn; /* the last instruction, if `known` is NULL */
};

static struct recent_insn *slot_of(const struct x86 *s, uint64_t bytes)
{
	return &s->recent[hash_slot(bytes, 0, RECENT_BITS)];
}

/* Returns true if r begins the 16 bytes in `code`. */
static bool is_kept(const struct recent_insn *r, const uint64_t code[2])
{
	unsigned first = r->len < 8 ? r->len : 8, rest = r->len - first;

	return r->len && !((code[0] ^ r->bytes[0]) << (64 - 8 * first)) &&
	       (!rest || !((code[1] ^ r->bytes[1]) << (64 - 8 * rest)));
}

/* Selects the slots of the instruction with which `code` begins, and sets s->known. */
static void find_recent(struct x86 *s, struct str code)
{
	uint64_t bytes[2];

	s->few = s->many = NULL;
	s->known = NULL;
	if (code.n < sizeof(bytes))
		return;
	memcpy(bytes, code.p, sizeof(bytes));
	s->few = slot_of(s, bytes[0] << (64 - 8 * FEW));
	s->many = slot_of(s, bytes[0] << (64 - 8 * MANY));
	s->known = is_kept(s->few, bytes)    ? s->few
	           : is_kept(s->many, bytes) ? s->many
	                                     : NULL;
}

/* Keeps the last instruction. */
static void keep_recent(struct x86 *s, const struct code_insn *in, struct str text)
{
	struct recent_insn *r = in->len < MANY ? s->few : s->many;

	if (!r || s->insn.in.raw.imm[0].is_relative || text.n > sizeof(r->text))
		return;
	r->len = (unsigned char)in->len;
	r->kind = (unsigned char)in->kind;
	r->ntext = (unsigned char)text.n;
	memcpy(r->bytes, in->bytes, in->len);
	memcpy(r->text, text.p, text.n);
}

static void *x86_open(struct arena *a)
{
	struct x86 *s = arena_new(a, struct x86, 1);

	s->recent = arena_new(a, struct recent_insn, 1 << RECENT_BITS);
	return ZYAN_SUCCESS(ZydisDecoderInit(&s->decoder, ZYDIS_MACHINE_MODE_LONG_64,
	                                     ZYDIS_STACK_WIDTH_64))
	               ? s
	               : NULL;
}

static void add_register(ZydisRegister r, struct asm_text *t)
{
	const ZydisShortString *name;

	if (r == ZYDIS_REGISTER_ST0)
		asm_text_str(t, STR("%st"));
	else if (r > ZYDIS_REGISTER_ST0 && r <= ZYDIS_REGISTER_ST7)
		asm_text_add(t, "%%st(%d)", (int)(r - ZYDIS_REGISTER_ST0));
	else if (r >= ZYDIS_REGISTER_DR0 && r <= ZYDIS_REGISTER_DR15)
		asm_text_add(t, "%%db%d", (int)(r - ZYDIS_REGISTER_DR0));
	else if ((name = ZydisRegisterGetStringWrapped(r))) {
		asm_text_str(t, STR("%"));
		asm_text_str(t, (struct str){ name->data, name->size });
	} else {
		asm_text_str(t, STR("%?"));
	}
}

static void add_signed(int64_t value, struct asm_text *t)
{
	if (value < 0)
		asm_text_str(t, STR("-"));
	asm_text_hex(t, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

static void add_segment(const struct x86_insn *x, ZydisRegister segment,
                        struct asm_text *t)
{
	if (segment == ZYDIS_REGISTER_FS || segment == ZYDIS_REGISTER_GS ||
	    (x86_name_is_string(x) && segment != ZYDIS_REGISTER_NONE)) {
		add_register(segment, t);
		asm_text_str(t, STR(":"));
	}
}

static bool is_call_or_jump(const struct x86_insn *x)
{
	return x->in.meta.category == ZYDIS_CATEGORY_CALL ||
	       x->in.meta.category == ZYDIS_CATEGORY_UNCOND_BR;
}

/* Returns true for "(%rax,%riz,1)": a redundant SIB byte without an index. */
static bool has_idle_index(const struct x86_insn *x, const ZydisDecodedOperandMem *m)
{
	return x->in.attributes & ZYDIS_ATTRIB_HAS_SIB &&
	       m->index == ZYDIS_REGISTER_NONE && m->base != ZYDIS_REGISTER_NONE &&
	       ((x->in.raw.sib.base != 4 && x->in.raw.sib.index == 4) ||
	        x->in.raw.sib.scale);
}

/* Adds ",1", ",2", ",4" or ",8". */
static void put_scale(struct asm_text *t, unsigned scale)
{
	char text[] = { ',', (char)('0' + scale) };

	asm_text_str(t, (struct str){ text, sizeof(text) });
}

static void add_memory(const struct x86_insn *x, const ZydisDecodedOperand *op,
                       struct asm_text *t)
{
	const ZydisDecodedOperandMem *m = &op->mem;
	bool base = m->base != ZYDIS_REGISTER_NONE,
	     index = m->index != ZYDIS_REGISTER_NONE;
	uint64_t mask = x->in.address_width == 32 ? UINT32_MAX : UINT64_MAX;

	if (is_call_or_jump(x))
		asm_text_str(t, STR("*"));
	add_segment(x, m->segment, t);
	if (!base && !index)
		asm_text_hex(t, (uint64_t)m->disp.value & mask);
	else if (x->in.raw.disp.size)
		add_signed(m->disp.value, t);
	if (base || index) {
		asm_text_str(t, STR("("));
		if (base)
			add_register(m->base, t);
		if (has_idle_index(x, m)) {
			asm_text_str(t, STR(",%riz"));
			put_scale(t, 1u << x->in.raw.sib.scale);
		}
		if (index) {
			asm_text_str(t, STR(","));
			add_register(m->index, t);
			if (m->scale)
				put_scale(t, m->scale);
		}
		asm_text_str(t, STR(")"));
	}
}

static void add_immediate(const struct x86_insn *x, const ZydisDecodedOperand *op,
                          const struct code_insn *in, struct asm_text *t)
{
	uint64_t value = op->imm.value.u;
	unsigned width = x->op[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE
	                         ? x->in.operand_width
	                         : x->op[0].size;

	if (op->imm.is_relative) {
		asm_text_target(t, in->target);
		return;
	}
	if (op->imm.is_signed && width < 64)
		value &= ((uint64_t)1 << width) - 1;
	asm_text_str(t, STR("$"));
	asm_text_hex(t, value);
}

static void add_operand(const struct x86_insn *x, const ZydisDecodedOperand *op,
                        const struct code_insn *in, struct asm_text *t)
{
	switch (op->type) {
	case ZYDIS_OPERAND_TYPE_REGISTER:
		if (op->reg.value == ZYDIS_REGISTER_DX &&
		    (x->in.meta.category == ZYDIS_CATEGORY_IO ||
		     x->in.meta.category == ZYDIS_CATEGORY_IOSTRINGOP)) {
			asm_text_str(t, STR("(%dx)"));
			break;
		}
		if (is_call_or_jump(x))
			asm_text_str(t, STR("*"));
		add_register(op->reg.value, t);
		/*
		 * objdump prints "%st" if the top of the stack is implied, and "%st(0)" if the
		 * instruction encodes the register
		 */
		if (op->reg.value == ZYDIS_REGISTER_ST0 &&
		    op->encoding == ZYDIS_OPERAND_ENCODING_MODRM_RM)
			asm_text_str(t, STR("(0)"));
		break;
	case ZYDIS_OPERAND_TYPE_MEMORY:
		add_memory(x, op, t);
		break;
	case ZYDIS_OPERAND_TYPE_IMMEDIATE:
		add_immediate(x, op, in, t);
		break;
	default:
		break;
	}
}

/* Adds how often a memory operand is broadcast: "{1to8}". */
static void add_broadcast(const struct x86_insn *x, struct asm_text *t)
{
	static const unsigned char to[] = {
		[ZYDIS_BROADCAST_MODE_1_TO_2] = 2,   [ZYDIS_BROADCAST_MODE_1_TO_4] = 4,
		[ZYDIS_BROADCAST_MODE_1_TO_8] = 8,   [ZYDIS_BROADCAST_MODE_1_TO_16] = 16,
		[ZYDIS_BROADCAST_MODE_1_TO_32] = 32, [ZYDIS_BROADCAST_MODE_1_TO_64] = 64,
	};
	unsigned mode = x->in.avx.broadcast.mode;

	if (!x->in.avx.broadcast.is_static && mode < sizeof(to) && to[mode])
		asm_text_add(t, "{1to%u}", to[mode]);
}

/* Adds the mask of the destination: "{%k1}{z}". */
static void add_mask(const struct x86_insn *x, struct asm_text *t)
{
	if (x->in.avx.mask.reg == ZYDIS_REGISTER_NONE ||
	    x->in.avx.mask.reg == ZYDIS_REGISTER_K0)
		return;
	asm_text_str(t, STR("{"));
	add_register(x->in.avx.mask.reg, t);
	asm_text_add(t, "}%s", x->in.raw.evex.z ? "{z}" : "");
}

static const char *rounding(const struct x86_insn *x)
{
	static const char *const name[] = {
		[ZYDIS_ROUNDING_MODE_RN] = "{rn-sae}",
		[ZYDIS_ROUNDING_MODE_RD] = "{rd-sae}",
		[ZYDIS_ROUNDING_MODE_RU] = "{ru-sae}",
		[ZYDIS_ROUNDING_MODE_RZ] = "{rz-sae}",
	};
	unsigned mode = x->in.avx.rounding.mode;

	if (!x->in.avx.has_sae && !mode)
		return NULL;
	return mode && mode < sizeof(name) / sizeof(*name) ? name[mode] : "{sae}";
}

/* Returns true if %xmm0 is an implicit third operand.  Zydis hides it, but objdump prints it. */
static bool has_hidden_xmm0(const struct x86_insn *x)
{
	switch (x->in.mnemonic) {
	case ZYDIS_MNEMONIC_BLENDVPD:
	case ZYDIS_MNEMONIC_BLENDVPS:
	case ZYDIS_MNEMONIC_PBLENDVB:
	case ZYDIS_MNEMONIC_SHA256RNDS2:
		return true;
	default:
		return false;
	}
}

static bool is_written_out(const struct x86_insn *x, size_t i)
{
	const ZydisDecodedOperand *op = &x->op[i];

	if (x86_name_is_string(x) || (has_hidden_xmm0(x) && i < 3))
		return true;
	if (x->in.meta.category == ZYDIS_CATEGORY_WIDENOP)
		return i == 0;
	if (op->encoding == ZYDIS_OPERAND_ENCODING_MASK)
		return false;
	if (op->visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT)
		return true;
	return op->visibility == ZYDIS_OPERAND_VISIBILITY_IMPLICIT &&
	       op->type != ZYDIS_OPERAND_TYPE_IMMEDIATE;
}

static size_t written_operands(const struct x86_insn *x)
{
	return x86_name_is_string(x) ? 2
	       : has_hidden_xmm0(x)  ? 3
	                             : x->in.operand_count_visible;
}

/* Adds the operands in AT&T order, with the destination last. */
static void add_operands(const struct x86_insn *x, bool immediate,
                         const struct code_insn *in, struct asm_text *t)
{
	const char *mode =
	        x->in.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX ? rounding(x) : NULL;
	bool forward = x->in.mnemonic == ZYDIS_MNEMONIC_ENTER;
	size_t n = written_operands(x), printed = 0;

	for (size_t k = 0; k < n; k++) {
		size_t i = forward ? k : n - 1 - k;
		const ZydisDecodedOperand *op = &x->op[i];
		bool is_immediate = op->type == ZYDIS_OPERAND_TYPE_IMMEDIATE;

		if (!is_written_out(x, i) || (is_immediate && !immediate))
			continue;
		if (!printed)
			asm_text_operands(t);
		if (mode && !is_immediate) {
			asm_text_add(t, "%s%s", printed++ ? "," : "", mode);
			mode = NULL;
		}
		if (printed++)
			asm_text_str(t, STR(","));
		add_operand(x, op, in, t);
		if (op->type == ZYDIS_OPERAND_TYPE_MEMORY)
			add_broadcast(x, t);
		if (i == 0 && x->in.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX)
			add_mask(x, t);
	}
}

static enum code_kind kind_of(const struct x86_insn *x)
{
	switch (x->in.meta.category) {
	case ZYDIS_CATEGORY_CALL:
		return CODE_CALL;
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_UNCOND_BR:
		return CODE_JUMP;
	default:
		return CODE_OTHER;
	}
}

/*
 * AVX-IFMA is newer than Zydis 4.0.  Zydis decodes only the EVEX form of these instructions.
 * vfmadd231pd has the same operands, so its opcode is used to decode them.
 *
 * 	c4 e2 f5 b4 1e       {vex} vpmadd52luq (%rsi),%ymm1,%ymm3
 */
static bool decode_ifma(const ZydisDecoder *d, struct str code, struct x86_insn *x)
{
	enum { OPCODE = 3, LOW = 0xb4, HIGH = 0xb5, VFMADD231PD = 0xb8 };
	unsigned char copy[ZYDIS_MAX_INSTRUCTION_LENGTH];
	const unsigned char *p = (const unsigned char *)code.p;
	size_t n = code.n < sizeof(copy) ? code.n : sizeof(copy);

	/* 0f 38 is opcode map 2.  The third byte contains the operand size W and the prefix 66. */
	if (n <= OPCODE || p[0] != 0xc4 || (p[1] & 0x1f) != 2 || (p[2] & 0x83) != 0x81 ||
	    (p[OPCODE] != LOW && p[OPCODE] != HIGH))
		return false;
	memcpy(copy, p, n);
	copy[OPCODE] = VFMADD231PD;
	x->name = p[OPCODE] == LOW ? "vpmadd52luq" : "vpmadd52huq";
	return ZYAN_SUCCESS(ZydisDecoderDecodeFull(d, copy, n, &x->in, x->op));
}

/*
 * Returns the length of a vector instruction with an unknown opcode, or 0.  Opcode maps 2, 3, 5 and
 * 6 contain only instructions with a ModRM byte.  Those of map 3 have an immediate byte, too.
 *
 * 	62 f5 ff 08 6c c0    vcvttsd2usis %xmm0,%rax, which AVX10.2 added
 */
static size_t unknown_vector_length(struct str code)
{
	const unsigned char *p = (const unsigned char *)code.p;
	bool vex = code.n > 4 && p[0] == 0xc4;
	bool evex = code.n > 5 && p[0] == 0x62 && !(p[1] & 8) && p[2] & 4;
	size_t modrm = vex ? 4 : 5, n = modrm + 1;
	unsigned map, mod, rm;

	if (!vex && !evex)
		return 0;
	map = p[1] & (vex ? 0x1f : 7);
	mod = p[modrm] >> 6;
	rm = p[modrm] & 7;
	if (map != 2 && map != 3 && (vex || (map != 5 && map != 6)))
		return 0;
	if (mod != 3 && rm == 4) {
		rm = n < code.n ? p[n] & 7 : 0; /* the base of the SIB byte */
		n++;
	}
	if (mod == 2 || (mod == 0 && rm == 5))
		n += 4;
	else if (mod == 1)
		n++;
	n += map == 3;
	return n <= code.n ? n : 0;
}

/* Callers may read this number of operands even if an instruction has fewer operands. */
enum { FIRST_OPERANDS = 2 };

/*
 * Decodes only operands that are printed, because decoding hidden operands would take a third
 * of the time.
 */
static void decode_operands(struct x86 *s)
{
	struct x86_insn *x = &s->insn;
	size_t n = written_operands(x);

	if (n < x->in.operand_count_visible)
		n = x->in.operand_count_visible;
	if (n < FIRST_OPERANDS)
		n = FIRST_OPERANDS;
	if (n > x->in.operand_count)
		n = x->in.operand_count;
	memset(x->op, 0, FIRST_OPERANDS * sizeof(x->op[0]));
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeOperands(&s->decoder, &s->context, &x->in,
	                                             x->op, (ZyanU8)n)))
		memset(x->op, 0, sizeof(x->op));
}

static bool x86_decode(void *state, struct str code, struct code_insn *out)
{
	struct x86 *s = state;
	struct x86_insn *x = &s->insn;

	find_recent(s, code);
	if (s->known) {
		out->len = s->known->len;
		out->kind = s->known->kind;
		return true;
	}
	x->name = NULL;
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&s->decoder, &s->context, code.p,
	                                                code.n, &x->in)) &&
	    !decode_ifma(&s->decoder, code, x)) {
		out->len = unknown_vector_length(code);
		return false;
	}
	out->len = x->in.length;
	out->kind = kind_of(x);
	if (!x->in.raw.imm[0].is_relative)
		return true;
	out->target = out->addr + x->in.length + x->in.raw.imm[0].value.u;
	if (x->in.operand_width == 16)
		out->target &= UINT16_MAX;
	return true;
}

static void x86_print(void *state, const struct code_insn *in, struct asm_text *t)
{
	struct x86 *s = state;
	bool immediate;

	if (s->known) {
		asm_text_str(t, (struct str){ s->known->text, s->known->ntext });
		return;
	}
	if (!s->insn.name)
		decode_operands(s);
	immediate = x86_name(&s->insn, t);
	add_operands(&s->insn, immediate, in, t);
	keep_recent(s, in, (struct str){ t->p, t->n });
}

const struct decoder x86_decoder = {
	EM_X86_64, 1, x86_open, x86_decode, x86_print, NULL
};
