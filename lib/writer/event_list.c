#include "writer/event_list.h"

#include <stdlib.h>

#include "base/clock.h"
#include "measure/clr.h"

enum { MICRO = 1000 };

struct event_list_row {
	struct str name;
	uint64_t count, stacks;
	uint64_t first_ns, last_ns;
	bool timed; /* at least one sample had a time */
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

	arena_fit(list->run, list->row, id + 1u, list->cap);
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

ORDER(by_count, struct event_list_row,
      num_cmp(b->count, a->count) ?: str_cmp(a->name, b->name))

/* Widths of aligned columns, in characters. */
enum { NUMBER = 9, TIME = 16, NAME_MOST = 200 };

/*
 * Writes a cell.  If width is negative, pads the cell to -width with blanks before the text.  If
 * width is positive, pads it with blanks after the text.  If width is 0, a tab follows the text.
 */
static void put_cell(struct out *out, struct str text, int width)
{
	size_t most = (size_t)abs(width), blanks = text.n < most ? most - text.n : 0;

	for (size_t i = 0; i < blanks && width < 0; i++)
		out_char(out, ' ');
	for (size_t i = 0; i < text.n; i++)
		out_char(out, (unsigned char)text.p[i] < ' ' ? '?' : text.p[i]);
	for (size_t i = 0; i < blanks && width > 0; i++)
		out_char(out, ' ');
	out_str(out, width ? STR("  ") : STR("\t"));
}

static struct str time_text(const struct event_list_row *row, uint64_t ns,
                            struct arena *a)
{
	if (!row->timed)
		return STR("-");
	return arena_fmt(a, "%llu.%06llu", (unsigned long long)(ns / CLOCK_SECOND_NS),
	                 (unsigned long long)(ns % CLOCK_SECOND_NS / MICRO));
}

/* Writes a row.  If name_width is 0, columns are separated by tabs instead of aligned. */
static void put_row(struct out *out, const struct event_list_row *row, int name_width)
{
	int number = name_width ? -NUMBER : 0, time = name_width ? -TIME : 0;
	struct str view = clr_find_view(row->name);
	arena_scope(a);

	put_cell(out, arena_fmt(&a, "%llu", (unsigned long long)row->count), number);
	put_cell(out, arena_fmt(&a, "%llu", (unsigned long long)row->stacks), number);
	put_cell(out, time_text(row, row->first_ns, &a), time);
	put_cell(out, time_text(row, row->last_ns, &a), time);
	put_cell(out, row->name.n ? row->name : STR("-"), name_width);
	out_str(out, view.n ? view : STR("-"));
	out_char(out, '\n');
}

static void put_title(struct out *out, int name_width)
{
	static const char *const titles[] = { "count", "stacks", "first", "last",
		                              "event" };
	const int widths[] = { -NUMBER, -NUMBER, -TIME, -TIME, name_width };

	for (size_t i = 0; i < sizeof(titles) / sizeof(*titles); i++)
		put_cell(out, str_of(titles[i]), name_width ? widths[i] : 0);
	out_str(out, STR("view\n"));
}

void event_list_write(struct event_list *list, struct out *out, bool aligned)
{
	size_t n = 0, longest = 1;

	for (size_t i = 0; i < list->cap && i < list->names.n; i++)
		if (list->row[i].count) {
			list->row[n] = list->row[i];
			list->row[n++].name = intern_str(&list->names, (str_id)i);
		}
	order_by(list->row, n, by_count);
	for (size_t i = 0; i < n; i++)
		if (list->row[i].name.n > longest && list->row[i].name.n < NAME_MOST)
			longest = list->row[i].name.n;
	put_title(out, aligned ? (int)longest : 0);
	for (size_t i = 0; i < n; i++)
		put_row(out, &list->row[i], aligned ? (int)longest : 0);
}
