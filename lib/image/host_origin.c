#include "image/host_origin.h"

#include <sys/stat.h>
#include <sys/utsname.h>

#include "base/clock.h"
#include "image/host.h"

enum {
	/* a file that was written in less than this time may be a copy */
	COPY_NS = CLOCK_SECOND_NS / 20,
	/* tolerated difference between the clocks of the profile and of this machine */
	SLACK_S = 10,
	/*
	 * tolerance in addition to SLACK_S: the uptime divided by this number, because
	 * clocks are adjusted
	 */
	PER_UPTIME = 1000,
	/*
	 * perf's clock and the wall clock may differ by the uptime divided by this number
	 */
	DRIFT = 20000,
	PAGE = 4096,
	FILES = 4096, /* maximum number of mapped files that are compared */
};

static const char not_shown[] =
        "the profile does not show that it was recorded on this machine";

static bool differ(struct str a, struct str b)
{
	return a.n && b.n && !str_eq(a, b);
}

static bool has_names(const struct host_machine *m)
{
	return m->name.n && m->release.n && m->arch.n;
}

static bool knows_length(const struct host_seen *seen, const struct host_now *now)
{
	return seen->length && now->kernel.text &&
	       (now->kernel.etext || now->kernel.edata);
}

/*
 * Returns true if the kernel and the mapped files prove that this machine recorded the profile.
 * Ignores the host name.
 */
static bool is_known(const struct host_seen *seen, const struct host_now *now)
{
	bool same_id = seen->machine.kernel_id.n && now->machine.kernel_id.n;
	bool same_place = seen->text && knows_length(seen, now);

	return has_names(&seen->machine) ||
	       ((same_id || same_place) && seen->files_same &&
	        seen->files_same >= seen->files_other);
}

/* Returns NULL if this machine has the recorded properties.  Otherwise returns the failed test. */
static const char *other_machine(const struct host_seen *seen, const struct host_now *now)
{
	const struct host_machine *was = &seen->machine, *own = &now->machine;

	if (differ(was->name, own->name))
		return "the profile was recorded on a machine with another name";
	if (differ(was->arch, own->arch))
		return "the profile was recorded on another type of machine";
	if (differ(was->release, own->release))
		return "the profile was recorded with another release of the kernel";
	if (differ(was->kernel_id, own->kernel_id))
		return "the profile was recorded with another build of the kernel";
	return NULL;
}

/* Returns how the running kernel differs from the recorded kernel, or NULL. */
static const char *other_kernel(const struct host_seen *seen, const struct host_now *now)
{
	bool same_id = seen->machine.kernel_id.n && now->machine.kernel_id.n;

	if (!same_id && knows_length(seen, now) &&
	    !kallsyms_has_length(&now->kernel, seen->length))
		return "the profile was recorded with another build of the kernel";
	if (seen->text && now->kernel.text && seen->text != now->kernel.text)
		return "the kernel had another load address when the profile was "
		       "recorded, "
		       "in another boot";
	if (seen->modules_moved > seen->modules_same)
		return "the kernel modules had other load addresses when the profile was "
		       "recorded, in another boot";
	return NULL;
}

static uint64_t minus(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/*
 * Converts `ns` of the samples' clock to wall-clock time, assuming that the machine was not
 * suspended after `ns`.  If it was suspended, the true time is earlier.
 */
static uint64_t latest(const struct host_now *now, uint64_t ns)
{
	return now->clock_ns > ns ? minus(now->wall_ns, now->clock_ns - ns)
	                          : now->wall_ns + (ns - now->clock_ns);
}

static const char *other_boot(const struct host_seen *seen, const struct host_now *now)
{
	uint64_t slack =
	        (uint64_t)SLACK_S * CLOCK_SECOND_NS + now->since_boot_ns / PER_UPTIME;

	if (!seen->last_ns)
		return NULL;
	if (seen->last_ns > now->clock_ns + slack)
		return "the profile has later times than this machine's clock, as it was "
		       "recorded in another boot";
	if (latest(now, seen->first_ns) + slack < minus(now->wall_ns, now->since_boot_ns))
		return "the profile was recorded before this machine started";
	return NULL;
}

static void set_earlier(uint64_t *at, uint64_t ns)
{
	if (ns < *at)
		*at = ns;
}

/*
 * Returns true if the profile's file was written during the recording.  perf creates its file at
 * the start and writes it until the end.  A copy is created after the recording.
 */
static bool is_as_written(const struct host_seen *seen, const struct host_now *now,
                          uint64_t lasted)
{
	uint64_t slack = (uint64_t)SLACK_S * CLOCK_SECOND_NS + now->since_boot_ns / DRIFT;
	uint64_t last = latest(now, seen->last_ns);

	if (!seen->made_ns || seen->made_ns + lasted > seen->written_ns)
		return false;
	/*
	 * If samples have no times, a file that was written in a short time is taken for
	 * a copy.
	 */
	if (!seen->last_ns)
		return seen->written_ns - seen->made_ns >= COPY_NS;
	return seen->written_ns <= last + slack &&
	       seen->written_ns + now->slept_ns + slack >= last;
}

static void find_begin(const struct host_seen *seen, const struct host_now *now,
                       struct host_origin *out)
{
	uint64_t lasted = minus(seen->last_ns, seen->first_ns);
	uint64_t booted = minus(now->wall_ns, now->since_boot_ns);
	uint64_t begin = seen->last_ns ? latest(now, seen->first_ns) : now->wall_ns;
	uint64_t earliest =
	        seen->last_ns ? minus(begin, now->slept_ns + now->since_boot_ns / DRIFT)
	                      : booted;

	out->began_ns = begin;
	out->ended_ns = seen->last_ns
	                        ? latest(now, seen->last_ns) + now->since_boot_ns / DRIFT
	                        : now->wall_ns;
	if (seen->wall_ns)
		set_earlier(&out->began_ns, seen->wall_ns);
	if (seen->written_ns)
		set_earlier(&out->began_ns, minus(seen->written_ns, lasted));
	out->surely_ns = earliest < out->began_ns ? earliest : out->began_ns;
	/*
	 * If the file is older than the earliest possible start, the recording has
	 * overwritten an existing file, so the birth time of the file is not used.
	 */
	if (seen->made_ns < earliest || !is_as_written(seen, now, lasted))
		return;
	set_earlier(&out->began_ns, seen->made_ns);
	out->surely_ns = out->began_ns;
}

struct host_origin host_origin_judge(const struct host_seen *seen,
                                     const struct host_now *now)
{
	struct host_origin out = { .elsewhere = other_machine(seen, now) };

	if (!out.elsewhere)
		out.elsewhere = other_kernel(seen, now);
	if (!out.elsewhere)
		out.elsewhere = other_boot(seen, now);
	if (!out.elsewhere && !is_known(seen, now))
		out.elsewhere = not_shown;
	if (!out.elsewhere)
		find_begin(seen, now, &out);
	return out;
}

static struct str section_of(const struct capture *c, enum feature f)
{
	struct cursor cur = cur_over(c->section[f], c->swap);

	return capture_has(c, f) ? capture_string(&cur) : (struct str){ 0 };
}

static struct host_machine describe_recording(const struct capture *c)
{
	return (struct host_machine){ .name = section_of(c, FEATURE_HOSTNAME),
		                      .release = section_of(c, FEATURE_OSRELEASE),
		                      .arch = section_of(c, FEATURE_ARCH) };
}

/* Describes this machine.  `names` must live as long as the result. */
static struct host_machine describe_this_machine(struct utsname *names)
{
	if (uname(names))
		*names = (struct utsname){ 0 };
	return (struct host_machine){ .name = str_of(names->nodename),
		                      .release = str_of(names->release),
		                      .arch = str_of(names->machine) };
}

bool host_origin_is_elsewhere(struct locator *l, const struct capture *c)
{
	const struct host_seen seen = { .machine = describe_recording(c) };
	struct utsname names;
	const struct host_now now = { .machine = describe_this_machine(&names) };

	const char *why = other_machine(&seen, &now);

	l->elsewhere = why ? why : not_shown;
	return why != NULL;
}

/* Compares the recorded load address of a module with its address in /proc/modules. */
static void count_module(struct str modules, struct str name, uint64_t at,
                         struct host_seen *seen)
{
	while (modules.n) {
		struct str line = str_cut(&modules, '\n');
		struct str hex = str_from(line, str_search(line, STR(" 0x")));
		uint64_t own;

		if (!str_eq(str_cut(&line, ' '), name))
			continue;
		hex = str_from(hex, hex.n ? 3 : 0);
		if (!str_take_hex(&hex, &own) || !own)
			return;
		seen->modules_same += own == at;
		seen->modules_moved += own != at;
		return;
	}
}

static void compare_modules(struct locator *l, const struct mapping *const *maps,
                            size_t n, struct host_seen *seen)
{
	struct str modules = host_read_pseudo("/proc/modules", l->run);

	for (size_t i = 0; i < n && modules.n; i++) {
		struct str path = intern_str(l->names, maps[i]->path);

		if (maps[i]->kind == MAPPED_KERNEL && !maps[i]->itself && path.n > 2 &&
		    path.p[0] == '[' && path.p[path.n - 1] == ']')
			count_module(modules, (struct str){ path.p + 1, path.n - 2 },
			             maps[i]->first, seen);
	}
}

static void compare_files(struct locator *l, const struct mapping *const *maps, size_t n,
                          struct host_seen *seen)
{
	arena_scope(scratch);
	struct table met = { 0 };

	for (size_t i = 0; i < n && met.n < FILES; i++) {
		const struct mapping *m = maps[i];
		struct str path = intern_str(l->names, m->path);
		uint32_t *at;

		if (m->kind != MAPPED_IMAGE || !m->on_disk.ino ||
		    !str_starts(path, STR("/")))
			continue;
		at = table_at(&met, &scratch, m->path, m->on_disk.ino);
		if ((*at)++)
			continue;
		if (host_is_mapped(l, m))
			seen->files_same++;
		else
			seen->files_other++;
	}
}

static uint64_t clock_at(clockid_t clock)
{
	struct timespec t;

	return clock_gettime(clock, &t) ? 0 : clock_ns(t);
}

/*
 * Reads the clocks.  A negative clockid represents perf's own clock.  Like CLOCK_MONOTONIC, this
 * clock counts from boot, without suspended time.
 */
static void read_clocks(int32_t clockid, struct host_now *now)
{
	clockid_t id = clockid < 0 ? CLOCK_MONOTONIC : (clockid_t)clockid;

	now->clock_ns = clock_at(id);
	now->since_boot_ns = clock_at(CLOCK_BOOTTIME);
	if (id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_RAW)
		now->slept_ns = minus(now->since_boot_ns, clock_at(CLOCK_MONOTONIC));
	now->wall_ns = clock_at(CLOCK_REALTIME);
}

static uint64_t ns_of(struct statx_timestamp t)
{
	return (uint64_t)t.tv_sec * CLOCK_SECOND_NS + t.tv_nsec;
}

static void read_times(const struct source *profile, struct host_seen *seen)
{
	struct statx at;

	if (!source_times(profile, &at))
		return;
	seen->written_ns = ns_of(at.stx_mtime);
	if (at.stx_mask & STATX_BTIME)
		seen->made_ns = ns_of(at.stx_btime);
}

static void compare_kernel(struct locator *l, const struct mapping *core,
                           struct host_seen *seen, struct host_now *now)
{
	seen->machine.kernel_id = core->build_id;
	now->machine.kernel_id = host_kernel_id(l);
	/* Old versions of perf map the kernel from address 0, so its load address is unknown. */
	if (!str_eq(intern_str(l->names, core->reference), STR("_text")))
		return;
	seen->text = core->first - core->bias;
	/*
	 * Before perf 5.0, the mapping of the kernel ends at the start of the next
	 * mapping, on a page boundary.  The length of the kernel is then unknown.
	 */
	if (core->last % PAGE)
		seen->length = core->last - core->first;
	host_kernel_place(l, !core->build_id.n, &now->kernel);
}

void host_origin_learn(struct locator *l, const struct capture *c, struct processes *ps,
                       const struct source *profile, int32_t clockid, uint64_t first_ns,
                       uint64_t last_ns)
{
	struct host_seen seen = { .machine = describe_recording(c),
		                  .first_ns = first_ns,
		                  .last_ns = last_ns };
	const struct mapping *core = process_kernel(ps);
	const struct mapping *const *maps;
	size_t n = process_mappings(ps, &maps);
	struct utsname names;
	struct host_now now = { .machine = describe_this_machine(&names) };
	struct host_origin found;

	read_clocks(clockid, &now);
	if (core)
		compare_kernel(l, core, &seen, &now);
	compare_modules(l, maps, n, &seen);
	if (!has_names(&seen.machine))
		compare_files(l, maps, n, &seen);
	if (c->has_clock && c->wall_ns + first_ns > c->clock_ns)
		seen.wall_ns = c->wall_ns + first_ns - c->clock_ns;
	read_times(profile, &seen);
	found = host_origin_judge(&seen, &now);
	l->elsewhere = found.elsewhere;
	l->recorded_here = !found.elsewhere;
	l->began_ns = found.began_ns;
	l->surely_ns = found.surely_ns;
	l->ended_ns = found.ended_ns;
}
