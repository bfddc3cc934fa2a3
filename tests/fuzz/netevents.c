/*
 * Any bytes as a nettrace whose events are all wanted: their fields are read, listed, and
 * folded by one of the views, or made text of, as the last byte says.  What is taken is
 * bounded by the events there are, and text by the payload it was read from.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "measure/clr.h"
#include "writer/event_list.h"

enum { PATH_ROOM = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static const char *const views[] = { "GCAllocationTick", "Exception",
	                             "Contention",       "Wait",
	                             "Starvation",       "GC",
	                             "Suspension",       "JIT" };

static void read_fields(struct profile *p, const struct event *ev)
{
	static const char *const fields[] = { "item", "amount", "gift", "Value", "Name" };
	struct trace_value v;

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (reader_trace_value(profile_reader(p), ev, str_of(fields[i]), &v))
			must(v.text.n <= 2 * ev->payload.n);
}

/* A view is that of each of its events. */
static void check_view(const struct clr_view *view)
{
	struct str event[CLR_EVENTS];

	for (size_t i = clr_events(view, event); i > 0; i--)
		must(str_eq(clr_find_view(event[i - 1]), clr_name(view)));
	must(clr_unit(view).n && clr_find(clr_name(view)) == view);
}

static void fold_all(struct profile *p, const struct clr_view *view, bool text,
                     struct arena *run)
{
	static const struct fold_opts opts = { .labels = { .tidy = TIDY_FULL } };
	static struct out out;
	struct event_list list;
	struct fold fold;
	struct clr clr;
	struct clr_weight w;
	struct sample s;
	uint64_t n = 0, samples = 0, taken = 0;

	out = (struct out){ .fd = -1 };
	fold_init(&fold, run, &opts);
	event_list_init(&list, run);
	clr_init(&clr, &fold);
	clr.view = view;
	check_view(view);
	if (text)
		clr.texts = &fold.names;
	while (profile_next(p, &s) > 0) {
		n++;
		if (s.ev->kind == EV_SAMPLE) {
			read_fields(p, s.ev);
			event_list_add(&list, s.ev);
			samples++;
		}
		clr_take(&clr, p, &s, &w);
		must(w.stack < (text ? fold.names.n : fold.stacks.n));
		taken += w.stack != 0;
	}
	clr_end(&clr);
	must(taken + clr.counts.open + clr.counts.stray + clr.counts.lost +
	             clr.counts.cut <=
	     n);
	event_list_write(&list, &out, samples & 1);
	fold_end(&fold);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct event_names every = { .all = true };
	struct diag diag = { .prog = "netevents", .quiet = true };
	struct arena run = { 0 };
	char path[PATH_ROOM];
	struct profile_opts opts = { .input = path,
		                     .formats = READ_SAMPLES,
		                     .events = &every,
		                     .kinds = (uint64_t)1 << EV_LOST,
		                     .diag = &diag };
	const struct traits *format =
	        reader_bid((struct str){ (const char *)data, size });
	struct profile *p;
	int fd;

	if (!format || !format->is_runtime)
		return 0;
	fd = memfd_create("netevents", MFD_CLOEXEC);
	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	p = profile_open(&opts);
	if (p) {
		profile_learn(p);
		fold_all(p, clr_find(str_of(views[data[size - 1] % 8])),
		         data[size - 1] & 8, &run);
		profile_close(p);
	}
	close(fd);
	arena_release(&run);
	return 0;
}
