/* What a perf.data says of itself, section by section, whole and cut short. */
#include "writer/script/header_features.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "perfgen.h"
#include "reader/perfdata/feature.h"

static struct gen g;
static struct header h;
static struct out out;
static size_t began;
static unsigned perf; /* whose header is printed; 0: that of perf 6.1 */

static int enter(void **state)
{
	(void)state;
	memset(&h, 0, sizeof(h));
	g.n = 0;
	h.capture.swap = HOST_IS_BIG;
	out.n = 0;
	out.fd = -1;
	perf = 0;
	setenv("TZ", "UTC", 1);
	return 0;
}

static void begin(void)
{
	began = g.n;
}

static void end(enum feature feature)
{
	h.capture.section[feature] = (struct str){ g.bytes + began, g.n - began };
	h.capture.features[0] |= (uint64_t)1 << feature;
}

static void says(enum feature feature, const char *text)
{
	begin();
	gen_string(&g, text);
	end(feature);
}

static const char *printed(bool full)
{
	out.n = 0;
	header_features_write(&h.capture, full, perf, &out);
	out_char(&out, '\0');
	return out.buf;
}

/* The line that begins so, and no other line before it. */
static void has(bool full, const char *lines)
{
	if (!strstr(printed(full), lines))
		fail_msg("no %s in:\n%s", lines, out.buf);
}

static void prints_the_block(void **state)
{
	(void)state;
	says(FEATURE_HOSTNAME, "build7");
	says(FEATURE_ARCH, "x86_64");
	h.capture.data_at = 424;
	h.capture.data_bytes = 600;
	assert_string_equal(
	        printed(false),
	        "# ========\n# header version : 1\n# data offset    : 424\n"
	        "# data size      : 600\n# feat offset    : 1024\n"
	        "# hostname : build7\n# arch : x86_64\n"
	        "# missing features: TRACING_DATA BUILD_ID OSRELEASE VERSION NRCPUS "
	        "CPUDESC CPUID TOTAL_MEM CMDLINE EVENT_DESC CPU_TOPOLOGY NUMA_TOPOLOGY "
	        "BRANCH_STACK PMU_MAPPINGS GROUP_DESC AUXTRACE STAT CACHE SAMPLE_TIME "
	        "MEM_TOPOLOGY CLOCKID DIR_FORMAT BPF_PROG_INFO BPF_BTF COMPRESSED "
	        "CPU_PMU_CAPS CLOCK_DATA HYBRID_TOPOLOGY PMU_CAPS \n# ========\n#\n");
}

static void prints_a_pipe_behind_the_block(void **state)
{
	(void)state;
	says(FEATURE_HOSTNAME, "build7");
	h.capture.pipe = true;
	assert_string_equal(printed(false),
	                    "# ========\n# header version : 1\n# data offset    : 0\n"
	                    "# data size      : 0\n# feat offset    : 0\n"
	                    "# ========\n#\n# hostname : build7\n");
}

static void prints_words(void **state)
{
	(void)state;
	begin();
	gen_u32(&g, 3);
	gen_string(&g, "perf");
	gen_string(&g, "it's");
	gen_string(&g, "-a");
	end(FEATURE_CMDLINE);
	has(false, "# cmdline : perf it\\'s -a \n");
	begin();
	gen_u32(&g, 8);
	gen_u32(&g, 6);
	end(FEATURE_NRCPUS);
	has(false, "# nrcpus online : 6\n# nrcpus avail : 8\n");
	begin();
	gen_u64(&g, 1234);
	end(FEATURE_TOTAL_MEM);
	has(false, "# total memory : 1234 kB\n");
	begin();
	gen_u32(&g, 2);
	gen_u32(&g, 1);
	gen_string(&g, "software");
	gen_u32(&g, 4);
	gen_string(&g, "cpu");
	end(FEATURE_PMU_MAPPINGS);
	has(false, "# pmu mappings: software = 1, cpu = 4\n");
	begin();
	gen_u32(&g, 0);
	end(FEATURE_PMU_MAPPINGS);
	has(false, "# pmu mappings: not available\n");
	begin();
	end(FEATURE_BRANCH_STACK);
	has(false, "# contains samples with branch stack\n");
}

static void prints_times(void **state)
{
	(void)state;
	begin();
	gen_u64(&g, 701413618999);
	gen_u64(&g, 702413618999);
	end(FEATURE_SAMPLE_TIME);
	has(false, "# time of first sample : 701.413618\n"
	           "# time of last sample : 702.413618\n"
	           "# sample duration :   1000.000 ms\n");
	begin();
	gen_u64(&g, 1);
	end(FEATURE_CLOCKID);
	has(false, "# clockid frequency: 1000 MHz\n");
	begin();
	gen_u32(&g, 1);
	gen_u32(&g, 1);
	gen_u64(&g, 1700000000123456789);
	gen_u64(&g, 5000000009);
	end(FEATURE_CLOCK_DATA);
	has(false, "# reference time disabled\n");
	assert_true(feature_read(&h, FEATURE_CLOCK_DATA,
	                         h.capture.section[FEATURE_CLOCK_DATA]));
	has(false,
	    "# clockid: monotonic (1)\n# reference time: 2023-11-14 22:13:20.123456 "
	    "= 1700000000.123456 (TOD) = 5.000000009 (monotonic)\n");
}

static void prints_an_event(void **state)
{
	const struct gen_event event = { .type = 1,
		                         .config = 9,
		                         .period = 4000,
		                         .sample_type = 0x10007,
		                         .read_format = 20,
		                         .flags = 3 << 15 | 1 << 10 | 1u << 31 };

	(void)state;
	for (int big = 0; big < 2; big++) {
		g.big = h.capture.big = big;
		h.capture.swap = g.big != HOST_IS_BIG;
		g.n = 0;
		begin();
		gen_u32(&g, 1);
		gen_u32(&g, 136); /* longer than perf 6.1 knows */
		gen_attr(&g, &(struct gen_event){ .type = event.type,
		                                  .size = 136,
		                                  .config = event.config,
		                                  .period = event.period,
		                                  .sample_type = event.sample_type,
		                                  .read_format = event.read_format,
		                                  .flags = event.flags,
		                                  .regs_user = 0xff });
		gen_u32(&g, 2);
		gen_string(&g, "dummy:u");
		gen_u64(&g, 17);
		gen_u64(&g, 18);
		end(FEATURE_EVENT_DESC);
		has(false, "# event : name = dummy:u, , id = { 17, 18 }, type = 1, "
		           "size = 136, config = 0x9, { sample_period, sample_freq } = "
		           "4000, sample_type = IP|TID|TIME|IDENTIFIER, read_format = "
		           "ID|LOST, freq = 1, precise_ip = 3, aux_output = 1, "
		           "sample_regs_user = 0xff\n");
	}
	g.big = false;
}

static void put_event(uint32_t type, uint64_t config, const char *name)
{
	begin();
	gen_u32(&g, 1);
	gen_u32(&g, 136);
	gen_attr(&g,
	         &(struct gen_event){
	                 .type = type, .size = 136, .config = config, .sample_type = 1 });
	gen_u32(&g, 0);
	gen_string(&g, name);
	end(FEATURE_EVENT_DESC);
}

static void prints_events_as_perf_7(void **state)
{
	(void)state;
	perf = 7;
	put_event(1, 0, "cpu-clock");
	has(false, "name = cpu-clock, , type = 1 (PERF_TYPE_SOFTWARE), size = 136, "
	           "config = 0 (PERF_COUNT_SW_CPU_CLOCK), sample_type = IP\n");
	put_event(0, 9, "ref-cycles");
	has(false, "type = 0 (PERF_TYPE_HARDWARE), size = 136, "
	           "config = 0x9 (PERF_COUNT_HW_REF_CPU_CYCLES), ");
	put_event(2, 372, "sched:sched_switch:u");
	has(false, "type = 2 (PERF_TYPE_TRACEPOINT), size = 136, "
	           "config = 0x174 (sched:sched_switch), ");
	put_event(4, 0x1c2, "r1c2");
	has(false, "type = 4 (PERF_TYPE_RAW), size = 136, config = 0x1c2, ");
	put_event(99, 12, "x");
	has(false, "type = 99, size = 136, config = 0xc, ");
	put_event(1, 12, "y");
	has(false, "config = 0xc, ");
}

static void prints_features_of_perf_7(void **state)
{
	(void)state;
	begin();
	gen_u32(&g, 62);
	gen_u32(&g, 0);
	end(FEATURE_E_MACHINE);
	begin();
	gen_u32(&g, 0);
	end(FEATURE_BPF_PROG_INFO);
	begin();
	gen_u32(&g, 0);
	end(FEATURE_BPF_BTF);
	assert_null(strstr(printed(false), "e_machine"));
	assert_null(strstr(out.buf, "CLN_SIZE"));
	assert_null(strstr(out.buf, "empty"));
	perf = 7;
	has(false, "# bpf_prog_info empty\n# btf info empty\n"
	           "# e_machine : 62\n#   e_flags : 0\n# missing features: ");
	has(false, " PMU_CAPS CPU_DOMAIN_INFO CLN_SIZE \n");
	begin();
	gen_u32(&g, 64);
	end(FEATURE_CLN_SIZE);
	has(false, "# cacheline size: 64\n");
	has(false, " PMU_CAPS CPU_DOMAIN_INFO \n");
}

/* A CPU with a domain that has a name, and one whose second domain is cut off. */
static void prints_domains(void **state)
{
	(void)state;
	perf = 7;
	for (uint32_t version = 15; version < 18; version += 2) {
		g.n = 0;
		begin();
		gen_u32(&g, version);
		gen_u32(&g, 2);
		for (uint32_t cpu = 0; cpu < 2; cpu++) {
			gen_u32(&g, cpu);
			gen_u32(&g, cpu + 1);
			gen_u32(&g, 0);
			if (version == 17)
				gen_string(&g, "SMT");
			gen_string(&g, "3");
			gen_string(&g, "0-1");
		}
		gen_u32(&g, 1);
		end(FEATURE_CPU_DOMAIN_INFO);
		has(false, "# CPU_DOMAIN_INFO info available, use -I to display\n");
		has(true, version == 15 ? "# schedstat version\t: 15\n"
		                          "# Maximum sched domains\t: 2\n"
		                          "# cpu\t\t: 0\n"
		                          "# nr_domains\t: 1\n"
		                          "# Domain\t\t: 0\n"
		                          "# Domain cpu map   : 3\n"
		                          "# Domain cpu list  : 0-1\n"
		                          "# cpu\t\t: 1\n"
		                          "# nr_domains\t: 2\n"
		                          "# Domain\t\t: 0\n"
		                          "# Domain cpu map   : 3\n"
		                          "# Domain cpu list  : 0-1\n"
		                          "# missing features: "
		                        : "# Domain\t\t: 0\n"
		                          "# Domain name      : SMT\n"
		                          "# Domain cpu map   : 3\n");
	}
}

static void prints_groups(void **state)
{
	const struct attr cycles = { .name = STR("cycles") },
	                  instructions = { .name = STR("instructions") },
	                  faults = { .name = STR("faults") };
	const struct attr *const attrs[] = { &cycles, &instructions, &faults };

	(void)state;
	h.capture.attrs = attrs;
	h.capture.nattrs = 3;
	begin();
	gen_u32(&g, 2);
	gen_string(&g, "{anon_group}");
	gen_u32(&g, 1);
	gen_u32(&g, 2);
	gen_string(&g, "beyond");
	gen_u32(&g, 2);
	gen_u32(&g, 2);
	end(FEATURE_GROUP_DESC);
	has(false, "# group: {instructions,faults}\n");
	assert_null(strstr(out.buf, "beyond"));
}

static void prints_the_machine(void **state)
{
	static const char full[] = "# sibling sockets : 0-1\n# sibling dies    : 0-1\n"
	                           "# sibling threads : 0\n# sibling threads : 1\n"
	                           "# CPU 0: Core ID 0, Die ID 0, Socket ID 0\n"
	                           "# CPU 1: Core ID 1, Die ID 7, Socket ID 0\n";

	(void)state;
	begin();
	gen_u32(&g, 2);
	gen_u32(&g, 2);
	end(FEATURE_NRCPUS);
	begin();
	gen_u32(&g, 1);
	gen_string(&g, "0-1");
	gen_u32(&g, 2);
	gen_string(&g, "0");
	gen_string(&g, "1");
	for (unsigned cpu = 0; cpu < 2; cpu++) {
		gen_u32(&g, cpu);
		gen_u32(&g, 0);
	}
	end(FEATURE_CPU_TOPOLOGY);
	has(true, "# CPU 1: Core ID 1, Socket ID 0\n");
	gen_u32(&g, 1);
	gen_string(&g, "0-1");
	gen_u32(&g, 0);
	gen_u32(&g, 7);
	end(FEATURE_CPU_TOPOLOGY);
	has(true, full);
	has(false, "# CPU_TOPOLOGY info available, use -I to display\n");
}

static void prints_memory(void **state)
{
	(void)state;
	begin();
	gen_u32(&g, 1);
	gen_u32(&g, 0);
	gen_u64(&g, 100);
	gen_u64(&g, 50);
	gen_string(&g, "0-1");
	end(FEATURE_NUMA_TOPOLOGY);
	has(true, "# node0 meminfo  : total = 100 kB, free = 50 kB\n"
	          "# node0 cpu list : 0-1\n");
	begin();
	gen_u32(&g, 1);
	gen_u32(&g, 1);
	gen_u32(&g, 2);
	gen_zeros(&g, 12);
	gen_string(&g, "Unified");
	gen_string(&g, "2048K");
	gen_string(&g, "0");
	end(FEATURE_CACHE);
	has(true, "# CPU cache info:\n#  L2 Unified            2048K [0]\n");
	begin();
	gen_u64(&g, 1);
	gen_u64(&g, 0x8000000);
	gen_u64(&g, 1);
	gen_u64(&g, 0);
	gen_u64(&g, 3);
	gen_u64(&g, 70);
	gen_u64(&g, 0x0f);
	gen_u64(&g, 0x21); /* 64 and 69 */
	end(FEATURE_MEM_TOPOLOGY);
	has(true, "# memory nodes (nr 1, block size 0x8000000):\n"
	          "#    0 [768M]: 0-3,64,69\n");
	begin();
	gen_u32(&g, 1);
	gen_string(&g, "cpu_atom");
	gen_string(&g, "8-15");
	end(FEATURE_HYBRID_TOPOLOGY);
	has(true, "# hybrid cpu system:\n# cpu_atom cpu list : 8-15\n");
}

static void prints_abilities(void **state)
{
	(void)state;
	begin();
	gen_u32(&g, 2);
	gen_string(&g, "branches");
	gen_string(&g, "32");
	gen_string(&g, "max_precise");
	gen_string(&g, "3");
	end(FEATURE_CPU_PMU_CAPS);
	has(false, "# cpu pmu capabilities: branches=32, max_precise=3\n");
	begin();
	gen_u32(&g, 2);
	gen_u32(&g, 1);
	gen_string(&g, "branches");
	gen_string(&g, "16");
	gen_string(&g, "cpu_core");
	gen_u32(&g, 0);
	gen_string(&g, "cpu_atom");
	end(FEATURE_PMU_CAPS);
	has(false, "# cpu_core pmu capabilities: branches=16\n"
	           "# cpu_atom pmu capabilities: not available\n");
	begin();
	gen_u32(&g, 1);
	gen_u32(&g, 1);
	gen_u32(&g, 9);
	gen_u32(&g, 4);
	end(FEATURE_COMPRESSED);
	has(false, "# compressed : Zstd, level = 9, ratio = 4\n");
}

/* Every section of every length ends: nothing outside it is read (ASan says so). */
static void survives_any_section(void **state)
{
	(void)state;
	for (size_t n = 0; n < 96; n++) {
		char *bytes = malloc(n + 1);

		for (unsigned fill = 0; fill < 3; fill++) {
			memset(bytes, (int[]){ 0, 1, 0xff }[fill], n + 1);
			for (unsigned i = 0; i < FEATURES_OF_7; i++)
				h.capture.section[i] = (struct str){ bytes, n };
			for (perf = 6; perf < 8; perf++)
				assert_true(strlen(printed(true)) > 0);
		}
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(prints_the_block, enter),
		cmocka_unit_test_setup(prints_a_pipe_behind_the_block, enter),
		cmocka_unit_test_setup(prints_words, enter),
		cmocka_unit_test_setup(prints_times, enter),
		cmocka_unit_test_setup(prints_an_event, enter),
		cmocka_unit_test_setup(prints_events_as_perf_7, enter),
		cmocka_unit_test_setup(prints_features_of_perf_7, enter),
		cmocka_unit_test_setup(prints_domains, enter),
		cmocka_unit_test_setup(prints_groups, enter),
		cmocka_unit_test_setup(prints_the_machine, enter),
		cmocka_unit_test_setup(prints_memory, enter),
		cmocka_unit_test_setup(prints_abilities, enter),
		cmocka_unit_test_setup(survives_any_section, enter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
