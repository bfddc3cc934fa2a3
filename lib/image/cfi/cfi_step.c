#include "image/cfi/cfi_step.h"

#include <elf.h>

#include "image/cfi/dwarf_expr.h"

#define BIT(reg) ((uint64_t)1 << (reg))

enum {
	/* libunwind accepts a saved frame pointer at most this many bytes above the frame */
	FRAME_POINTER_REACH = 0x4000,
};

static void know(struct cfi_frame *f, unsigned reg, uint64_t value)
{
	f->reg[reg] = value;
	f->known |= BIT(reg);
	f->lost &= ~BIT(reg);
}

static void forget(struct cfi_frame *f, unsigned reg)
{
	f->known &= ~BIT(reg);
	f->lost &= ~BIT(reg);
}

/* Loads a register from memory.  If the word cannot be read, marks the register as lost. */
static void load(struct cfi_frame *f, unsigned reg, const struct cfi_memory *m,
                 uint64_t addr)
{
	uint64_t value;

	forget(f, reg);
	if (!addr)
		return;
	if (m->word(m->ctx, addr, &value) == CFI_WORD)
		know(f, reg, value);
	else
		f->lost |= BIT(reg);
}

static void move(struct cfi_frame *f, unsigned reg, const struct cfi_frame *from,
                 uint64_t n)
{
	forget(f, reg);
	if (n >= CFI_REGS)
		return;
	f->reg[reg] = from->reg[n];
	f->known |= (from->known >> n & 1) << reg;
	f->lost |= (from->lost >> n & 1) << reg;
}

static enum cfi_end find_cfa(const struct cfi_row *row, const struct cfi_memory *m,
                             const struct cfi_frame *f, uint64_t *cfa)
{
	if (row->cfa_expr.n)
		return dwarf_expr_value(row->cfa_expr, 0, f, m, cfa);
	if (!(f->known & BIT(row->cfa_reg)))
		return f->lost & BIT(row->cfa_reg) ? CFI_CUT : CFI_WRONG;
	*cfa = f->reg[row->cfa_reg] + (uint64_t)row->cfa_off;
	return CFI_OK;
}

/* Applies a rule to `f`, the caller.  Expressions use the registers of `old`, the callee. */
static enum cfi_end apply(const struct cfi_rule *r, const struct cfi_memory *m,
                          const struct cfi_frame *old, uint64_t cfa, struct cfi_frame *f)
{
	enum cfi_end end;
	uint64_t v;

	switch (r->how) {
	case CFI_SAVED:
		load(f, r->reg, m, cfa + (uint64_t)r->n);
		return CFI_OK;
	case CFI_IS:
		know(f, r->reg, cfa + (uint64_t)r->n);
		return CFI_OK;
	case CFI_MOVED:
		move(f, r->reg, old, (uint64_t)r->n);
		return CFI_OK;
	case CFI_SAVED_EXPR:
	case CFI_IS_EXPR:
		end = dwarf_expr_value(r->expr, cfa, old, m, &v);
		if (end != CFI_OK)
			return end;
		if (r->how == CFI_IS_EXPR)
			know(f, r->reg, v);
		else
			load(f, r->reg, m, v);
		return CFI_OK;
	default:
		forget(f, r->reg);
		return CFI_OK;
	}
}

/*
 * Reads all registers from a signal frame of arm64.  The kernel stores all registers in the
 * frame, but the unwind rules contain only two of them.  A siginfo of 128 bytes is at sp.  The
 * ucontext follows, and has an mcontext at offset 176: fault address, x0 to x30, sp, pc
 * (arch/arm64/include/uapi/asm/sigcontext.h).
 */
static bool take_context(const struct cfi_memory *m, struct cfi_frame *f)
{
	const uint64_t code = 0xd4000001d2801168; /* mov x8, #139, then svc #0 */
	uint64_t at = f->reg[ARM_SP] + 128 + 176 + 8, word;
	struct cfi_frame was = *f;

	if (m->word(m->ctx, f->ip, &word) != CFI_WORD || word != code)
		return false;
	for (unsigned reg = 0; reg <= ARM_PC; reg++)
		load(f, reg, m, at + reg * (uint64_t)8);
	if (!(f->known & BIT(ARM_PC)) || !(f->known & BIT(ARM_SP))) {
		*f = was;
		return false;
	}
	f->ip = f->reg[ARM_PC];
	f->cfa = f->reg[ARM_SP];
	f->exact = true;
	return true;
}

enum cfi_end cfi_step(const struct cfi_row *row, unsigned machine,
                      const struct cfi_memory *m, struct cfi_frame *f)
{
	unsigned sp = machine == EM_X86_64 ? X86_SP : ARM_SP;
	const struct cfi_frame old = *f;
	enum cfi_end end;
	uint64_t cfa;

	if (row->signal && machine == EM_AARCH64 && take_context(m, f))
		return CFI_OK;
	end = find_cfa(row, m, &old, &cfa);
	if (end != CFI_OK)
		return end;
	know(f, sp, cfa);
	for (size_t i = 0; i < row->nrules && end == CFI_OK; i++)
		end = apply(&row->rule[i], m, &old, cfa, f);
	if (end != CFI_OK)
		return end;
	if (!(f->known & BIT(row->ra)))
		return f->lost & BIT(row->ra) ? CFI_CUT : CFI_DONE;
	/* In the x86-64 ABI, an undefined frame pointer also marks the outermost frame. */
	if (machine == EM_X86_64 && !((f->known | f->lost) & BIT(X86_BP)))
		return CFI_DONE;
	f->ip = f->reg[row->ra];
	f->cfa = cfa;
	f->exact = row->signal;
	return f->ip == old.ip && f->cfa == old.cfa ? CFI_WRONG : CFI_OK;
}

/*
 * Returns true for a PLT stub: jmpq *x(%rip), pushq $n, jmpq.  Linkers do not write an FDE for
 * such stubs.
 */
static bool is_stub(const struct cfi_memory *m, uint64_t ip)
{
	uint64_t a, b;

	return m->word(m->ctx, ip, &a) == CFI_WORD &&
	       m->word(m->ctx, ip + 8, &b) == CFI_WORD && (a & 0xffff) == 0x25ff &&
	       (a >> 48 & 0xff) == 0x68 && (b >> 24 & 0xff) == 0xe9;
}

/*
 * Sets the registers of a caller that was found through the frame pointer.  All other registers
 * become unknown.
 */
static void only(struct cfi_frame *f, uint64_t bp, uint64_t ip, uint64_t cfa)
{
	f->known = f->lost = 0;
	know(f, X86_BP, bp);
	know(f, X86_SP, cfa);
	know(f, X86_IP, ip);
	f->ip = ip;
	f->cfa = cfa;
	f->exact = false;
}

static enum cfi_end guess_x86(const struct cfi_memory *m, bool as_perf,
                              struct cfi_frame *f)
{
	const struct cfi_frame old = *f;
	uint64_t bp = f->reg[X86_BP], next_bp, ip;
	enum cfi_read got;

	if (is_stub(m, f->ip)) {
		load(f, X86_IP, m, f->cfa);
		if (!(f->known & BIT(X86_IP)))
			return CFI_CUT;
		f->cfa += 8;
		know(f, X86_SP, f->cfa);
		f->ip = f->reg[X86_IP];
		f->exact = false;
		return CFI_OK;
	}
	if (!(f->known & BIT(X86_BP)))
		return f->lost & BIT(X86_BP) ? CFI_CUT : CFI_DONE;
	if (!bp || bp < f->cfa || bp - f->cfa > FRAME_POINTER_REACH)
		return CFI_DONE;
	got = m->word(m->ctx, bp, &next_bp);
	if (got != CFI_WORD || m->word(m->ctx, bp + 8, &ip) != CFI_WORD)
		return got == CFI_UNMAPPED ? CFI_DONE : CFI_CUT;
	only(f, next_bp, ip, as_perf ? f->cfa + 16 : bp + 16);
	return f->ip == old.ip && f->cfa == old.cfa ? CFI_WRONG : CFI_OK;
}

static enum cfi_end guess_arm(struct cfi_frame *f)
{
	uint64_t ip = f->reg[ARM_LR];

	if (!f->exact || !(f->known & BIT(ARM_LR)) || !ip)
		return CFI_DONE;
	f->ip = ip;
	f->exact = false;
	forget(f, ARM_LR);
	return CFI_OK;
}

enum cfi_end cfi_step_guess(unsigned machine, const struct cfi_memory *m, bool as_perf,
                            struct cfi_frame *f)
{
	return machine == EM_X86_64 ? guess_x86(m, as_perf, f) : guess_arm(f);
}
