#include "bind/native/kernel.h"

#include "bind/binder.h"
#include "image/elf/elf_symbols.h"
#include "image/host.h"

enum { PAGE = 4096 };

bool kernel_is_core(struct str path)
{
	return str_starts(path, STR("[kernel.kallsyms]")) ||
	       str_eq(path, STR("[kernel]"));
}

/* Returns the run-time address of _text.  perf records it as the file offset of the mapping. */
static uint64_t text_of(const struct mapping *m)
{
	return m->first - m->bias;
}

/*
 * Returns the reason why ks does not belong to the kernel that m maps, or NULL if ks belongs to
 * it.
 */
static const char *core_differs(const struct mapping *m, const struct item *it,
                                const struct kallsyms *ks, struct kernel_place *out)
{
	bool same_length = kallsyms_has_length(ks, m->last - m->first);

	if (!ks->text)
		return "it has no _text";
	out->delta = ks->text - text_of(m);
	out->files.how = VERIFIED_ID;
	if (m->build_id.n && (it->local || locate_path_has_id(it, m->build_id)))
		return NULL;
	out->files.how = VERIFIED_BOOT;
	if (it->local)
		return out->delta ? "the kernel ran at another address" : NULL;
	out->files.how = VERIFIED_PATH;
	if (same_length) {
		out->files.how = VERIFIED_TEXT;
		return NULL;
	}
	/*
	 * Before perf 5.0, the kernel's mapping extends to the next mapping.  The length
	 * of the mapping is then not evidence.
	 */
	if (m->last % PAGE == 0 || m->last == UINT64_MAX)
		return out->delta ? "its kernel cannot be verified" : NULL;
	return "the text of its kernel has another length than the recorded one";
}

static void refuse(struct kernel_place *p, const struct item *it, const char *why)
{
	if (p->files.refused)
		return;
	p->files.refused = it;
	p->files.why = why;
}

/*
 * Returns true if the kallsyms in `it` belongs to the kernel or module that m maps.  Stores the
 * evidence in *out.
 */
static bool try_kallsyms(const struct binder *b, const struct mapping *m, struct item *it,
                         struct kernel_place *out)
{
	struct str module = native_files_module(b->locator, m, b->run);
	const struct kallsyms *ks = locate_kallsyms(b->locator, it);
	const struct mapping *core = m->core ? m->core : m;
	const char *why;

	if (!ks) {
		if (!it->why)
			it->why = it->local ? "its addresses are hidden; reading them "
			                      "needs CAP_SYSLOG, or kernel.kptr_restrict "
			                      "0 and kernel.perf_event_paranoid at most 1"
			                    : "it has no symbols, or their addresses are "
			                      "hidden";
		refuse(out, it, it->why);
		return false;
	}
	if (module.n) {
		if (!kallsyms_has_module(ks, module, m->first, m->last))
			return false;
		out->files.how = !it->local         ? VERIFIED_PATH
		                 : core->build_id.n ? VERIFIED_ID
		                                    : VERIFIED_BOOT;
	} else {
		why = core_differs(m, it, ks, out);
		if (why) {
			it->why = why;
			refuse(out, it, why);
			return false;
		}
	}
	out->kallsyms = ks;
	out->module = module;
	out->files.image = it;
	it->placed = true;
	return true;
}

/*
 * Finds a kallsyms among the input files.  First tries files with the kernel's build-id in their
 * path.
 */
static bool find_kallsyms(const struct binder *b, const struct mapping *m,
                          struct kernel_place *out)
{
	struct locator *l = b->locator;

	for (int claimed = 1; claimed >= 0; claimed--)
		for (size_t i = 0; i < l->n; i++) {
			struct item *it = &l->item[i];

			if (it->kind == ITEM_KALLSYMS && !it->local &&
			    locate_path_has_id(it, m->build_id) == claimed &&
			    try_kallsyms(b, m, it, out))
				return true;
		}
	return false;
}

/* Uses this machine's kallsyms if this machine runs the kernel of the profile. */
static bool find_host_kallsyms(const struct binder *b, const struct mapping *m,
                               struct kernel_place *out)
{
	const struct mapping *core = m->core ? m->core : m;
	static const struct host_file running = { STR("/proc/kallsyms"),
		                                  STR("/proc/kallsyms") };
	struct locator *l = b->locator;
	struct item *it = host_kallsyms(l, core->build_id);

	if (!it && !core->build_id.n && !l->recorded_here) {
		it = host_mention(l, &running);
		if (it)
			refuse(out, it, l->elsewhere);
		return false;
	}
	return it && try_kallsyms(b, m, it, out);
}

/*
 * Sets *va to the va in e that corresponds to the run-time address text_of(m).  *va is the va
 * of the symbol that perf recorded as reference or, without this symbol, the start of e's text.
 */
static bool reference(const struct binder *b, const struct mapping *m,
                      const struct elf *e, uint64_t *va)
{
	struct str name = intern_str(b->locator->names, m->reference);

	if (!e->relocatable && name.n && elf_symbols_find(e, name, va))
		return true;
	return elf_text(e, va);
}

static bool find_elf(const struct binder *b, const struct mapping *m,
                     struct kernel_place *out)
{
	struct native_files files;
	const struct elf *e;
	uint64_t text;

	if (!native_files_find_kernel(b->locator, m, b->run, &files)) {
		if (files.refused)
			refuse(out, files.refused, files.why);
		return false;
	}
	e = locate_elf(b->locator, files.image ? files.image : files.debug);
	if (!reference(b, m, e, &text))
		return false;
	out->files = files;
	out->delta = text - (e->relocatable ? m->first : text_of(m));
	out->native = native_add(b, &files);
	return true;
}

static struct kernel_place find_place(const struct binder *b, const struct mapping *m)
{
	struct kernel_place out = { .native = NO_NATIVE };
	struct str path = intern_str(b->locator->names, m->path);

	if (!kernel_is_core(path) && !native_files_module(b->locator, m, b->run).n)
		return out;
	if (find_elf(b, m, &out) || find_kallsyms(b, m, &out) ||
	    find_host_kallsyms(b, m, &out))
		out.files.refused = NULL;
	else
		out.files.how = VERIFIED_NOT;
	if (out.files.refused)
		native_remark(b, &b->natives->refused, out.files.refused, out.files.why);
	return out;
}

static const struct kernel_place *place_of(const struct binder *b,
                                           const struct mapping *m)
{
	struct kernel_places *k = b->kernel;
	uint32_t *at = table_at(&k->place_of, b->run, m->id, 0);

	return table_item(at, b->run, k->place, k->n, k->cap, find_place(b, m));
}

const struct native_files *kernel_get_files(const struct binder *b,
                                            const struct mapping *m)
{
	uint32_t at = table_get(&b->kernel->place_of, m->id, 0);

	return at ? &b->kernel->place[at - 1].files : NULL;
}

struct native *kernel_native(const struct binder *b, const struct mapping *m,
                             uint64_t *delta)
{
	const struct kernel_place *at = m->itself ? NULL : place_of(b, m);

	if (!at || at->native == NO_NATIVE)
		return NULL;
	*delta = at->delta;
	return &b->natives->native[at->native];
}

static bool find_saved(const struct kernel_place *at, uint64_t ip, bool caller,
                       struct bound_name *out)
{
	uint64_t addr = ip + at->delta;
	struct symtab_span span;
	const struct symbol *s =
	        symtab_find_frame(&at->kallsyms->symbols, addr, caller, &span);
	struct str module;

	if (!s)
		return false;
	out->func = kallsyms_split(s->name, &module);
	out->off = addr - s->base;
	if (!str_eq(module, at->module))
		return false;
	out->before = span.before;
	out->after = span.after;
	return true;
}

bool kernel_find(const struct binder *b, const struct mapping *m, uint64_t ip,
                 bool caller, struct bound_name *out)
{
	const struct kernel_place *at;

	if (m->itself) {
		out->func = intern_str(b->locator->names, m->path);
		out->off = ip - m->first;
		out->by = NULL;
		out->how = VERIFIED_EVENT;
		return true;
	}
	at = place_of(b, m);
	out->by = at->files.image ? at->files.image : at->files.debug;
	out->how = at->files.how;
	if (at->native != NO_NATIVE) {
		out->native = native_name(b, at->native, ip + at->delta, caller, out);
		return out->native;
	}
	return at->kallsyms && find_saved(at, ip, caller, out);
}

uint64_t kernel_irq_entry(const struct binder *b, const struct mapping *m,
                          uint64_t *start)
{
	const struct kernel_place *at = place_of(b, m);
	const struct native_files *f = &at->files;
	const struct elf *e = NULL;
	uint64_t end = 0;

	*start = 0;
	if (at->native != NO_NATIVE)
		e = locate_elf(b->locator, f->debug ? f->debug : f->image);
	if (at->kallsyms) {
		*start = at->kallsyms->irq;
		end = at->kallsyms->irq_end;
	} else if (e && elf_symbols_find(e, STR(IRQ_BEGIN), start)) {
		elf_symbols_find(e, STR(IRQ_END), &end);
	}
	if (!*start || end <= *start)
		return 0;
	*start -= at->delta;
	return end - at->delta;
}
