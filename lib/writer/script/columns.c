/*
 * Follows tools/perf/builtin-script.c of Linux 6.1: parse_output_fields, evsel__check_attr and
 * perf_session__check_output_opt.  For pipe captures, follows process_attr.
 */
#include "writer/script/columns.h"

#include "reader/capture.h"
#include "reader/fields.h"

#define BIT(col) ((uint64_t)1 << (col))

enum { SW_DUMMY = 9 };

#define PERF_TYPE_SYNTH 0x80000000u

static const struct {
	const char *name;
	uint8_t column;
} names[] = {
	{ "comm", COL_COMM },
	{ "tid", COL_TID },
	{ "pid", COL_PID },
	{ "time", COL_TIME },
	{ "cpu", COL_CPU },
	{ "event", COL_EVENT },
	{ "trace", COL_TRACE },
	{ "ip", COL_IP },
	{ "sym", COL_SYM },
	{ "dso", COL_DSO },
	{ "addr", COL_ADDR },
	{ "symoff", COL_SYMOFF },
	{ "srcline", COL_SRCLINE },
	{ "period", COL_PERIOD },
	{ "iregs", COL_IREGS },
	{ "uregs", COL_UREGS },
	{ "brstack", COL_BRSTACK },
	{ "brstacksym", COL_BRSTACKSYM },
	{ "brstackoff", COL_BRSTACKOFF },
	{ "data_src", COL_DATA_SRC },
	{ "weight", COL_WEIGHT },
	{ "bpf-output", COL_BPF_OUTPUT },
	{ "phys_addr", COL_PHYS_ADDR },
	{ "misc", COL_MISC },
	{ "tod", COL_TOD },
	{ "data_page_size", COL_DATA_PAGE_SIZE },
	{ "code_page_size", COL_CODE_PAGE_SIZE },
	{ "ins_lat", COL_INS_LAT },
	{ "retire_lat", COL_RETIRE_LAT },
	{ "dsoff", COL_DSOFF },
	{ "cgroup", COL_CGROUP },
	{ "guess", COL_GUESS },
	{ "callindent", COL_CALLINDENT },
	{ "synth", COL_SYNTH },
	{ "ipc", COL_IPC },
	{ "machine_pid", COL_MACHINE_PID },
	{ "vcpu", COL_VCPU },
};

enum { NAMES = sizeof(names) / sizeof(*names) };

/* Fields of perf that this program does not support, and for each field the missing feature. */
static const struct {
	const char *name, *needs;
} unsupported[] = {
	{ "insn", "to read code" },
	{ "insnlen", "to read code" },
	{ "brstackinsn", "a disassembler" },
	{ "brstackinsnlen", "a disassembler" },
	{ "brstackdisasm", "a disassembler" },
	{ "disasm", "a disassembler" },
	{ "srccode", "to read source files" },
	{ "metric", "to compute metrics of counters" },
	{ "brcntr", "to count events in branches" },
};

static const struct {
	const char *name; /* name in -F */
	const char *said; /* name in messages */
	uint8_t type;
} types[] = {
	{ "hw", "hardware", 0 },
	{ "sw", "software", 1 },
	{ "trace", "tracepoint", 2 },
	{ NULL, "hardware-cache", 3 },
	{ "raw", "unknown", 4 },
	{ "break", "unknown", 5 },
	{ "synth", "unknown", TYPE_SYNTH },
	{ NULL, "unknown", TYPE_OTHER },
};

static const uint64_t always =
        BIT(COL_COMM) | BIT(COL_TID) | BIT(COL_CPU) | BIT(COL_TIME) | BIT(COL_EVENT);
static const uint64_t frames =
        BIT(COL_IP) | BIT(COL_SYM) | BIT(COL_SYMOFF) | BIT(COL_DSO);

unsigned columns_type(const struct attr *a)
{
	if (a->type == PERF_TYPE_SYNTH)
		return TYPE_SYNTH;
	return a->type < TYPE_SYNTH ? a->type : TYPE_OTHER;
}

void columns_init(struct columns *c)
{
	*c = (struct columns){ 0 };
	for (unsigned t = 0; t < COLUMN_TYPES; t++)
		c->shown[t] = always | frames | BIT(COL_PERIOD);
	c->shown[TYPE_SOFTWARE] |= BIT(COL_BPF_OUTPUT);
	c->shown[TYPE_TRACEPOINT] = always | BIT(COL_TRACE);
	c->shown[TYPE_RAW] |= BIT(COL_ADDR) | BIT(COL_DATA_SRC) | BIT(COL_WEIGHT) |
	                      BIT(COL_PHYS_ADDR) | BIT(COL_DATA_PAGE_SIZE) |
	                      BIT(COL_CODE_PAGE_SIZE) | BIT(COL_INS_LAT);
	c->shown[TYPE_SYNTH] = always | frames | BIT(COL_SYNTH);
}

/*
 * Returns true if perf accepts the column for events of that type.  Only tracepoints have trace
 * text.  Only software events have output of BPF programs, but perf also accepts bpf-output for
 * tracepoints.
 */
static bool fits(enum column col, unsigned type)
{
	if (col == COL_TRACE)
		return type == TYPE_TRACEPOINT;
	return col != COL_BPF_OUTPUT || type == TYPE_SOFTWARE || type == TYPE_TRACEPOINT;
}

static const char *column_name(enum column col)
{
	for (size_t i = 0; i < NAMES; i++)
		if (names[i].column == col)
			return names[i].name;
	return "";
}

/* Returns the column of a field.  Returns COLUMNS, after a report, if the field is unknown. */
static enum column find_column(struct str name, struct diag *diag)
{
	for (size_t i = 0; i < NAMES; i++)
		if (str_eq(name, str_of(names[i].name)))
			return names[i].column;
	for (size_t i = 0; i < sizeof(unsupported) / sizeof(*unsupported); i++)
		if (str_eq(name, str_of(unsupported[i].name))) {
			diag_fatal(diag, "-F %s: not supported; it needs %s",
			           unsupported[i].name, unsupported[i].needs);
			return COLUMNS;
		}
	diag_fatal(diag, "-F: unknown field '" PRSTR "'; try 'man psym'", STRARG(name));
	return COLUMNS;
}

/*
 * Adds or removes a column for one type of event.  Returns -1, after a report, if the type
 * cannot have the column.
 */
static int choose_one(struct columns *c, unsigned type, enum column col, bool add,
                      struct diag *diag)
{
	if (!fits(col, type))
		return diag_fatal(diag, "'%s' not valid for %s events", column_name(col),
		                  types[type].said);
	if (add)
		c->shown[type] |= BIT(col);
	else
		c->shown[type] &= ~BIT(col);
	c->chosen[type] = c->anyway[type] = true;
	return 0;
}

static void choose_all(struct columns *c, enum column col, bool add)
{
	for (unsigned t = 0; t < COLUMN_TYPES; t++) {
		if (!fits(col, t))
			continue;
		if (add) {
			c->shown[t] |= BIT(col);
			c->asked[t] |= BIT(col);
			c->dropped[t] &= ~BIT(col);
		} else {
			c->shown[t] &= ~BIT(col);
			c->asked[t] &= ~BIT(col);
			c->dropped[t] |= BIT(col);
		}
		c->chosen[t] = c->anyway[t] = true;
	}
}

/*
 * Removes a type of event, such as "sw:", from the start of *list and sets *type to it.  If the
 * list does not start with a type, does not change *type.
 */
static int take_type(struct str *list, unsigned *type, struct diag *diag)
{
	size_t colon = str_find(*list, ':');
	struct str name = str_head(*list, colon);

	if (colon == list->n)
		return 0;
	for (size_t i = 0; i < COLUMN_TYPES; i++) {
		if (!types[i].name || !str_eq(name, str_of(types[i].name)))
			continue;
		*type = types[i].type;
		*list = str_from(*list, colon + 1);
		return 0;
	}
	return diag_fatal(diag, "-F: unknown type of event '" PRSTR "'", STRARG(name));
}

/* Removes all columns of a type, or of all types, before new columns are chosen. */
static void clear(struct columns *c, unsigned type)
{
	for (unsigned t = 0; t < COLUMN_TYPES; t++) {
		if (type < COLUMN_TYPES && t != type)
			continue;
		c->shown[t] = 0;
		c->chosen[t] = true;
		c->anyway[t] = type == COLUMN_TYPES;
	}
}

static bool is_signed(struct str s)
{
	return s.n && (s.p[0] == '+' || s.p[0] == '-');
}

int columns_choose(struct columns *c, const char *arg, struct diag *diag)
{
	unsigned type = COLUMN_TYPES;
	struct str list = str_of(arg);
	bool changes;

	if (take_type(&list, &type, diag) < 0)
		return -1;
	if (!list.n && type == COLUMN_TYPES)
		return diag_fatal(diag, "-F: the field is missing");
	changes = is_signed(list);
	if (!changes)
		clear(c, type);
	for (bool add = true; list.n;) {
		struct str name = str_cut(&list, ',');
		enum column col;

		if (!name.n)
			continue;
		if (is_signed(name) != changes)
			return diag_fatal(diag,
			                  "-F %s: all fields need + or -, or all fields "
			                  "need neither",
			                  arg);
		if (changes) {
			add = name.p[0] == '+';
			name = str_from(name, 1);
		}
		if (str_eq(name, STR("flags"))) {
			c->flags = add;
			continue;
		}
		col = find_column(name, diag);
		if (col == COLUMNS)
			return -1;
		if (type == COLUMN_TYPES)
			choose_all(c, col, add);
		else if (choose_one(c, type, col, add, diag) < 0)
			return -1;
	}
	return 0;
}

bool columns_suit_text(const struct columns *c)
{
	struct columns usual;
	bool suit = !c->flags;

	columns_init(&usual);
	for (unsigned t = 0; t < COLUMN_TYPES; t++)
		suit &= (c->shown[t] | BIT(COL_GUESS)) ==
		        (usual.shown[t] | BIT(COL_GUESS));
	return suit;
}

/*
 * For each column, the fields of a sample that it needs, and perf's names for these fields.
 */
static const struct need {
	uint8_t column;
	bool traced; /* decoding an instruction trace may supply the field later */
	uint32_t has;
	const char *said;
} needs[] = {
	{ COL_IP, false, HAS_IP, "IP" },
	{ COL_ADDR, true, HAS_ADDR, "ADDR" },
	{ COL_DATA_SRC, true, HAS_DATA_SRC, "DATA_SRC" },
	{ COL_WEIGHT, true, HAS_WEIGHT | HAS_WEIGHT_STRUCT, "WEIGHT" },
	{ COL_PID, false, HAS_TID, "TID" },
	{ COL_TID, false, HAS_TID, "TID" },
	{ COL_TIME, false, HAS_TIME, "TIME" },
	{ COL_CPU, true, HAS_CPU, "CPU" },
	{ COL_IREGS, true, HAS_REGS_INTR, "IREGS" },
	{ COL_UREGS, false, HAS_REGS_USER, "UREGS" },
	{ COL_PHYS_ADDR, true, HAS_PHYS_ADDR, "PHYS_ADDR" },
	{ COL_DATA_PAGE_SIZE, false, HAS_DATA_PAGE_SIZE, "DATA_PAGE_SIZE" },
	{ COL_CODE_PAGE_SIZE, false, HAS_CODE_PAGE_SIZE, "CODE_PAGE_SIZE" },
	{ COL_INS_LAT, false, HAS_WEIGHT_STRUCT, "WEIGHT_STRUCT" },
	{ COL_RETIRE_LAT, false, HAS_WEIGHT_STRUCT, "WEIGHT_STRUCT" },
	{ COL_CGROUP, false, HAS_CGROUP, "CGROUP" },
};

/*
 * Returns an error message if the columns contradict each other or need an address that samples
 * lack.  Otherwise returns NULL.
 */
static const char *contradiction(uint64_t shown, uint64_t has)
{
	bool address = has & (HAS_IP | HAS_ADDR);

	if (shown & BIT(COL_SYM) && !address)
		return "symbols requested but samples have no address";
	if (shown & BIT(COL_SYMOFF) && !(shown & BIT(COL_SYM)))
		return "symoff requested but not sym";
	if (shown & BIT(COL_DSO) && !address)
		return "dso requested but samples have no address";
	if (shown & BIT(COL_GUESS) && !(shown & BIT(COL_SYM)))
		return "guess requested but not sym";
	if (shown & BIT(COL_SRCLINE) && !(shown & BIT(COL_IP)))
		return "srcline requested but not ip";
	return NULL;
}

static bool is_dummy(const struct attr *a)
{
	return a->type == TYPE_SOFTWARE && a->config == SW_DUMMY;
}

/* Checks the columns for one event, as perf's evsel__check_attr does. */
static int check(struct columns *c, const struct reader *r, const struct attr *a,
                 struct diag *diag)
{
	unsigned t = columns_type(a);
	bool traced = capture_has(reader_capture(r), FEATURE_AUXTRACE);
	const char *wrong;

	if (is_dummy(a) || capture_has(reader_capture(r), FEATURE_STAT))
		return 0;
	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++) {
		const struct need *n = &needs[i];
		uint64_t bit = BIT(n->column);

		if (!(c->shown[t] & bit) || a->sample_type & n->has)
			continue;
		if (!(c->asked[t] & bit))
			c->shown[t] &= ~bit;
		else if (!n->traced || !traced)
			return diag_fatal(diag,
			                  "samples for '" PRSTR "' event do not have %s "
			                  "attribute set; cannot print '%s' field",
			                  STRARG(a->name), n->said,
			                  column_name((enum column)n->column));
	}
	wrong = contradiction(c->shown[t], a->sample_type);
	return wrong ? diag_fatal(diag, "-F: %s", wrong) : 0;
}

/* Checks the columns for a file, in which all events are known before the first sample. */
static int settle_file(struct columns *c, const struct reader *r,
                       const struct attr *const *attrs, size_t n, struct diag *diag)
{
	for (unsigned t = 0; t < COLUMN_TYPES; t++) {
		const struct attr *first = NULL;

		for (size_t i = 0; i < n && !first; i++)
			if (columns_type(attrs[i]) == t && !is_dummy(attrs[i]))
				first = attrs[i];
		if (!first && c->chosen[t] && !c->anyway[t] && t != TYPE_SYNTH)
			return diag_fatal(diag, "-F: the profile has no %s events",
			                  types[t].said);
		if (first && c->shown[t] && check(c, r, first, diag) < 0)
			return -1;
	}
	return 0;
}

/*
 * Adds the columns for frames to tracepoints if at least one tracepoint has a call chain.
 */
static void add_chains(struct columns *c, const struct attr *const *attrs, size_t n)
{
	for (size_t i = 0; i < n && !c->chosen[TYPE_TRACEPOINT]; i++)
		if (attrs[i]->type == TYPE_TRACEPOINT && attrs[i]->has_callchain)
			c->shown[TYPE_TRACEPOINT] |= frames;
}

/*
 * Checks the columns for a pipe capture.  In a pipe, perf learns the events one by one.
 */
static int settle_pipe(struct columns *c, const struct reader *r,
                       const struct attr *const *attrs, size_t n, bool hide_chain,
                       struct diag *diag)
{
	const uint64_t chain = BIT(COL_IP) | BIT(COL_SYM);
	const uint64_t unwound = HAS_REGS_USER | HAS_STACK_USER;
	uint64_t has = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned t = columns_type(attrs[i]);
		bool first = t != TYPE_OTHER;

		for (size_t k = 0; k < i; k++)
			first &= attrs[k]->type != attrs[i]->type;
		has |= attrs[i]->sample_type;
		if (!first)
			continue;
		if (check(c, r, attrs[i], diag) < 0)
			return -1;
		if (!hide_chain && (has & (HAS_CALLCHAIN | HAS_BRANCH_STACK) ||
		                    (has & unwound) == unwound))
			c->shown[t] |= chain & ~c->dropped[t];
	}
	return 0;
}

int columns_settle(struct columns *c, const struct reader *r, bool hide_chain,
                   struct diag *diag)
{
	const struct attr *const *attrs = NULL;
	size_t n = reader_attrs(r, &attrs);
	uint64_t all = 0;

	if (reader_capture(r)->pipe) {
		if (settle_pipe(c, r, attrs, n, hide_chain, diag) < 0)
			return -1;
	} else if (settle_file(c, r, attrs, n, diag) < 0) {
		return -1;
	}
	/* For pipe captures, perf does not add the columns for frames of tracepoints. */
	if (!hide_chain && !(c->compat && reader_capture(r)->pipe))
		add_chains(c, attrs, n);
	for (size_t i = 0; i < n; i++)
		all |= c->shown[columns_type(attrs[i])];
	/*
	 * If a file has no clock, perf refuses the column tod.  For a pipe, perf checks
	 * the columns before it knows whether there is a clock.
	 */
	if (all & BIT(COL_TOD) && !reader_capture(r)->pipe &&
	    !reader_capture(r)->has_clock)
		return diag_fatal(diag, "-F tod: the profile has no time of day; record "
		                        "with perf record -k");
	return 0;
}
