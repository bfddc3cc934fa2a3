/*
 * A jitdump: pieces of code ascend in time, every one is found where and when it says,
 * names and lines lie in the file.
 */
#include <stdint.h>
#include <stdlib.h>

#include "image/cfi/cfi.h"
#include "image/jit/jitdump.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ASKED = 2000, UNWOUND = 16 };

static void must(bool holds)
{
	if (!holds)
		abort();
}

static bool holds(const struct jit_code *c, uint64_t ip)
{
	return ip - c->start < c->size;
}

static void ask(const struct jitdump *d, uint64_t ip, uint64_t time_ns)
{
	size_t want = SIZE_MAX, got = SIZE_MAX;

	for (size_t i = 0; i < d->n; i++)
		if (holds(&d->code[i], ip) &&
		    (d->code[i].time_ns <= time_ns || want == SIZE_MAX))
			want = i;
	jitdump_find(d, ip, time_ns, &got);
	must(got == want);
}

/* Rules for the first bytes of the code must be about registers that there are. */
static void unwind(const struct jitdump *d, size_t i, struct arena *a)
{
	uint64_t va = 0;
	struct str eh_frame = jitdump_eh_frame(d, i, &va);
	struct cfi *cfi =
	        eh_frame.p ? cfi_open_frames(eh_frame, va, i % 2 ? d->machine : 0, a)
	                   : NULL;
	struct cfi_row row;

	must(eh_frame.n < d->bytes.n);
	for (uint64_t k = 0; cfi && k < UNWOUND; k++)
		if (cfi_find(cfi, d->code[i].start + k, false, &row) == CFI_FOUND)
			must(row.ra < CFI_REGS && row.nrules <= CFI_REGS);
	cfi_close(cfi);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = { (const char *)data, size };
	struct arena a = { 0 }, names = { 0 };
	struct jitdump d;

	must(jitdump_pid(str_head(bytes, str_find(bytes, 0))) >= -1);
	if (!jitdump_read(&d, bytes, &a)) {
		arena_release(&a);
		return 0;
	}
	must(!d.damaged || (d.damage && d.damage_at < size));
	for (size_t i = 0; i < d.n && i < ASKED; i++) {
		const struct jit_code *c = &d.code[i];
		struct str name = jitdump_name(&d, i, &names), file;
		uint32_t line;

		must(c->size && c->start + c->size > c->start && c->at < size);
		must(!i || c[-1].time_ns <= c->time_ns);
		must(name.n < size && !memchr(name.n ? name.p : "", '\n', name.n));
		ask(&d, c->start, c->time_ns);
		ask(&d, c->start + c->size, 0);
		ask(&d, c->start + c->size - 1, UINT64_MAX);
		jitdump_number(&d, i);
		jitdump_follows_call(&d, i, c->size / 2);
		if (jitdump_line(&d, i, c->start + c->size / 2, &a, &file, &line))
			must(file.p >= bytes.p && file.p + file.n <= bytes.p + size);
		unwind(&d, i, &names);
		arena_release(&names);
	}
	arena_release(&a);
	return 0;
}
