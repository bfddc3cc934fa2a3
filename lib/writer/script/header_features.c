/*
 * Follows tools/perf/util/header.c of Linux 6.1.  Each function writes the lines of one feature
 * section.  If the section is truncated, the missing lines are omitted.
 */
#include "writer/script/header_features.h"

#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "writer/script/header_events.h"

enum { RANGES_SHOWN = 100, SIZE_TEXT = 32 };

/* version of /proc/schedstat that added the names of domains */
enum { SCHEDSTAT_NAMES = 17 };

static void show_total_memory(struct cursor *c, struct out *o)
{
	out_fmt(o, "# total memory : %llu kB\n", (unsigned long long)cur_u64(c));
}

static void show_clock_rate(struct cursor *c, struct out *o)
{
	out_fmt(o, "# clockid frequency: %llu MHz\n",
	        (unsigned long long)cur_u64(c) * 1000);
}

static void show_directory(struct cursor *c, struct out *o)
{
	out_fmt(o, "# directory data version : %llu\n", (unsigned long long)cur_u64(c));
}

static void show_cpu_count(struct cursor *c, struct out *o)
{
	uint32_t avail = cur_u32(c), online = cur_u32(c);

	out_fmt(o, "# nrcpus online : %u\n# nrcpus avail : %u\n", online, avail);
}

static void show_command(struct cursor *c, struct out *o)
{
	uint32_t n = cur_u32(c);

	out_str(o, STR("# cmdline : "));
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		struct str word = capture_string(c);

		for (size_t k = 0; k < word.n; k++) {
			if (word.p[k] == '\'')
				out_char(o, '\\');
			out_char(o, word.p[k]);
		}
		out_char(o, ' ');
	}
	out_char(o, '\n');
}

static void show_pmus(struct cursor *c, struct out *o)
{
	uint32_t n = cur_u32(c);

	out_str(o, STR("# pmu mappings: "));
	if (!n)
		out_str(o, STR("not available"));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t type = cur_u32(c);
		struct str name = capture_string(c);

		if (c->bad)
			break;
		out_fmt(o, "%s" PRSTR " = %u", i ? ", " : "", STRARG(name), type);
	}
	out_char(o, '\n');
}

/* Writes "# group: name{cycles,instructions}". */
static void show_groups(const struct capture *rec, struct cursor *c, struct out *o)
{
	uint32_t n = cur_u32(c);
	size_t end = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct str name = capture_string(c);
		size_t first = cur_u32(c), members = cur_u32(c);

		if (c->bad || first < end || first > rec->nattrs ||
		    members > rec->nattrs - first)
			return;
		end = first + members;
		if (members < 2)
			continue;
		if (str_eq(name, STR("{anon_group}")))
			name = STR("");
		out_fmt(o, "# group: " PRSTR "{", STRARG(name));
		for (size_t k = first; k < first + members; k++) {
			if (k > first)
				out_char(o, ',');
			out_str(o, rec->attrs[k]->name);
		}
		out_str(o, STR("}\n"));
	}
}

static void show_sample_time(struct cursor *c, struct out *o)
{
	uint64_t first = cur_u64(c), last = cur_u64(c);

	out_fmt(o, "# time of first sample : %llu.%06llu\n",
	        (unsigned long long)(first / CLOCK_SECOND_NS),
	        (unsigned long long)(first % CLOCK_SECOND_NS / 1000));
	out_fmt(o, "# time of last sample : %llu.%06llu\n",
	        (unsigned long long)(last / CLOCK_SECOND_NS),
	        (unsigned long long)(last % CLOCK_SECOND_NS / 1000));
	out_fmt(o, "# sample duration : %10.3f ms\n", (double)(last - first) / 1e6);
}

/* Returns the name of a clockid_t of Linux. */
static const char *clock_name(uint32_t id)
{
	static const char *const names[] = { [0] = "realtime",
		                             [1] = "monotonic",
		                             [4] = "monotonic_raw",
		                             [7] = "boottime",
		                             [11] = "tai" };
	bool known = id < sizeof(names) / sizeof(*names) && names[id];

	return known ? names[id] : "<not found>";
}

static void show_clock(const struct capture *rec, struct cursor *c, struct out *o)
{
	uint64_t sec = rec->wall_ns / CLOCK_SECOND_NS,
	         usec = rec->wall_ns % CLOCK_SECOND_NS / 1000;
	const char *name = clock_name(rec->clockid);
	time_t when = (time_t)sec;
	char text[64] = "<error>";
	struct tm tm;

	/* `c` is not used, because rec already has the content of this section */
	(void)c;
	if (!rec->has_clock) {
		out_str(o, STR("# reference time disabled\n"));
		return;
	}
	if (localtime_r(&when, &tm)) {
		size_t n = strftime(text, sizeof(text), "%F %T", &tm);

		snprintf(text + n, sizeof(text) - n, ".%06d", (int)usec);
	}
	out_fmt(o, "# clockid: %s (%u)\n", name, rec->clockid);
	out_fmt(o, "# reference time: %s = %lld.%06d (TOD) = %llu.%09llu (%s)\n", text,
	        (long long)sec, (int)usec,
	        (unsigned long long)(rec->clock_ns / CLOCK_SECOND_NS),
	        (unsigned long long)(rec->clock_ns % CLOCK_SECOND_NS), name);
}

static void show_compression(struct cursor *c, struct out *o)
{
	uint32_t type, level, ratio;

	cur_take(c, 4); /* version */
	type = cur_u32(c);
	level = cur_u32(c);
	ratio = cur_u32(c);
	out_fmt(o, "# compressed : %s, level = %d, ratio = %d\n",
	        type == 1 ? "Zstd" : "Unknown", (int)level, (int)ratio);
}

/* Writes the capabilities of one PMU, and then the name of the PMU. */
static void show_abilities(struct cursor *c, struct str pmu, struct out *o)
{
	uint32_t n = cur_u32(c);
	struct cursor ability = *c;

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		capture_string(c);
		capture_string(c);
	}
	if (!pmu.n)
		pmu = capture_string(c);
	if (c->bad)
		return;
	out_fmt(o, "# " PRSTR " pmu capabilities: ", STRARG(pmu));
	if (!n)
		out_str(o, STR("not available"));
	for (uint32_t i = 0; i < n; i++) {
		struct str name = capture_string(&ability),
		           value = capture_string(&ability);

		out_fmt(o, "%s" PRSTR "=" PRSTR, i ? ", " : "", STRARG(name),
		        STRARG(value));
	}
	out_char(o, '\n');
}

static void show_cpu_abilities(struct cursor *c, struct out *o)
{
	show_abilities(c, STR("cpu"), o);
}

static void show_pmu_abilities(struct cursor *c, struct out *o)
{
	uint32_t n = cur_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++)
		show_abilities(c, (struct str){ 0 }, o);
}

static void show_siblings(struct cursor *c, const char *what, struct out *o)
{
	uint32_t n = cur_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		struct str cpus = capture_string(c);

		if (!c->bad)
			out_fmt(o, "# sibling %s : " PRSTR "\n", what, STRARG(cpus));
	}
}

/*
 * Writes the topology of CPUs.  In the file the sockets precede the dies, but perf prints the
 * dies first.
 */
static void show_cpus(const struct capture *rec, struct cursor *c, struct out *o)
{
	struct cursor count = cur_over(rec->section[FEATURE_NRCPUS], rec->swap), threads,
	              ids;
	uint32_t ncpus = cur_u32(&count), n;
	bool has_dies;

	show_siblings(c, "sockets", o);
	threads = *c;
	n = cur_u32(c);
	for (uint32_t i = 0; i < n && !c->bad; i++)
		capture_string(c);
	ids = *c;
	if (!cur_take(c, (size_t)ncpus * 8))
		ids = cur_over((struct str){ 0 }, rec->swap);
	has_dies = cur_left(c) != 0 && !c->bad;
	if (has_dies)
		show_siblings(c, "dies   ", o);
	show_siblings(&threads, "threads", o);
	if (!cur_left(&ids) && ncpus)
		out_fmt(o, "# Core ID and Socket ID information is not available\n");
	for (uint32_t i = 0; i < ncpus && cur_left(&ids) >= 8; i++) {
		int32_t core = (int32_t)cur_u32(&ids), socket = (int32_t)cur_u32(&ids);

		out_fmt(o, "# CPU %u: Core ID %d, ", i, core);
		if (has_dies)
			out_fmt(o, "Die ID %d, ", (int32_t)cur_u32(c));
		out_fmt(o, "Socket ID %d\n", socket);
	}
}

static void show_numa(struct cursor *c, struct out *o)
{
	uint32_t n = cur_u32(c);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t node = cur_u32(c);
		uint64_t total = cur_u64(c), unused = cur_u64(c);
		struct str cpus = capture_string(c);

		if (c->bad)
			return;
		out_fmt(o, "# node%u meminfo  : total = %llu kB, free = %llu kB\n", node,
		        (unsigned long long)total, (unsigned long long)unused);
		out_fmt(o, "# node%u cpu list : " PRSTR "\n", node, STRARG(cpus));
	}
}

static void show_caches(struct cursor *c, struct out *o)
{
	uint32_t n;

	cur_take(c, 4); /* version */
	n = cur_u32(c);
	out_str(o, STR("# CPU cache info:\n"));
	for (uint32_t i = 0; i < n; i++) {
		int32_t level = (int32_t)cur_u32(c);
		struct str type, size, cpus;

		cur_take(c, 12); /* skips line size, sets and ways */
		type = capture_string(c);
		size = capture_string(c);
		cpus = capture_string(c);
		if (c->bad)
			return;
		out_fmt(o, "#  L%d %-15.*s %8.*s [" PRSTR "]\n", level, STRARG(type),
		        STRARG(size), STRARG(cpus));
	}
}

/*
 * Writes the numbers of all set bits as ranges, such as "0-3,8".  The text is truncated as in
 * perf.  Returns how many bits are set.
 */
static uint64_t list_bits(struct str map, uint64_t bits, bool swap,
                          char out[RANGES_SHOWN])
{
	uint64_t set = 0, first = 0;
	bool inside = false;
	size_t n = 0;

	out[0] = '\0';
	for (uint64_t i = 0; i <= bits; i++) {
		struct cursor c = cur_over(str_from(map, i / 64 * 8), swap);
		bool on = i < bits && cur_u64(&c) >> i % 64 & 1;

		set += on;
		if (on && !inside)
			first = i;
		if (!on && inside && n < RANGES_SHOWN - 1) {
			n += (size_t)snprintf(out + n, RANGES_SHOWN - n, "%s%llu",
			                      n ? "," : "", (unsigned long long)first);
			if (i - first > 1 && n < RANGES_SHOWN - 1)
				n += (size_t)snprintf(out + n, RANGES_SHOWN - n, "-%llu",
				                      (unsigned long long)i - 1);
		}
		inside = on;
	}
	return set;
}

/*
 * Writes a size in the largest unit in which its value is at least 2.  The value is truncated,
 * not rounded.
 */
static void show_size(uint64_t bytes, char out[SIZE_TEXT])
{
	size_t unit = 0;

	for (; bytes / 1024 > 1 && unit < 3; unit++)
		bytes /= 1024;
	snprintf(out, SIZE_TEXT, "%llu%c", (unsigned long long)bytes, "BKMG"[unit]);
}

static void show_memory(struct cursor *c, struct out *o)
{
	uint64_t block, n;

	cur_take(c, 8); /* version */
	block = cur_u64(c);
	n = cur_u64(c);
	if (c->bad)
		return;
	out_fmt(o, "# memory nodes (nr %d, block size 0x%llx):\n", (int)n,
	        (unsigned long long)block);
	for (uint64_t i = 0; i < n; i++) {
		char ranges[RANGES_SHOWN], size[SIZE_TEXT];
		uint64_t node = cur_u64(c), bits, set;
		const char *map;

		cur_take(c, 8); /* skips the size of the node in blocks */
		bits = cur_u64(c);
		if (c->bad || bits > cur_left(c) * 8)
			return;
		map = cur_take(c, (bits + 63) / 64 * 8);
		if (!map)
			return;
		set = list_bits((struct str){ map, (bits + 63) / 64 * 8 }, bits, c->swap,
		                ranges);
		show_size(block * set, size);
		out_fmt(o, "#  %3llu [%s]: %s\n", (unsigned long long)node, size, ranges);
	}
}

static void show_hybrid(struct cursor *c, struct out *o)
{
	uint32_t n = cur_u32(c);

	out_str(o, STR("# hybrid cpu system:\n"));
	for (uint32_t i = 0; i < n; i++) {
		struct str pmu = capture_string(c), cpus = capture_string(c);

		if (c->bad)
			return;
		out_fmt(o, "# " PRSTR " cpu list : " PRSTR "\n", STRARG(pmu),
		        STRARG(cpus));
	}
}

/* Writes the scheduling domains of each CPU. */
static void show_domains(struct cursor *c, struct out *o)
{
	uint32_t version = cur_u32(c);

	out_fmt(o, "# schedstat version\t: %u\n", version);
	out_fmt(o, "# Maximum sched domains\t: %u\n", cur_u32(c));
	while (cur_left(c) >= 8 && !c->bad) {
		uint32_t cpu = cur_u32(c), n = cur_u32(c);

		out_fmt(o, "# cpu\t\t: %u\n# nr_domains\t: %u\n", cpu, n);
		for (uint32_t i = 0; i < n; i++) {
			uint32_t domain = cur_u32(c);
			struct str name = { 0 }, map, list;

			if (version >= SCHEDSTAT_NAMES)
				name = capture_string(c);
			map = capture_string(c);
			list = capture_string(c);
			if (c->bad)
				return;
			out_fmt(o, "# Domain\t\t: %u\n", domain);
			if (version >= SCHEDSTAT_NAMES)
				out_fmt(o, "# Domain name      : " PRSTR "\n",
				        STRARG(name));
			out_fmt(o, "# Domain cpu map   : " PRSTR "\n", STRARG(map));
			out_fmt(o, "# Domain cpu list  : " PRSTR "\n", STRARG(list));
		}
	}
}

static void show_machine(struct cursor *c, struct out *o)
{
	uint32_t machine = cur_u32(c), flags = cur_u32(c);

	out_fmt(o, "# e_machine : %u\n#   e_flags : %u\n", machine, flags);
}

static void show_cache_line(struct cursor *c, struct out *o)
{
	out_fmt(o, "# cacheline size: %u\n", cur_u32(c));
}

/* Writes a line for a section without BPF programs, as perf 7 does. */
static void show_no_programs(const struct capture *rec, struct cursor *c, struct out *o)
{
	(void)rec;
	if (!cur_u32(c))
		out_str(o, STR("# bpf_prog_info empty\n"));
}

static void show_no_types(const struct capture *rec, struct cursor *c, struct out *o)
{
	(void)rec;
	if (!cur_u32(c))
		out_str(o, STR("# btf info empty\n"));
}

/*
 * Describes how each feature is printed.  If an element sets only `name`, the feature is not
 * printed.
 */
static const struct description {
	const char *name; /* name in perf's HEADER_* */
	/* if the section is one string: title that is printed with this string */
	const char *string;
	const char *line; /* fixed line that is printed instead of the content */
	void (*show)(struct cursor *c, struct out *o);
	void (*show_of)(const struct capture *rec, struct cursor *c, struct out *o);
	bool full; /* printed only with -I */
	/* if not NULL, used for the format of perf 7 instead of `show` and `show_of` */
	void (*newer)(const struct capture *rec, struct cursor *c, struct out *o);
} descriptions[FEATURES_OF_7] = {
	[FEATURE_TRACING_DATA] = { .name = "TRACING_DATA" },
	[FEATURE_BUILD_ID] = { .name = "BUILD_ID" },
	[FEATURE_HOSTNAME] = { "HOSTNAME", .string = "hostname" },
	[FEATURE_OSRELEASE] = { "OSRELEASE", .string = "os release" },
	[FEATURE_VERSION] = { "VERSION", .string = "perf version" },
	[FEATURE_ARCH] = { "ARCH", .string = "arch" },
	[FEATURE_NRCPUS] = { "NRCPUS", .show = show_cpu_count },
	[FEATURE_CPUDESC] = { "CPUDESC", .string = "cpudesc" },
	[FEATURE_CPUID] = { "CPUID", .string = "cpuid" },
	[FEATURE_TOTAL_MEM] = { "TOTAL_MEM", .show = show_total_memory },
	[FEATURE_CMDLINE] = { "CMDLINE", .show = show_command },
	[FEATURE_EVENT_DESC] = { "EVENT_DESC", .show_of = header_events_write,
	                         .newer = header_events_write_named },
	[FEATURE_CPU_TOPOLOGY] = { "CPU_TOPOLOGY", .show_of = show_cpus, .full = true },
	[FEATURE_NUMA_TOPOLOGY] = { "NUMA_TOPOLOGY", .show = show_numa, .full = true },
	[FEATURE_BRANCH_STACK] = { "BRANCH_STACK",
	                           .line = "contains samples with branch stack" },
	[FEATURE_PMU_MAPPINGS] = { "PMU_MAPPINGS", .show = show_pmus },
	[FEATURE_GROUP_DESC] = { "GROUP_DESC", .show_of = show_groups },
	[FEATURE_AUXTRACE] = { "AUXTRACE", .line = "contains AUX area data (e.g. "
	                                           "instruction trace)" },
	[FEATURE_STAT] = { "STAT", .line = "contains stat data" },
	[FEATURE_CACHE] = { "CACHE", .show = show_caches, .full = true },
	[FEATURE_SAMPLE_TIME] = { "SAMPLE_TIME", .show = show_sample_time },
	[FEATURE_MEM_TOPOLOGY] = { "MEM_TOPOLOGY", .show = show_memory, .full = true },
	[FEATURE_CLOCKID] = { "CLOCKID", .show = show_clock_rate },
	[FEATURE_DIR_FORMAT] = { "DIR_FORMAT", .show = show_directory },
	[FEATURE_BPF_PROG_INFO] = { "BPF_PROG_INFO", .newer = show_no_programs },
	[FEATURE_BPF_BTF] = { "BPF_BTF", .newer = show_no_types },
	[FEATURE_COMPRESSED] = { "COMPRESSED", .show = show_compression },
	[FEATURE_CPU_PMU_CAPS] = { "CPU_PMU_CAPS", .show = show_cpu_abilities },
	[FEATURE_CLOCK_DATA] = { "CLOCK_DATA", .show_of = show_clock },
	[FEATURE_HYBRID_TOPOLOGY] = { "HYBRID_TOPOLOGY", .show = show_hybrid,
	                              .full = true },
	[FEATURE_PMU_CAPS] = { "PMU_CAPS", .show = show_pmu_abilities },
	[FEATURE_CPU_DOMAIN_INFO] = { "CPU_DOMAIN_INFO", .show = show_domains,
	                              .full = true },
	[FEATURE_E_MACHINE] = { "E_MACHINE", .show = show_machine },
	[FEATURE_CLN_SIZE] = { "CLN_SIZE", .show = show_cache_line },
};

static unsigned features_of(unsigned perf)
{
	return perf == 7 ? FEATURES_OF_7 : FEATURES;
}

static void show_section(const struct capture *rec, const struct description *d,
                         unsigned perf, struct cursor *c, struct out *o)
{
	if (perf == 7 && d->newer) {
		d->newer(rec, c, o);
	} else if (d->string) {
		out_fmt(o, "# %s : ", d->string);
		out_str(o, capture_string(c));
		out_char(o, '\n');
	} else if (d->line) {
		out_fmt(o, "# %s\n", d->line);
	} else if (d->show) {
		d->show(c, o);
	} else if (d->show_of) {
		d->show_of(rec, c, o);
	}
}

static void show_sections(const struct capture *rec, bool full, unsigned perf,
                          struct out *o)
{
	for (unsigned i = 0; i < features_of(perf); i++) {
		const struct description *d = &descriptions[i];
		struct cursor c = cur_over(rec->section[i], rec->swap);

		if (!rec->section[i].p)
			continue;
		if (full || !d->full)
			show_section(rec, d, perf, &c, o);
		else
			out_fmt(o, "# %s info available, use -I to display\n", d->name);
	}
}

static void show_missing(const struct capture *rec, unsigned perf, struct out *o)
{
	out_str(o, STR("# missing features: "));
	for (unsigned i = 1; i < features_of(perf); i++)
		if (!capture_has(rec, i))
			out_fmt(o, "%s ", descriptions[i].name);
	out_char(o, '\n');
}

void header_features_write(const struct capture *rec, bool full, unsigned perf,
                           struct out *o)
{
	uint64_t at = rec->data_at, size = rec->data_bytes;

	out_fmt(o, "# ========\n# header version : 1\n# data offset    : %llu\n",
	        (unsigned long long)at);
	out_fmt(o, "# data size      : %llu\n# feat offset    : %llu\n",
	        (unsigned long long)size, (unsigned long long)at + size);
	if (!rec->pipe) {
		show_sections(rec, full, perf, o);
		show_missing(rec, perf, o);
	}
	out_str(o, STR("# ========\n#\n"));
	if (rec->pipe)
		show_sections(rec, full, perf, o);
}
