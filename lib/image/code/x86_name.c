/*
 * Zydis uses Intel's mnemonics.  This file converts them to AT&T's mnemonics where these differ.
 *
 * 	66 0f 1f 44 00 00    nopw   0x0(%rax,%rax,1)
 * 	48 63 c7             movslq %edi,%rax
 * 	f3 c3                repz ret
 * 	66 48 8d 3d ...      data16 lea
 */
#include "image/code/x86_name.h"

#include "base/str.h"

enum { PREFIX_OPERAND = 0x66, PREFIX_ADDRESS = 0x67 };

/* Indexed by mnemonic.  NULL if Intel's mnemonic is used. */
static const char *const renamed[ZYDIS_MNEMONIC_MAX_VALUE + 1] = {
	[ZYDIS_MNEMONIC_CBW] = "cbtw",
	[ZYDIS_MNEMONIC_CWDE] = "cwtl",
	[ZYDIS_MNEMONIC_CDQE] = "cltq",
	[ZYDIS_MNEMONIC_CWD] = "cwtd",
	[ZYDIS_MNEMONIC_CDQ] = "cltd",
	[ZYDIS_MNEMONIC_CQO] = "cqto",
	[ZYDIS_MNEMONIC_JZ] = "je",
	[ZYDIS_MNEMONIC_JNZ] = "jne",
	[ZYDIS_MNEMONIC_JNB] = "jae",
	[ZYDIS_MNEMONIC_JNBE] = "ja",
	[ZYDIS_MNEMONIC_JNL] = "jge",
	[ZYDIS_MNEMONIC_JNLE] = "jg",
	[ZYDIS_MNEMONIC_CMOVZ] = "cmove",
	[ZYDIS_MNEMONIC_CMOVNZ] = "cmovne",
	[ZYDIS_MNEMONIC_CMOVNB] = "cmovae",
	[ZYDIS_MNEMONIC_CMOVNBE] = "cmova",
	[ZYDIS_MNEMONIC_CMOVNL] = "cmovge",
	[ZYDIS_MNEMONIC_CMOVNLE] = "cmovg",
	[ZYDIS_MNEMONIC_SETZ] = "sete",
	[ZYDIS_MNEMONIC_SETNZ] = "setne",
	[ZYDIS_MNEMONIC_SETNB] = "setae",
	[ZYDIS_MNEMONIC_SETNBE] = "seta",
	[ZYDIS_MNEMONIC_SETNL] = "setge",
	[ZYDIS_MNEMONIC_SETNLE] = "setg",
	[ZYDIS_MNEMONIC_PUSHFQ] = "pushf",
	[ZYDIS_MNEMONIC_POPFQ] = "popf",
	[ZYDIS_MNEMONIC_STOSB] = "stos",
	[ZYDIS_MNEMONIC_STOSW] = "stos",
	[ZYDIS_MNEMONIC_STOSD] = "stos",
	[ZYDIS_MNEMONIC_STOSQ] = "stos",
	[ZYDIS_MNEMONIC_LODSB] = "lods",
	[ZYDIS_MNEMONIC_LODSW] = "lods",
	[ZYDIS_MNEMONIC_LODSD] = "lods",
	[ZYDIS_MNEMONIC_LODSQ] = "lods",
	[ZYDIS_MNEMONIC_SCASB] = "scas",
	[ZYDIS_MNEMONIC_SCASW] = "scas",
	[ZYDIS_MNEMONIC_SCASD] = "scas",
	[ZYDIS_MNEMONIC_SCASQ] = "scas",
	[ZYDIS_MNEMONIC_INSD] = "insl",
	[ZYDIS_MNEMONIC_OUTSD] = "outsl",
	[ZYDIS_MNEMONIC_IRETD] = "iret",
	[ZYDIS_MNEMONIC_XCRYPT_ECB] = "xcrypt-ecb",
	[ZYDIS_MNEMONIC_XCRYPT_CBC] = "xcrypt-cbc",
	[ZYDIS_MNEMONIC_XCRYPT_CTR] = "xcrypt-ctr",
	[ZYDIS_MNEMONIC_XCRYPT_CFB] = "xcrypt-cfb",
	[ZYDIS_MNEMONIC_XCRYPT_OFB] = "xcrypt-ofb",
	[ZYDIS_MNEMONIC_XSTORE] = "xstore-rng",
};

static const char *const predicate[] = {
	"eq",    "lt",     "le",     "unord",    "neq",    "nlt",    "nle",    "ord",
	"eq_uq", "nge",    "ngt",    "false",    "neq_oq", "ge",     "gt",     "true",
	"eq_os", "lt_oq",  "le_oq",  "unord_s",  "neq_us", "nlt_uq", "nle_uq", "ord_s",
	"eq_us", "nge_uq", "ngt_uq", "false_os", "neq_os", "ge_oq",  "gt_oq",  "true_us",
};

/* Returns the explicit memory operand, or NULL. */
static const ZydisDecodedOperand *memory_operand(const struct x86_insn *x)
{
	for (size_t i = 0; i < x->in.operand_count_visible; i++)
		if (x->op[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
			return &x->op[i];
	return NULL;
}

bool x86_name_is_string(const struct x86_insn *x)
{
	return x->in.meta.category == ZYDIS_CATEGORY_STRINGOP ||
	       x->in.meta.category == ZYDIS_CATEGORY_IOSTRINGOP;
}

static const char *suffix_of(unsigned bits)
{
	return bits == 8    ? "b"
	       : bits == 16 ? "w"
	       : bits == 32 ? "l"
	       : bits == 64 ? "q"
	                    : "";
}

/*
 * Returns true if the name needs a size suffix, because only the memory operand determines the
 * size.
 */
static bool needs_suffix(const struct x86_insn *x)
{
	if (!memory_operand(x) || x->in.encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
		return false;
	switch (x->in.meta.category) {
	case ZYDIS_CATEGORY_BINARY:
	case ZYDIS_CATEGORY_LOGICAL:
	case ZYDIS_CATEGORY_SHIFT:
	case ZYDIS_CATEGORY_ROTATE:
	case ZYDIS_CATEGORY_DATAXFER:
	case ZYDIS_CATEGORY_BITBYTE:
	case ZYDIS_CATEGORY_WIDENOP:
	case ZYDIS_CATEGORY_NOP:
		break;
	default:
		return false;
	}
	for (size_t i = 0; i < x->in.operand_count_visible; i++)
		if (x->op[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    x->op[i].visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT &&
		    x->in.meta.category != ZYDIS_CATEGORY_WIDENOP &&
		    x->in.meta.category != ZYDIS_CATEGORY_NOP)
			return false;
	return true;
}

static bool immediate_of(const struct x86_insn *x, uint64_t *value)
{
	for (size_t i = 0; i < x->in.operand_count_visible; i++)
		if (x->op[i].type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
			*value = x->op[i].imm.value.u;
			return true;
		}
	return false;
}

/*
 * Adds a name with a comparison: "cmpps" with the immediate 1 is "cmpltps", and "vpcmpud" with 1
 * is "vpcmpltud".
 */
static bool add_comparison(const struct x86_insn *x, struct str name, uint64_t value,
                           struct asm_text *t)
{
	size_t head = str_starts(name, STR("vpcmp"))  ? 5
	              : str_starts(name, STR("vcmp")) ? 4
	              : str_starts(name, STR("cmp"))  ? 3
	                                              : 0;
	size_t many = head == 4 ? 32 : head == 3 ? 8 : head == 5 ? 7 : 0;

	if (!head || value >= many || x86_name_is_string(x) ||
	    (head == 5 && value == 3) ||
	    (head == 3 && x->in.mnemonic == ZYDIS_MNEMONIC_CMP))
		return false;
	asm_text_add(t, "%.*s%s%s", (int)head, name.p, predicate[value], name.p + head);
	return true;
}

/*
 * Adds a name that contains the selected half of each operand: "pclmulqdq" with the immediate 0x11
 * is "pclmulhqhqdq".
 */
static bool add_carryless(struct str name, uint64_t value, struct asm_text *t)
{
	if (!str_ends(name, STR("pclmulqdq")) || (value & ~(uint64_t)0x11))
		return false;
	asm_text_add(t, "%.*s%sq%sqdq", (int)(name.n - 3), name.p, value & 1 ? "h" : "l",
	             value & 0x10 ? "h" : "l");
	return true;
}

/* Adds a name that expresses the immediate operand. */
static bool add_with_immediate(const struct x86_insn *x, struct str name,
                               struct asm_text *t)
{
	uint64_t value;

	if (!immediate_of(x, &value))
		return false;
	switch (x->in.mnemonic) {
	case ZYDIS_MNEMONIC_VPCMPESTRI:
	case ZYDIS_MNEMONIC_VPCMPESTRM:
	case ZYDIS_MNEMONIC_VPCMPISTRI:
	case ZYDIS_MNEMONIC_VPCMPISTRM:
		return false;
	default:
		return add_comparison(x, name, value, t) || add_carryless(name, value, t);
	}
}

/*
 * Adds an x87 name.  "fildll" loads a 64-bit integer, and "fldl" a 64-bit floating-point number.
 */
static void add_x87(const struct x86_insn *x, const char *name, struct asm_text *t)
{
	const ZydisDecodedOperand *m = memory_operand(x);
	bool integer = m && (m->element_type == ZYDIS_ELEMENT_TYPE_INT ||
	                     m->element_type == ZYDIS_ELEMENT_TYPE_UINT);

	/*
	 * AT&T syntax exchanges the names of these instructions if the destination is not
	 * %st(0).
	 */
	if (!m && x->op[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	    x->op[0].reg.value != ZYDIS_REGISTER_ST0)
		switch (x->in.mnemonic) {
		case ZYDIS_MNEMONIC_FSUB:
			name = "fsubr";
			break;
		case ZYDIS_MNEMONIC_FSUBR:
			name = "fsub";
			break;
		case ZYDIS_MNEMONIC_FSUBP:
			name = "fsubrp";
			break;
		case ZYDIS_MNEMONIC_FSUBRP:
			name = "fsubp";
			break;
		case ZYDIS_MNEMONIC_FDIV:
			name = "fdivr";
			break;
		case ZYDIS_MNEMONIC_FDIVR:
			name = "fdiv";
			break;
		case ZYDIS_MNEMONIC_FDIVP:
			name = "fdivrp";
			break;
		case ZYDIS_MNEMONIC_FDIVRP:
			name = "fdivp";
			break;
		default:
			break;
		}
	asm_text_word(t, name);
	if (!m || m->element_type == ZYDIS_ELEMENT_TYPE_STRUCT)
		return;
	switch (x->in.mnemonic) {
	case ZYDIS_MNEMONIC_FLDCW:
	case ZYDIS_MNEMONIC_FNSTCW:
	case ZYDIS_MNEMONIC_FNSTSW:
	case ZYDIS_MNEMONIC_FBLD:
	case ZYDIS_MNEMONIC_FBSTP:
	case ZYDIS_MNEMONIC_FLDENV:
	case ZYDIS_MNEMONIC_FNSTENV:
	case ZYDIS_MNEMONIC_FNSAVE:
	case ZYDIS_MNEMONIC_FRSTOR:
		return;
	default:
		break;
	}
	if (integer)
		asm_text_word(t, m->size == 16 ? "s" : m->size == 32 ? "l" : "ll");
	else
		asm_text_word(t, m->size == 32 ? "s" : m->size == 64 ? "l" : "t");
}

/* Adds a name like "movsbl".  Its suffixes are the sizes of the source and the destination. */
static void add_extension(const struct x86_insn *x, const char *name, struct asm_text *t)
{
	if (x->op[1].size == x->op[0].size)
		asm_text_str(t, STR("movsxd"));
	else {
		asm_text_str(t, (struct str){ name, 4 });
		asm_text_word(t, suffix_of(x->op[1].size));
		asm_text_word(t, suffix_of(x->op[0].size));
	}
}

static bool is_far(const struct x86_insn *x)
{
	return x->in.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR;
}

/*
 * Adds the vector length to the names of conversions to a narrower vector, because a memory
 * operand does not determine this length.
 */
static void add_vector_length(const struct x86_insn *x, struct asm_text *t)
{
	switch (x->in.mnemonic) {
	case ZYDIS_MNEMONIC_VCVTPD2PS:
	case ZYDIS_MNEMONIC_VCVTPD2DQ:
	case ZYDIS_MNEMONIC_VCVTTPD2DQ:
	case ZYDIS_MNEMONIC_VCVTPD2UDQ:
	case ZYDIS_MNEMONIC_VCVTTPD2UDQ:
	case ZYDIS_MNEMONIC_VCVTQQ2PS:
	case ZYDIS_MNEMONIC_VCVTUQQ2PS:
	case ZYDIS_MNEMONIC_VCVTPS2PHX:
	case ZYDIS_MNEMONIC_VCVTDQ2PH:
	case ZYDIS_MNEMONIC_VCVTUDQ2PH:
	case ZYDIS_MNEMONIC_VCVTNEPS2BF16:
		if (memory_operand(x) && x->in.avx.vector_length < 512)
			asm_text_word(t, x->in.avx.vector_length == 128 ? "x" : "y");
		break;
	case ZYDIS_MNEMONIC_VFPCLASSPS:
	case ZYDIS_MNEMONIC_VFPCLASSPD:
	case ZYDIS_MNEMONIC_VFPCLASSPH:
	case ZYDIS_MNEMONIC_VCVTPD2PH:
	case ZYDIS_MNEMONIC_VCVTQQ2PH:
	case ZYDIS_MNEMONIC_VCVTUQQ2PH:
		if (memory_operand(x))
			asm_text_word(t, x->in.avx.vector_length == 128   ? "x"
			                 : x->in.avx.vector_length == 256 ? "y"
			                                                  : "z");
		break;
	default:
		break;
	}
}

static bool is_absolute(const struct x86_insn *x)
{
	return x->in.mnemonic == ZYDIS_MNEMONIC_MOV &&
	       (x->in.raw.disp.size == 64 || x->in.raw.imm[0].size == 64);
}

static const char *branch_hint(const struct x86_insn *x)
{
	for (size_t i = x->in.raw.prefix_count; i-- > 0;)
		if (x->in.raw.prefixes[i].value == 0x2e)
			return ",pn";
		else if (x->in.raw.prefixes[i].value == 0x3e)
			return ",pt";
	return "";
}

/*
 * Returns true if VEX can encode an instruction that uses EVEX.  The registers 16 to 31, masks,
 * broadcasts, rounding and 512 bits need EVEX.
 */
static bool has_vex_form(const struct x86_insn *x)
{
	const ZydisDecodedInstructionRawEvex *evex = &x->in.raw.evex;
	unsigned char code[ZYDIS_MAX_INSTRUCTION_LENGTH];
	ZyanUSize size = sizeof(code);
	ZydisEncoderRequest form;
	size_t n = 0;

	if (evex->b || evex->aaa || evex->L2 ||
	    !ZYAN_SUCCESS(ZydisEncoderDecodedInstructionToEncoderRequest(
	            &x->in, x->op, x->in.operand_count_visible, &form)))
		return false;
	for (size_t i = 0; i < form.operand_count; i++) {
		if (x->op[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    ZydisRegisterGetId(x->op[i].reg.value) >= 16)
			return false;
		if (x->op[i].encoding != ZYDIS_OPERAND_ENCODING_MASK)
			form.operands[n++] = form.operands[i];
	}
	/* objdump prints the prefix, although only vpermps has a VEX form without an immediate. */
	if (form.mnemonic == ZYDIS_MNEMONIC_VPERMPD &&
	    form.operands[n - 1].type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
		form.mnemonic = ZYDIS_MNEMONIC_VPERMPS;
	form.operand_count = (ZyanU8)n;
	form.allowed_encodings = ZYDIS_ENCODABLE_ENCODING_VEX;
	return ZYAN_SUCCESS(ZydisEncoderEncodeInstruction(&form, code, &size));
}

/*
 * Returns the prefix that objdump prints for the encoding, or "".  An EVEX instruction with a
 * VEX form has "{evex} ".  If the EVEX form is older than the VEX form, only the VEX form has a
 * prefix, "{vex} ".  Shifts by a vector have no prefix.
 */
static const char *encoding(const struct x86_insn *x, struct str name)
{
	bool older = str_starts(name, STR("vpdp")) || str_starts(name, STR("vpmadd52"));

	if (x->in.encoding == ZYDIS_INSTRUCTION_ENCODING_VEX)
		return older ? "{vex} " : "";
	if (x->in.encoding != ZYDIS_INSTRUCTION_ENCODING_EVEX || older)
		return "";
	switch (x->in.mnemonic) {
	case ZYDIS_MNEMONIC_VPSLLVD:
	case ZYDIS_MNEMONIC_VPSLLVQ:
	case ZYDIS_MNEMONIC_VPSRAVD:
	case ZYDIS_MNEMONIC_VPSRLVD:
	case ZYDIS_MNEMONIC_VPSRLVQ:
		return "";
	default:
		return has_vex_form(x) ? "{evex} " : "";
	}
}

static void add_mnemonic(const struct x86_insn *x, const char *name, struct asm_text *t)
{
	const ZydisDecodedOperand *m = memory_operand(x);
	const char *other = renamed[x->in.mnemonic];

	switch (x->in.mnemonic) {
	case ZYDIS_MNEMONIC_MOVSX:
	case ZYDIS_MNEMONIC_MOVZX:
	case ZYDIS_MNEMONIC_MOVSXD:
		add_extension(x, name, t);
		return;
	case ZYDIS_MNEMONIC_MOVSD:
	case ZYDIS_MNEMONIC_CMPSD:
		asm_text_add(t, "%.4s%s", name, x86_name_is_string(x) ? "l" : "d");
		return;
	case ZYDIS_MNEMONIC_CRC32:
		asm_text_add(t, "crc32%s", m ? suffix_of(m->size) : "");
		return;
	case ZYDIS_MNEMONIC_XLAT:
		asm_text_str(t, STR("xlat   %ds:(%rbx)"));
		return;
	case ZYDIS_MNEMONIC_PUSH:
		asm_text_word(t, name);
		if (!m && x->op[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
		    x->in.operand_width == 16)
			asm_text_str(t, STR("w"));
		return;
	case ZYDIS_MNEMONIC_SYSRET:
	case ZYDIS_MNEMONIC_SYSEXIT:
		asm_text_add(t, "%s%s", name, x->in.operand_width == 64 ? "q" : "l");
		return;
	case ZYDIS_MNEMONIC_NOP:
		if (!m && x->in.operand_width == 16) {
			asm_text_str(t, STR("xchg   %ax,%ax"));
			return;
		}
		break;
	case ZYDIS_MNEMONIC_CVTSI2SS:
	case ZYDIS_MNEMONIC_CVTSI2SD:
	case ZYDIS_MNEMONIC_VCVTSI2SS:
	case ZYDIS_MNEMONIC_VCVTSI2SD:
	case ZYDIS_MNEMONIC_VCVTUSI2SS:
	case ZYDIS_MNEMONIC_VCVTUSI2SD:
	case ZYDIS_MNEMONIC_VCVTSI2SH:
	case ZYDIS_MNEMONIC_VCVTUSI2SH:
	case ZYDIS_MNEMONIC_PTWRITE:
		asm_text_add(t, "%s%s", name, m ? suffix_of(m->size) : "");
		return;
	default:
		break;
	}
	if (x->in.meta.category == ZYDIS_CATEGORY_X87_ALU) {
		add_x87(x, name, t);
		return;
	}
	if (x->in.meta.category == ZYDIS_CATEGORY_COND_BR) {
		asm_text_word(t, other ? other : name);
		asm_text_word(t, branch_hint(x));
		return;
	}
	if (is_far(x) && !other && name[0] != 'i')
		asm_text_str(t, STR("l"));
	asm_text_word(t, is_absolute(x) ? "movabs" : other ? other : name);
	if (!is_absolute(x) && needs_suffix(x))
		asm_text_word(t, suffix_of(m->size));
	add_vector_length(x, t);
}

/* Returns true if the prefix 66 selects the operand size or is part of the opcode. */
static bool uses_operand_prefix(const struct x86_insn *x, bool mandatory)
{
	if (mandatory)
		return true;
	if (x->in.encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
		return false;
	return x->in.operand_width == 16 && x->in.meta.category != ZYDIS_CATEGORY_COND_BR;
}

static const char *segment_prefix(unsigned byte)
{
	static const char *const names[] = {
		[0x26] = "es", [0x2e] = "cs", [0x36] = "ss",
		[0x3e] = "ds", [0x64] = "fs", [0x65] = "gs",
	};

	return byte < sizeof(names) / sizeof(*names) ? names[byte] : NULL;
}

/* Returns the name of a repeat prefix or lock elision prefix, or NULL. */
static const char *repeat_prefix(const struct x86_insn *x, unsigned byte)
{
	ZydisInstructionAttributes has = x->in.attributes;

	if (has & ZYDIS_ATTRIB_HAS_XACQUIRE)
		return "xacquire";
	if (has & ZYDIS_ATTRIB_HAS_XRELEASE)
		return "xrelease";
	if (has & ZYDIS_ATTRIB_HAS_BND)
		return "bnd";
	if (has & ZYDIS_ATTRIB_HAS_REP && x86_name_is_string(x))
		return "rep";
	return byte == 0xf3 ? "repz" : "repnz";
}

static void add_segment_prefix(const struct x86_insn *x, unsigned byte,
                               struct asm_text *t)
{
	const ZydisDecodedOperand *m = memory_operand(x);
	const char *name = segment_prefix(byte);

	if (x->in.attributes & ZYDIS_ATTRIB_HAS_NOTRACK && byte == 0x3e)
		name = "notrack";
	else if (x->in.meta.category == ZYDIS_CATEGORY_COND_BR &&
	         (byte == 0x2e || byte == 0x3e))
		return;
	else if (m && ((byte == 0x64 && m->mem.segment == ZYDIS_REGISTER_FS) ||
	               (byte == 0x65 && m->mem.segment == ZYDIS_REGISTER_GS)))
		return;
	asm_text_add(t, "%s ", name);
}

static bool ignores_rex_w(const struct x86_insn *x)
{
	switch (x->in.meta.category) {
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_PUSH:
	case ZYDIS_CATEGORY_POP:
		return true;
	case ZYDIS_CATEGORY_NOP:
		return !memory_operand(x);
	case ZYDIS_CATEGORY_RET:
		return x->in.meta.branch_type == ZYDIS_BRANCH_TYPE_NEAR;
	default:
		return false;
	}
}

/*
 * Returns true if a REX prefix has no effect: no bit is set, and no operand is one of the registers
 * %spl, %bpl, %sil and %dil, which need a prefix.
 */
static bool is_idle(const struct x86_insn *x)
{
	const ZydisDecodedInstructionRawRex *rex = &x->in.raw.rex;

	for (size_t i = 0; i < x->in.operand_count_visible; i++)
		if (x->op[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    x->op[i].reg.value >= ZYDIS_REGISTER_SPL &&
		    x->op[i].reg.value <= ZYDIS_REGISTER_DIL)
			return false;
	return !(rex->W | rex->R | rex->X | rex->B);
}

static void add_rex(const struct x86_insn *x, struct asm_text *t)
{
	const ZydisDecodedInstructionRawRex *rex = &x->in.raw.rex;

	if (x->in.raw.imm[0].is_relative || is_idle(x) || (rex->W && ignores_rex_w(x)))
		asm_text_add(t, "rex%s%s%s%s%s ",
		             rex->W | rex->R | rex->X | rex->B ? "." : "",
		             rex->W ? "W" : "", rex->R ? "R" : "", rex->X ? "X" : "",
		             rex->B ? "B" : "");
}

/* Returns true if prefix i is printed, because it is not part of the opcode. */
static bool repeats(const struct x86_insn *x, size_t i)
{
	return x->in.raw.prefixes[i].type != ZYDIS_PREFIX_TYPE_MANDATORY ||
	       x86_name_is_string(x) ||
	       (x->in.meta.category == ZYDIS_CATEGORY_PADLOCK &&
	        x->in.mnemonic != ZYDIS_MNEMONIC_XSTORE);
}

/* Adds the names of prefixes without effect, in the order of the bytes. */
static void add_prefixes(const struct x86_insn *x, struct asm_text *t)
{
	bool used = false, mandatory = false;

	for (size_t i = x->in.raw.prefix_count; i-- > 0;)
		if (x->in.raw.prefixes[i].value == PREFIX_OPERAND &&
		    x->in.raw.prefixes[i].type == ZYDIS_PREFIX_TYPE_MANDATORY)
			mandatory = true;
	used = uses_operand_prefix(x, mandatory);
	for (size_t i = 0, n = x->in.raw.prefix_count; i < n; i++) {
		unsigned byte = x->in.raw.prefixes[i].value;
		bool last = true;

		for (size_t k = i + 1; k < n; k++)
			last &= x->in.raw.prefixes[k].value != byte;
		if (segment_prefix(byte))
			add_segment_prefix(x, byte, t);
		else if (byte == PREFIX_OPERAND && !(used && last))
			asm_text_str(t, STR("data16 "));
		else if (byte == PREFIX_ADDRESS && !memory_operand(x))
			asm_text_str(t, STR("addr32 "));
		else if (byte == 0xf0)
			asm_text_str(t, STR("lock "));
		else if ((byte == 0xf2 || byte == 0xf3) && repeats(x, i))
			asm_text_add(t, "%s ", repeat_prefix(x, byte));
	}
	if (x->in.attributes & ZYDIS_ATTRIB_HAS_REX)
		add_rex(x, t);
}

bool x86_name(const struct x86_insn *x, struct asm_text *t)
{
	const ZydisShortString *known = ZydisMnemonicGetStringWrapped(x->in.mnemonic);
	struct str name =
	        x->name ? str_of(x->name) : (struct str){ known->data, known->size };

	add_prefixes(x, t);
	asm_text_word(t, encoding(x, name));
	if (add_with_immediate(x, name, t))
		return false;
	add_mnemonic(x, name.p, t);
	return true;
}
