#include "bind/native/elf_calls.h"

#include "bind/binder.h"
#include "bind/sampled.h"
#include "image/dotnet/assembly.h"

/* Returns true if va is the start of a function, or is in goexit, the root of Go's stacks. */
static bool ends_chain(const struct symtab *symbols, uint64_t va)
{
	const struct symbol *s = symbols ? symtab_find(symbols, va) : NULL;

	return s && (s->base == va || str_starts(s->name, STR("runtime.goexit")));
}

bool elf_calls_count(const struct binder *b, const struct mapping *m, struct item *image,
                     const struct symtab *symbols, uint64_t *shift, struct elf_calls *c)
{
	const struct elf *e = locate_elf(b->locator, image);
	const struct bundle *bundle = assembly_bundle(b->locator, image);
	const struct sampled_address *a = sampled_find(b->sampled, m);
	uint64_t file_off, other;

	if (!elf_place(e, 0, UINT64_MAX, false, shift))
		return false;
	for (; a; a = sampled_next(b->sampled, a)) {
		file_off = a->ip - m->bias;
		if (!a->caller || (bundle && bundle_at(bundle, file_off)))
			continue;
		if (!elf_follows_call(e, file_off) &&
		    ends_chain(symbols, file_off + *shift))
			continue;
		c->all++;
		if (!elf_place(e, file_off - 1, 1, false, &other) || other != *shift)
			continue;
		c->good += elf_follows_call(e, file_off);
		c->last += elf_follows_call(e, file_off + 1);
	}
	return true;
}

size_t elf_calls_inside(const struct binder *b, const struct mapping *m,
                        struct item *image)
{
	const struct elf *e = locate_elf(b->locator, image);
	const struct sampled_address *a = sampled_find(b->sampled, m);
	uint64_t shift;
	size_t n = 0;

	for (; a; a = sampled_next(b->sampled, a))
		n += elf_place(e, a->ip - m->bias, 1, false, &shift);
	return n;
}

bool elf_calls_all(const struct elf_calls *c)
{
	return c->all >= VERIFIED_MIN_CALLS && (c->good == c->all || c->last == c->all);
}

bool elf_calls_refute(const struct elf_calls *c)
{
	size_t good = c->last > c->good ? c->last : c->good;

	return c->all >= VERIFIED_MIN_CALLS &&
	       good * 100 < c->all * VERIFIED_OTHER_PERCENT;
}

bool elf_calls_agree(const struct elf_calls *c, bool given)
{
	/*
	 * If perf unwound the stacks, it prints the last byte of the call instead of the return
	 * address.  So the larger count is used.
	 */
	size_t good = c->last > c->good ? c->last : c->good;

	if (given && good == c->all)
		return good >= VERIFIED_GIVEN_CALLS;
	return c->all >= VERIFIED_MIN_CALLS &&
	       good * 100 >= c->all * VERIFIED_CALLS_PERCENT;
}
