#include "writer/script/header_events.h"

#include "reader/fields.h"

enum { ATTR_KNOWN = 128, FLAGS_AT = 40, PRECISE = 15 };

enum show { UNSIGNED, SIGNED, HEX, SAMPLE_TYPE, READ_FORMAT, BRANCH_TYPE };

struct field {
	const char *name;
	uint8_t at, size; /* offset and size of the field in perf_event_attr, in bytes */
	uint8_t show;     /* an enum show */
};

static const struct field before_flags[] = {
	{ "type", 0, 4, UNSIGNED },
	{ "size", 4, 4, UNSIGNED },
	{ "config", 8, 8, HEX },
	{ "{ sample_period, sample_freq }", 16, 8, UNSIGNED },
	{ "sample_type", 24, 8, SAMPLE_TYPE },
	{ "read_format", 32, 8, READ_FORMAT },
	{ 0 },
};

static const struct field behind_flags[] = {
	{ "{ wakeup_events, wakeup_watermark }", 48, 4, UNSIGNED },
	{ "bp_type", 52, 4, UNSIGNED },
	{ "{ bp_addr, config1 }", 56, 8, HEX },
	{ "{ bp_len, config2 }", 64, 8, HEX },
	{ "branch_sample_type", 72, 8, BRANCH_TYPE },
	{ "sample_regs_user", 80, 8, HEX },
	{ "sample_stack_user", 88, 4, UNSIGNED },
	{ "clockid", 92, 4, SIGNED },
	{ "sample_regs_intr", 96, 8, HEX },
	{ "aux_watermark", 104, 4, UNSIGNED },
	{ "sample_max_stack", 108, 2, UNSIGNED },
	{ "aux_sample_size", 112, 4, UNSIGNED },
	{ "sig_data", 120, 8, UNSIGNED },
	{ 0 },
};

/* Names of the flags of perf_event_attr, indexed by bit.  precise_ip has two bits. */
static const char *const flags[] = {
	"disabled",
	"inherit",
	"pinned",
	"exclusive",
	"exclude_user",
	"exclude_kernel",
	"exclude_hv",
	"exclude_idle",
	"mmap",
	"comm",
	"freq",
	"inherit_stat",
	"enable_on_exec",
	"task",
	"watermark",
	"precise_ip",
	NULL,
	"mmap_data",
	"sample_id_all",
	"exclude_host",
	"exclude_guest",
	"exclude_callchain_kernel",
	"exclude_callchain_user",
	"mmap2",
	"comm_exec",
	"use_clockid",
	"context_switch",
	"write_backward",
	"namespaces",
	"ksymbol",
	"bpf_event",
	"aux_output",
	"cgroup",
	"text_poke",
	"build_id",
	"inherit_thread",
	"remove_on_exec",
	"sigtrap",
	"defer_callchain",
	"defer_output",
};

struct bit {
	uint64_t bit;
	const char *name;
};

/* The bits of sample_type, in perf's order. */
static const struct bit sample_bits[] = {
	{ HAS_IP, "IP" },
	{ HAS_TID, "TID" },
	{ HAS_TIME, "TIME" },
	{ HAS_ADDR, "ADDR" },
	{ HAS_READ, "READ" },
	{ HAS_CALLCHAIN, "CALLCHAIN" },
	{ HAS_ID, "ID" },
	{ HAS_CPU, "CPU" },
	{ HAS_PERIOD, "PERIOD" },
	{ HAS_STREAM_ID, "STREAM_ID" },
	{ HAS_RAW, "RAW" },
	{ HAS_BRANCH_STACK, "BRANCH_STACK" },
	{ HAS_REGS_USER, "REGS_USER" },
	{ HAS_STACK_USER, "STACK_USER" },
	{ HAS_IDENTIFIER, "IDENTIFIER" },
	{ HAS_REGS_INTR, "REGS_INTR" },
	{ HAS_DATA_SRC, "DATA_SRC" },
	{ HAS_WEIGHT, "WEIGHT" },
	{ HAS_PHYS_ADDR, "PHYS_ADDR" },
	{ HAS_AUX, "AUX" },
	{ HAS_CGROUP, "CGROUP" },
	{ HAS_DATA_PAGE_SIZE, "DATA_PAGE_SIZE" },
	{ HAS_CODE_PAGE_SIZE, "CODE_PAGE_SIZE" },
	{ HAS_WEIGHT_STRUCT, "WEIGHT_STRUCT" },
	{ 0 },
};

static const struct bit read_bits[] = {
	{ 1, "TOTAL_TIME_ENABLED" },
	{ 2, "TOTAL_TIME_RUNNING" },
	{ 4, "ID" },
	{ 8, "GROUP" },
	{ 16, "LOST" },
	{ 0 },
};

static const struct bit branch_bits[] = {
	{ 1 << 0, "USER" },       { 1 << 1, "KERNEL" },
	{ 1 << 2, "HV" },         { 1 << 3, "ANY" },
	{ 1 << 4, "ANY_CALL" },   { 1 << 5, "ANY_RETURN" },
	{ 1 << 6, "IND_CALL" },   { 1 << 7, "ABORT_TX" },
	{ 1 << 8, "IN_TX" },      { 1 << 9, "NO_TX" },
	{ 1 << 10, "COND" },      { 1 << 11, "CALL_STACK" },
	{ 1 << 12, "IND_JUMP" },  { 1 << 13, "CALL" },
	{ 1 << 14, "NO_FLAGS" },  { 1 << 15, "NO_CYCLES" },
	{ 1 << 16, "TYPE_SAVE" }, { 1 << 17, "HW_INDEX" },
	{ 1 << 18, "PRIV_SAVE" }, { 0 },
};

static void show_bits(const struct bit *bits, uint64_t v, struct out *o)
{
	const char *between = "";

	for (; bits->name; bits++) {
		if (!(v & bits->bit))
			continue;
		out_fmt(o, "%s%s", between, bits->name);
		between = "|";
	}
}

static void show_value(enum show show, uint64_t v, struct out *o)
{
	switch (show) {
	case UNSIGNED:
		out_dec(o, v);
		break;
	case SIGNED:
		out_fmt(o, "%d", (int32_t)v);
		break;
	case HEX:
		out_fmt(o, "0x%llx", (unsigned long long)v);
		break;
	case SAMPLE_TYPE:
		show_bits(sample_bits, v, o);
		break;
	case READ_FORMAT:
		show_bits(read_bits, v, o);
		break;
	case BRANCH_TYPE:
		show_bits(branch_bits, v, o);
		break;
	}
}

/* Names of perf_event_attr.type. */
static const char *const type_names[] = { "HARDWARE", "SOFTWARE", "TRACEPOINT",
	                                  "HW_CACHE", "RAW",      "BREAKPOINT" };

static const char *const hardware_names[] = {
	"CPU_CYCLES",
	"INSTRUCTIONS",
	"CACHE_REFERENCES",
	"CACHE_MISSES",
	"BRANCH_INSTRUCTIONS",
	"BRANCH_MISSES",
	"BUS_CYCLES",
	"STALLED_CYCLES_FRONTEND",
	"STALLED_CYCLES_BACKEND",
	"REF_CPU_CYCLES",
};

static const char *const software_names[] = {
	"CPU_CLOCK",        "TASK_CLOCK",      "PAGE_FAULTS",     "CONTEXT_SWITCHES",
	"CPU_MIGRATIONS",   "PAGE_FAULTS_MIN", "PAGE_FAULTS_MAJ", "ALIGNMENT_FAULTS",
	"EMULATION_FAULTS", "DUMMY",           "BPF_OUTPUT",      "CGROUP_SWITCHES",
};

/*
 * Writes a field with the name that perf 7 prints for its value.  Returns false if the value has
 * no name.
 */
static bool show_named(const char *field, uint64_t v, uint32_t type, struct str event,
                       struct out *o)
{
	const size_t types = sizeof(type_names) / sizeof(*type_names);
	const bool hardware = type == TYPE_HARDWARE;
	const char *const *names = hardware ? hardware_names : software_names;
	const size_t n = hardware ? sizeof(hardware_names) / sizeof(*hardware_names)
	                 : type == TYPE_SOFTWARE
	                         ? sizeof(software_names) / sizeof(*software_names)
	                         : 0;

	if (!strcmp(field, "type")) {
		out_fmt(o, ", type = %u", (unsigned)v);
		if (v < types)
			out_fmt(o, " (PERF_TYPE_%s)", type_names[v]);
		return true;
	}
	if (strcmp(field, "config") != 0)
		return false;
	out_fmt(o, ", config = %#llx", (unsigned long long)v);
	if (v < n)
		out_fmt(o, " (PERF_COUNT_%s_%s)", hardware ? "HW" : "SW", names[v]);
	else if (type == TYPE_TRACEPOINT)
		out_fmt(o, " (" PRSTR ")", STRARG(event));
	return true;
}

/*
 * Writes the fields that are not 0.  `event` is the name of the event, or NULL to omit the names
 * of values.
 */
static void show_fields(const struct field *f, struct str attr, const struct str *event,
                        bool swap, struct out *o)
{
	struct cursor first = cur_over(attr, swap);
	uint32_t type = cur_u32(&first);

	for (; f->name; f++) {
		struct cursor c = cur_over(str_from(attr, f->at), swap);
		uint64_t v = f->size == 8   ? cur_u64(&c)
		             : f->size == 4 ? cur_u32(&c)
		                            : cur_u16(&c);

		if (!v && !event)
			continue;
		if (event && show_named(f->name, v, type, *event, o))
			continue;
		if (!v)
			continue;
		out_fmt(o, ", %s = ", f->name);
		show_value(f->show, v, o);
	}
}

static void show_flags(struct str attr, bool big, struct out *o)
{
	const char *p = attr.p + FLAGS_AT;

	for (unsigned i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		unsigned v = capture_flag(p, i, big);

		if (i == PRECISE)
			v = capture_flag(p, i + big, big) | capture_flag(p, i + !big, big)
			                                            << 1;
		if (v && flags[i])
			out_fmt(o, ", %s = %u", flags[i], v);
	}
}

static void show_ids(struct cursor *c, uint32_t n, struct out *o)
{
	if (!n || n > cur_left(c) / 8)
		return;
	out_str(o, STR(", id = {"));
	for (uint32_t i = 0; i < n; i++)
		out_fmt(o, "%s %llu", i ? "," : "", (unsigned long long)cur_u64(c));
	out_str(o, STR(" }"));
}

/* Returns "sched:sched_switch" for "sched:sched_switch:u". */
static struct str without_modifiers(struct str name)
{
	struct str rest = name, system = str_cut(&rest, ':'), event = str_cut(&rest, ':');

	return str_head(name, system.n + 1 + event.n);
}

static void write_events(const struct capture *rec, struct cursor *c, bool named,
                         struct out *o)
{
	uint32_t n = cur_u32(c), size = cur_u32(c);

	for (uint32_t i = 0; i < n; i++) {
		const char *p = cur_take(c, size);
		struct str attr = { p, size }, name, tracepoint;
		char known[ATTR_KNOWN] = { 0 };
		uint32_t nids = cur_u32(c);

		name = capture_string(c);
		if (c->bad || !p)
			return;
		memcpy(known, attr.p, attr.n < ATTR_KNOWN ? attr.n : ATTR_KNOWN);
		attr = (struct str){ known, ATTR_KNOWN };
		out_str(o, STR("# event : name = "));
		out_str(o, name);
		out_str(o, STR(", "));
		show_ids(c, nids, o);
		tracepoint = without_modifiers(name);
		show_fields(before_flags, attr, named ? &tracepoint : NULL, rec->swap, o);
		show_flags(attr, rec->big, o);
		show_fields(behind_flags, attr, NULL, rec->swap, o);
		out_char(o, '\n');
	}
}

void header_events_write(const struct capture *rec, struct cursor *c, struct out *o)
{
	write_events(rec, c, false, o);
}

void header_events_write_named(const struct capture *rec, struct cursor *c, struct out *o)
{
	write_events(rec, c, true, o);
}
