/*
 * Reads struct perf_event_attr, include/uapi/linux/perf_event.h.  New versions only append
 * fields.  If an attr is shorter, the missing fields are 0.  If it is longer, the additional
 * fields are ignored:
 *
 * 	01 00 00 00 80 00 00 00  type 1 (software), size 128
 * 	00 00 00 00 00 00 00 00  config 0 (cpu-clock)
 * 	f3 01 00 00 00 00 00 00  frequency 499
 * 	27 01 00 00 00 00 00 00  sample_type IP TID TIME CALLCHAIN PERIOD
 */
#include "reader/perfdata/attr.h"

#include "reader/capture.h"
#include "reader/perfdata/record.h"

enum {
	BPF_OUTPUT = 10, /* PERF_COUNT_SW_BPF_OUTPUT */
	ATTR_MIN = 64,
	FLAG_INHERIT = 1,
	FLAG_EXCLUDE_USER = 4, /* bits 5 to 7 are exclude_kernel, _hv and _idle */
	FLAG_FREQ = 10,
	FLAG_PRECISE = 15,
	FLAG_SAMPLE_ID_ALL = 18,
	FLAG_EXCLUDE_HOST = 19,
	FLAG_EXCLUDE_GUEST = 20,
	FLAG_USE_CLOCKID = 25,
	CLOCK_IS_MONOTONIC = 1,
};

static unsigned has(const struct event_attr *a, uint64_t bit)
{
	return (a->pub.sample_type & bit) != 0;
}

/* Computes the positions of id, time and cpu in the records of this event. */
static void lay_out(struct event_attr *a)
{
	unsigned at = 1 + has(a, HAS_IDENTIFIER) + has(a, HAS_IP) + has(a, HAS_TID);
	unsigned back = 1 + has(a, HAS_IDENTIFIER);

	if (has(a, HAS_TIME))
		a->time_at = (uint8_t)at;
	at += has(a, HAS_TIME) + has(a, HAS_ADDR);
	if (has(a, HAS_IDENTIFIER))
		a->id_at = 1;
	else if (has(a, HAS_ID))
		a->id_at = (uint8_t)at;

	if (!a->trailers)
		return;
	if (has(a, HAS_TIME))
		a->trailer_time = (uint8_t)(1 + has(a, HAS_TID));
	a->trailer = (uint8_t)(has(a, HAS_TID) + has(a, HAS_TIME) + has(a, HAS_ID) +
	                       has(a, HAS_STREAM_ID) + has(a, HAS_CPU) +
	                       has(a, HAS_IDENTIFIER));
	if (has(a, HAS_CPU))
		a->trailer_cpu = (uint8_t)(a->trailer - has(a, HAS_IDENTIFIER));
	back += has(a, HAS_CPU) + has(a, HAS_STREAM_ID);
	if (has(a, HAS_IDENTIFIER))
		a->id_back = 1;
	else if (has(a, HAS_ID))
		a->id_back = (uint8_t)back;
}

static void read_flags(struct event_attr *a, const char *flags, bool big)
{
	unsigned lo = capture_flag(flags, FLAG_PRECISE + big, big);
	unsigned hi = capture_flag(flags, FLAG_PRECISE + !big, big);

	a->inherit = capture_flag(flags, FLAG_INHERIT, big);
	a->trailers = capture_flag(flags, FLAG_SAMPLE_ID_ALL, big);
	a->precise = (uint8_t)(lo | hi << 1);
	for (unsigned i = 0; i < 4; i++)
		a->exclude |=
		        (uint8_t)(capture_flag(flags, FLAG_EXCLUDE_USER + i, big) << i);
	a->exclude |= (uint8_t)(capture_flag(flags, FLAG_EXCLUDE_HOST, big) << 4);
	a->exclude |= (uint8_t)(capture_flag(flags, FLAG_EXCLUDE_GUEST, big) << 5);
}

static void parse(struct event_attr *a, struct str bytes, bool swap, bool big)
{
	struct cursor c = cur_over(bytes, swap);
	const char *flags;
	uint32_t clock;

	a->pub.type = cur_u32(&c);
	cur_take(&c, 4);
	a->pub.config = cur_u64(&c);
	a->period = cur_u64(&c);
	a->pub.sample_type = cur_u64(&c);
	a->read_format = cur_u64(&c);
	flags = cur_take(&c, 8);
	cur_take(&c, 4);
	a->bp_type = cur_u32(&c);
	a->bp_addr = cur_u64(&c);
	cur_take(&c, 8); /* skip config2.  Old attrs end before this field */
	a->pub.branch_type = cur_u64(&c);
	a->regs_user = cur_u64(&c);
	cur_take(&c, 4); /* skip the number of stack bytes */
	clock = cur_u32(&c);
	a->regs_intr = cur_u64(&c);
	a->big = big;
	read_flags(a, flags, big);
	a->pub.clockid = capture_flag(flags, FLAG_USE_CLOCKID, big) ? (int32_t)clock : -1;
	a->pub.monotonic = a->pub.clockid == CLOCK_IS_MONOTONIC;
	a->pub.has_callchain = has(a, HAS_CALLCHAIN);
	lay_out(a);
}

static bool same_layout(const struct event_attr *a, const struct event_attr *b)
{
	return a->pub.sample_type == b->pub.sample_type && a->trailers == b->trailers &&
	       a->read_format == b->read_format &&
	       a->pub.branch_type == b->pub.branch_type && a->regs_user == b->regs_user &&
	       a->regs_intr == b->regs_intr;
}

struct event_attr *attr_add(struct attrs *as, struct str bytes, bool swap, bool big)
{
	struct event_attr *a;

	if (bytes.n < ATTR_MIN)
		return NULL;
	a = arena_push(as->arena, as->attr, as->n, as->cap);
	parse(a, bytes, swap, big);
	as->id_at |= 1u << a->id_at;
	as->id_back |= 1u << a->id_back;
	as->alike = as->n == 1 || (as->alike && same_layout(a, as->attr));
	return a;
}

void attr_add_id(struct attrs *as, uint64_t id)
{
	uint32_t *index = table_at(&as->ids, as->arena, id, 0);

	if (!*index)
		*index = (uint32_t)as->n;
}

/* Returns true for the event of perf record --off-cpu, as written since the end of 2024. */
static bool is_offcpu(const struct event_attr *a)
{
	return a->pub.type == TYPE_SOFTWARE && a->pub.config == BPF_OUTPUT &&
	       has(a, HAS_RAW) && !has(a, HAS_CALLCHAIN) &&
	       str_eq(a->pub.name, STR("offcpu-time"));
}

void attr_done(struct attrs *as)
{
	as->list = arena_new(as->arena, const struct attr *, as->n + 1);
	for (size_t i = 0; i < as->n; i++) {
		struct attr *a = &as->attr[i].pub;

		/*
		 * Names are copied, because they are needed until the end, and the mapped
		 * file may be truncated earlier.
		 */
		a->name = a->name.n ? arena_str(as->arena, a->name)
		                    : attr_name(&as->attr[i], as->arena);
		as->list[i] = a;
	}
	for (size_t i = 0; i < as->n; i++) {
		as->attr[i].offcpu = is_offcpu(&as->attr[i]);
		as->attr[i].pub.has_callchain |= as->attr[i].offcpu;
	}
}

/*
 * Returns the index of the event with that id, or -1.  perf itself writes records with id 0, and
 * uses the first event for them.
 */
static int of_word(const struct attrs *as, uint64_t id)
{
	return id ? (int)table_get(&as->ids, id, 0) - 1 : 0;
}

int attr_of_sample(const struct attrs *as, struct str body, bool swap)
{
	int found = -1;

	if (as->n == 1)
		return 0;
	for (unsigned at = 1; as->id_at >> at && found < 0; at++) {
		if (!(as->id_at >> at & 1) || body.n < at * 8)
			continue;
		found = of_word(as, record_word(body.p + (at - 1) * 8, swap));
		if (found >= 0 && as->attr[found].id_at != at)
			found = -1;
	}
	return found < 0 && (as->alike || as->id_at == 1) ? 0 : found;
}

int attr_of_record(const struct attrs *as, struct str body, bool swap)
{
	size_t words = body.n / 8;
	int found = -1;

	if (as->n == 1)
		return 0;
	for (unsigned back = 1; as->id_back >> back && found < 0; back++) {
		if (!(as->id_back >> back & 1) || words < back)
			continue;
		found = of_word(as, record_word(body.p + (words - back) * 8, swap));
		if (found >= 0 && as->attr[found].id_back != back)
			found = -1;
	}
	return found < 0 && (as->alike || as->id_back == 1) ? 0 : found;
}

static const char *const hardware[] = {
	"cycles",
	"instructions",
	"cache-references",
	"cache-misses",
	"branches",
	"branch-misses",
	"bus-cycles",
	"stalled-cycles-frontend",
	"stalled-cycles-backend",
	"ref-cycles",
};

static const char *const software[] = {
	"cpu-clock",        "task-clock",   "page-faults",  "context-switches",
	"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
	"emulation-faults", "dummy",        "bpf-output",   "cgroup-switches",
};

/* Names a PERF_COUNT_HW_CACHE_* event after its cache, its operation, and hit or miss. */
static struct str cache_name(uint64_t config, struct arena *arena)
{
	static const char *const what[] = { "L1-dcache", "L1-icache", "LLC", "dTLB",
		                            "iTLB",      "branch",    "node" };
	static const char *const many[] = { "loads", "stores", "prefetches" };
	static const char *const one[] = { "load", "store", "prefetch" };
	uint64_t w = config & 0xff, op = config >> 8 & 0xff, miss = config >> 16 & 0xff;

	if (w >= sizeof(what) / sizeof(*what) || op > 2 || miss > 1)
		return STR("invalid-cache");
	if (miss)
		return arena_fmt(arena, "%s-%s-misses", what[w], one[op]);
	return arena_fmt(arena, "%s-%s", what[w], many[op]);
}

static struct str breakpoint_name(const struct event_attr *a, struct arena *arena)
{
	return arena_fmt(arena, "mem:0x%llx:%s%s%s", (unsigned long long)a->bp_addr,
	                 a->bp_type & 1 ? "r" : "", a->bp_type & 2 ? "w" : "",
	                 a->bp_type & 4 ? "x" : "");
}

static struct str base_name(const struct event_attr *a, struct arena *arena)
{
	uint64_t config = a->pub.config;

	switch (a->pub.type) {
	case TYPE_HARDWARE:
		if (config < sizeof(hardware) / sizeof(*hardware))
			return str_of(hardware[config]);
		return STR("unknown-hardware");
	case TYPE_SOFTWARE:
		if (config < sizeof(software) / sizeof(*software))
			return str_of(software[config]);
		return STR("unknown-software");
	case TYPE_TRACEPOINT:
		return STR("unknown tracepoint");
	case TYPE_HW_CACHE:
		return cache_name(config, arena);
	case TYPE_RAW:
		return arena_fmt(arena, "raw 0x%llx", (unsigned long long)config);
	case TYPE_BREAKPOINT:
		return breakpoint_name(a, arena);
	default:
		return arena_fmt(arena, "unknown attr type: %u", a->pub.type);
	}
}

/* Returns perf's modifiers for privilege levels, precision, and host or guest. */
static struct str modifiers(const struct event_attr *a, struct arena *arena)
{
	bool no_user = a->exclude & 1, no_kernel = a->exclude & 2, no_hv = a->exclude & 4;
	bool no_host = a->exclude & 16, no_guest = a->exclude & 32;
	bool mode = no_user || no_kernel || no_hv;
	bool usual = mode || a->precise;
	bool side = no_host || no_guest == usual;
	struct str s = arena_fmt(arena, "%s%s%s%.*s%s%s", mode && !no_kernel ? "k" : "",
	                         mode && !no_user ? "u" : "", mode && !no_hv ? "h" : "",
	                         a->precise, "ppp", side && !no_host ? "H" : "",
	                         side && !no_guest ? "G" : "");

	return s.n ? arena_fmt(arena, ":" PRSTR, STRARG(s)) : s;
}

struct str attr_name(const struct event_attr *a, struct arena *arena)
{
	struct str base = base_name(a, arena), mods = { 0 };

	if (a->pub.type != TYPE_TRACEPOINT && a->pub.type <= TYPE_BREAKPOINT)
		mods = modifiers(a, arena);
	return arena_fmt(arena, PRSTR PRSTR, STRARG(base), STRARG(mods));
}
