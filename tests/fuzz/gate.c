/* Any bytes as a condition of --fail-if, and as a name that it is asked about. */
#include <stdint.h>
#include <stdlib.h>

#include "compare/gate.h"
#include "compare/stable.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = { (const char *)data, size }, name;
	struct diag diag = { .prog = "fuzz" };
	struct arena a = { 0 };
	struct gate gate;

	name = str_cut(&rest, '\n');
	rest = arena_str(&a, rest);
	if (gate_parse(&gate, rest, &diag) == 0) {
		gate_takes(&gate, name, &a);
		if (gate.limit != gate.limit)
			abort();
	}
	if (stable_name(name, &a).n > name.n)
		abort();
	gate_close(&gate);
	arena_release(&a);
	return 0;
}
