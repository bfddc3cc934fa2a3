#include "symbol/inputs.h"

#include "image/host.h"
#include "image/host_origin.h"
#include "reader/beside.h"
#include "reader/procmaps.h"
#include "symbol/rundown.h"
#include "symbol/shared_sources.h"

void inputs_init(struct inputs *in, struct session *s)
{
	*in = (struct inputs){ .s = s };
	in->source_diag = (struct diag){ .prog = s->diag->prog, .warns = s->diag };
}

static struct source *open_source(struct inputs *in, const char *path, bool is_profile)
{
	struct source_opts opts = shared_sources_options(&in->s->opts, is_profile);

	if (in->s->opts.shared && !is_profile)
		return shared_sources_open(in->s->opts.shared, path, &opts);
	opts.run = &in->s->run;
	return source_open(path, &opts);
}

/*
 * Decides whether files of this machine may be used.  A text usually comes from another
 * machine, so if the profile is a text, files of this machine are used only on request.
 */
static void use_host(struct inputs *in)
{
	const struct source_opts opts = { .run = &in->s->run, .diag = in->s->diag };
	enum host_policy use = in->s->opts.host;

	if (in->s->opts.no_input ||
	    (use == HOST_SAME_ID && !reader_traits(in->reader)->has_ips))
		use = HOST_NEVER;
	host_use(&in->s->locator, use, &opts);
	in->s->locator.roots = in->s->opts.roots;
	if (use != HOST_NEVER)
		in->may_be_here = !host_origin_is_elsewhere(&in->s->locator,
		                                            reader_capture(in->reader)) &&
		                  reader_traits(in->reader)->has_records;
}

static int open_input(struct inputs *in)
{
	in->source = open_source(in, in->s->opts.input, true);
	if (!in->source)
		return -1;
	if (reader_choose(in->source, in->s->opts.member, in->s->opts.formats,
	                  in->s->diag, &in->member) < 0)
		return -1;
	in->reader = reader_open(in->source, in->member, &in->s->run, in->s->diag);
	if (!in->reader)
		return -1;
	if (in->s->opts.events && (in->s->opts.events->n || in->s->opts.events->all))
		in->reader =
		        beside_open(in->source, in->reader, &in->s->run, in->s->diag);
	/*
	 * EV_ROUND requires that each pass reads events in file order, because mappings
	 * are numbered in that order.
	 */
	if (in->s->opts.kinds >> EV_ROUND & 1)
		reader_as_written(in->reader);
	locate_add(&in->s->locator, in->source, true, in->member);
	return 0;
}

/* Reports an error if a file or directory of the command line contains no file that names code. */
static int check_source(struct inputs *in, struct source *s, const char *path)
{
	if (s->kind == SOURCE_DIR || (s->kind == SOURCE_ARCHIVE && (s->n || s->crashed)))
		return 0;
	if (s->n && locate_look(s->members[0].name, source_head(s, 0)) != LOOK_NOTHING)
		return 0;
	return diag_fatal(in->s->diag, "%s: contains no file that names code", path);
}

static struct source *add_source(struct inputs *in, const char *path)
{
	struct source *s = open_source(in, path, false);

	if (!s)
		return NULL;
	*arena_push(&in->s->run, in->sources, in->nsources, in->sources_cap) = s;
	return check_source(in, s, path) < 0 ? NULL : s;
}

/* The locator prefers files that are added later, so the first -m is added last. */
static int open_sources(struct inputs *in)
{
	for (size_t i = 0; i < in->s->opts.nsources; i++)
		if (!add_source(in, in->s->opts.sources[i]))
			return -1;
	for (size_t i = in->nsources; i-- > 0;)
		locate_add(&in->s->locator, in->sources[i], false, SIZE_MAX);
	return 0;
}

/*
 * Returns the perf map or jitdump whose path equals `path` or ends in `path`.  Returns NULL if
 * there is no such item.
 */
static struct item *find_map(const struct inputs *in, const char *path)
{
	struct str want = str_of(path);
	struct item *it = locate_path(&in->s->locator, want, ITEM_PERFMAP);

	if (!it)
		it = locate_path(&in->s->locator, want, ITEM_JITDUMP);
	return it && str_ends(it->name, want) ? it : NULL;
}

/*
 * Adds the map of -p PID=MAP.  Looks for MAP in the directories and archives of -m first, and then
 * in the file system.
 */
static int add_map(struct inputs *in, const char *path)
{
	struct source *s;

	if (find_map(in, path))
		return 0;
	s = add_source(in, path);
	if (!s)
		return -1;
	locate_add(&in->s->locator, s, false, SIZE_MAX);
	if (!find_map(in, path))
		return diag_fatal(in->s->diag, "%s: expected a perf map or a jitdump",
		                  path);
	return 0;
}

static int take_pids(struct inputs *in)
{
	size_t plain = 0;

	for (size_t i = 0; i < in->s->opts.npids; i++) {
		const struct pid_opt *opt = &in->s->opts.pids[i];

		if (opt->map && add_map(in, opt->map) < 0)
			return -1;
		if (!opt->map && !plain++)
			in->s->only_pid = opt->pid;
	}
	if (plain > 1)
		in->s->only_pid = -1;
	return 0;
}

struct reader *inputs_read(struct inputs *in, const struct item *it)
{
	return reader_open(it->source, it->member, &in->s->run, &in->source_diag);
}

/*
 * Makes perf maps from the names in nettraces, even if the profile is a nettrace.  Runs before
 * the other passes, because -p may refer to these maps.
 */
static void read_rundowns(struct inputs *in)
{
	/* The loop adds perf maps after the first n items, and must not visit them. */
	for (size_t i = 0, n = in->s->locator.n; i < n; i++) {
		const struct item *it = &in->s->locator.item[i];
		const struct traits *own =
		        it->chosen ? reader_bid(source_head(it->source, it->member))
		                   : NULL;
		struct reader *r;

		if (own && own->is_runtime) {
			rundown_read(&in->s->locator, in->reader, it);
			reader_rewind(in->reader);
		} else if (it->kind == ITEM_NETTRACE &&
		           (r = inputs_read(in, it)) != NULL) {
			rundown_read(&in->s->locator, r, it);
			reader_close(r);
		}
	}
}

/* Binds the maps of -p, then the maps made from a nettrace, which records their pids. */
static void force_maps(const struct inputs *in)
{
	for (size_t i = 0; i < in->s->opts.npids; i++)
		if (in->s->opts.pids[i].map)
			bind_force(in->s->binder, in->s->opts.pids[i].pid,
			           find_map(in, in->s->opts.pids[i].map));
	for (size_t i = 0; i < in->s->locator.n; i++) {
		struct item *it = &in->s->locator.item[i];

		if (it->perfmap && it->perfmap->whole && it->source == in->source &&
		    it->member == in->member)
			bind_force(in->s->binder, perfmap_pid(it->name), it);
	}
}

static void read_statuses(const struct inputs *in)
{
	for (size_t i = 0; i < in->s->locator.n; i++) {
		struct item *it = &in->s->locator.item[i];
		int32_t pid, nspid;

		if (it->kind == ITEM_STATUS &&
		    procmaps_read_status(source_map(it->source, it->member), &pid,
		                         &nspid))
			bind_namespace_pid(in->s->binder, pid, nspid);
	}
}

void inputs_apply_saved_maps(const struct inputs *in)
{
	for (size_t i = 0; i < in->s->locator.n; i++) {
		struct item *it = &in->s->locator.item[i];
		struct event ev = { .kind = EV_MMAP };
		struct str rest;

		if (it->kind != ITEM_MAPS)
			continue;
		ev.pid = procmaps_pid(str_base(it->name));
		if (ev.pid < 0)
			ev.pid = procmaps_pid(it->name);
		if (ev.pid < 0)
			ev.pid = in->s->only_pid;
		ev.tid = ev.pid;
		rest = source_map(it->source, it->member);
		while (ev.pid >= 0 && procmaps_next(&rest, &ev.map))
			process_apply(in->s->ps, &ev);
	}
}

int inputs_open(struct inputs *in)
{
	struct session *s = in->s;

	if (!s->opts.no_input && open_input(in) < 0)
		return -1;
	if (open_sources(in) < 0)
		return -1;
	read_rundowns(in);
	if (take_pids(in) < 0)
		return -1;
	use_host(in);
	s->can_name = s->locator.n > (in->reader ? 1 : 0) || s->locator.host;
	return 0;
}

void inputs_bind_given(const struct inputs *in)
{
	force_maps(in);
	read_statuses(in);
}

bool inputs_have(const struct inputs *in, enum item_kind kind)
{
	for (size_t i = 0; i < in->s->locator.n; i++)
		if (in->s->locator.item[i].kind == kind)
			return true;
	return false;
}

void inputs_close(struct inputs *in)
{
	reader_close(in->reader);
	source_close(in->source);
	for (size_t i = 0; i < in->nsources && !in->s->opts.shared; i++)
		source_close(in->sources[i]);
}
