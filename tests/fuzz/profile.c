/*
 * A profile and up to three files that may name its code, parted by lines of "%%":
 * opened, bound and read to the end, whatever they hold.  The last byte has the options.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "image/locate.h"
#include "bind/bind.h"
#include "bind/merge.h"
#include "reader/fields.h"
#include "symbol/profile.h"
#include "symbol/report/summary.h"
#include "symbol/select.h"
#include "writer/script/lines.h"

#include "leaks.h"

enum { SOURCES = 3, PATH_ROOM = 64, LINES_MAX = 1 << 26 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct part {
	struct str bytes;
	int fd;
	char path[PATH_ROOM];
};

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void part_open(struct part *p)
{
	p->fd = memfd_create("part", MFD_CLOEXEC);
	must(p->fd >= 0 && write(p->fd, p->bytes.p, p->bytes.n) == (ssize_t)p->bytes.n);
	snprintf(p->path, sizeof(p->path), "/proc/self/fd/%d", p->fd);
}

static size_t split(struct str bytes, struct part *part)
{
	struct str mark = STR("\n%%\n");
	size_t n = 0;

	while (n <= SOURCES && bytes.n) {
		size_t at = str_search(bytes, mark);

		part[n++].bytes = str_head(bytes, at < bytes.n ? at + 1 : at);
		bytes = str_from(bytes, at + mark.n);
	}
	return n;
}

/* What cannot be opened says so on standard error, which is no finding. */
static bool is_wanted(const struct part *part, size_t n)
{
	const struct traits *f = n ? reader_bid(part[0].bytes) : NULL;

	if (!f || !(f->sets & READ_ADDRESSES))
		return false;
	for (size_t i = 1; i < n; i++)
		if (locate_kind(part[i].bytes) == ITEM_OTHER)
			return false;
	return true;
}

/* Whatever else is asked about a sample or a record. */
static void ask(struct profile *p, const struct sample *s, struct out *out)
{
	const struct event *ev = s->ev;

	must(ev->kind != EV_SAMPLE || s->nframes <= ev->nframes);
	profile_process_name(p, s->pid);
	if (ev->kind == EV_CGROUP)
		must(str_eq(profile_cgroup(p, ev->other->id), ev->other->name));
	if (ev->kind == EV_SAMPLE && profile_traits(p)->has_records) {
		must(profile_lookup(p, s->pid, ev->top.ip, ev->top.cpumode).id <
		     profile_frames(p));
		reader_trace_text(profile_reader(p), ev, out);
		out->n = 0;
	}
}

static void read_samples(struct profile *p)
{
	static struct out out = { .fd = -1 };
	struct script script = { .profile = p };
	struct sample s;
	size_t printed = 0;

	columns_init(&script.columns);
	while (profile_next(p, &s) && printed < LINES_MAX) {
		for (size_t i = 0; i < s.nframes; i++) {
			const struct resolved *r;

			must(s.frames[i].id < profile_frames(p));
			r = profile_frame(p, s.frames[i].id);
			for (size_t k = 0; k < r->n; k++) {
				profile_str(p, r->names[k].func);
				profile_str(p, r->names[k].module);
			}
			lines_frame(&script, &out, LINES_TEXT, s.frames[i]);
			must(!r->n || out.error || out.buf[out.n - 1] == '\n');
			printed += out.n;
			out.n = 0;
		}
		ask(p, &s, &out);
	}
	script_end(&script);
	must(!printed || profile_frames(p));
	must(profile_check_chosen(p) == 0 || !printed);
	profile_damages(p);
	must(summary_count(p).unknown <= summary_count(p).frames);
}

static void merge_all(const struct profile *p)
{
	const struct binder *b = profile_binder(p);
	struct arena a = { 0 };
	const int32_t *pid;
	size_t n = merge_processes(b, &a, &pid);

	for (size_t i = 0; i < n; i++) {
		struct merge mg;

		merge_process(b, pid[i], &a, &mg);
		for (size_t k = 1; k < mg.symbols.n; k++)
			must(mg.symbols.sym[k - 1].end <= mg.symbols.sym[k].start);
	}
	arena_release(&a);
}

static void choose(struct profile_opts *opts, struct select *select, uint8_t how)
{
	opts->scan = how & 1;
	opts->npids = how >> 1 & 1;
	opts->compat = how & 4 ? 6 : 0;
	opts->kinds = how & 8 ? UINT64_MAX : 0;
	opts->unnamed = (how & 0x30) == 0x30;
	opts->copies = (how & 0x30) == 0x10;
	if (how & 0x40)
		must(select_by(select, SELECT_COMM, "app") &&
		     select_by(select, SELECT_STACK, "2"));
	if (how & 0x80)
		must(select_by(select, SELECT_CPU, "1-3"));
	opts->select = how & 0xc0 ? select : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct part part[SOURCES + 1] = { 0 };
	const char *sources[SOURCES];
	struct pid_opt pid = { .pid = 7 };
	struct select select = { 0 };
	struct diag diag = { .prog = "profile", .quiet = true };
	const struct event_names events = { .all = true };
	struct profile_opts opts = { .sources = sources, .diag = &diag };
	size_t n = split((struct str){ (const char *)data, size }, part);
	struct profile *p;

	if (!is_wanted(part, n))
		return 0;
	for (size_t i = 0; i < n; i++)
		part_open(&part[i]);
	for (size_t i = 1; i < n; i++)
		sources[i - 1] = part[i].path;
	opts.input = part[0].path;
	opts.nsources = n - 1;
	opts.formats = READ_ADDRESSES;
	opts.events = &events;
	opts.pids = &pid;
	choose(&opts, &select, data[size - 1]);
	p = profile_open(&opts);
	if (p) {
		profile_select(p, opts.select);
		profile_learn(p);
		read_samples(p);
		merge_all(p);
		summary_report(p);
	}
	profile_close(p);
	for (size_t i = 0; i < n; i++)
		close(part[i].fd);
	return 0;
}
