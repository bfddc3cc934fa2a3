/*
 * Call frame information uses few operations.  For PLT stubs, an expression computes the stack
 * depth from the current instruction of the stub.  For signal frames, expressions find the
 * interrupted registers.  readelf prints for a .plt:
 *
 * 	DW_CFA_def_cfa_expression (DW_OP_breg7 (rsp): 8; DW_OP_breg16 (rip): 0;
 * 	  DW_OP_lit15; DW_OP_and; DW_OP_lit10; DW_OP_ge; DW_OP_lit3; DW_OP_shl; DW_OP_plus)
 */
#include "image/cfi/dwarf_expr.h"

#include <dwarf.h>

enum { STACK_MAX = 64, STEPS_MAX = 1000 };

struct eval {
	struct cfi_expr expr;
	size_t next; /* index of the next operation */
	int steps;
	uint64_t stack[STACK_MAX];
	size_t n;
	uint64_t cfa;
	const struct cfi_frame *f;
	const struct cfi_memory *m;
	enum cfi_end end; /* CFI_OK until an operation fails */
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

static uint64_t pick(struct eval *e, uint64_t below_top)
{
	if (below_top >= e->n) {
		fail(e, CFI_WRONG);
		return 0;
	}
	return e->stack[e->n - 1 - below_top];
}

static uint64_t reg_value(struct eval *e, uint64_t reg)
{
	uint64_t bit = reg < CFI_REGS ? (uint64_t)1 << reg : 0;

	if (e->f->known & bit)
		return e->f->reg[reg];
	fail(e, e->f->lost & bit ? CFI_CUT : CFI_WRONG);
	return 0;
}

static void dereference(struct eval *e, uint64_t bytes)
{
	uint64_t v = 0;

	if (!bytes || bytes > 8)
		fail(e, CFI_WRONG);
	else if (e->m->word(e->m->ctx, pop(e), &v) != CFI_WORD)
		fail(e, CFI_CUT);
	push(e, bytes < 8 ? v & (((uint64_t)1 << bytes * 8) - 1) : v);
}

/*
 * Jumps by a number of bytes, counted from the end of the jump instruction, which has three bytes.
 * Each operation that the search for the target skips counts as a step.  libdw inserts two
 * operations that are not in the file.  The DW_OP_call_frame_cfa at the start has offset -1, and
 * the DW_OP_stack_value at the end of a value has the offset of the end.
 */
static void jump(struct eval *e, const Dwarf_Op *from)
{
	const struct cfi_expr *x = &e->expr;
	uint64_t to = from->offset + 3 + from->number;

	for (e->next = 0; e->next < x->n && x->op[e->next].offset != to; e->next++)
		e->steps++;
	if (e->next == x->n || x->op[e->next].atom == DW_OP_call_frame_cfa)
		fail(e, CFI_WRONG);
}

/* Moves the top of the stack below the next n values. */
static void roll(struct eval *e, size_t n)
{
	uint64_t top = pop(e), *at;

	if (e->n < n) {
		fail(e, CFI_WRONG);
		return;
	}
	at = &e->stack[e->n - n];
	memmove(at + 1, at, n * sizeof(*at));
	*at = top;
	e->n++;
}

/* Arithmetic shift of a to the right by n bits.  n must be less than 64. */
static uint64_t shift_signed(uint64_t a, unsigned n)
{
	return a >> 63 ? ~(~a >> n) : a >> n;
}

/*
 * Computes `a op b`.  Results are also defined for division by 0 and for shifts by 64 bits or
 * more.
 */
static uint64_t combine(struct eval *e, uint8_t op, uint64_t a, uint64_t b)
{
	int64_t sa = (int64_t)a, sb = (int64_t)b;

	switch (op) {
	case DW_OP_and:
		return a & b;
	case DW_OP_or:
		return a | b;
	case DW_OP_xor:
		return a ^ b;
	case DW_OP_plus:
		return a + b;
	case DW_OP_minus:
		return a - b;
	case DW_OP_mul:
		return a * b;
	case DW_OP_div:
		return !b ? 0 : sb == -1 ? -a : (uint64_t)(sa / sb);
	case DW_OP_mod:
		return b ? a % b : 0;
	case DW_OP_shl:
		return b < 64 ? a << b : 0;
	case DW_OP_shr:
		return b < 64 ? a >> b : 0;
	case DW_OP_shra:
		return shift_signed(a, b < 64 ? (unsigned)b : 63);
	case DW_OP_eq:
		return a == b;
	case DW_OP_ne:
		return a != b;
	case DW_OP_ge:
		return sa >= sb;
	case DW_OP_gt:
		return sa > sb;
	case DW_OP_le:
		return sa <= sb;
	case DW_OP_lt:
		return sa < sb;
	default:
		fail(e, CFI_WRONG);
		return 0;
	}
}

static void compute(struct eval *e, const Dwarf_Op *op)
{
	uint64_t v;

	switch (op->atom) {
	case DW_OP_abs:
		v = pop(e);
		push(e, (int64_t)v < 0 ? -v : v);
		break;
	case DW_OP_neg:
		push(e, -pop(e));
		break;
	case DW_OP_not:
		push(e, ~pop(e));
		break;
	case DW_OP_plus_uconst:
		push(e, pop(e) + op->number);
		break;
	case DW_OP_deref:
		dereference(e, 8);
		break;
	case DW_OP_deref_size:
		dereference(e, op->number);
		break;
	case DW_OP_skip:
		jump(e, op);
		break;
	case DW_OP_bra:
		if (pop(e))
			jump(e, op);
		break;
	case DW_OP_nop:
	case DW_OP_stack_value:
		break;
	default:
		v = pop(e);
		push(e, combine(e, op->atom, pop(e), v));
	}
}

static void step(struct eval *e)
{
	const Dwarf_Op *op = &e->expr.op[e->next++];

	switch (op->atom) {
	case DW_OP_addr:
	case DW_OP_const1u ... DW_OP_consts:
		push(e, op->number);
		break;
	case DW_OP_lit0 ... DW_OP_lit31:
		push(e, (uint64_t)(op->atom - DW_OP_lit0));
		break;
	case DW_OP_breg0 ... DW_OP_breg31:
		push(e, reg_value(e, (uint64_t)(op->atom - DW_OP_breg0)) + op->number);
		break;
	case DW_OP_bregx:
		push(e, reg_value(e, op->number) + op->number2);
		break;
	case DW_OP_call_frame_cfa:
		push(e, e->cfa);
		break;
	case DW_OP_dup:
		push(e, pick(e, 0));
		break;
	case DW_OP_over:
		push(e, pick(e, 1));
		break;
	case DW_OP_pick:
		push(e, pick(e, op->number));
		break;
	case DW_OP_drop:
		pop(e);
		break;
	case DW_OP_swap:
		roll(e, 1);
		break;
	case DW_OP_rot:
		roll(e, 2);
		break;
	default:
		compute(e, op);
	}
}

enum cfi_end dwarf_expr_value(struct cfi_expr expr, uint64_t cfa,
                              const struct cfi_frame *f, const struct cfi_memory *m,
                              uint64_t *out)
{
	struct eval e = { .expr = expr, .cfa = cfa, .f = f, .m = m };

	while (e.next < expr.n && e.end == CFI_OK) {
		if (e.steps++ >= STEPS_MAX)
			return CFI_WRONG;
		step(&e);
	}
	*out = pop(&e);
	return e.end;
}
