/* Any bytes as perf.data, described, and read twice: both times the same events. */
#include <stdint.h>
#include <stdlib.h>

#include "base/out.h"
#include "reader/capture.h"
#include "reader/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

/* The library forgets some of what it allocated when a format cannot be parsed. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent";
}

/* Touches all that an event points to. */
static uint64_t sum(struct reader *r, const struct event *ev, struct out *out)
{
	uint64_t n = ev->time_ns + (uint64_t)ev->kind + ev->weight + ev->map.start;
	const struct str parts[] = { ev->comm, ev->map.path, ev->map.build_id,
		                     ev->payload };

	for (size_t i = 0; i < ev->nframes; i++)
		n = n * 31 + ev->frames[i].ip + ev->frames[i].cpumode;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		for (size_t j = 0; j < parts[i].n; j++)
			n = n * 31 + (unsigned char)parts[i].p[j];
	if (ev->attr)
		n += ev->attr->name.n;
	out->n = 0;
	if (ev->kind == EV_SAMPLE)
		reader_trace_text(r, ev, out);
	return n + out->n;
}

static uint64_t read_all(struct reader *r, struct out *out)
{
	struct event ev;
	uint64_t n = 0;
	int got;

	while ((got = reader_next(r, &ev)) != 0)
		n = n * 31 + (got > 0 ? sum(r, &ev, out) : 1);
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct out out;
	struct arena run = { 0 };
	struct diag diag = { .prog = "perfdata", .quiet = true };
	struct member member = { .name = STR("fuzz"),
		                 .map = { (const char *)data, size } };
	struct source source = { .members = &member, .n = 1 };
	struct reader *r = NULL;

	member.head = str_head(member.map, SOURCE_HEAD);
	if (format_perfdata.bid(member.head))
		r = format_perfdata.open(&source, 0, &run, &diag);
	if (r) {
		uint64_t first;

		out.fd = -1;
		reader_describe(r, true, &out);
		first = read_all(r, &out);
		reader_rewind(r);
		if (read_all(r, &out) != first)
			abort();
	}
	reader_close(r);
	arena_release(&run);
	return 0;
}
