/*
 * Any bytes as a nettrace: it ends, and once all was seen, what is said of it stays.  It is
 * read once more for some of its events and their fields.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/hash.h"
#include "reader/fields.h"
#include "reader/format.h"
#include "reader/nettrace/nettrace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* A number that depends on all that was said; events are bounded by the bytes. */
static uint64_t read_all(struct reader *r, size_t size)
{
	struct event ev;
	uint64_t sum = 0;
	size_t n = 0;
	int got;

	while ((got = reader_next(r, &ev)) != 0) {
		must(++n <= 2 * size + 2); /* in front of each event others may be lost */
		if (got < 0)
			continue;
		sum = hash_mix(sum, ev.time_ns + ev.weight + (uint64_t)ev.kind);
		sum = hash_mix(sum,
		               hash_str(ev.kind == EV_SAMPLE ? ev.comm : ev.map.path));
		for (size_t i = 0; i < ev.nframes; i++)
			sum = hash_mix(sum, ev.frames[i].ip);
		if (ev.other && ev.other->code)
			sum = hash_mix(hash_mix(sum, hash_str(ev.other->code->il)),
			               hash_str(ev.other->code->native));
		must(ev.kind == EV_SAMPLE || !ev.nframes);
		must(ev.kind != EV_SAMPLE || ev.attr->name.n);
	}
	return sum;
}

static void read_events(struct reader *r, size_t size)
{
	static const struct str name[] = { STR("Event"),
		                           STR("Method/MethodLoadVerbose") };
	static const struct event_names some = { .name = name, .n = 2 };
	const struct attr *const *attrs;
	struct arena a = { 0 };
	struct trace_value v;
	struct event ev;
	uint64_t done, total;

	reader_want_events(r, &some);
	while (reader_next(r, &ev) != 0) {
		if (ev.kind == EV_SAMPLE && reader_trace_value(r, &ev, STR("Value"), &v))
			must(v.text.n <= 2 * ev.payload.n);
		if (ev.kind == EV_SAMPLE)
			reader_trace_fields(r, &ev, &a);
		reader_progress(r, &done, &total);
		must(done <= total && total == size);
	}
	for (size_t i = reader_attrs(r, &attrs); i > 0; i--)
		must(attrs[i - 1]->name.n);
	arena_release(&a);
}

static enum source_look look(struct str name, struct str head)
{
	(void)name;
	(void)head;
	return LOOK_WHOLE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag diag = { .prog = "nettrace" };
	struct arena run = { 0 };
	struct source_opts opts = {
		.look = look, .is_profile = true, .run = &run, .diag = &diag
	};
	int fd = memfd_create("nettrace", MFD_CLOEXEC);
	struct source *s;
	struct reader *r;
	size_t read; /* bytes after a byte order mark */

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	s = source_open(arena_fmt(&run, "/proc/self/fd/%d", fd).p, &opts);
	close(fd);
	read = str_without_mark((struct str){ (const char *)data, size }).n;
	r = s && s->n && read ? nettrace_format.open(s, 0, &run, &diag) : NULL;
	if (r) {
		uint64_t first;

		read_all(r, read);
		reader_rewind(r);
		first = read_all(r, read);
		reader_rewind(r);
		must(read_all(r, read) == first);
		reader_rewind(r);
		read_events(r, read);
		reader_close(r);
	}
	source_close(s);
	arena_release(&run);
	return 0;
}
