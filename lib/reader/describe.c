/*
 * The block that `perf script --header` prints in front: tools/perf/util/header.c of
 * Linux 6.1, all but its line "captured on", the time of the file on its disk.
 *
 *	# ========
 *	# header version : 1
 *	# hostname : build7
 *	# missing features: TRACING_DATA BRANCH_STACK GROUP_DESC
 *	# ========
 *	#
 */
#include "reader/describe.h"

#include <stdio.h>
#include <time.h>

static const uint64_t NS = 1000000000;

static const char *const names[FEATURES] = {
	NULL,
	"TRACING_DATA",
	"BUILD_ID",
	"HOSTNAME",
	"OSRELEASE",
	"VERSION",
	"ARCH",
	"NRCPUS",
	"CPUDESC",
	"CPUID",
	"TOTAL_MEM",
	"CMDLINE",
	"EVENT_DESC",
	"CPU_TOPOLOGY",
	"NUMA_TOPOLOGY",
	"BRANCH_STACK",
	"PMU_MAPPINGS",
	"GROUP_DESC",
	"AUXTRACE",
	"STAT",
	"CACHE",
	"SAMPLE_TIME",
	"MEM_TOPOLOGY",
	"CLOCKID",
	"DIR_FORMAT",
	"BPF_PROG_INFO",
	"BPF_BTF",
	"COMPRESSED",
	"CPU_PMU_CAPS",
	"CLOCK_DATA",
	"HYBRID_TOPOLOGY",
	"PMU_CAPS",
};

static void show_string(const char *what, struct cursor *c, struct out *o)
{
	out_fmt(o, "# %s : ", what);
	out_str(o, feature_string(c));
	out_char(o, '\n');
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
		struct str word = feature_string(c);

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
		struct str name = feature_string(c);

		if (c->bad)
			break;
		out_fmt(o, "%s" PRSTR " = %u", i ? ", " : "", STRARG(name), type);
	}
	out_char(o, '\n');
}

/* "# group: name{cycles,instructions}" */
static void show_groups(const struct header *h, struct cursor *c, struct out *o)
{
	uint32_t n = cur_u32(c);
	size_t end = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct str name = feature_string(c);
		size_t first = cur_u32(c), members = cur_u32(c);

		if (c->bad || first < end || first > h->attrs.n ||
		    members > h->attrs.n - first)
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
			out_str(o, h->attrs.attr[k].pub.name);
		}
		out_str(o, STR("}\n"));
	}
}

static void show_sample_time(struct cursor *c, struct out *o)
{
	uint64_t first = cur_u64(c), last = cur_u64(c);

	out_fmt(o, "# time of first sample : %llu.%06llu\n",
	        (unsigned long long)(first / NS),
	        (unsigned long long)(first % NS / 1000));
	out_fmt(o, "# time of last sample : %llu.%06llu\n",
	        (unsigned long long)(last / NS), (unsigned long long)(last % NS / 1000));
	out_fmt(o, "# sample duration : %10.3f ms\n", (double)(last - first) / 1e6);
}

/* clockid_t of Linux. */
static const char *clock_name(uint32_t id)
{
	switch (id) {
	case 0:
		return "realtime";
	case 1:
		return "monotonic";
	case 4:
		return "monotonic_raw";
	case 7:
		return "boottime";
	case 11:
		return "tai";
	default:
		return "<not found>";
	}
}

static void show_clock(const struct capture *rec, struct out *o)
{
	uint64_t sec = rec->wall_ns / NS, usec = rec->wall_ns % NS / 1000;
	const char *name = clock_name(rec->clockid);
	time_t when = (time_t)sec;
	char text[64] = "<error>";
	struct tm tm;

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
	        (long long)sec, (int)usec, (unsigned long long)(rec->clock_ns / NS),
	        (unsigned long long)(rec->clock_ns % NS), name);
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

/* What one PMU can do; its name stands behind that. */
static void show_abilities(struct cursor *c, struct str pmu, struct out *o)
{
	uint32_t n = cur_u32(c);
	struct cursor ability = *c;

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		feature_string(c);
		feature_string(c);
	}
	if (!pmu.n)
		pmu = feature_string(c);
	if (c->bad)
		return;
	out_fmt(o, "# " PRSTR " pmu capabilities: ", STRARG(pmu));
	if (!n)
		out_str(o, STR("not available"));
	for (uint32_t i = 0; i < n; i++) {
		struct str name = feature_string(&ability),
		           value = feature_string(&ability);

		out_fmt(o, "%s" PRSTR "=" PRSTR, i ? ", " : "", STRARG(name),
		        STRARG(value));
	}
	out_char(o, '\n');
}

static void show_pmu_abilities(struct cursor *c, struct out *o)
{
	uint32_t n = cur_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++)
		show_abilities(c, (struct str){ 0 }, o);
}

static void show_machine(const struct header *h, unsigned feature, struct cursor *c,
                         struct out *o)
{
	switch (feature) {
	case FEATURE_CPU_TOPOLOGY:
		describe_cpus(h, c, o);
		break;
	case FEATURE_NUMA_TOPOLOGY:
		describe_numa(c, o);
		break;
	case FEATURE_CACHE:
		describe_caches(c, o);
		break;
	case FEATURE_MEM_TOPOLOGY:
		describe_memory(c, o);
		break;
	default:
		describe_hybrid(c, o);
	}
}

static void show_feature(const struct header *h, unsigned feature, struct cursor *c,
                         struct out *o)
{
	switch (feature) {
	case FEATURE_HOSTNAME:
		show_string("hostname", c, o);
		break;
	case FEATURE_OSRELEASE:
		show_string("os release", c, o);
		break;
	case FEATURE_VERSION:
		show_string("perf version", c, o);
		break;
	case FEATURE_ARCH:
		show_string("arch", c, o);
		break;
	case FEATURE_NRCPUS:
		show_cpu_count(c, o);
		break;
	case FEATURE_CPUDESC:
		show_string("cpudesc", c, o);
		break;
	case FEATURE_CPUID:
		show_string("cpuid", c, o);
		break;
	case FEATURE_TOTAL_MEM:
		out_fmt(o, "# total memory : %llu kB\n", (unsigned long long)cur_u64(c));
		break;
	case FEATURE_CMDLINE:
		show_command(c, o);
		break;
	case FEATURE_EVENT_DESC:
		describe_events(h, c, o);
		break;
	case FEATURE_BRANCH_STACK:
		out_str(o, STR("# contains samples with branch stack\n"));
		break;
	case FEATURE_PMU_MAPPINGS:
		show_pmus(c, o);
		break;
	case FEATURE_GROUP_DESC:
		show_groups(h, c, o);
		break;
	case FEATURE_AUXTRACE:
		out_str(o, STR("# contains AUX area data (e.g. instruction trace)\n"));
		break;
	case FEATURE_STAT:
		out_str(o, STR("# contains stat data\n"));
		break;
	case FEATURE_SAMPLE_TIME:
		show_sample_time(c, o);
		break;
	case FEATURE_CLOCKID:
		out_fmt(o, "# clockid frequency: %llu MHz\n",
		        (unsigned long long)cur_u64(c) * 1000);
		break;
	case FEATURE_DIR_FORMAT:
		out_fmt(o, "# directory data version : %llu\n",
		        (unsigned long long)cur_u64(c));
		break;
	case FEATURE_COMPRESSED:
		show_compression(c, o);
		break;
	case FEATURE_CPU_PMU_CAPS:
		show_abilities(c, STR("cpu"), o);
		break;
	case FEATURE_CLOCK_DATA:
		show_clock(&h->capture, o);
		break;
	case FEATURE_PMU_CAPS:
		show_pmu_abilities(c, o);
		break;
	default:
		break;
	}
}

static bool only_full(unsigned feature)
{
	return feature == FEATURE_CPU_TOPOLOGY || feature == FEATURE_NUMA_TOPOLOGY ||
	       feature == FEATURE_CACHE || feature == FEATURE_MEM_TOPOLOGY ||
	       feature == FEATURE_HYBRID_TOPOLOGY;
}

static void show_features(const struct header *h, bool full, struct out *o)
{
	for (unsigned i = 0; i < FEATURES; i++) {
		struct cursor c = cur_over(h->feature[i], h->pub.swap);

		if (!h->feature[i].p)
			continue;
		if (!only_full(i))
			show_feature(h, i, &c, o);
		else if (full)
			show_machine(h, i, &c, o);
		else
			out_fmt(o, "# %s info available, use -I to display\n", names[i]);
	}
}

static void show_missing(const struct header *h, struct out *o)
{
	out_str(o, STR("# missing features: "));
	for (unsigned i = 1; i < FEATURES; i++)
		if (!(h->pub.features[0] >> i & 1))
			out_fmt(o, "%s ", names[i]);
	out_char(o, '\n');
}

void describe_header(const struct header *h, bool full, struct out *o)
{
	uint64_t at = h->pub.data_at, size = h->pub.data_bytes;

	out_fmt(o, "# ========\n# header version : 1\n# data offset    : %llu\n",
	        (unsigned long long)at);
	out_fmt(o, "# data size      : %llu\n# feat offset    : %llu\n",
	        (unsigned long long)size, (unsigned long long)at + size);
	if (!h->pub.pipe) {
		show_features(h, full, o);
		show_missing(h, o);
	}
	out_str(o, STR("# ========\n#\n"));
	if (h->pub.pipe)
		show_features(h, full, o);
}
