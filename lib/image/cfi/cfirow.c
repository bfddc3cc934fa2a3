/*
 * DWARF 5 section 6.4.2.  readelf --debug-dump=frames:
 *
 *	DW_CFA_advance_loc: 1 to 0000000000001131
 *	DW_CFA_def_cfa_offset: 16
 *	DW_CFA_offset: r6 (rbp) at cfa-16
 *
 * Each instruction has at least a byte, so a program ends; how long one may be is
 * bounded, as it is run for each address that is met in its function.
 */
#include "image/cfi/cfirow.h"

enum {
	PROGRAM_MAX =
	        1 << 17, /* bytes; the longest in a large C++ program have thousands */
	DEPTH_MAX = 64,  /* states remembered at once; compilers need two */
};

/* DW_CFA_*: the first three have an operand in their low six bits. */
enum {
	ADVANCE_LOC = 1,
	OFFSET = 2,
	RESTORE = 3,

	NOP = 0x00,
	SET_LOC = 0x01,
	ADVANCE_LOC1 = 0x02,
	ADVANCE_LOC2 = 0x03,
	ADVANCE_LOC4 = 0x04,
	OFFSET_EXTENDED = 0x05,
	RESTORE_EXTENDED = 0x06,
	UNDEFINED = 0x07,
	SAME_VALUE = 0x08,
	REGISTER = 0x09,
	REMEMBER_STATE = 0x0a,
	RESTORE_STATE = 0x0b,
	DEF_CFA = 0x0c,
	DEF_CFA_REGISTER = 0x0d,
	DEF_CFA_OFFSET = 0x0e,
	DEF_CFA_EXPRESSION = 0x0f,
	EXPRESSION = 0x10,
	OFFSET_EXTENDED_SF = 0x11,
	DEF_CFA_SF = 0x12,
	DEF_CFA_OFFSET_SF = 0x13,
	VAL_OFFSET = 0x14,
	VAL_OFFSET_SF = 0x15,
	VAL_EXPRESSION = 0x16,
	NEGATE_RA_STATE_WITH_PC = 0x2c, /* arm64 */
	NEGATE_RA_STATE = 0x2d,         /* arm64; elsewhere SPARC's window_save */
	GNU_ARGS_SIZE = 0x2e,
	GNU_NEGATIVE_OFFSET_EXTENDED = 0x2f,
};

struct state {
	struct cfi_rule rule[CFI_REGS];
	uint64_t cfa_reg;
	int64_t cfa_off;
	struct str cfa_expr;
	bool signed_ra;
};

struct run {
	const struct cfi_program *p;
	struct cursor c;
	struct state now, initial;
	struct state *saved; /* remembered, in scratch */
	size_t depth, cap;
	struct arena scratch;
	uint64_t va; /* where the next instruction applies */
};

/* DW_EH_PE_*: the form in the low four bits, what it counts from in the next three. */
uint64_t cfirow_pointer(struct cursor *c, uint8_t encoding, const struct cfi_pointers *at)
{
	uint64_t here = at->va + (uint64_t)(c->p - at->section.p), v = 0;

	if (encoding == POINTER_OMIT)
		return 0;
	switch (encoding & POINTER_FORM) {
	case 0x0:
		v = at->word == 8 ? cur_u64(c) : cur_u32(c);
		break;
	case 0x1:
		v = cur_uleb(c);
		break;
	case 0x2:
		v = cur_u16(c);
		break;
	case 0x3:
		v = cur_u32(c);
		break;
	case 0x9:
		v = (uint64_t)cur_sleb(c);
		break;
	case 0xa:
		v = (uint64_t)(int16_t)cur_u16(c);
		break;
	case 0xb:
		v = (uint64_t)(int32_t)cur_u32(c);
		break;
	case 0x4:
	case 0xc:
		v = cur_u64(c);
		break;
	default:
		c->bad = true;
	}
	switch (encoding & 0x70) {
	case 0x10:
		v += here;
		break;
	case 0x30:
		v += at->data;
		break;
	default:
		break;
	}
	return at->word == 8 ? v : (uint32_t)v;
}

static struct str block(struct run *r)
{
	uint64_t n = cur_uleb(&r->c);
	const char *p = cur_take(&r->c, n);

	return (struct str){ p, p ? n : 0 };
}

/* Floating point and vector registers are not followed. */
static void set(struct run *r, uint64_t reg, enum cfi_how how, int64_t n)
{
	if (reg < CFI_REGS)
		r->now.rule[reg] = (struct cfi_rule){ .how = (uint8_t)how, .n = n };
}

static void set_expr(struct run *r, uint64_t reg, enum cfi_how how)
{
	struct str expr = block(r);

	if (reg < CFI_REGS)
		r->now.rule[reg] = (struct cfi_rule){ .how = (uint8_t)how, .expr = expr };
}

/* Numbers are multiplied as the processor does: what is too large is wrong anyway. */
static int64_t factored(const struct run *r, uint64_t n)
{
	return (int64_t)(n * (uint64_t)r->p->data_align);
}

static void restore(struct run *r, uint64_t reg)
{
	if (reg < CFI_REGS)
		r->now.rule[reg] = r->initial.rule[reg];
}

static void remember(struct run *r)
{
	if (r->depth == DEPTH_MAX) {
		r->c.bad = true;
		return;
	}
	r->saved = arena_grow(&r->scratch, r->saved, &r->cap, r->depth + 1,
	                      sizeof(*r->saved));
	r->saved[r->depth++] = r->now;
}

static void recall(struct run *r)
{
	if (r->depth)
		r->now = r->saved[--r->depth];
	else
		r->c.bad = true;
}

static void define_cfa(struct run *r, uint64_t reg, int64_t off)
{
	r->now.cfa_reg = reg;
	r->now.cfa_off = off;
	r->now.cfa_expr = (struct str){ 0 };
}

static void advance(struct run *r, uint64_t n)
{
	r->va += n * r->p->code_align;
}

/* Instructions that say where the CFA is; false: it is none of them. */
static bool step_cfa(struct run *r, uint8_t op)
{
	struct state *s = &r->now;
	uint64_t reg;

	switch (op) {
	case DEF_CFA:
		reg = cur_uleb(&r->c);
		define_cfa(r, reg, (int64_t)cur_uleb(&r->c));
		return true;
	case DEF_CFA_SF:
		reg = cur_uleb(&r->c);
		define_cfa(r, reg, factored(r, (uint64_t)cur_sleb(&r->c)));
		return true;
	case DEF_CFA_REGISTER:
		define_cfa(r, cur_uleb(&r->c), s->cfa_off);
		return true;
	case DEF_CFA_OFFSET:
		define_cfa(r, s->cfa_reg, (int64_t)cur_uleb(&r->c));
		return true;
	case DEF_CFA_OFFSET_SF:
		define_cfa(r, s->cfa_reg, factored(r, (uint64_t)cur_sleb(&r->c)));
		return true;
	case DEF_CFA_EXPRESSION:
		s->cfa_expr = block(r);
		return true;
	default:
		return false;
	}
}

/* Instructions that say where a register is; false: it is none of them. */
static bool step_register(struct run *r, uint8_t op)
{
	uint64_t reg = cur_uleb(&r->c);

	switch (op) {
	case OFFSET_EXTENDED:
		set(r, reg, CFI_SAVED, factored(r, cur_uleb(&r->c)));
		return true;
	case OFFSET_EXTENDED_SF:
		set(r, reg, CFI_SAVED, factored(r, (uint64_t)cur_sleb(&r->c)));
		return true;
	case GNU_NEGATIVE_OFFSET_EXTENDED:
		set(r, reg, CFI_SAVED, factored(r, -cur_uleb(&r->c)));
		return true;
	case VAL_OFFSET:
		set(r, reg, CFI_IS, factored(r, cur_uleb(&r->c)));
		return true;
	case VAL_OFFSET_SF:
		set(r, reg, CFI_IS, factored(r, (uint64_t)cur_sleb(&r->c)));
		return true;
	case RESTORE_EXTENDED:
		restore(r, reg);
		return true;
	case UNDEFINED:
		set(r, reg, CFI_UNDEFINED, 0);
		return true;
	case SAME_VALUE:
		set(r, reg, CFI_SAME, 0);
		return true;
	case REGISTER:
		set(r, reg, CFI_MOVED, (int64_t)cur_uleb(&r->c));
		return true;
	case EXPRESSION:
		set_expr(r, reg, CFI_SAVED_EXPR);
		return true;
	case VAL_EXPRESSION:
		set_expr(r, reg, CFI_IS_EXPR);
		return true;
	default:
		return false;
	}
}

static void step_other(struct run *r, uint8_t op)
{
	switch (op) {
	case NOP:
		return;
	case SET_LOC:
		r->va = cfirow_pointer(&r->c, r->p->encoding, &r->p->at);
		return;
	case ADVANCE_LOC1:
		advance(r, cur_u8(&r->c));
		return;
	case ADVANCE_LOC2:
		advance(r, cur_u16(&r->c));
		return;
	case ADVANCE_LOC4:
		advance(r, cur_u32(&r->c));
		return;
	case REMEMBER_STATE:
		remember(r);
		return;
	case RESTORE_STATE:
		recall(r);
		return;
	case NEGATE_RA_STATE:
	case NEGATE_RA_STATE_WITH_PC:
		r->now.signed_ra = !r->now.signed_ra;
		r->c.bad |= !r->p->arm64;
		return;
	case GNU_ARGS_SIZE:
		cur_uleb(&r->c);
		return;
	default:
		if (!step_register(r, op))
			r->c.bad = true;
	}
}

static void step(struct run *r)
{
	uint8_t op = cur_u8(&r->c), operand = op & 0x3f;

	switch (op >> 6) {
	case ADVANCE_LOC:
		advance(r, operand);
		return;
	case OFFSET:
		set(r, operand, CFI_SAVED, factored(r, cur_uleb(&r->c)));
		return;
	case RESTORE:
		restore(r, operand);
		return;
	default:
		if (!step_cfa(r, op))
			step_other(r, op);
	}
}

/* Runs what applies to va and everything before it. */
static bool run(struct run *r, struct str program, uint64_t va)
{
	r->c = cur_over(program, r->p->swap);
	r->depth = 0;
	while (!r->c.bad && cur_left(&r->c) && r->va <= va)
		step(r);
	return !r->c.bad;
}

static void keep(const struct state *s, struct arena *a, struct cfi_row *out)
{
	struct cfi_rule *rule;
	uint8_t n = 0;

	for (size_t i = 0; i < CFI_REGS; i++)
		n = (uint8_t)(n + (s->rule[i].how != CFI_SAME));
	out->rule = rule = arena_new(a, struct cfi_rule, n + 1u);
	out->nrules = n;
	for (size_t i = 0; i < CFI_REGS; i++) {
		if (s->rule[i].how == CFI_SAME)
			continue;
		*rule = s->rule[i];
		rule++->reg = (uint8_t)i;
	}
	out->cfa_reg = (uint8_t)s->cfa_reg;
	out->cfa_off = s->cfa_off;
	out->cfa_expr = s->cfa_expr;
	out->signed_ra = s->signed_ra;
}

bool cfirow_run(const struct cfi_program *p, uint64_t va, struct arena *a,
                struct cfi_row *out)
{
	struct run r = { .p = p, .now.cfa_reg = CFI_REGS };
	bool good;

	if (p->common.n > PROGRAM_MAX || p->own.n > PROGRAM_MAX)
		return false;
	good = run(&r, p->common, UINT64_MAX);
	r.initial = r.now;
	r.va = p->start;
	good = good && run(&r, p->own, va);
	good = good && (r.now.cfa_expr.n || r.now.cfa_reg < CFI_REGS);
	if (good)
		keep(&r.now, a, out);
	arena_release(&r.scratch);
	return good;
}
