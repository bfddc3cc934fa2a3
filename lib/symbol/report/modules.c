/*
 * Sums up frames by module.  Each frame refers to the file that named it.  For each mapping, the
 * binder has the evidence for its file, or the reason why there is no file.
 */
#include "symbol/report/modules.h"

#include "bind/dotnet/loaded.h"
#include "reader/capture.h"
#include "reader/fields.h"
#include "symbol/profile_private.h"

enum { PERCENT = 100 };

/* The sums of one module. */
struct tally {
	struct module_coverage sum;
	struct module_file *file;
	size_t cap;
	/* a mapping of the module, preferably one with unnamed frames */
	const struct mapping *m;
	bool m_unnamed;
};

struct tallies {
	const struct profile *p;
	struct arena *a;
	struct tally *t;
	size_t n, cap;
	struct table by_module; /* str_id -> index of the tally + 1 */
	/* (module, item, evidence) -> index of the module's file + 1 */
	struct table by_file;
	struct runtimes runtimes;
};

static const char *const how_text[] = {
	[VERIFIED_NOT] = "unverified",
	[VERIFIED_ID] = "build-id",
	[VERIFIED_INODE] = "the mapped file, unchanged since",
	[VERIFIED_BOOT] = "the running kernel, at the recorded address",
	[VERIFIED_PATH] = "path only, unverified",
	[VERIFIED_CALLS] = "segments and calls, unverified",
	[VERIFIED_TEXT] = "length of the kernel's text",
	[VERIFIED_CODE] = "length and calls",
	[VERIFIED_BESIDE] = "others of its framework",
	[VERIFIED_MVID] = "MVID",
	[VERIFIED_COVERS] = "covers the sampled addresses",
	[VERIFIED_FORCED] = "-p",
	[VERIFIED_RECORDED] = "recorded text of the same capture",
	[VERIFIED_EVENT] = "the profile's own records",
	[VERIFIED_GIVEN] = "named in the text",
};

static bool is_nowhere(struct str module)
{
	return !module.n || str_eq(module, STR("[unknown]"));
}

static enum module_kind kind_of(const struct named *n, struct str module)
{
	if (is_nowhere(module))
		return MODULE_NOWHERE;
	if (n->flags & NAMED_JIT || textplace_is_jit(module) ||
	    str_starts(module, STR("/memfd:")))
		return MODULE_JIT;
	if (n->flags & NAMED_KERNEL || str_starts(module, STR("[kernel")))
		return MODULE_KERNEL;
	if (str_ends(module, STR(".dll")) || str_ends(module, STR(".exe")))
		return MODULE_DOTNET;
	return MODULE_NATIVE;
}

static struct tally *tally_of(struct tallies *ts, const struct named *n)
{
	struct str module = intern_str(&ts->p->session.names, n->module);
	str_id key = is_nowhere(module) ? 0 : n->module;
	uint32_t *at = table_at(&ts->by_module, ts->a, key, 1);

	return table_item(at, ts->a, ts->t, ts->n, ts->cap,
	                  (struct tally){ .sum = { .kind = kind_of(n, module),
	                                           .module = module,
	                                           .pid = -1 } });
}

static struct str debug_of(const struct profile *p, const struct resolved *r)
{
	const struct native_files *f = r->m ? bind_files(p->session.binder, r->m) : NULL;
	bool both = f && f->image && f->debug && f->image == r->by;

	return both ? f->debug->name : (struct str){ 0 };
}

static void add_file(struct tallies *ts, struct tally *t, const struct resolved *r,
                     uint64_t uses)
{
	uint64_t item = r->by ? (uint64_t)(r->by - ts->p->session.locator.item) + 1 : 0;
	uint32_t *at =
	        table_at(&ts->by_file, ts->a, (uint64_t)(t - ts->t) << 8 | r->how, item);
	struct module_file *file =
	        table_item(at, ts->a, t->file, t->sum.nfiles, t->cap,
	                   (struct module_file){
	                           .path = r->by ? r->by->name : (struct str){ 0 },
	                           .debug = debug_of(ts->p, r),
	                           .how = how_text[r->how],
	                           .local = r->by && r->by->local,
	                   });

	file->frames += uses;
}

static void add_frame(struct tallies *ts, const struct resolved *r, uint64_t uses)
{
	const struct named *last = &r->names[r->n - 1];
	bool unnamed = last->flags & NAMED_UNKNOWN;
	struct tally *t = tally_of(ts, last);

	t->sum.frames += uses;
	if (last->flags & NAMED_GUESSED)
		*(unnamed ? &t->sum.unguessed : &t->sum.guessed) += uses;
	if (!unnamed) {
		t->sum.named += uses;
		add_file(ts, t, r, uses);
	}
	if (r->m && (!t->m || (unnamed && !t->m_unnamed))) {
		t->m = r->m;
		t->m_unnamed = unnamed;
	}
}

static void learn_refusal(const struct profile *p, struct tally *t)
{
	const struct refused_image *r = bind_refused(p->session.binder, t->m);

	if (r && !t->sum.refused.n && t->sum.frames > t->sum.named) {
		t->sum.refused = r->item->name;
		t->sum.why = r->why;
	}
}

/* Sets the target of an r2rmap: OS, machine and ABI.  Returns false if the machine is unknown. */
static bool learn_target(const struct profile *p, uint32_t target[3])
{
	static const struct {
		struct str name;
		uint32_t number;
	} machines[] = { { STR("x86_64"), 3 }, { STR("aarch64"), 2 } };
	const struct capture *c =
	        p->inputs.reader ? reader_capture(p->inputs.reader) : NULL;

	for (size_t i = 0; c && i < sizeof(machines) / sizeof(*machines); i++) {
		if (!str_eq(c->arch, machines[i].name))
			continue;
		target[0] = PE_LINUX;
		target[1] = machines[i].number;
		target[2] = 1;
		return true;
	}
	return false;
}

/* Finds the identity of the image that ran, from an available file or from perfinfo. */
static void learn_image(const struct profile *p, struct tally *t)
{
	struct module_coverage *sum = &t->sum;
	const struct refused_image *r = bind_refused(p->session.binder, t->m);
	const struct bound_image *im = bind_image(p->session.binder, t->m);
	uint32_t target[3];

	if (im) {
		sum->placed = true;
		sum->pe = im->pe;
		sum->fragile = im->whole.n && !im->map;
	} else if (r && r->is_it) {
		sum->pe = r->item->pe;
	}
	sum->mvid = loaded_find_mvid(p->session.binder, t->m->path);
	if (!sum->mvid || !learn_target(p, target))
		return;
	perfmap_sign(sum->mvid, target, sum->signature);
	sum->has_signature = true;
}

/*
 * Returns true if a perf map of process pid has damaged lines.  If pid is -1, the owner of the
 * code is unknown, so the maps of all processes are checked.
 */
static bool has_damaged_map(const struct profile *p, int32_t pid)
{
	const struct bound_map *map;
	bool damaged = false;

	for (size_t n = bind_maps(p->session.binder, &map); n-- > 0;)
		damaged |= (map[n].pid == pid || pid < 0) && map[n].map &&
		           map[n].map->bad_lines;
	return damaged;
}

/*
 * Returns the runtime of the process.  If pid is -1 and only one runtime has frames in its files,
 * returns this runtime.
 */
static const struct known_runtime *learn_runtime(const struct tallies *ts, int32_t pid)
{
	const struct known_runtime *found = runtime_of(&ts->runtimes, pid);

	for (size_t i = 0; i < ts->n && pid < 0; i++) {
		const struct known_runtime *r = known_runtime_find(ts->t[i].sum.module);

		if (r && found && r != found && strcmp(r->name, found->name) != 0)
			return NULL;
		found = r ? r : found;
	}
	return found;
}

static void learn_jit(const struct tallies *ts, struct tally *t)
{
	struct module_coverage *sum = &t->sum;
	int32_t pid = t->m ? t->m->pid : perfmap_pid(sum->module);

	sum->pid = pid;
	sum->damaged = has_damaged_map(ts->p, pid);
	sum->runtime = learn_runtime(ts, t->m && !t->m->assumed ? pid : -1);
}

/*
 * Returns true if chains of frame pointers led to addresses without code.  Returns false if there
 * are only a few such frames, or if they may have another cause: JIT code without frame pointers,
 * or missing mappings.  A leaf frame without a mapping shows that mappings are missing.
 */
static bool is_broken(const struct tallies *ts, const struct module_coverage *nowhere)
{
	const struct attr *const *attrs;
	const struct mapping *const *maps;
	size_t n = ts->p->inputs.reader ? reader_attrs(ts->p->inputs.reader, &attrs) : 0;

	for (size_t i = 0; i < n; i++)
		if (attrs[i]->sample_type & HAS_STACK_USER)
			return false;
	n = process_mappings(ts->p->session.ps, &maps);
	for (size_t i = 0; i < n; i++)
		if (mapping_is_jit(maps[i]))
			return false;
	for (size_t i = 0; i < ts->n; i++)
		if (ts->t[i].sum.kind == MODULE_JIT)
			return false;
	return !ts->p->nlost_leaves && nowhere->frames > ts->p->nframes / PERCENT;
}

/* Copies the binder's results for the mapping and its files. */
static void learn_mapping(const struct tallies *ts, struct tally *t)
{
	const struct profile *p = ts->p;
	struct module_coverage *sum = &t->sum;
	const struct native_files *f;

	sum->file = t->file;
	if (sum->kind == MODULE_JIT)
		learn_jit(ts, t);
	if (sum->kind == MODULE_NOWHERE)
		sum->broken = is_broken(ts, sum);
	if (!t->m)
		return;
	sum->build_id = t->m->build_id;
	sum->other_id = profile_str(p, t->m->other_id);
	learn_refusal(p, t);
	if (sum->kind == MODULE_DOTNET)
		learn_image(p, t);
	f = bind_files(p->session.binder, t->m);
	if (!f)
		return;
	sum->has_image = f->image != NULL;
	sum->has_symbols =
	        f->debug || (f->image && (!f->image->elf || f->image->elf->has_symtab));
	if (f->image && f->image->elf)
		sum->package = elf_package(f->image->elf);
	sum->vdso = str_eq(sum->module, STR("[vdso]"));
	sum->no_alt = f->no_alt;
	sum->no_alt_id = f->no_alt_id;
	if (f->refused && !sum->vdso && !(sum->has_image && sum->has_symbols)) {
		sum->refused = f->refused->name;
		sum->why = f->why;
	}
	if (!sum->build_id.n && f->image && f->image->elf)
		sum->build_id = f->image->elf->build_id;
}

/*
 * For each module, counts the stacks whose unwinding stopped in the module.  These stacks have a
 * frame in the module, so the module has a tally.
 */
static void learn_ends(struct tallies *ts)
{
	const struct unwound_file *file;
	size_t n = unwind_files(ts->p->unwinder, &file);

	for (size_t i = 0; i < n; i++) {
		uint32_t at = table_get(&ts->by_module, file[i].module, 1);

		if (!at || !ts->t)
			continue;
		ts->t[at - 1].sum.ended += file[i].stacks;
		ts->t[at - 1].sum.ended_for_file |= file[i].end == UNWOUND_NO_FILE;
	}
}

ORDER(by_frames, struct module_file,
      num_cmp(b->frames, a->frames) ?: str_cmp(a->path, b->path))

ORDER(by_unnamed, struct module_coverage,
      num_cmp(b->frames - b->named, a->frames - a->named)
              ?: num_cmp(b->frames, a->frames) ?: str_cmp(a->module, b->module))

size_t modules_list(const struct profile *p, struct arena *a,
                    const struct module_coverage **out)
{
	struct tallies ts = { .p = p, .a = a };
	struct module_coverage *list;

	for (size_t i = 0; i < p->frames.n; i++)
		if (p->frames.frame[i].n && p->frames.uses[i])
			add_frame(&ts, &p->frames.frame[i], p->frames.uses[i]);
	runtime_learn(&ts.runtimes, p, a);
	learn_ends(&ts);
	list = arena_new(a, struct module_coverage, ts.n + 1);
	for (size_t i = 0; i < ts.n; i++) {
		struct tally *t = &ts.t[i];

		order_by(t->file, t->sum.nfiles, by_frames);
		learn_mapping(&ts, t);
		list[i] = t->sum;
	}
	order_by(list, ts.n, by_unnamed);
	*out = list;
	return ts.n;
}

uint64_t modules_broken(const struct profile *p)
{
	const struct module_coverage *m;
	arena_scope(scratch);
	size_t n = modules_list(p, &scratch, &m);
	uint64_t broken = 0;

	for (size_t i = 0; i < n; i++)
		broken += m[i].broken ? m[i].frames - m[i].named : 0;
	return broken;
}
