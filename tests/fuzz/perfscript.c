/*
 * Any bytes as perf script text.  The first lines of samples lie in it, and its lines may be what
 * perf says when it fails.
 */
#include "reader/perftext/perfscript.h"
#include "textfuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_starts(struct str bytes)
{
	struct str rest = bytes;
	uint64_t time_ns;
	int32_t tid;

	while (perfscript_next_start(&rest, &tid, &time_ns))
		inside(rest, bytes);
	for (rest = bytes; rest.n;) {
		struct str line = str_cut(&rest, '\n');

		must(!perfscript_is_error(line) || perfscript_advice(line));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_starts((struct str){ (const char *)data, size });
	fuzz_text(&perfscript_format, data, size);
	return 0;
}
