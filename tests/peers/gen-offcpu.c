/*
 * gen-offcpu LAYOUT [pipe] [big] - a perf.data as perf record --off-cpu writes it, on
 * standard output.
 *
 * LAYOUT is "period", as it was up to Linux 6.14: the samples of offcpu-time have the
 * thread, the ns and the call chain in their fields; "raw", as it is since: all of that in
 * the raw data (tools/perf/util/bpf_off_cpu.c, off_cpu.bpf.c); or "cut": raw data that end
 * in the call chain.  Process 7 is "app", its threads 7 and 9 wait in code at 0x10000.
 */
#include <stdio.h>
#include <string.h>

#include "../unit/perfgen.h"

enum {
	IP = 1,
	TID = 2,
	TIME = 4,
	CALLCHAIN = 32,
	CPU = 128,
	PERIOD = 256,
	RAW = 1024,
	IDENTIFIER = 1 << 16,
	CGROUP = 1 << 21,
	FIELDS = IDENTIFIER | IP | TID | TIME | CPU | PERIOD,
	ID_ALL = 1 << 18,
	BPF_OUTPUT = 10,
	EVENTS = 2,
};

enum layout { LAYOUT_PERIOD, LAYOUT_RAW, LAYOUT_CUT };

static const uint64_t user = (uint64_t)-512, at_the_end = ~(uint64_t)0 << 32;

static struct gen g;

static void put_fields(uint64_t id, uint64_t ip, uint32_t tid, uint64_t time,
                       uint64_t period)
{
	gen_u64(&g, id);
	gen_u64(&g, ip);
	gen_u32(&g, tid ? 7 : 0);
	gen_u32(&g, tid);
	gen_u64(&g, time);
	gen_u64(&g, 0); /* cpu */
	gen_u64(&g, period);
}

static void put_chain(const uint64_t *ips, uint64_t n)
{
	gen_u64(&g, n + 1);
	gen_u64(&g, user);
	for (uint64_t i = 0; i < n; i++)
		gen_u64(&g, ips[i]);
}

/* The samples that the BPF program writes have the thread first. */
static void put_raw(enum layout layout, uint32_t tid, bool direct, uint64_t ns,
                    const uint64_t *ips, uint64_t n)
{
	uint64_t first = direct ? tid : 7, second = direct ? 7 : tid;
	size_t size_at = g.n;

	gen_u32(&g, 0);
	gen_u64(&g, second << 32 | first);
	gen_u64(&g, ns);
	put_chain(ips, layout == LAYOUT_CUT ? n - 1 : n);
	if (layout == LAYOUT_CUT)
		gen_number(&g, g.n - (n + 1) * 8, n + 1, 8);
	else
		gen_u64(&g, 77); /* cgroup */
	gen_number(&g, size_at, g.n - size_at, 4);
	gen_u32(&g, 0);
}

static void put_offcpu(enum layout layout, uint32_t tid, uint64_t time, uint64_t ns,
                       const uint64_t *ips, uint64_t n)
{
	bool direct = time < at_the_end;

	gen_open(&g, 9, 2);
	if (layout == LAYOUT_PERIOD) {
		put_fields(8, ips[0], tid, time, ns);
		put_chain(ips, n);
	} else {
		/* The sample is of the thread that the program ran in, or of none. */
		put_fields(8, 0, direct ? 1234 : 0, time, direct);
		put_raw(layout, tid, direct, ns, ips, n);
	}
	gen_u64(&g, 77); /* cgroup */
	gen_close(&g);
}

static void put_clock(uint32_t tid, uint64_t time, const uint64_t *ips, uint64_t n)
{
	gen_open(&g, 9, 2);
	put_fields(7, ips[0], tid, time, 1000000);
	put_chain(ips, n);
	gen_u64(&g, 0);
	gen_close(&g);
}

/* Sample id behind a record that is no sample. */
static void put_trailer(uint32_t tid, uint64_t time)
{
	gen_u32(&g, 7);
	gen_u32(&g, tid);
	gen_u64(&g, time);
	gen_u64(&g, 0); /* cpu */
	gen_u64(&g, 7);
	gen_close(&g);
}

static void put_process(void)
{
	for (uint32_t tid = 7; tid <= 9; tid += 2) {
		gen_open(&g, 3, 0);
		gen_u32(&g, 7);
		gen_u32(&g, tid);
		gen_text(&g, tid == 7 ? "app" : "worker");
		put_trailer(tid, 1);
	}
	gen_open(&g, 1, 2);
	gen_u32(&g, 7);
	gen_u32(&g, 7);
	gen_u64(&g, 0x10000);
	gen_u64(&g, 0x10000);
	gen_u64(&g, 0);
	gen_text(&g, "//anon");
	put_trailer(7, 2);
}

int main(int argc, char **argv)
{
	static const uint64_t busy[] = { 0x10010, 0x10310 },
	                      sleeps[] = { 0x10110, 0x10310 },
	                      locks[] = { 0x10210, 0x10310 };
	enum layout layout = argc > 1 && strcmp(argv[1], "raw") == 0   ? LAYOUT_RAW
	                     : argc > 1 && strcmp(argv[1], "cut") == 0 ? LAYOUT_CUT
	                                                               : LAYOUT_PERIOD;
	struct gen_event events[EVENTS] = {
		{ .name = "cpu-clock", .type = 1, .id = 7, .flags = ID_ALL },
		{ .name = "offcpu-time",
		  .type = 1,
		  .id = 8,
		  .flags = ID_ALL,
		  .config = BPF_OUTPUT },
	};
	struct str bytes;

	for (int i = 2; i < argc; i++) {
		g.pipe |= strcmp(argv[i], "pipe") == 0;
		g.big |= strcmp(argv[i], "big") == 0;
	}
	events[0].sample_type = FIELDS | CALLCHAIN | CGROUP;
	events[1].sample_type = FIELDS | CGROUP | (layout ? RAW : CALLCHAIN);
	gen_start(&g, events, EVENTS);
	put_process();
	for (uint64_t t = 0; t < 5; t++)
		put_clock(7, 1000000 * (t + 1), busy, 2);
	if (layout)
		put_offcpu(layout, 9, 803500000, 600000000, locks, 2);
	put_offcpu(layout ? LAYOUT_RAW : layout, 7, at_the_end, 250000000, sleeps, 2);
	put_offcpu(layout ? LAYOUT_RAW : layout, 9, at_the_end + 1, 40000000, locks, 2);
	bytes = gen_finish(&g);
	return fwrite(bytes.p, 1, bytes.n, stdout) != bytes.n;
}
