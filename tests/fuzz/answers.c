/* The answer of a runtime to the collector, which a hostile process may have written. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/attach.h"
#include "collect/diagnostic.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = { (const char *)data, size };
	struct diagnostic_reply reply;
	struct attach_reply text;
	char stop[DIAGNOSTIC_SESSION];

	if (attach_read(&text, bytes)) {
		must(!text.done || (!text.unknown && !text.text.n));
		must(text.text.n < size);
	}
	if (diagnostic_stop(stop, sizeof(stop), bytes))
		must(memcmp(stop + 20, data + 20, 8) == 0);
	if (diagnostic_read(&reply, bytes)) {
		must(reply.n >= 20 && reply.n <= size);
		must(!reply.done || !reply.error);
		must(reply.done || !reply.session);
	}
	return 0;
}
