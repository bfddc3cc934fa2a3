/*
 * What call frame information computes is little: stubs of .plt ask how far they have
 * come, signal frames where the interrupted registers were put.  readelf of a .plt:
 *
 *	DW_CFA_def_cfa_expression (DW_OP_breg7 (rsp): 8; DW_OP_breg16 (rip): 0;
 *	  DW_OP_lit15; DW_OP_and; DW_OP_lit10; DW_OP_ge; DW_OP_lit3; DW_OP_shl; DW_OP_plus)
 */
#include "image/cfi/dwarf_expr.h"

#include "base/cursor.h"

enum { STACK_MAX = 64, STEPS_MAX = 1000 };

/* DW_OP_*. */
enum {
	ADDR = 0x03,
	DEREF = 0x06,
	CONST1U = 0x08,
	CONST1S,
	CONST2U,
	CONST2S,
	CONST4U,
	CONST4S,
	CONST8U,
	CONST8S,
	CONSTU,
	CONSTS,
	DUP,
	DROP,
	OVER,
	PICK,
	SWAP,
	ROT,
	ABS = 0x19,
	AND,
	DIV,
	MINUS,
	MOD,
	MUL,
	NEG,
	NOT,
	OR,
	PLUS,
	PLUS_UCONST,
	SHL,
	SHR,
	SHRA,
	XOR,
	BRA,
	EQ,
	GE,
	GT,
	LE,
	LT,
	NE,
	SKIP,
	LIT0 = 0x30,
	REG0 = 0x50,
	BREG0 = 0x70,
	REGX = 0x90,
	BREGX = 0x92,
	DEREF_SIZE = 0x94,
	NOP = 0x96,
};

struct eval {
	struct cursor c;
	struct str expr;
	uint64_t stack[STACK_MAX];
	size_t n;
	const struct cfi_frame *f;
	const struct cfi_memory *m;
	enum cfi_end end; /* OK while it goes well */
};

static void fail(struct eval *e, enum cfi_end why)
{
	if (e->end == CFI_OK)
		e->end = why;
}

static void push(struct eval *e, uint64_t v)
{
	if (e->n == STACK_MAX)
		fail(e, CFI_WRONG);
	else
		e->stack[e->n++] = v;
}

static uint64_t pop(struct eval *e)
{
	if (!e->n) {
		fail(e, CFI_WRONG);
		return 0;
	}
	return e->stack[--e->n];
}

/* The one that stands so far below the top. */
static uint64_t pick(struct eval *e, uint64_t below)
{
	if (below >= e->n) {
		fail(e, CFI_WRONG);
		return 0;
	}
	return e->stack[e->n - 1 - below];
}

static uint64_t reg_value(struct eval *e, uint64_t reg)
{
	uint64_t bit = reg < CFI_REGS ? (uint64_t)1 << reg : 0;

	if (e->f->known & bit)
		return e->f->reg[reg];
	fail(e, e->f->lost & bit ? CFI_CUT : CFI_WRONG);
	return 0;
}

static void dereference(struct eval *e, uint8_t bytes)
{
	uint64_t v = 0;

	if (!bytes || bytes > 8)
		fail(e, CFI_WRONG);
	else if (e->m->word(e->m->ctx, pop(e), &v) != CFI_WORD)
		fail(e, CFI_CUT);
	push(e, bytes < 8 ? v & (((uint64_t)1 << bytes * 8) - 1) : v);
}

static void jump(struct eval *e, int16_t by, bool taken)
{
	int64_t at = (e->c.p - e->expr.p) + by;

	if (!taken)
		return;
	if (at < 0 || (uint64_t)at > e->expr.n)
		fail(e, CFI_WRONG);
	else
		e->c.p = e->expr.p + at;
}

static bool do_constant(struct eval *e, uint8_t op)
{
	struct cursor *c = &e->c;

	switch (op) {
	case CONST1U:
		push(e, cur_u8(c));
		return true;
	case CONST1S:
		push(e, (uint64_t)(int8_t)cur_u8(c));
		return true;
	case CONST2U:
		push(e, cur_u16(c));
		return true;
	case CONST2S:
		push(e, (uint64_t)(int16_t)cur_u16(c));
		return true;
	case CONST4U:
		push(e, cur_u32(c));
		return true;
	case CONST4S:
		push(e, (uint64_t)(int32_t)cur_u32(c));
		return true;
	case ADDR:
	case CONST8U:
	case CONST8S:
		push(e, cur_u64(c));
		return true;
	case CONSTU:
		push(e, cur_uleb(c));
		return true;
	case CONSTS:
		push(e, (uint64_t)cur_sleb(c));
		return true;
	default:
		return false;
	}
}

/* Shifts by more than the word has bits, and division by 0, are no accident. */
static bool do_two(struct eval *e, uint8_t op)
{
	uint64_t b = pick(e, 0), a = pick(e, 1), v;

	switch (op) {
	case AND:
		v = a & b;
		break;
	case OR:
		v = a | b;
		break;
	case XOR:
		v = a ^ b;
		break;
	case PLUS:
		v = a + b;
		break;
	case MINUS:
		v = a - b;
		break;
	case MUL:
		v = a * b;
		break;
	case DIV:
		v = !b ? 0 : b == UINT64_MAX ? -a : (uint64_t)((int64_t)a / (int64_t)b);
		break;
	case MOD:
		v = b ? a % b : 0;
		break;
	case SHL:
		v = b < 64 ? a << b : 0;
		break;
	case SHR:
		v = b < 64 ? a >> b : 0;
		break;
	case SHRA:
		v = b < 64 ? a >> b : 0;
		if (a >> 63)
			v |= b < 64 ? ~(UINT64_MAX >> b) : UINT64_MAX;
		break;
	case EQ:
		v = a == b;
		break;
	case NE:
		v = a != b;
		break;
	case GE:
		v = (int64_t)a >= (int64_t)b;
		break;
	case GT:
		v = (int64_t)a > (int64_t)b;
		break;
	case LE:
		v = (int64_t)a <= (int64_t)b;
		break;
	case LT:
		v = (int64_t)a < (int64_t)b;
		break;
	default:
		return false;
	}
	e->n -= e->n < 2 ? e->n : 2;
	push(e, v);
	return true;
}

static void rotate(struct eval *e)
{
	uint64_t top = pop(e), second = pop(e), third = pop(e);

	push(e, top);
	push(e, third);
	push(e, second);
}

static bool do_stack(struct eval *e, uint8_t op)
{
	uint64_t top;

	switch (op) {
	case DUP:
		push(e, pick(e, 0));
		return true;
	case DROP:
		pop(e);
		return true;
	case OVER:
		push(e, pick(e, 1));
		return true;
	case PICK:
		push(e, pick(e, cur_u8(&e->c)));
		return true;
	case SWAP:
		top = pop(e);
		push(e, pick(e, 0));
		if (e->n > 1)
			e->stack[e->n - 2] = top;
		return true;
	case ROT:
		rotate(e);
		return true;
	default:
		return false;
	}
}

static bool do_one(struct eval *e, uint8_t op)
{
	uint64_t v;

	switch (op) {
	case ABS:
		v = pop(e);
		push(e, (int64_t)v < 0 ? -v : v);
		return true;
	case NEG:
		push(e, -pop(e));
		return true;
	case NOT:
		push(e, ~pop(e));
		return true;
	case PLUS_UCONST:
		v = pop(e);
		push(e, v + cur_uleb(&e->c));
		return true;
	case DEREF:
		dereference(e, 8);
		return true;
	case DEREF_SIZE:
		dereference(e, cur_u8(&e->c));
		return true;
	case NOP:
		return true;
	default:
		return false;
	}
}

static bool do_register(struct eval *e, uint8_t op)
{
	uint64_t reg;

	if (op >= LIT0 && op < REG0) {
		push(e, (uint64_t)(op - LIT0));
		return true;
	}
	if (op == BREGX || (op >= BREG0 && op < REGX)) {
		reg = op == BREGX ? cur_uleb(&e->c) : (uint64_t)(op - BREG0);
		push(e, reg_value(e, reg) + (uint64_t)cur_sleb(&e->c));
		return true;
	}
	return false;
}

static void step(struct eval *e)
{
	uint8_t op = cur_u8(&e->c);
	int16_t by;

	if (op == SKIP || op == BRA) {
		by = (int16_t)cur_u16(&e->c);
		jump(e, by, op == SKIP || pop(e));
		return;
	}
	if (!do_register(e, op) && !do_constant(e, op) && !do_stack(e, op) &&
	    !do_one(e, op) && !do_two(e, op))
		fail(e, CFI_WRONG);
}

enum cfi_end dwarf_expr_value(struct str expr, uint64_t first, const struct cfi_frame *f,
                              const struct cfi_memory *m, uint64_t *out)
{
	struct eval e = { .c = cur_over(expr, false), .expr = expr, .f = f, .m = m };

	push(&e, first);
	for (int i = 0; cur_left(&e.c) && e.end == CFI_OK; i++) {
		if (i == STEPS_MAX)
			return CFI_WRONG;
		step(&e);
		if (e.c.bad)
			return CFI_WRONG;
	}
	*out = pop(&e);
	return e.end;
}
