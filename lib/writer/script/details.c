/*
 * Follows process_event of tools/perf/builtin-script.c of Linux 6.1, but does not print frames
 * (lines.c).
 */
#include "writer/script/details.h"

#include "writer/script/datasrc.h"
#include "writer/script/lines.h"

#include <stdio.h>

#include "reader/fields.h"

/* PERF_COUNT_SW_*. */
enum { SW_FAULTS = 2, SW_MINOR = 5, SW_MAJOR = 6, SW_BPF_OUTPUT = 10 };

/* PERF_RECORD_MISC_*.  The lowest three bits are the CPU mode. */
enum {
	MISC_BIT_13 = 1 << 13, /* MMAP: data; COMM: exec; SWITCH: out */
	MISC_PREEMPT = 1 << 14,
};

/* The value that perf uses for a sample without DATA_SRC: no information is available. */
static const uint64_t NO_DATA_SRC = 0x5080021;

/*
 * Prints the letters of the CPU mode with the test of perf: (mode & number) == number.  So mode 3
 * also prints the letters of modes 1 and 2.
 */
void details_misc(struct out *o, const struct event *ev)
{
	static const char letters[] = "KUHGg";
	size_t n = 0;

	for (unsigned mode = 1; mode <= 5; mode++)
		if ((ev->misc & mode) == mode) {
			out_char(o, letters[mode - 1]);
			n++;
		}
	if (ev->misc & MISC_BIT_13) {
		char letter = ev->kind == EV_MMAP     ? 'M'
		              : ev->kind == EV_COMM   ? 'E'
		              : ev->kind == EV_SWITCH ? 'S'
		                                      : 0;

		if (letter) {
			out_char(o, letter);
			n++;
		}
		if (letter == 'S' && ev->misc & MISC_PREEMPT) {
			out_char(o, 'p');
			n++;
		}
	}
	do
		out_char(o, ' ');
	while (++n < 6);
}

/* Returns a named frame for an address that is not part of a call chain. */
static struct placed place_of(const struct script *sc, const struct sample *s,
                              uint64_t ip)
{
	return profile_lookup(sc->profile, s->pid, ip, s->ev->top.cpumode);
}

/*
 * Returns true for page faults.  perf prints the symbol of a data address only if the event is a
 * page fault.
 */
static bool address_is_named(const struct attr *a)
{
	return a->type == TYPE_SOFTWARE &&
	       (a->config == SW_FAULTS || a->config == SW_MINOR || a->config == SW_MAJOR);
}

static void write_address(struct script *sc, struct out *o, const struct sample *s,
                          unsigned type, uint64_t addr)
{
	const struct columns *c = &sc->columns;
	struct placed at;

	out_hex(o, addr, 16);
	if (!address_is_named(s->ev->attr))
		return;
	at = place_of(sc, s, addr);
	if (columns_show(c, type, COL_SYM)) {
		out_char(o, ' ');
		lines_symbol(sc, o, at, columns_show(c, type, COL_SYMOFF));
	}
	if (columns_show(c, type, COL_DSO)) {
		out_str(o, STR(" ("));
		lines_module(sc, o, at, columns_show(c, type, COL_DSOFF));
		out_char(o, ')');
	}
}

/*
 * Writes the data source of a memory access.  Like perf, pads the text to the greatest width so
 * far.
 */
static void write_source(struct script *sc, struct out *o, uint64_t source)
{
	char text[DATASRC_TEXT];
	size_t n;

	datasrc_text(source, text);
	n = strlen(text);
	if (n > sc->source_width)
		sc->source_width = n;
	out_str(o, (struct str){ text, n });
	for (; n < sc->source_width; n++)
		out_char(o, ' ');
}

void details_before(struct script *sc, struct out *o, const struct sample *s,
                    unsigned type)
{
	static const struct fields none;
	const struct columns *c = &sc->columns;
	const struct fields *f = s->ev->fields ? s->ev->fields : &none;
	bool has_source = s->ev->attr->sample_type & HAS_DATA_SRC;

	if (columns_show(c, type, COL_ADDR))
		write_address(sc, o, s, type, f->addr);
	if (columns_show(c, type, COL_DATA_SRC))
		write_source(sc, o, has_source ? f->data_src : NO_DATA_SRC);
	if (columns_show(c, type, COL_WEIGHT))
		out_fmt(o, "%16llu", (unsigned long long)f->weight);
	if (columns_show(c, type, COL_INS_LAT))
		out_fmt(o, "%16u", f->weight2);
	if (columns_show(c, type, COL_RETIRE_LAT))
		out_fmt(o, "%16u", f->weight3);
}

/* Names of PERF_REG_*, from arch/ARCH/include/uapi/asm/perf_regs.h. */
static const char *const x86[] = {
	"AX", "BX", "CX", "DX", "SI", "DI", "BP",  "SP",  "IP",  "FLAGS", "CS",  "SS",
	"DS", "ES", "FS", "GS", "R8", "R9", "R10", "R11", "R12", "R13",   "R14", "R15"
};

/*
 * Names of registers.  Registers `first` to `first` + n - 1 have the names in `names`.  Other
 * registers are written as letters and a number.
 */
static const struct machine {
	const char *arch; /* start of the machine's name in uname */
	const char *letters;
	unsigned first, n;
	const char *const *names;
} machines[] = {
	{ "aarch64", "x", 30, 3, (const char *const[]){ "lr", "sp", "pc" } },
	{ "arm", "r", 11, 5, (const char *const[]){ "fp", "ip", "sp", "lr", "pc" } },
	{ "", "XMM", 0, 24, x86 },
};

/* Register numbers.  SIMD_* are numbers of x86 in samples with REGS_ABI_SIMD. */
enum { FIRST_XMM = 32, ARM64_VG = 46, SIMD_R16 = 24, SIMD_SSP = 40 };

static const struct machine *machine_of(struct str arch)
{
	const struct machine *m = machines;

	while (!str_starts(arch, str_of(m->arch)))
		m++;
	return m;
}

static void write_register(struct out *o, const struct machine *m, bool simd, unsigned i,
                           uint64_t v)
{
	char name[16];

	if (i >= m->first && i - m->first < m->n)
		snprintf(name, sizeof(name), "%s", m->names[i - m->first]);
	else if (m == machines && i == ARM64_VG)
		snprintf(name, sizeof(name), "vg");
	else if (m->names == x86 && simd && i < SIMD_SSP)
		snprintf(name, sizeof(name), "R%u", 16 + i - SIMD_R16);
	else if (m->names == x86 && simd && i == SIMD_SSP)
		snprintf(name, sizeof(name), "SSP");
	else if (m->names == x86)
		snprintf(name, sizeof(name), "XMM%u", (i - FIRST_XMM) / 2);
	else
		snprintf(name, sizeof(name), "%s%u", m->letters, i);
	out_fmt(o, "%5s:0x%llx ", name, (unsigned long long)v);
}

static void write_registers(const struct script *sc, struct out *o,
                            const struct regs *regs)
{
	const struct machine *m = machine_of(sc->capture->arch);
	size_t n = 0;

	if (!regs->abi)
		return;
	out_fmt(o, " ABI:%llu ", (unsigned long long)regs->abi);
	for (unsigned i = 0; i < 64; i++)
		if (regs->mask >> i & 1)
			write_register(o, m, regs->abi & REGS_ABI_SIMD, i,
			               regs->value[n++]);
}

/*
 * Returns the name of a branch type PERF_BR_*.  Type 15 means that the type is in a second field.
 */
static const char *branch_kind(uint64_t flags)
{
	static const char *const kinds[] = { "",       "COND",      "UNCOND",   "IND",
		                             "CALL",   "IND_CALL",  "RET",      "SYSCALL",
		                             "SYSRET", "COND_CALL", "COND_RET", "ERET",
		                             "IRQ",    "SERROR",    "NO_TX" };
	static const char *const more[] = { "FAULT_ALGN", "FAULT_DATA", "FAULT_INST",
		                            "ARCH_1",     "ARCH_2",     "ARCH_3",
		                            "ARCH_4",     "ARCH_5" };
	unsigned kind = flags >> 20 & 15, second = flags >> 26 & 15;

	if (kind < 15)
		return kinds[kind];
	return second < 8 ? more[second] : "(null)";
}

/* Writes "/P/-/-/12/COND ". */
static void write_branch_flags(struct out *o, uint64_t flags)
{
	bool missed = flags & 1, predicted = flags & 2;

	out_fmt(o, "/%c/%c/%c/%u/%s ",
	        predicted ? 'P'
	        : missed  ? 'M'
	                  : '-',
	        flags & 4 ? 'X' : '-', flags & 8 ? 'A' : '-',
	        (unsigned)(flags >> 4 & 0xffff), branch_kind(flags));
}

/* Writes one end of a branch: the address, the offset in the file, or the symbol. */
static void write_end(struct script *sc, struct out *o, const struct sample *s,
                      unsigned type, enum column how, uint64_t ip)
{
	bool module = columns_show(&sc->columns, type, COL_DSO);
	struct placed at = { .addr = ip };

	if (module || how != COL_BRSTACK)
		at = place_of(sc, s, ip);
	if (how == COL_BRSTACKSYM)
		lines_symbol(sc, o, at, true);
	else
		out_fmt(o, "0x%llx",
		        (unsigned long long)(how == COL_BRSTACK ? ip
		                                                : lines_offset(sc, at)));
	if (module) {
		out_char(o, '(');
		lines_module(sc, o, at, columns_show(&sc->columns, type, COL_DSOFF));
		out_char(o, ')');
	}
}

static void write_branches(struct script *sc, struct out *o, const struct sample *s,
                           unsigned type, enum column how)
{
	const struct fields *f = s->ev->fields;

	for (size_t i = 0; f && i < f->nbranches; i++) {
		if (how != COL_BRSTACKSYM)
			out_char(o, ' ');
		write_end(sc, o, s, type, how, f->branches[i].from);
		out_char(o, '/');
		write_end(sc, o, s, type, how, f->branches[i].to);
		write_branch_flags(o, f->branches[i].flags);
	}
}

static bool printable(char c)
{
	return c >= ' ' && c <= '~';
}

/* Returns true if data is printable text, followed by at least one zero byte. */
static bool is_text(struct str data)
{
	size_t n = 0;

	while (n < data.n && printable(data.p[n]))
		n++;
	if (n == data.n)
		return false;
	while (n < data.n && !data.p[n])
		n++;
	return n == data.n;
}

/*
 * Writes the output of a BPF program:
 *
 *	      BPF output: 0000: 48 65 6c 6c 6f 00 00 00  Hello...
 *	                  0008: 01 02                    ..
 *	      BPF string: "Hello"
 */
static void write_bpf_output(struct out *o, struct str data)
{
	out_char(o, '\n');
	for (size_t at = 0; at < data.n; at += 8) {
		struct str line = str_head(str_from(data, at), 8);

		out_fmt(o, "%17s %04zx:", at ? "           " : "BPF output:", at);
		for (size_t i = 0; i < 8; i++) {
			if (i < line.n)
				out_fmt(o, " %02x", (unsigned char)line.p[i]);
			else
				out_str(o, STR("   "));
		}
		out_str(o, STR("  "));
		for (size_t i = 0; i < 8; i++)
			out_char(o, i >= line.n            ? ' '
			            : printable(line.p[i]) ? line.p[i]
			                                   : '.');
		out_char(o, '\n');
	}
	if (is_text(data))
		out_fmt(o, "%17s \"" PRSTR "\"\n",
		        "BPF string:", (int)strnlen(data.p, data.n), data.p);
}

/*
 * Writes a page size, such as "4K", in the largest unit in which its value is at least 2.
 */
static void write_page(struct out *o, uint64_t bytes)
{
	size_t unit = 0;

	for (; bytes / 1024 > 1 && unit < 3; unit++)
		bytes /= 1024;
	if (bytes)
		out_fmt(o, " %llu%c", (unsigned long long)bytes, "BKMG"[unit]);
	else
		out_str(o, STR(" N/A"));
}

static void write_cgroup(const struct script *sc, struct out *o, uint64_t id)
{
	struct str path = profile_cgroup(sc->profile, id);

	out_char(o, ' ');
	out_str(o, path.n ? path : STR("unknown"));
}

void details_behind(struct script *sc, struct out *o, const struct sample *s,
                    unsigned type)
{
	static const struct fields none;
	const struct columns *c = &sc->columns;
	const struct attr *a = s->ev->attr;
	const struct fields *f = s->ev->fields ? s->ev->fields : &none;

	if (columns_show(c, type, COL_IREGS))
		write_registers(sc, o, &f->intr);
	if (columns_show(c, type, COL_UREGS))
		write_registers(sc, o, &f->user);
	for (enum column how = COL_BRSTACK; how <= COL_BRSTACKOFF; how++)
		if (columns_show(c, type, how)) {
			write_branches(sc, o, s, type, how);
			break;
		}
	if (a->type == TYPE_SOFTWARE && a->config == SW_BPF_OUTPUT &&
	    !str_eq(a->name, STR("offcpu-time")) && columns_show(c, type, COL_BPF_OUTPUT))
		write_bpf_output(o, s->ev->payload);
	if (columns_show(c, type, COL_PHYS_ADDR))
		out_fmt(o, "%16llx", (unsigned long long)f->phys_addr);
	if (columns_show(c, type, COL_DATA_PAGE_SIZE))
		write_page(o, f->data_page_size);
	if (columns_show(c, type, COL_CODE_PAGE_SIZE))
		write_page(o, f->code_page_size);
	if (columns_show(c, type, COL_CGROUP))
		write_cgroup(sc, o, f->cgroup);
}
