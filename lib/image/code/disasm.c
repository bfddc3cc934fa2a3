#include "image/code/disasm.h"

#include "image/code/arm64.h"
#include "image/code/x86.h"

enum { SHOWN = 16 }; /* bytes of a .byte line that are printed */

struct disasm {
	const struct decoder *decoder;
	void *state;
	struct arena *a;
	struct str rest; /* the code that was not decoded yet, */
	uint64_t addr;   /* and its address */
	uint64_t end;
	const uint64_t *known; /* sorted addresses */
	size_t nknown;
	uint64_t *target; /* of branches that were decoded, above addr */
	size_t ntargets, targets_cap;
	struct asm_text text;
};

struct disasm *disasm_open(unsigned machine, struct arena *a)
{
	static const struct decoder *const decoders[] = { &x86_decoder, &arm64_decoder };
	struct disasm *d = arena_new(a, struct disasm, 1);

	for (size_t i = 0; i < sizeof(decoders) / sizeof(*decoders); i++)
		if (decoders[i]->machine == machine)
			d->decoder = decoders[i];
	d->a = a;
	d->state = d->decoder ? d->decoder->open(a) : NULL;
	return d->state ? d : NULL;
}

void disasm_start(struct disasm *d, struct str code, uint64_t addr, const uint64_t *known,
                  size_t n)
{
	d->rest = code;
	d->addr = addr;
	d->end = addr + code.n;
	d->known = known;
	d->nknown = n;
	d->ntargets = 0;
}

static uint64_t first_known_above(const struct disasm *d)
{
	size_t lo = 0, hi = d->nknown;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (d->known[mid] <= d->addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < d->nknown ? d->known[lo] : UINT64_MAX;
}

/* Returns the first known address above the current one, or the end of the code. */
static uint64_t resume_at(const struct disasm *d)
{
	uint64_t first = first_known_above(d), step = d->decoder->step;

	for (size_t i = 0; i < d->ntargets; i++)
		if (d->target[i] > d->addr && d->target[i] < first)
			first = d->target[i];
	if (step > 1 && first - d->addr > step)
		first = d->addr + step;
	return first - d->addr < d->rest.n ? first : d->end;
}

static void add_bytes(struct disasm *d, struct code_insn *out)
{
	out->len = resume_at(d) - d->addr;
	out->kind = CODE_BAD;
	out->target = out->data = 0;
	d->text.n = 0;
	asm_text_add(&d->text, ".byte");
	asm_text_operands(&d->text);
	for (size_t i = 0; i < out->len && i < SHOWN; i++)
		asm_text_add(&d->text, "%s0x%02x", i ? "," : "", out->bytes[i]);
	if (out->len > SHOWN)
		asm_text_add(&d->text, ",... (%zu bytes)", out->len);
}

bool disasm_next(struct disasm *d, struct code_insn *out)
{
	if (!d->rest.n)
		return false;
	*out = (struct code_insn){ .addr = d->addr, .bytes = (const uint8_t *)d->rest.p };
	d->text.n = 0;
	if (!d->decoder->decode(d->state, d->rest, out, &d->text))
		add_bytes(d, out);
	if (out->target - d->addr < d->rest.n) {
		d->target = arena_grow(d->a, d->target, &d->targets_cap, d->ntargets + 1,
		                       sizeof(*d->target));
		d->target[d->ntargets++] = out->target;
	}
	out->text = (struct str){ d->text.p, d->text.n };
	d->rest = str_from(d->rest, out->len);
	d->addr += out->len;
	return true;
}

void disasm_close(struct disasm *d)
{
	if (d)
		d->decoder->close(d->state);
}
