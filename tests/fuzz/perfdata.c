/*
 * Any bytes as perf.data, described, and read twice: both times the same events; of odd sizes
 * in the order of the file.  Those of a pipe capture go through a window as well; "data.0"
 * beside the file is the file again.
 */
#include "leaks.h"
#include "mutate.h"

#include "base/out.h"
#include "writer/script/header_features.h"
#include "reader/fields.h"
#include "reader/perfdata/header.h"
#include "reader/perfdata/perfdata.h"
#include "reader/perfdata/record.h"
#include "reader/tracepoint/tracing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RECORDS = 64 };

static uint64_t sum_fields(const struct fields *f)
{
	uint64_t n = f->id + f->addr + f->weight + f->stack.n;

	for (size_t i = 0; i < f->ncounters; i++)
		n = n * 31 + f->counters[i].value;
	for (size_t i = 0; i < f->nbranches; i++)
		n = n * 31 + f->branches[i].from + f->branches[i].flags;
	for (int i = 0; i < __builtin_popcountll(f->user.mask); i++)
		n = n * 31 + f->user.value[i];
	for (int i = 0; i < __builtin_popcountll(f->intr.mask); i++)
		n = n * 31 + f->intr.value[i];
	for (size_t i = 0; i < f->stack.n; i++)
		n = n * 31 + (unsigned char)f->stack.p[i];
	return n;
}

static uint64_t sum_other(const struct other_fields *s)
{
	const struct str parts[] = { s->name, s->old, s->new };
	uint64_t n = s->addr + s->id + s->flags;

	for (size_t i = 0; i < s->nnamespaces; i++)
		n = n * 31 + s->namespaces[i].ino;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		for (size_t j = 0; j < parts[i].n; j++)
			n = n * 31 + (unsigned char)parts[i].p[j];
	return n;
}

/* Code at even addresses is named. */
static struct str name_code(void *ctx, uint64_t ip, uint64_t *begin, struct str *module)
{
	(void)ctx;
	*begin = ip;
	*module = (struct str){ 0 };
	return ip & 1 ? STR("") : STR("function");
}

/* The text of a tracepoint, the names of its fields, and the first number. */
static uint64_t sum_trace(struct reader *r, const struct event *ev, struct out *out)
{
	struct arena a = { 0 };
	struct str fields = reader_trace_fields(r, ev, &a);
	struct str first = str_cut(&fields, ',');
	struct trace_value v = { .number = 0 };
	uint64_t n = 0;

	out->n = 0;
	reader_trace_text(r, ev, out);
	if (reader_trace_value(r, ev, first, &v))
		n = (uint64_t)v.number;
	arena_release(&a);
	return n + out->n;
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
	if (ev->fields)
		n = n * 31 + sum_fields(ev->fields);
	if (ev->other)
		n = n * 31 + sum_other(ev->other);
	return ev->kind == EV_SAMPLE ? n + sum_trace(r, ev, out) : n;
}

static uint64_t read_all(struct reader *r, struct out *out)
{
	uint64_t n = 0, done, total;
	struct event ev;
	int got;

	while ((got = reader_next(r, &ev)) != 0) {
		n = n * 31 + (got > 0 ? sum(r, &ev, out) : 1);
		reader_progress(r, &done, &total);
		if (total && done > total)
			abort();
		reader_held(r);
	}
	return n;
}

static const struct needed needed = {
	.n = 2,
	.range = { { 0x400000, 0x500000 }, { 0x7f0000000000, 0x7f8000000000 } },
};

static const struct needed *needs(void *data, const struct event *ev)
{
	(void)data;
	(void)ev;
	return &needed;
}

static bool is_needed(const struct event *ev)
{
	for (size_t i = 0; i < ev->nframes; i++)
		for (size_t k = 0; k < needed.n; k++)
			if (ev->frames[i].ip >= needed.range[k].start &&
			    ev->frames[i].ip < needed.range[k].end)
				return true;
	return ev->kind != EV_SAMPLE;
}

static uint64_t read_needed(struct reader *r, const struct skimming *s, struct out *out)
{
	uint64_t n = 0;
	struct event ev;
	int got;

	reader_rewind(r);
	reader_skim(r, s);
	while ((got = reader_next(r, &ev)) != 0)
		if (got < 0 || is_needed(&ev))
			n = n * 31 + (got > 0 ? sum(r, &ev, out) : 1);
	return n;
}

/* reader_skim must omit no needed sample, and hide no damage. */
static void read_skimmed(struct reader *r, struct out *out)
{
	static const struct skimming s = { needs, NULL };

	if (read_needed(r, &s, out) != read_needed(r, NULL, out))
		abort();
}

/* same: so must both times be; behind a window, the end describes what came first. */
static void read_twice(struct reader *r, bool same, bool as_written)
{
	static const struct trace_names names = { .name = name_code };
	static struct out out;
	const struct attr *const *attr;
	uint64_t first;

	if (!r)
		return;
	out.fd = -1;
	for (size_t i = reader_attrs(r, &attr); i > 0; i--)
		if (!attr[i - 1]->name.p)
			abort();
	reader_trace_names(r, &names);
	if (as_written)
		reader_as_written(r);
	header_features_write(reader_capture(r), true, 7, &out);
	reader_hold(r);
	first = read_all(r, &out);
	reader_rewind(r);
	if (read_all(r, &out) != first && same)
		abort();
	if (same)
		read_skimmed(r, &out);
	reader_close(r);
}

/* Where the first record is, of a pipe or of a file; 0: nowhere. */
static size_t first_record(struct str bytes)
{
	struct cursor c = cur_over(str_from(bytes, 40), false);
	uint64_t at;

	if (header_is_pipe(bytes))
		return 16;
	at = cur_u64(&c);
	return c.bad || at >= bytes.n ? 0 : (size_t)at;
}

/* Changes the bytes behind the header of one record, so that the others stay records. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	struct str bytes = { (const char *)data, size };
	size_t at = seed % 2 ? 0 : first_record(bytes);
	struct str chosen = { 0 };
	struct record r;

	for (unsigned n = 0; at && at < size; n++) {
		if (record_read(str_from(bytes, at), false, &r) != RECORD_WHOLE)
			break;
		if (!n || n <= seed / 2 % RECORDS)
			chosen = r.body;
		at += r.size;
	}
	if (!chosen.n)
		return LLVMFuzzerMutate(data, size, max);
	mutate_part(data, chosen);
	return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena run = { 0 };
	struct diag diag = { .prog = "perfdata", .quiet = true };
	struct str bytes = { (const char *)data, size };
	struct str head = str_head(bytes, SOURCE_HEAD);
	struct member members[] = { { .name = STR("data"), .map = bytes, .head = head },
		                    { .name = STR("data.0"), .map = bytes } };
	struct source source = { .members = members, .n = 2 };

	perfdata_is_part(STR("x/data.1"), head);
	if (!perfdata_format.bid(head))
		return 0;
	read_twice(perfdata_format.open(&source, 0, &run, &diag), true, size % 2);
	if (reader_streams(head))
		read_twice(perfdata_over(stream_over(bytes), &run, &diag), false,
		           size % 2);
	arena_release(&run);
	return 0;
}
