/*
 * Names of methods, a line each, as perf maps have them, and as perf's agent for the
 * JVM writes them: what is made of one is text of bounded length.
 */
#include <stdint.h>
#include <stdlib.h>

#include "bind/native/java_name.h"
#include "bind/dotnet/clr_spelling.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONGEST = 1 << 14 };

static void must(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = { (const char *)data, size };
	struct arena a = { 0 };

	while (rest.n) {
		struct str name = str_cut(&rest, '\n'), out = { 0 }, java;

		must(clr_spelling_untiered(name).n <= name.n);
		must(clr_spelling_assembly(name).n <= name.n);
		if (clr_spelling_convert(name, &a, &out))
			must(out.n && out.n <= LONGEST && out.p[out.n - 1] == ')');
		for (int as_perf = 0; as_perf < 2; as_perf++) {
			java = java_name(name, as_perf, &a);
			must(java.n <= 10 * name.n);
			must(java.p == name.p || java.p[java.n - 1] == ')');
		}
	}
	arena_release(&a);
	return 0;
}
