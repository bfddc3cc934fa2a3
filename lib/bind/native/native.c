#include "bind/native/native.h"

#include "base/guard.h"
#include "bind/binder.h"
#include "bind/dotnet/bound_image.h"
#include "bind/native/elf_calls.h"
#include "bind/native/jitted_so.h"
#include "image/elf/elf_cache.h"
#include "image/elf/elf_symbols.h"
#include "image/host_roots.h"
#include "image/tables.h"

static uint32_t add(const struct binder *b, const struct native_files *f)
{
	struct natives *nt = b->natives;
	const struct item *first = b->locator->item;
	uint32_t *at = table_at(&nt->by_items, b->run,
	                        f->image ? (uint64_t)(f->image - first) + 1 : 0,
	                        f->debug ? (uint64_t)(f->debug - first) + 1 : 0);

	table_item(
	        at, b->run, nt->native, nt->n, nt->cap,
	        (struct native){ .image = f->image, .debug = f->debug, .alt = f->alt });
	return *at - 1;
}

uint32_t native_add(const struct binder *b, const struct native_files *f)
{
	if (f->image)
		f->image->placed = true;
	if (f->debug)
		f->debug->placed = true;
	if (f->alt)
		f->alt->placed = true;
	return add(b, f);
}

void native_remark(const struct binder *b, struct native_remark *r, const struct item *it,
                   const char *why)
{
	uint32_t *at = table_at(&b->natives->remarked, b->run,
	                        (uint64_t)(it - b->locator->item), 0);

	if (*at)
		return;
	*at = 1;
	if (!r->n++) {
		r->first = it;
		r->why = why;
		b->locator->item[it - b->locator->item].told = true;
	}
}

bool native_is_file(struct str path)
{
	return path.n && (path.p[0] != '[' || str_eq(path, STR("[vdso]"))) &&
	       !str_ends(path, STR(".dll"));
}

static void remark_files(const struct binder *b, const struct native_files *f)
{
	struct natives *nt = b->natives;
	struct item *where = f->image ? f->image : f->debug;

	if (f->refused && !(f->image && f->debug))
		native_remark(b, &nt->refused, f->refused, f->why);
	if (f->no_alt.n)
		native_remark(b, &nt->no_alt, f->debug ? f->debug : f->image,
		              f->no_alt.p);
	if (where && f->how == VERIFIED_PATH)
		native_remark(b, where->local ? &nt->trusted : &nt->unverified, where,
		              NULL);
}

bool native_is_data(const struct elf *e, const struct mapping *m)
{
	uint64_t file_off = m->first - m->bias;

	for (size_t i = 0; i < e->nloads; i++)
		if (!e->load[i].executable &&
		    file_off + (m->last - m->first) > e->load[i].file_off &&
		    file_off < e->load[i].file_off + e->load[i].file_size)
			return true;
	return false;
}

/* Arguments of a call of elf_symbols. */
struct symbols_call {
	const struct binder *b;
	struct native *n;
	const struct elf *e[2];
	size_t files;
};

/* Demangles a name as perf does before it compares several names of one address. */
static struct str spell(void *ctx, struct str name)
{
	const struct symbols_call *c = ctx;
	const struct binder *b = c->b;

	return b->demangled->how == DEMANGLE_SHORT
	               ? demangle_once(b->demangled, name, b->run)
	               : demangle(name, DEMANGLE_SHORT, b->run);
}

static void call_symbols(void *ctx)
{
	const struct symbols_call *c = ctx;
	struct elf_spelling sp = { spell, ctx };

	elf_symbols(c->e, c->files, &sp, &c->n->symbols, c->b->run);
}

/*
 * Reads the symbols of the debug file first, and then the symbols of the image, as perf does.
 */
static void read_symbols(const struct binder *b, struct native *n)
{
	struct symbols_call c = { .b = b, .n = n };
	struct guard g = {
		.library = "libelf", .diag = b->diag, .memory = true, .state = b->guard
	};
	enum guard_end end;
	struct cache *cache = b->locator->cache;
	struct item *item[2];
	struct cache_name name;
	bool told;

	if (n->read)
		return;
	n->read = true;
	if (n->debug)
		item[c.files++] = n->debug;
	if (n->image)
		item[c.files++] = n->image;
	for (size_t i = 0; i < c.files; i++)
		c.e[i] = locate_elf(b->locator, item[i]);
	told = tables_name(b->locator, item, c.files, 't', &name);
	if (told && elf_cache_load(cache, &name, c.e, c.files, &n->symbols, b->run))
		return;
	if (c.files)
		g.file = item[0]->name;
	end = guard_run(&g, call_symbols, &c);
	if (end == GUARD_CRASHED)
		n->symbols = (struct symtab){ 0 };
	else if (told && end == GUARD_DONE &&
	         elf_cache_store(cache, &name, c.e, c.files, &n->symbols))
		tables_order(b->locator, item, c.files, &name, (struct str){ 0 });
}

/* Calls elf_calls_count for f, with the symbols of f. */
static bool count_calls(const struct binder *b, const struct mapping *m,
                        const struct native_files *f, uint64_t *shift,
                        struct elf_calls *c)
{
	uint32_t number = add(b, f);
	struct native *n = &b->natives->native[number];

	read_symbols(b, n);
	return elf_calls_count(b, m, f->image ? f->image : f->debug, &n->symbols, shift,
	                       c);
}

bool native_module_fits(const struct binder *b, str_id path, struct item *image,
                        struct elf_calls *c)
{
	const struct native_files files = { .image = image };
	const struct elf *e = locate_elf(b->locator, image);
	const struct mapping *const *maps;
	size_t n = process_mappings(b->ps, &maps);
	uint64_t shift;
	bool fits = false;

	for (size_t i = 0; i < n; i++) {
		const struct mapping *m = maps[i];

		if (m->path != path || m->kind != MAPPED_IMAGE)
			continue;
		if (m->assumed ||
		    elf_place(e, m->first - m->bias, m->last - m->first, true, &shift))
			fits = count_calls(b, m, &files, &shift, c);
		else if (native_is_data(e, m))
			continue;
		else
			fits = false;
		if (!fits)
			return false;
	}
	return fits;
}

/*
 * Returns true if the return addresses in m follow calls in f.  Sets *shift to va minus file
 * offset of f's code.  If -m names the file (given), fewer addresses suffice.
 */
static bool calls_agree(const struct binder *b, const struct mapping *m,
                        const struct native_files *f, bool given, uint64_t *shift)
{
	struct elf_calls c = { 0 };

	return count_calls(b, m, f, shift, &c) &&
	       elf_calls_agree(&c,
	                       given && locate_is_named(f->image ? f->image : f->debug));
}

/*
 * Finds the file that match_given chose for the module of m, and the matching debug file.
 */
static bool find_given(const struct binder *b, const struct mapping *m,
                       struct native_files *out)
{
	uint32_t at = table_get(&b->natives->given, m->path, 0);
	struct item *it = at ? &b->locator->item[at - 1] : NULL;
	struct mapping called = *m;
	struct native_files files;

	if (!it)
		return false;
	called.path = intern(b->locator->names, it->name);
	called.build_id = locate_elf(b->locator, it)->build_id;
	if (!native_files_find(b->locator, &called, b->run, &files) || files.image != it)
		return false;
	*out = files;
	out->how = VERIFIED_CALLS;
	return true;
}

/* The properties of a mapping that native_files_find uses. */
struct search_key {
	uint64_t file_off, len;
	struct mapped_file on_disk;
	str_id path, build_id, other_id;
	enum map_kind kind;
	uint32_t assumed;
	/*
	 * index of the process's root directory, or -1 for the root directory of this
	 * program
	 */
	int32_t root;
};

/* Calls native_files_find once for all mappings with the same key. */
static bool search_files(const struct binder *b, const struct mapping *m,
                         struct native_files *out)
{
	struct natives *nt = b->natives;
	struct search_key key;
	struct searched *known;
	str_id id;

	memset(&key, 0, sizeof(key));
	key.file_off = m->first - m->bias;
	key.len = m->last - m->first;
	key.on_disk = m->on_disk;
	key.path = m->path;
	key.build_id = intern(b->locator->names, m->build_id);
	key.other_id = m->other_id;
	key.kind = m->kind;
	key.assumed = m->assumed;
	key.root = host_roots_find(b->locator->roots, m->pid);
	id = intern(&nt->searches, (struct str){ (const char *)&key, sizeof(key) });
	arena_fit(b->run, nt->searched, id + 1u, nt->searched_cap);
	known = &nt->searched[id];
	if (!known->done) {
		known->done = true;
		known->found = native_files_find(b->locator, m, b->run, &known->files);
	}
	*out = known->files;
	return known->found;
}

/*
 * Finds the files of m by build-id, or by path and length.  A loader first maps a whole file and
 * then its parts, but saved maps contain only the parts, so lengths may differ.  If only the length
 * differs, the return addresses must follow calls.
 */
static bool find_files(const struct binder *b, const struct mapping *m,
                       struct native_files *out)
{
	struct mapping any = *m;
	struct native_files files = { 0 };
	uint64_t shift;

	any.assumed = true;
	if (search_files(b, m, out) || find_given(b, m, out))
		return true;
	if (m->assumed || !search_files(b, &any, &files) || !files.image ||
	    !calls_agree(b, m, &files, false, &shift))
		return false;
	*out = files;
	return true;
}

/*
 * Finds the form of addresses in m, a `listed` mapping.  If addresses are outside of m, they are
 * virtual addresses, file offsets, or relative to the va of the first byte of the file.  The form
 * that puts the most addresses into code wins.  Return addresses must follow a call or be the
 * last byte of a call.  Returns false if f cannot contain these addresses.
 */
static bool learn_form(const struct binder *b, const struct mapping *m,
                       const struct native_files *f, struct native_place *at)
{
	struct elf_calls best = { 0 };
	const struct elf *e = locate_elf(b->locator, f->image ? f->image : f->debug);
	uint64_t first = 0; /* va of the first segment, which may be outside of m */
	uint64_t bias[] = { 0, 0, 0 };
	size_t most = 0;

	if (!m->assumed) {
		count_calls(b, m, f, &first, &best);
		at->form.returns = best.good > best.last;
		return true;
	}
	if (!elf_place(e, 0, UINT64_MAX, false, &at->shift))
		return false;
	bias[0] = at->shift;
	bias[2] = at->shift - (e->nloads ? e->load[0].va - e->load[0].file_off : 0);
	for (size_t i = 0; i < sizeof(bias) / sizeof(*bias); i++) {
		struct mapping moved = *m;
		struct elf_calls c = { 0 };
		uint64_t shift;
		size_t inside, worth;

		moved.bias = bias[i];
		inside = elf_calls_inside(b, &moved, f->image ? f->image : f->debug);
		count_calls(b, &moved, f, &shift, &c);
		worth = inside + (c.last > c.good ? c.last : c.good);
		if (worth <= most)
			continue;
		most = worth;
		best = c;
		at->form = (struct shared_code_form){ moved.bias, c.good > c.last };
	}
	return most && (f->how == VERIFIED_ID || elf_calls_agree(&best, false));
}

/*
 * Returns true if f contains the files of m, an assumed mapping.  The evidence is named frames of
 * the text, or return addresses that follow calls.
 */
static bool is_verified(const struct binder *b, const struct mapping *m,
                        const struct native_files *f, uint64_t *shift)
{
	if (table_get(&b->natives->confirmed, m->id, 0) ||
	    (m->kind == MAPPED_INJECTED && jitted_so_files_agree(b, m)))
		return elf_place(locate_elf(b->locator, f->image ? f->image : f->debug),
		                 0, UINT64_MAX, false, shift);
	return calls_agree(b, m, f, true, shift);
}

/*
 * Returns true if `image`, a file of this machine, is the file that ran from `path`: all sampled
 * return addresses follow call instructions in it.
 */
static bool is_shown(const struct binder *b, str_id path, struct item *image)
{
	uint32_t *known = table_at(&b->natives->shown, b->run, path, 0);
	struct elf_calls c = { 0 };

	if (!*known)
		*known = native_module_fits(b, path, image, &c) && elf_calls_all(&c) ? 2
		                                                                     : 1;
	return *known == 2;
}

/* Returns true if few return addresses follow calls in f, so f is not from the build that ran. */
static bool is_refuted(const struct binder *b, const struct mapping *m,
                       const struct native_files *f)
{
	struct elf_calls c = { 0 };
	uint64_t shift;

	return count_calls(b, m, f, &shift, &c) && elf_calls_refute(&c);
}

/* Finds the files that name the code of m, and the shift from file offsets to va. */
static struct native_place find_place(const struct binder *b, const struct mapping *m)
{
	struct native_place at = { .native = NO_NATIVE };
	const struct elf *e;
	struct item *where;

	/*
	 * If the mapping contains a .NET image inside a single-file program, the
	 * program's ELF file does not name the code of the mapping.
	 */
	if (!native_is_file(intern_str(b->locator->names, m->path)) ||
	    (!m->assumed && bound_image_get(b, m)))
		return at;
	if (!find_files(b, m, &at.files)) {
		remark_files(b, &at.files);
		return at;
	}
	where = at.files.image ? at.files.image : at.files.debug;
	e = locate_elf(b->locator, where);
	if (at.files.how == VERIFIED_CODE && !is_shown(b, m->path, where)) {
		at.files = (struct native_files){
			.refused = where,
			.why = arena_fmt(b->run,
			                 "it is a file of this machine, %s, and too few "
			                 "return addresses follow calls in it "
			                 "(--trust-host)",
			                 at.files.unsure)
			               .p
		};
		remark_files(b, &at.files);
		return at;
	}
	if (at.files.how == VERIFIED_INODE && is_refuted(b, m, &at.files)) {
		at.files = (struct native_files){
			.refused = where,
			.why = "it is a file of this machine, but sampled return "
			       "addresses do not follow calls in it (--trust-host)"
		};
		remark_files(b, &at.files);
		return at;
	}
	if (m->listed && m->assumed ? !learn_form(b, m, &at.files, &at)
	    : m->assumed            ? !is_verified(b, m, &at.files, &at.shift)
	                 : !elf_place(e, m->first - m->bias, m->last - m->first, false,
	                              &at.shift)) {
		at.files.how = VERIFIED_NOT;
		if (!m->assumed && native_is_data(e, m))
			return at;
		at.files.refused = where;
		at.files.why =
		        m->assumed ? "its load address was not recorded, and too few "
		                     "return addresses follow calls in it"
		                   : "its code was not mapped at the recorded addresses";
		remark_files(b, &at.files);
		return at;
	}
	remark_files(b, &at.files);
	if (m->listed && !m->assumed)
		learn_form(b, m, &at.files, &at);
	at.native = native_add(b, &at.files);
	return at;
}

/*
 * Stores a native_place and returns its index.  All mappings without a file share one
 * native_place, because there may be many such mappings.
 */
static uint32_t keep_place(const struct binder *b, struct native_place place)
{
	struct natives *nt = b->natives;
	const struct native_files *f = &place.files;
	bool none = place.native == NO_NATIVE && !f->image && !f->debug && !f->refused;

	if (none && nt->nowhere)
		return nt->nowhere - 1;
	*arena_push(b->run, nt->place, nt->nplaces, nt->places_cap) = place;
	if (none)
		nt->nowhere = (uint32_t)nt->nplaces;
	return (uint32_t)nt->nplaces - 1;
}

static const struct native_place *place_of(const struct binder *b,
                                           const struct mapping *m)
{
	struct natives *nt = b->natives;
	uint32_t *at = table_at(&nt->place_of, b->run, m->id, 0);

	if (!*at)
		*at = 1 + keep_place(b, find_place(b, m));
	return &nt->place[*at - 1];
}

struct shared_code_form native_form(const struct binder *b, const struct mapping *m)
{
	return place_of(b, m)->form;
}

const struct native_files *native_get_files(const struct binder *b,
                                            const struct mapping *m)
{
	uint32_t at = table_get(&b->natives->place_of, m->id, 0);

	return at ? &b->natives->place[at - 1].files : NULL;
}

struct native *native_open(const struct binder *b, const struct mapping *m,
                           uint64_t *shift)
{
	const struct native_place *at = place_of(b, m);

	if (at->native == NO_NATIVE)
		return NULL;
	*shift = at->shift;
	return &b->natives->native[at->native];
}

const struct elf *native_elf_called(struct binder *b, const struct mapping *m,
                                    const struct symtab **symbols)
{
	struct native_files files;
	struct native *n;
	uint32_t number;

	if (!native_is_file(intern_str(b->locator->names, m->path)) ||
	    !native_files_find(b->locator, m, b->run, &files) || !files.image)
		return NULL;
	number = native_add(b, &files);
	n = &b->natives->native[number];
	read_symbols(b, n);
	*symbols = &n->symbols;
	return locate_elf(b->locator, files.image);
}

bool native_code(const struct binder *b, const struct mapping *m, struct shared_code *out)
{
	const struct native_place *at = place_of(b, m);

	*out = (struct shared_code){ at->native, at->files.how, at->shift };
	return at->native != NO_NATIVE;
}

bool native_find(const struct binder *b, const struct mapping *m, uint64_t ip,
                 bool caller, struct bound_name *out)
{
	const struct native_place *at = place_of(b, m);

	out->by = at->files.image ? at->files.image : at->files.debug;
	out->how = at->files.how;
	if (at->native == NO_NATIVE && ip > m->start) {
		out->before = ip - 1 - m->start;
		out->after = m->end - ip;
	}
	return at->native != NO_NATIVE &&
	       native_name(b, at->native, ip - m->bias + at->shift, caller, out);
}

bool native_name(const struct binder *b, uint32_t native, uint64_t va, bool caller,
                 struct bound_name *out)
{
	const struct symtab *t = &b->natives->native[native].symbols;
	const struct symbol *sym;
	struct symtab_span span;

	read_symbols(b, &b->natives->native[native]);
	sym = symtab_find_frame(t, va, caller, &span);
	out->before = span.before;
	out->after = span.after;
	if (!sym)
		return false;
	out->func = demangle_once(b->demangled, sym->name, b->run);
	out->off = va - sym->base;
	return true;
}

/* Prints "3 ELF files WHAT: a.so, ...". */
static void report(const struct binder *b, const struct native_remark *r,
                   const char *what)
{
	if (r->n)
		diag_note(b->diag, "%zu ELF file%s %s: " PRSTR "%s", r->n,
		          r->n == 1 ? "" : "s", what, STRARG(r->first->name),
		          r->n > 1 ? ", ..." : "");
}

void native_report(const struct binder *b)
{
	const struct native_remark *r = &b->natives->refused;
	const struct native_remark *alt = &b->natives->no_alt;

	if (r->n == 1)
		diag_note(b->diag, PRSTR ": not used: %s", STRARG(r->first->name),
		          r->why);
	else if (r->n)
		diag_note(b->diag, "%zu files not used; " PRSTR ": %s", r->n,
		          STRARG(r->first->name), r->why);
	if (alt->n)
		diag_note(b->diag,
		          PRSTR ": its .gnu_debugaltlink %s is not among the sources%s",
		          STRARG(alt->first->name), alt->why,
		          alt->n > 1 ? ", as are those of others" : "");
	report(b, &b->natives->unverified,
	       "used by name only, because the recorded build is unknown");
	report(b, &b->natives->trusted,
	       "of this machine used by name only (--trust-host)");
}
