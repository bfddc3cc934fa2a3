/*
 * Any bytes as what a worker that reads CTF sends: frames of blocks.  The first byte says in how
 * many bytes at a time they come.  All events are read, with their fields, twice alike; and the
 * same bytes as a stream begin packets where they may, and as a file of a trace are its metadata,
 * a stream, or neither.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/hash.h"
#include "reader/ctf/ctf_intake.h"
#include "reader/ctf/ctf_trace.h"
#include "source/made.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static enum source_look look(struct str name, struct str head)
{
	(void)name;
	(void)head;
	return LOOK_WHOLE;
}

/* A number that depends on all that was said. */
static uint64_t read_all(struct reader *r, size_t size)
{
	static const char *const fields[] = { "Count", "TypeName", "Payload",
		                              "ObjectSize" };
	struct trace_value v;
	struct event ev;
	uint64_t sum = 0;
	size_t n = 0;
	int got;

	while ((got = reader_next(r, &ev)) != 0) {
		must(++n <= 2 * size + 2);
		if (got < 0)
			continue;
		sum = hash_mix(sum, ev.time_ns + ev.weight + (uint64_t)ev.kind);
		sum = hash_mix(sum, hash_str(ev.comm));
		must(!ev.nframes || ev.kind == EV_SAMPLE);
		for (size_t i = 0;
		     ev.kind == EV_SAMPLE && i < sizeof(fields) / sizeof(*fields); i++)
			if (reader_trace_value(r, &ev, str_of(fields[i]), &v)) {
				must(v.text.n <= 2 * ev.payload.n);
				sum = hash_mix(sum,
				               (uint64_t)v.number + hash_str(v.text));
			}
	}
	return sum;
}

static void take(struct ctf_intake *in, struct str frames, size_t step)
{
	struct str rest = { frames.p, 0 };

	must(ctf_intake_begin(in) == 0);
	ctf_intake_next(in);
	while (rest.p + rest.n < frames.p + frames.n && !in->bad) {
		size_t left = (size_t)(frames.p + frames.n - rest.p) - rest.n;

		rest.n += left < step ? left : step;
		rest = ctf_intake_take(in, rest);
		must(rest.p + rest.n <= frames.p + frames.n);
	}
	must(made_size(in->source) <= frames.n + 100);
}

static void find_packets(struct str stream, struct arena *a)
{
	uint64_t *at;
	size_t n = ctf_trace_packets(stream, a, &at);

	must(n && !at[0]);
	for (size_t i = 1; i < n; i++)
		must(at[i] > at[i - 1] && at[i] < stream.n && at[i] % 8 == 0);
}

static void find_trace(struct str bytes, struct arena *run, struct diag *diag)
{
	struct source_opts opts = { .look = look, .run = run, .diag = diag };
	int fd = memfd_create("trace", MFD_CLOEXEC);
	struct source *s;

	must(fd >= 0 && write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n);
	s = source_open(arena_fmt(run, "/proc/self/fd/%d", fd).p, &opts);
	close(fd);
	must(s && s->n == 1);
	must((ctf_trace_next(s, 0) == 0) == ctf_trace_is_metadata(source_head(s, 0)));
	must(ctf_trace_has(s, 0, 0) == ctf_trace_is_stream(source_head(s, 0)));
	source_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct event_names every = { .all = true };
	struct diag diag = { .prog = "ctf", .quiet = true };
	struct arena run = { 0 };
	struct source_opts opts = { .look = look, .run = &run, .diag = &diag };
	struct ctf_intake in = { .run = &run };
	struct reader *r;
	int fd;

	if (!size)
		return 0;
	fd = memfd_create("ctf", MFD_CLOEXEC);
	must(fd >= 0 && write(fd, "x", 1) == 1);
	in.source = source_open(arena_fmt(&run, "/proc/self/fd/%d", fd).p, &opts);
	close(fd);
	must(in.source != NULL);
	take(&in, (struct str){ (const char *)data + 1, size - 1 },
	     data[0] ? data[0] : size);
	r = ctf_intake_open(&in, STR("trace"), &diag);
	if (r) {
		uint64_t first;

		reader_want_events(r, &every);
		read_all(r, size);
		reader_rewind(r);
		first = read_all(r, size);
		reader_rewind(r);
		must(read_all(r, size) == first);
		reader_close(r);
	}
	find_packets((struct str){ (const char *)data, size }, &run);
	find_trace((struct str){ (const char *)data, size }, &run, &diag);
	source_close(in.source);
	arena_release(&run);
	return 0;
}
