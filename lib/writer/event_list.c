#include "writer/event_list.h"

#include <stdlib.h>

#include "stack/clr.h"

enum { NANO = 1000000000, MICRO = 1000 };

struct event_list_row {
	struct str name;
	uint64_t count, stacks;
	uint64_t first_ns, last_ns;
	bool timed; /* a sample said its time */
};

void event_list_init(struct event_list *list, struct arena *run)
{
	*list = (struct event_list){ .run = run };
	intern_init(&list->names, run);
}

void event_list_add(struct event_list *list, const struct event *ev)
{
	str_id id = intern(&list->names, ev->attr ? ev->attr->name : STR(""));
	struct event_list_row *row;

	if (id >= list->cap)
		list->row = arena_grow(list->run, list->row, &list->cap, id + 1u,
		                       sizeof(*list->row));
	row = &list->row[id];
	row->count++;
	row->stacks += ev->nframes != 0;
	if (!ev->has_time)
		return;
	if (!row->timed || ev->time_ns < row->first_ns)
		row->first_ns = ev->time_ns;
	if (ev->time_ns > row->last_ns)
		row->last_ns = ev->time_ns;
	row->timed = true;
}

static int by_count(const void *pa, const void *pb)
{
	const struct event_list_row *a = pa, *b = pb;

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return str_cmp(a->name, b->name);
}

static void put_time(struct out *out, const struct event_list_row *row, uint64_t ns)
{
	if (row->timed)
		out_fmt(out, "%llu.%06llu", (unsigned long long)(ns / NANO),
		        (unsigned long long)(ns % NANO / MICRO));
	else
		out_char(out, '-');
	out_char(out, '\t');
}

static void put_row(struct out *out, const struct event_list_row *row)
{
	struct str view = clr_view_of(row->name);

	out_fmt(out, "%llu\t%llu\t", (unsigned long long)row->count,
	        (unsigned long long)row->stacks);
	put_time(out, row, row->first_ns);
	put_time(out, row, row->last_ns);
	for (size_t i = 0; i < row->name.n; i++)
		out_char(out, (unsigned char)row->name.p[i] < ' ' ? '?' : row->name.p[i]);
	out_str(out, row->name.n ? STR("\t") : STR("-\t"));
	out_str(out, view.n ? view : STR("-"));
	out_char(out, '\n');
}

bool event_list_write(struct event_list *list, struct out *out)
{
	size_t n = 0;

	for (size_t i = 0; i < list->cap && i < list->names.n; i++)
		if (list->row[i].count) {
			list->row[n] = list->row[i];
			list->row[n++].name = intern_str(&list->names, (str_id)i);
		}
	if (!n)
		return false;
	qsort(list->row, n, sizeof(*list->row), by_count);
	out_str(out, STR("count\tstacks\tfirst\tlast\tevent\tview\n"));
	for (size_t i = 0; i < n; i++)
		put_row(out, &list->row[i]);
	return true;
}
