#include "bind/bind.h"

#include "base/guard.h"
#include "bind/binder.h"
#include "bind/bound_map.h"
#include "bind/dotnet/bound_image.h"
#include "bind/dotnet/image_names.h"
#include "bind/dotnet/loaded.h"
#include "bind/dotnet/local_image.h"
#include "bind/dotnet/managed_lines.h"
#include "bind/dotnet/match_bundled.h"
#include "bind/dotnet/match_images.h"
#include "bind/match_maps.h"
#include "bind/native/inlined.h"
#include "bind/native/jitted_so.h"
#include "bind/native/kernel.h"
#include "bind/native/match_given.h"
#include "bind/native/native.h"
#include "bind/native/text_kallsyms.h"
#include "bind/sampled.h"
#include "image/host.h"
#include "image/host_maps.h"
#include "image/host_roots.h"

struct binder *bind_new(struct locator *l, struct arena *run, struct diag *diag)
{
	struct binder *b = arena_new(run, struct binder, 1);

	*b = (struct binder){ .locator = l,
		              .run = run,
		              .diag = diag,
		              .sampled = arena_new(run, struct sampled, 1),
		              .forced = arena_new(run, struct forced_maps, 1),
		              .maps = arena_new(run, struct bound_maps, 1),
		              .images = arena_new(run, struct bound_images, 1),
		              .image_matches = arena_new(run, struct image_matches, 1),
		              .bundled = arena_new(run, struct bundled, 1),
		              .loaded = arena_new(run, struct loaded, 1),
		              .managed_lines = arena_new(run, struct managed_lines, 1),
		              .demangled = arena_new(run, struct demangled, 1),
		              .natives = arena_new(run, struct natives, 1),
		              .kernel = arena_new(run, struct kernel_places, 1),
		              .text_kallsyms = arena_new(run, struct text_kallsyms, 1),
		              .guard = guard_find() };
	intern_init(&b->natives->searches, run);
	return b;
}

void bind_close(struct binder *b)
{
	sampled_end(b->sampled);
	managed_lines_end(b->managed_lines);
	inlined_close(b);
}

void bind_spell(struct binder *b, enum demangling how)
{
	b->demangled->how = how;
}

void bind_force(struct binder *b, int32_t pid, struct item *map)
{
	match_maps_force(b, pid, map);
}

void bind_namespace_pid(struct binder *b, int32_t pid, int32_t nspid)
{
	match_maps_namespace(b, pid, nspid);
}

/*
 * Returns true if -m names an ELF file directly.  The return addresses sampled in a module may
 * then show that the file belongs to this module.
 */
static bool has_given(struct binder *b)
{
	const struct locator *l = b->locator;
	enum sampled_asked *given = &b->sampled->given;

	for (size_t i = 0; i < l->n && !*given; i++)
		if (l->item[i].kind == ITEM_ELF && locate_is_named(&l->item[i]))
			*given = SAMPLED_ASKED;
	if (!*given)
		*given = SAMPLED_UNASKED;
	return *given == SAMPLED_ASKED;
}

/* Returns true if the path of m has an extension of .NET images. */
static bool is_image(const struct binder *b, const struct mapping *m)
{
	struct str path = intern_str(b->locator->names, m->path);

	return str_ends(path, STR(".dll")) || str_ends(path, STR(".exe"));
}

/*
 * Returns true if m maps neither a .NET image nor a single-file program.  Examines the input files
 * and the files of this machine.
 */
static bool is_plain_elf(struct binder *b, const struct mapping *m)
{
	struct str path = intern_str(b->locator->names, m->path);
	const struct item *it = locate_base(b->locator, path);

	if (is_image(b, m))
		return false;
	while (it && !it->program)
		it = locate_next(b->locator, it);
	return !it && !host_is_bundle(b->locator, m);
}

/*
 * Returns true if a file with the name of m is among the input files or on this machine.  The call
 * instructions in this file can then be compared with the return addresses sampled in m.
 */
static bool may_be_had(struct binder *b, const struct mapping *m)
{
	struct locator *l = b->locator;
	struct str path = intern_str(l->names, m->path);
	uint32_t root = (uint32_t)host_roots_find(l->roots, m->pid);
	uint32_t *had = table_at(&b->sampled->had, b->run, m->path, root);

	if (!*had)
		*had = locate_base(l, path) || host_has(l, m) ? SAMPLED_ASKED
		                                              : SAMPLED_UNASKED;
	return *had == SAMPLED_ASKED;
}

/*
 * Returns true if the addresses sampled in m may be needed to choose the file that names m's code.
 * If m maps an ELF file with a build-id, the build-id is sufficient evidence, so the addresses are
 * not needed.
 */
static bool is_asked(struct binder *b, const struct mapping *m)
{
	uint8_t *asked;

	if (m->kind != MAPPED_IMAGE || m->assumed || m->listed)
		return true;
	arena_fit(b->run, b->sampled->asked, m->id + 1u, b->sampled->asked_cap);
	asked = &b->sampled->asked[m->id];
	if (!*asked)
		*asked = has_given(b) || !is_plain_elf(b, m) ||
		                         (!m->build_id.n && may_be_had(b, m))
		                 ? SAMPLED_ASKED
		                 : SAMPLED_UNASKED;
	return *asked == SAMPLED_ASKED;
}

void bind_needs(struct binder *b, const struct processes *ps, int32_t pid,
                struct needed *out)
{
	const struct mapping *m = process_find_from(ps, pid, 0);
	bool follows = false; /* the previous mapping is asked: its range continues */

	*out = (struct needed){ 0 };
	for (; m; m = process_find_from(ps, pid, m->end)) {
		bool asked = is_asked(b, m);

		if (asked && !follows) {
			out->all = out->n == NEEDED_RANGES;
			if (out->all)
				return;
			out->range[out->n++].start = m->start;
		}
		if (asked)
			out->range[out->n - 1].end = m->end;
		follows = asked;
	}
}

void bind_note(struct binder *b, const struct mapping *m, int32_t pid, uint64_t ip,
               bool caller, bool jit)
{
	if (!m || is_asked(b, m))
		sampled_add(b->sampled, b->run, m, pid, ip, caller, jit);
}

const struct sampled *bind_sampled(const struct binder *b)
{
	return b->sampled;
}

void bind_clock_agrees(struct binder *b)
{
	b->maps->monotonic = true;
}

void bind_decide(struct binder *b, struct processes *ps, bool all)
{
	b->ps = ps;
	sampled_end(b->sampled);
	match_maps_forced(b);
	jitted_so_match(b);
	match_maps(b);
	match_images(b, all);
	match_given(b);
}

bool bind_find_kernel(const struct binder *b, const struct mapping *m, uint64_t ip,
                      struct bound_name *out)
{
	return kernel_find(b, m, ip, false, out);
}

static bool find_native(const struct binder *b, const struct bind_query *q,
                        struct bound_name *out)
{
	out->native = native_find(b, q->m, q->ip, q->caller, out);
	return out->native;
}

/*
 * Reports files of this machine that are not used for m.  bind_decide also reports them, but it
 * is not called if the header shows that the profile is from another machine.
 */
static void report_unused(const struct binder *b, const struct mapping *m)
{
	bool jit = mapping_is_jit(m);
	uint32_t *at = table_at(&b->natives->unused, b->run,
	                        jit ? (uint32_t)m->pid : m->id, jit);
	const char *why = NULL;
	const struct item *it;

	if ((*at)++)
		return;
	if (jit) {
		host_maps_refuse(b->locator, m->pid, b->diag);
		return;
	}
	it = local_image_add(b, m, &why);
	if (it && why)
		native_remark(b, &b->natives->refused, it, why);
}

bool bind_find(const struct binder *b, const struct bind_query *q, struct bound_name *out)
{
	const struct mapping *m = q->m;

	out->jit = out->native = out->guessed = false;
	out->dump = NULL;
	out->before = out->after = 0;
	if (m && m->kind == MAPPED_KERNEL)
		return kernel_find(b, m, q->ip, q->caller, out) ||
		       bound_map_find(b, q, out);
	if (m && image_names_find(b, m, q->ip, q->caller, out))
		return true;
	if (m && m->kind == MAPPED_IMAGE && find_native(b, q, out))
		return true;
	if (m && m->assumed && m->kind == MAPPED_INJECTED)
		return jitted_so_find(b, m, q->ip - m->bias, q->caller, out) ||
		       find_native(b, q, out);
	if (bound_map_find(b, q, out) || (m && image_names_whole(b, m, q->ip, out))) {
		out->before = out->after = 0;
		return true;
	}
	out->jit = true;
	if (!b->ps && m && !m->assumed && (mapping_is_jit(m) || is_image(b, m)))
		report_unused(b, m);
	return m && m->kind == MAPPED_INJECTED && find_native(b, q, out);
}

bool bind_varies(const struct binder *b, const struct bind_query *q)
{
	return bound_map_varies(b, q);
}

const struct mapping *bind_find_beyond_kernel(const struct binder *b,
                                              const struct mapping *core, uint64_t ip)
{
	struct bound_name name;

	if (!core || ip < core->last || !bind_find_kernel(b, core, ip, &name))
		return NULL;
	return core;
}

uint64_t bind_irq_entry(const struct binder *b, const struct mapping *core,
                        uint64_t *start)
{
	return kernel_irq_entry(b, core, start);
}

bool bind_has_places(const struct binder *b, const struct mapping *m)
{
	return inlined_is_known(b, m);
}

void bind_visit_places(const struct binder *b, const struct bind_query *q, bool all)
{
	inlined_visit(b, q, all);
}

size_t bind_places(const struct binder *b, const struct bind_query *q,
                   const struct bound_name *name, struct dwarf_place *out, size_t max)
{
	struct bind_query at = *q;

	/*
	 * If the offset is 0, bind_find has named the address itself, not the byte before
	 * the address.  The lines must then be those of the address itself.
	 */
	at.caller = q->caller && name->off;
	if (name->native)
		return inlined_find(b, &at, out, max);
	if (name->dump && bound_map_line(b, &at, name, out))
		return 1;
	return managed_lines_find(b, &at, name, out);
}

const struct native_files *bind_files(const struct binder *b, const struct mapping *m)
{
	return m->kind == MAPPED_KERNEL ? kernel_get_files(b, m) : native_get_files(b, m);
}

const struct bound_image *bind_image(const struct binder *b, const struct mapping *m)
{
	return bound_image_get(b, m);
}

const struct refused_image *bind_refused(const struct binder *b, const struct mapping *m)
{
	return match_images_refused(b, m);
}

size_t bind_maps(const struct binder *b, const struct bound_map **out)
{
	*out = b->maps->map;
	return b->maps->n;
}

const struct managed_lines *bind_pdbs(const struct binder *b)
{
	return b->managed_lines;
}

void bind_report(const struct binder *b)
{
	native_report(b);
	inlined_report(b);
}
