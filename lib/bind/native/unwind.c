/*
 * The row of call frame information for an address is looked up once for each file, and stored in
 * a table.  Later steps at the address need only this table, and one word of the stack for each
 * saved register.  All processes that map the file use the same rows.
 */
#include "bind/native/unwind.h"

#include <elf.h>
#include <endian.h>

#include "base/guard.h"
#include "bind/binder.h"
#include "bind/bound_map.h"
#include "bind/native/native.h"
#include "image/cfi/cfi_step.h"
#include "reader/fields.h"

enum {
	DEPTH_MAX = 127, /* PERF_MAX_STACK_DEPTH, the limit of perf */
	WORD = 8,
	ABI_64 = 2, /* bit PERF_SAMPLE_REGS_ABI_64 */
	PAGE = 4096,
	ARM_BITS = 48,
	ARM_FEW_BITS =
	        /*
	         * width of user addresses in kernels with 4 KiB pages and 3-level page
	         * tables
	         */
	39,
};

/* The unwind rule of an address. */
struct known_row {
	enum cfi_found found;
	struct cfi_row row;
};

/* An open file with call frame information, or the unwind data of one jit_code. */
struct image {
	uint32_t number; /* index in unwinder.image + 1 */
	struct cfi *cfi; /* or NULL */
	/* content of the program, or empty if there is only a debug file */
	struct str bytes;
	uint64_t first; /* va of the first segment, rounded down to a page */
};

/* The file with the rules for the code in a mapping. */
struct code_file {
	bool known;
	struct image *image;  /* NULL if there is no file */
	enum unwound_end end; /* the reason why chains end in code without a rule */
	uint64_t base;        /* run-time address of va 0 */
};

/* The lowest mapping of a file in a process. */
struct lowest {
	size_t mappings; /* number of mappings of the process at the last lookup, or 0 */
	uint64_t start;
};

struct unwinder {
	struct binder *binder;
	struct arena *run;
	bool as_perf;  /* imitates perf 6.1 */
	bool by_libdw; /* imitates perf 7 */
	/* index in natives.native, or address of a jit_code -> index of the image + 1 */
	struct table image_of;
	struct image **image;
	size_t nimages, images_cap;
	struct table path_of;   /* path -> index of the image + 1 */
	struct code_file *file; /* indexed by mapping id */
	size_t files_cap;
	struct table row_of; /* (number of the image, va) -> index of the row + 1 */
	struct known_row *row;
	size_t nrows, rows_cap;
	/*
	 * pid -> UINT32_MAX if the file of a mapping was found.  Otherwise the number of
	 * mappings at the last search
	 */
	struct table seen;
	struct table lowest_of; /* (pid, path) -> index of the lowest mapping + 1 */
	struct lowest *lowest;
	size_t nlowest, lowest_cap;
	struct frame *frames;
	size_t nframes, frames_cap;
	struct unwound counts;
	struct table ended_of; /* (module, end) -> index in `ended` + 1 */
	struct unwound_file *ended;
	size_t nended, ended_cap;
};

/* State during the unwinding of one sample. */
struct walk {
	struct unwinder *u;
	struct processes *ps;
	int32_t pid;
	uint64_t time_ns, sp;
	struct str stack; /* the recorded stack, from sp upwards */
	struct cfi_frame f;
	const struct mapping *m; /* the mapping that contains f.ip */
	/* the jitdump with the code at f.ip, or NULL */
	const struct jitdump *dump;
	size_t code;           /* index of the code in dump */
	struct code_file file; /* of the code at f.ip */
};

struct unwinder *unwind_new(struct binder *b, struct arena *run, unsigned perf)
{
	struct unwinder *u = arena_new(run, struct unwinder, 1);

	u->binder = b;
	u->run = run;
	u->as_perf = perf == 6;
	u->by_libdw = perf == 7;
	return u;
}

void unwind_close(struct unwinder *u)
{
	for (size_t i = 0; u && i < u->nimages; i++)
		cfi_close(u->image[i]->cfi);
}

const struct unwound *unwind_counts(const struct unwinder *u)
{
	return &u->counts;
}

size_t unwind_files(const struct unwinder *u, const struct unwound_file **out)
{
	*out = u->ended;
	return u->nended;
}

/* Adds an image, and sets *at to its number. */
static struct image *add_image(struct unwinder *u, uint32_t *at)
{
	arena_fit(u->run, u->image, u->nimages + 1, u->images_cap);
	*at = (uint32_t)++u->nimages;
	u->image[*at - 1] = arena_new(u->run, struct image, 1);
	u->image[*at - 1]->number = *at;
	return u->image[*at - 1];
}

/* Returns the image of m, or NULL.  The first call opens it. */
static struct image *image_of(struct unwinder *u, const struct mapping *m,
                              uint64_t *shift)
{
	const struct native *n = native_open(u->binder, m, shift);
	struct locator *l = u->binder->locator;
	const struct elf *e, *debug;
	struct image *im;
	uint32_t *at;

	if (!n)
		return NULL;
	at = table_at(&u->image_of, u->run, (uint64_t)(n - u->binder->natives->native),
	              0);
	if (!*at) {
		im = add_image(u, at);
		e = n->image ? locate_elf(l, n->image) : NULL;
		debug = n->debug ? locate_elf(l, n->debug) : NULL;
		im->cfi = cfi_open(e, debug, u->run);
		if (e)
			im->bytes = e->bytes;
		if (e && e->nloads)
			im->first = e->load[0].va & -(uint64_t)PAGE;
	}
	*table_at(&u->path_of, u->run, m->path, 0) = *at;
	return u->image[*at - 1];
}

/* Opens the image of JIT code, which is made from the unwind data in its jitdump. */
static void open_code(void *ctx)
{
	struct walk *w = ctx;
	const struct jitdump *d = w->dump;
	struct unwinder *u = w->u;
	uint64_t va = 0;
	struct str eh_frame = jitdump_eh_frame(d, w->code, &va);

	w->file.image = add_image(
	        u, table_at(&u->image_of, u->run, (uintptr_t)&d->code[w->code], 1));
	/*
	 * Unwinding supports only little-endian machines, so a dump in the other byte
	 * order is not used.
	 */
	if (eh_frame.p && d->swap == (BYTE_ORDER == BIG_ENDIAN))
		w->file.image->cfi = cfi_open_frames(eh_frame, va, d->machine, u->run);
}

/* Reads a word of a little-endian machine. */
static uint64_t word_of(const char *p)
{
	uint64_t v;

	memcpy(&v, p, WORD);
	return le64toh(v);
}

/* Reads a word of memory from the file that is mapped at addr, as perf does. */
static enum cfi_read file_word(struct walk *w, uint64_t addr, uint64_t *out)
{
	const struct mapping *m = process_find(w->ps, w->pid, addr, MODE_USER);
	uint32_t at = m ? table_get(&w->u->path_of, m->path, 0) : 0;
	struct str bytes = { 0 };

	if (!m)
		return CFI_UNMAPPED;
	if (at)
		bytes = str_from(w->u->image[at - 1]->bytes, addr - m->bias);
	if (bytes.n >= WORD) {
		*out = word_of(bytes.p);
		return CFI_WORD;
	}
	/* perf uses 0 if it cannot read the file. */
	*out = 0;
	return w->u->as_perf ? CFI_WORD : CFI_BLANK;
}

/*
 * Reads a word from the recorded stack, or else from a mapped file.  As in perf, the last word of
 * the recorded stack is not read if as_perf is set.
 */
static enum cfi_read read_word(void *ctx, uint64_t addr, uint64_t *out)
{
	struct walk *w = ctx;
	uint64_t at = addr - w->sp;

	if (at < w->stack.n && w->stack.n - at >= (w->u->as_perf ? WORD + 1u : WORD)) {
		*out = word_of(w->stack.p + at);
		return CFI_WORD;
	}
	return file_word(w, addr, out);
}

/* Opens the file that the mapping at f.ip maps. */
static void open_file(void *ctx)
{
	struct walk *w = ctx;
	const struct mapping *m = w->m;
	uint64_t shift;

	if (m->kind != MAPPED_IMAGE && m->kind != MAPPED_INJECTED)
		return;
	/*
	 * A .NET image has no call frame information, so chains end in it even if the file exists.
	 */
	w->file.end =
	        str_ends(intern_str(w->u->binder->locator->names, m->path), STR(".dll"))
	                ? UNWOUND_NO_RULE
	                : UNWOUND_NO_FILE;
	w->file.image = image_of(w->u, m, &shift);
	if (!w->file.image)
		return;
	w->file.base = m->bias - shift;
	if (w->file.image->bytes.n)
		w->file.end = UNWOUND_NO_RULE;
}

/* Runs work(w), which uses libdw.  If libdw crashes, returns false and never uses the file again. */
static bool guard(struct walk *w, void (*work)(void *ctx))
{
	const struct guard g = { .library = "libdw",
		                 .file = intern_str(w->u->binder->locator->names,
		                                    w->m->path),
		                 .diag = w->u->binder->diag,
		                 .memory = true,
		                 .state = w->u->binder->guard };

	if (guard_run(&g, work, w) != GUARD_CRASHED)
		return true;
	if (w->file.image)
		w->file.image->cfi = NULL;
	w->file = (struct code_file){ .end = UNWOUND_NO_RULE };
	return false;
}

/*
 * Returns true if a jitdump contains the code at ip.  Several pieces of JIT code may use the same
 * address in turn, so the mapping does not identify the piece.
 */
static bool find_dumped(struct walk *w, uint64_t ip)
{
	struct bind_query q = { .m = w->m, .ip = ip, .time_ns = w->time_ns };

	w->dump = NULL;
	return !w->u->as_perf && mapping_is_jit(w->m) &&
	       bound_map_code(w->u->binder, &q, &w->dump, &w->code);
}

static void find_code_of_dump(struct walk *w)
{
	const struct unwinder *u = w->u;
	uint32_t n = table_get(&u->image_of, (uintptr_t)&w->dump->code[w->code], 1);

	w->file = (struct code_file){ .end = UNWOUND_JIT };
	if (n)
		w->file.image = u->image[n - 1];
	else
		guard(w, open_code);
}

/* Sets w->m and w->file for the current address.  Returns false if no mapping contains it. */
static bool find_code(struct walk *w)
{
	struct unwinder *u = w->u;
	uint64_t ip = w->f.ip - !w->f.exact;

	w->m = process_find(w->ps, w->pid, ip, MODE_USER);
	if (!w->m)
		return false;
	if (find_dumped(w, ip)) {
		find_code_of_dump(w);
		return true;
	}
	arena_fit(u->run, u->file, w->m->id + 1u, u->files_cap);
	w->file = u->file[w->m->id];
	if (!w->file.known) {
		w->file.end = UNWOUND_JIT;
		guard(w, open_file);
		w->file.known = true;
		u->file[w->m->id] = w->file;
	}
	return true;
}

static bool has_rules(const struct walk *w)
{
	return w->file.image && w->file.image->cfi;
}

/* Sets the last row to the rule of the current address. */
static void find_row(void *ctx)
{
	const struct walk *w = ctx;
	struct known_row *k = &w->u->row[w->u->nrows - 1];

	k->found = cfi_find(w->file.image->cfi, w->f.ip - !w->f.exact - w->file.base,
	                    w->u->as_perf, &k->row);
}

/* Returns the row of the current address, or NULL if the file has no rules. */
static const struct known_row *row_at(struct walk *w)
{
	struct unwinder *u = w->u;
	uint32_t *at;

	if (!has_rules(w))
		return NULL;
	at = table_at(&u->row_of, u->run, w->file.image->number,
	              w->f.ip - !w->f.exact - w->file.base);
	if (!*at) {
		arena_push(u->run, u->row, u->nrows, u->rows_cap)->found = CFI_NONE;
		*at = (uint32_t)u->nrows;
		if (!guard(w, find_row))
			return NULL;
	}
	return &u->row[*at - 1];
}

/*
 * Removes the signature from a return address.  arm64 stores it in bits that user addresses do
 * not use.  The kernel determines the number of these bits.
 */
static void strip(struct walk *w)
{
	static const uint64_t mask[] = { UINT64_MAX, (1ull << ARM_BITS) - 1,
		                         (1ull << ARM_FEW_BITS) - 1 };

	for (size_t i = 0; i < sizeof(mask) / sizeof(*mask); i++)
		if (process_find(w->ps, w->pid, (w->f.ip & mask[i]) - 1, MODE_USER)) {
			w->f.ip &= mask[i];
			return;
		}
}

static uint64_t lowest_start(struct walk *w, str_id path)
{
	struct unwinder *u = w->u;
	const struct mapping *const *all, *m = NULL;
	size_t n = process_mappings(w->ps, &all);
	uint32_t *at = table_at(&u->lowest_of, u->run, (uint32_t)w->pid, path);
	struct lowest *low;

	if (!*at) {
		arena_fit(u->run, u->lowest, u->nlowest + 1, u->lowest_cap);
		*at = (uint32_t)++u->nlowest;
	}
	low = &u->lowest[*at - 1];
	if (low->mappings != n) {
		low->mappings = n;
		do
			m = process_find_from(w->ps, w->pid, m ? m->end : 0);
		while (m && m->path != path);
		low->start = m ? m->start : 0;
	}
	return low->start;
}

/*
 * Returns the result of perf's lookup of the row.  perf assumes that the lowest mapping of a
 * path is the start of the file.  This assumption is wrong if only executable memory was
 * recorded.  It is also wrong after an exec, because perf keeps old mappings and so has two
 * mappings of each library.  perf then looks for the table of rows at a wrong address.  It
 * finds no table, or reads unmapped memory.
 */
static enum cfi_found as_found(struct walk *w, const struct known_row *k)
{
	const struct mapping *m = w->m;
	bool its_way = w->u->as_perf && m->kind != MAPPED_INJECTED;
	const struct image *im = w->file.image;
	uint64_t first = w->file.base + im->first;
	uint64_t low = its_way ? lowest_start(w, m->path) : first;
	uint64_t table;

	if (low == first || k->found == CFI_NONE)
		return k->found;
	table = low - im->first + cfi_table(im->cfi);
	return process_find(w->ps, w->pid, table, MODE_USER) ? CFI_GAP : CFI_NONE;
}

/* Moves w->f to the caller and returns UNWOUND_ENDS.  If this fails, returns the reason. */
static enum unwound_end step(struct walk *w)
{
	struct cfi_memory m = { read_word, w };
	const struct known_row *k;
	enum cfi_end end;
	enum cfi_found found;
	unsigned machine;

	if (!find_code(w))
		return UNWOUND_LOST;
	k = row_at(w);
	found = k ? as_found(w, k) : CFI_NONE;
	if (found == CFI_NONE)
		return w->file.end;
	machine = cfi_machine(w->file.image->cfi);
	if (found == CFI_FOUND) {
		end = cfi_step(&k->row, machine, &m, &w->f);
	} else {
		end = cfi_step_guess(machine, &m, w->u->as_perf, &w->f);
		if (end == CFI_DONE || end == CFI_WRONG)
			return w->file.end;
	}
	if (end == CFI_OK && !w->f.exact && machine == EM_AARCH64)
		strip(w);
	return end == CFI_OK     ? UNWOUND_ENDS
	       : end == CFI_DONE ? UNWOUND_WHOLE
	       : end == CFI_CUT  ? UNWOUND_DUMP
	                         : UNWOUND_LOST;
}

static void push(struct unwinder *u, struct frame f)
{
	*arena_push(u->run, u->frames, u->nframes, u->frames_cap) = f;
}

static enum unwound_end follow(struct walk *w)
{
	enum unwound_end end;

	for (int depth = 1; depth < DEPTH_MAX; depth++) {
		uint64_t ip;

		end = step(w);
		if (end != UNWOUND_ENDS)
			return end;
		/* perf does not end a chain at the return address 0, but prints it as -1. */
		if (!w->f.ip && !w->u->as_perf)
			return UNWOUND_WHOLE;
		ip = w->f.ip - !w->f.exact;
		if (ip)
			push(w->u, (struct frame){ .ip = ip,
			                           .cpumode = MODE_USER,
			                           .unwound = true });
	}
	return UNWOUND_DEEP;
}

void unwind_add_file(struct unwinder *u, const struct unwound_file *file)
{
	uint32_t *at = table_at(&u->ended_of, u->run, file->module, file->end);
	struct unwound_file *same =
	        table_item(at, u->run, u->ended, u->nended, u->ended_cap,
	                   (struct unwound_file){ file->module, file->end, 0 });

	same->stacks += file->stacks;
}

void unwind_add_counts(struct unwinder *u, const struct unwound *counts)
{
	u->counts.stacks += counts->stacks;
	for (enum unwound_end end = 0; end < UNWOUND_ENDS; end++)
		u->counts.ends[end] += counts->ends[end];
}

void unwind_clear_counts(struct unwinder *u)
{
	u->counts = (struct unwound){ 0 };
	u->ended_of = (struct table){ 0 };
	u->nended = 0;
}

static void count(struct unwinder *u, enum unwound_end end, const struct mapping *m)
{
	u->counts.ends[end]++;
	if (end == UNWOUND_NO_FILE || end == UNWOUND_NO_RULE)
		unwind_add_file(u, &(struct unwound_file){ m->module, end, 1 });
}

/*
 * Sets f from the recorded registers.  Converts perf's register numbers (asm/perf_regs.h) to
 * DWARF's.
 */
static void take_registers(const struct regs *regs, unsigned machine, struct cfi_frame *f)
{
	static const uint8_t x86[] = { 0,  3,  2,  1,  4,  5,  6,  7, 16,
		                       17, 18, 19, 20, 21, 22, 23, 8 };

	*f = (struct cfi_frame){ .exact = true };
	for (unsigned reg = 0; reg < CFI_REGS; reg++) {
		unsigned at = machine != EM_X86_64 ? reg
		              : reg < sizeof(x86)  ? x86[reg]
		                                   : 64;
		uint64_t below;

		if (at >= 64 || !(regs->mask >> at & 1))
			continue;
		below = regs->mask & (((uint64_t)1 << at) - 1);
		f->reg[reg] = regs->value[__builtin_popcountll(below)];
		f->known |= (uint64_t)1 << reg;
	}
}

/*
 * Returns true if a file of the process can be opened.  perf uses the first such file to
 * determine the machine.  If there is no file, perf prints no frames.
 */
static bool has_file(struct unwinder *u, struct processes *ps, int32_t pid)
{
	const struct mapping *const *all, *m = NULL;
	uint32_t n = (uint32_t)process_mappings(ps, &all);
	uint32_t *at = table_at(&u->seen, u->run, (uint32_t)pid, 0);
	struct native_files files;

	if (*at == n || *at == UINT32_MAX)
		return *at == UINT32_MAX;
	*at = n;
	while (*at == n && (m = process_find_from(ps, pid, m ? m->end : 0)) != NULL)
		if (m->kind == MAPPED_IMAGE &&
		    native_files_find(u->binder->locator, m, u->run, &files) &&
		    files.image)
			*at = UINT32_MAX;
	return *at == UINT32_MAX;
}

/*
 * Returns true if ev has registers and a stack, and if its chain ends at the sampled user
 * address.  The callers of this address are then unknown.
 */
static bool is_open(const struct event *ev)
{
	const struct fields *f = ev->fields;
	const struct frame *last = ev->nframes ? &ev->frames[ev->nframes - 1] : NULL;

	return f && f->user.mask && f->stack.n && last && last->cpumode == MODE_USER &&
	       !last->caller && ev->attr->has_callchain;
}

void unwind_sample(struct unwinder *u, struct processes *ps, struct event *ev)
{
	struct walk w = { .u = u,
		          .ps = ps,
		          .pid = ev->pid,
		          .time_ns = ev->has_time ? ev->time_ns : UINT64_MAX };
	const struct fields *f = ev->fields;
	enum unwound_end end = UNWOUND_LOST;
	unsigned machine;

	if (!is_open(ev))
		return;
	u->counts.stacks++;
	if ((u->as_perf || u->by_libdw) &&
	    (!(f->user.abi & ABI_64) || !has_file(u, ps, ev->pid))) {
		w.m = process_find(ps, ev->pid, ev->frames[--ev->nframes].ip, MODE_USER);
		count(u, w.m ? UNWOUND_NO_FILE : UNWOUND_LOST, w.m);
		return;
	}
	u->nframes = 0;
	for (size_t i = 0; i < ev->nframes; i++)
		push(u, ev->frames[i]);
	u->frames[u->nframes - 1].unwound = true;
	w.f.ip = ev->frames[ev->nframes - 1].ip;
	w.f.exact = true;
	if (f->user.abi & ABI_64 && find_code(&w))
		end = w.file.end;
	if (has_rules(&w)) {
		machine = cfi_machine(w.file.image->cfi);
		take_registers(&f->user, machine, &w.f);
		w.f.ip = ev->frames[ev->nframes - 1].ip;
		w.sp = w.f.cfa = w.f.reg[machine == EM_X86_64 ? X86_SP : ARM_SP];
		w.stack = f->stack;
		end = follow(&w);
	}
	count(u, end, w.m);
	/* If libdw cannot open the file of the last frame, it omits this frame. */
	if (u->by_libdw && end == UNWOUND_NO_FILE)
		u->nframes--;
	ev->frames = u->frames;
	ev->nframes = u->nframes;
}
