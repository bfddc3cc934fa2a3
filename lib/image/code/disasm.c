#include "image/code/disasm.h"

#include "image/code/arm64.h"
#include "image/code/x86.h"

enum { SHOWN = 16 }; /* maximum number of printed bytes in a .byte line */

struct disasm {
	struct disasm *next; /* in a list of disasm_find */
	const struct decoder *decoder;
	void *state;
	struct arena *a;
	struct str rest;       /* the code that is not decoded yet */
	uint64_t addr;         /* address of `rest` */
	size_t done;           /* number of decoded bytes */
	const uint64_t *known; /* sorted addresses */
	size_t nknown;
	/* one bit for each byte of the code, set if a decoded branch goes to the byte */
	uint8_t *targets;
	size_t targets_cap;
	struct code_insn last;
	uint64_t pointer; /* the value of the last instruction, if it is a CODE_POINTER */
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

struct disasm *disasm_find(struct disasm **list, unsigned machine, struct arena *a)
{
	struct disasm *d = *list;

	while (d && d->decoder->machine != machine)
		d = d->next;
	if (d)
		return d;
	d = disasm_open(machine, a);
	if (d) {
		d->next = *list;
		*list = d;
	}
	return d;
}

void disasm_start(struct disasm *d, struct str code, uint64_t addr, const uint64_t *known,
                  size_t n)
{
	d->rest = code;
	d->addr = addr;
	d->done = 0;
	d->known = known;
	d->nknown = n;
	arena_fit(d->a, d->targets, code.n / 8 + 1, d->targets_cap);
	memset(d->targets, 0, code.n / 8 + 1);
}

static uint64_t first_known_above(const struct disasm *d)
{
	size_t lo = bisect(d->nknown, i, d->known[i] <= d->addr);

	return lo < d->nknown ? d->known[lo] : UINT64_MAX;
}

static bool is_target(const struct disasm *d, size_t at)
{
	return d->targets[at / 8] >> at % 8 & 1;
}

/*
 * Returns the number of bytes up to the next known address, or up to the end.  len: the most bytes,
 * or 0 if they are unknown.
 */
static size_t resume_after(const struct disasm *d, size_t len)
{
	size_t most = len ? len : d->rest.n, step = d->decoder->step, n = 1;

	if (first_known_above(d) - d->addr < most)
		most = first_known_above(d) - d->addr;
	if (step > 1 && most > step)
		most = step;
	while (n < most && !is_target(d, d->done + n))
		n++;
	return n;
}

static void note_target(struct disasm *d, uint64_t target)
{
	size_t at;

	if (target - d->addr >= d->rest.n)
		return;
	at = d->done + (target - d->addr);
	d->targets[at / 8] |= (uint8_t)(1u << at % 8);
}

/* Returns true if an entry of a jump table is next.  Then d->pointer is its value. */
static bool is_pointer(struct disasm *d)
{
	uint64_t start = d->addr - d->done, size = sizeof(d->pointer);

	if (d->addr % size || d->rest.n < size)
		return false;
	memcpy(&d->pointer, d->rest.p, size);
	return d->pointer && d->pointer - start < d->done + d->rest.n &&
	       first_known_above(d) - d->addr >= size;
}

/* Adds the text of bytes that are not an instruction. */
static void add_bytes(struct disasm *d, const struct code_insn *in)
{
	asm_text_str(&d->text, STR(".byte"));
	asm_text_operands(&d->text);
	for (size_t i = 0; i < in->len && i < SHOWN; i++)
		asm_text_add(&d->text, "%s0x%02x", i ? "," : "", in->bytes[i]);
	if (in->len > SHOWN)
		asm_text_add(&d->text, ",... (%zu bytes)", in->len);
}

bool disasm_next(struct disasm *d, struct code_insn *out)
{
	if (!d->rest.n)
		return false;
	*out = (struct code_insn){ .addr = d->addr, .bytes = (const uint8_t *)d->rest.p };
	if (is_pointer(d)) {
		out->len = sizeof(d->pointer);
		out->kind = CODE_POINTER;
		note_target(d, d->pointer);
	} else if (!d->decoder->decode(d->state, d->rest, out)) {
		out->len = resume_after(d, out->len);
		out->kind = CODE_BAD;
		out->target = 0;
	}
	note_target(d, out->target);
	d->last = *out;
	d->rest = str_from(d->rest, out->len);
	d->addr += out->len;
	d->done += out->len;
	return true;
}

struct str disasm_text(struct disasm *d)
{
	d->text.n = 0;
	if (d->last.kind == CODE_BAD) {
		add_bytes(d, &d->last);
	} else if (d->last.kind == CODE_POINTER) {
		asm_text_str(&d->text, STR(".quad"));
		asm_text_operands(&d->text);
		asm_text_hex(&d->text, d->pointer);
	} else
		d->decoder->print(d->state, &d->last, &d->text);
	return (struct str){ d->text.p, d->text.n };
}

void disasm_close(struct disasm *d)
{
	for (; d; d = d->next)
		if (d->decoder->close)
			d->decoder->close(d->state);
}
