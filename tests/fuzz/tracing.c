/*
 * Any bytes as TRACING_DATA and a tracepoint's payload: a 16-bit length, the
 * payload, the rest.  What libtraceevent is given must be harmless.
 */
#include <stdint.h>
#include <stdlib.h>

#include "reader/tracepoint/tracing.h"

#include "leaks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Code at even addresses is named, every fourth of it as a module's. */
static struct str name_code(void *ctx, uint64_t ip, uint64_t *begin, struct str *module)
{
	(void)ctx;
	*begin = ip & ~(uint64_t)15;
	*module = ip & 3 ? STR("") : STR("mod");
	return ip & 1 ? STR("") : STR("function");
}

/* A number is of this payload alone, whatever payload was read before. */
static void ask_again(struct tracing *t, uint64_t id, struct str payload,
                      struct str field)
{
	int64_t number = 0, other, again = 0;
	bool is_there = tracing_number(t, id, payload, field, &number);

	tracing_number(t, id, str_head(payload, payload.n / 2), field, &other);
	if (tracing_number(t, id, payload, field, &again) != is_there || again != number)
		abort();
}

static void ask_numbers(struct tracing *t, uint64_t id, struct str payload,
                        struct arena *a)
{
	struct str list = tracing_fields(t, id, a);

	while (list.n)
		ask_again(t, id, payload, str_trim(str_cut(&list, ',')));
	ask_again(t, id, payload, STR("common_flags"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct trace_names names = { .name = name_code };
	static struct out out;
	struct arena run = { 0 };
	struct str rest = { (const char *)data, size }, payload;
	struct tracing *t;
	uint16_t n = 0;

	if (size < 4)
		return 0;
	memcpy(&n, data, 2);
	payload = str_head(str_from(rest, 2), n);
	t = tracing_open(str_from(rest, 2 + payload.n), &run);
	if (t && payload.n >= 2) {
		memcpy(&n, payload.p, 2);
		out.n = 0;
		tracing_name(t, n);
		tracing_text(t, n, 0, payload, &out);
		tracing_names(t, &names);
		tracing_text(t, n, 0, payload, &out);
		tracing_text(t, n, 0, str_head(payload, payload.n / 2), &out);
		ask_numbers(t, n, payload, &run);
	}
	tracing_close(t);
	arena_release(&run);
	return 0;
}
