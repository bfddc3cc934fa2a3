#include "measure/field_weight.h"

enum {
	THERE_MAX = 1000
}; /* bytes after which the list of events and fields ends in "..." */

bool field_weight_parse(struct field_weight_opts *opts, const char *arg)
{
	struct str rest = str_of(arg);
	bool unit = str_find(rest, ':') < rest.n;

	opts->field = str_cut(&rest, ':');
	opts->unit = rest;
	return opts->field.n && unit == (rest.n != 0) && str_find(rest, ':') == rest.n;
}

void field_weight_init(struct field_weight *f, const struct field_weight_opts *opts,
                       struct arena *run)
{
	*f = (struct field_weight){ .opts = *opts };
	events_init(&f->lacking, run, NULL);
}

/* Counts an event that lacks the field, and adds the event's fields to f->there. */
static void note_lacking(struct field_weight *f, struct reader *r, const struct event *ev)
{
	struct arena *a = f->lacking.names.arena;
	struct str name = ev->attr ? ev->attr->name : STR(""), fields;

	if (!events_leave(&f->lacking, name) || f->there.n > THERE_MAX)
		return;
	fields = reader_trace_fields(r, ev, a);
	f->there =
	        arena_fmt(a, PRSTR "%s" PRSTR " (" PRSTR ")%s", STRARG(f->there),
	                  f->there.n ? ", " : "", STRARG(name.n ? name : STR("no name")),
	                  STRARG(fields.n ? fields : STR("none")),
	                  f->there.n > THERE_MAX ? ", ..." : "");
}

bool field_weight_read(struct field_weight *f, struct reader *r, const struct event *ev,
                       int64_t *out)
{
	struct trace_value v;

	if (!reader_trace_value(r, ev, f->opts.field, &v) || v.text.n) {
		note_lacking(f, r, ev);
		return false;
	}
	*out = v.number;
	return true;
}

/* Returns true for the exit event of a system call that returns a number of bytes. */
static bool returns_bytes(struct str event)
{
	static const char *const calls[] = {
		"read",       "write",  "pread64",  "pwrite64",        "readv",
		"writev",     "preadv", "pwritev",  "preadv2",         "pwritev2",
		"recvfrom",   "sendto", "recvmsg",  "sendmsg",         "sendfile64",
		"splice",     "tee",    "vmsplice", "copy_file_range", "getrandom",
		"getdents64",
	};
	const struct str begin = STR("syscalls:sys_exit_");

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (str_starts(event, begin) &&
		    str_eq(str_from(event, begin.n), str_of(calls[i])))
			return true;
	return false;
}

struct str field_weight_unit(const struct field_weight *f, struct str event)
{
	struct str field = f->opts.field;

	if (f->opts.unit.n)
		return f->opts.unit;
	if (str_has(field, STR("bytes")) ||
	    (str_eq(field, STR("ret")) && returns_bytes(event)))
		return STR("bytes");
	if (str_starts(field, STR("nr_sector")))
		return STR("sectors");
	if (str_ends(field, STR("_ns")) || str_starts(event, STR("sched:sched_stat_")))
		return STR("ns");
	return field;
}
