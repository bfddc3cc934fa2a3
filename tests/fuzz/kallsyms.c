/*
 * A saved kallsyms: symbols must ascend, not overlap, and have names inside the bytes.
 */
#include <stdint.h>
#include <stdlib.h>

#include "image/kallsyms.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = { (const char *)data, size };
	struct arena a = { 0 };
	struct kallsyms ks;
	uint64_t end = 0;

	kallsyms_bid(bytes);
	kallsyms_read(&ks, bytes, &a);
	for (size_t i = 0; i < ks.symbols.n; i++) {
		const struct symbol *s = &ks.symbols.sym[i];
		struct str module, name = kallsyms_split(s->name, &module);

		must(s->start >= end && s->end > s->start);
		must(s->name.p >= bytes.p && s->name.p + s->name.n <= bytes.p + bytes.n);
		must(name.n + module.n <= s->name.n);
		must(symtab_find(&ks.symbols, s->start) == s);
		end = s->end;
	}
	kallsyms_has_module(&ks, STR("mod"), 0, UINT64_MAX);
	arena_release(&a);
	return 0;
}
