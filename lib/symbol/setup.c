/*
 * Opening a profile: what is the profile, what are its sources, and what was said of
 * both.  What belongs to what, prove.c finds.
 */
#include "image/host.h"
#include "symbol/rundown.h"
#include "reader/procmaps.h"
#include "symbol/session.h"
#include "symbol/shared_sources.h"

/* The profile is read once, from a pipe too; sources may be asked again. */
static enum source_look look_profile(struct str name, struct str head)
{
	return reader_streams(head) ? LOOK_STREAM : locate_look(name, head);
}

static struct source *open_source(struct profile *p, const char *path, bool is_profile)
{
	struct source_opts opts = shared_sources_options(&p->opts);

	if (p->opts.shared && !is_profile)
		return shared_sources_open(p->opts.shared, path, &opts);
	if (is_profile)
		opts.look = look_profile;
	opts.is_profile = is_profile;
	opts.run = &p->run;
	return source_open(path, &opts);
}

/* Text speaks of another machine unless the person says that it does not. */
static void use_host(struct profile *p)
{
	const struct source_opts opts = { .run = &p->run, .diag = p->diag };
	enum host_policy use = p->opts.host;

	if (p->opts.no_input ||
	    (use == HOST_SAME_ID && !reader_has_ips(reader_format(p->reader))))
		use = HOST_NEVER;
	host_use(&p->locator, use, &opts);
}

static int open_input(struct profile *p)
{
	p->source = open_source(p, p->opts.input, true);
	if (!p->source)
		return -1;
	if (reader_choose(p->source, p->opts.member, p->opts.formats, p->diag,
	                  &p->member) < 0)
		return -1;
	p->reader = reader_open(p->source, p->member, &p->run, p->diag);
	if (!p->reader)
		return -1;
	locate_add(&p->locator, p->source, true, p->member);
	return 0;
}

/* An explicit file that names nothing is a mistake worth stopping for. */
static int check_source(struct profile *p, struct source *s, const char *path)
{
	if (s->kind == SOURCE_DIR || (s->kind == SOURCE_ARCHIVE && s->n))
		return 0;
	if (s->n && locate_look(s->members[0].name, source_head(s, 0)) != LOOK_NOTHING)
		return 0;
	return diag_fatal(p->diag, "%s: holds nothing that names code", path);
}

static struct source *add_source(struct profile *p, const char *path)
{
	struct source *s = open_source(p, path, false);

	if (!s)
		return NULL;
	p->sources = arena_grow(&p->run, p->sources, &p->sources_cap, p->nsources + 1,
	                        sizeof(*p->sources));
	p->sources[p->nsources++] = s;
	return check_source(p, s, path) < 0 ? NULL : s;
}

/* Later additions are met first, so the first -m is added last. */
static int open_sources(struct profile *p)
{
	for (size_t i = 0; i < p->opts.nsources; i++)
		if (!add_source(p, p->opts.sources[i]))
			return -1;
	for (size_t i = p->nsources; i-- > 0;)
		locate_add(&p->locator, p->sources[i], false, SIZE_MAX);
	return 0;
}

/* A member that is called so, its folders included as far as they are said. */
static struct item *find_map(struct profile *p, const char *path)
{
	struct str want = str_of(path);
	struct item *it = locate_path(&p->locator, want, ITEM_PERFMAP);

	if (!it)
		it = locate_path(&p->locator, want, ITEM_JITDUMP);
	return it && str_ends(it->name, want) ? it : NULL;
}

/* -p PID=MAP: a member of some source, else a path. */
static int add_map(struct profile *p, const char *path)
{
	struct source *s;

	if (find_map(p, path))
		return 0;
	s = add_source(p, path);
	if (!s)
		return -1;
	locate_add(&p->locator, s, false, SIZE_MAX);
	if (!find_map(p, path))
		return diag_fatal(p->diag, "%s: not a perf map, nor a jitdump", path);
	return 0;
}

static int take_pids(struct profile *p)
{
	size_t plain = 0;

	for (size_t i = 0; i < p->opts.npids; i++) {
		const struct pid_opt *opt = &p->opts.pids[i];

		if (opt->map && add_map(p, opt->map) < 0)
			return -1;
		if (!opt->map && !plain++)
			p->only_pid = opt->pid;
	}
	if (plain > 1)
		p->only_pid = -1;
	return 0;
}

struct reader *profile_open_item(struct profile *p, const struct item *it)
{
	return reader_open(it->source, it->member, &p->run, &p->source_diag);
}

/* What a nettrace names, that of the profile itself among them. */
static void read_rundowns(struct profile *p)
{
	/* Each adds items, which are none of these. */
	for (size_t i = 0, n = p->locator.n; i < n; i++) {
		const struct item *it = &p->locator.item[i];
		struct reader *r;

		if (it->chosen && reader_format(p->reader) == READ_NETTRACE) {
			rundown_read(&p->locator, p->reader, it);
			reader_rewind(p->reader);
		} else if (it->kind == ITEM_NETTRACE &&
		           (r = profile_open_item(p, it)) != NULL) {
			rundown_read(&p->locator, r, it);
			reader_close(r);
		}
	}
}

/*
 * Items must stay where they are from here on.  A nettrace knows its own processes; what
 * -p says comes first.
 */
static void force_maps(struct profile *p)
{
	for (size_t i = 0; i < p->opts.npids; i++)
		if (p->opts.pids[i].map)
			bind_force(p->binder, p->opts.pids[i].pid,
			           find_map(p, p->opts.pids[i].map));
	for (size_t i = 0; i < p->locator.n; i++) {
		struct item *it = &p->locator.item[i];

		if (it->perfmap && it->perfmap->whole && it->source == p->source &&
		    it->member == p->member)
			bind_force(p->binder, perfmap_pid(it->name), it);
	}
}

static void read_statuses(struct profile *p)
{
	for (size_t i = 0; i < p->locator.n; i++) {
		struct item *it = &p->locator.item[i];
		int32_t pid, nspid;

		if (it->kind == ITEM_STATUS &&
		    procmaps_read_status(source_map(it->source, it->member), &pid,
		                         &nspid))
			bind_namespace_pid(p->binder, pid, nspid);
	}
}

/* Saved /proc/PID/maps, for a text whose mappings nothing else knows. */
void profile_apply_saved_maps(struct profile *p)
{
	for (size_t i = 0; i < p->locator.n; i++) {
		struct item *it = &p->locator.item[i];
		struct event ev = { .kind = EV_MMAP };
		struct str rest;

		if (it->kind != ITEM_MAPS)
			continue;
		ev.pid = procmaps_pid(str_base(it->name));
		if (ev.pid < 0)
			ev.pid = procmaps_pid(it->name);
		if (ev.pid < 0)
			ev.pid = p->only_pid;
		ev.tid = ev.pid;
		rest = source_map(it->source, it->member);
		while (ev.pid >= 0 && procmaps_next(&rest, &ev.map))
			process_apply(p->ps, &ev);
	}
}

int profile_setup(struct profile *p)
{
	if (!p->opts.no_input && open_input(p) < 0)
		return -1;
	if (open_sources(p) < 0)
		return -1;
	read_rundowns(p);
	if (take_pids(p) < 0)
		return -1;
	use_host(p);
	force_maps(p);
	p->can_name = p->locator.n > (p->reader ? 1 : 0) || p->locator.host;
	read_statuses(p);
	profile_prove(p);
	return 0;
}
