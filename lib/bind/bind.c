#include "bind/bind.h"

#include "bind/binder.h"
#include "bind/jitted_so.h"
#include "bind/dotnet/r2rmap_names.h"

struct binder *bind_new(struct locator *l, struct arena *run, struct diag *diag)
{
	struct binder *b = arena_new(run, struct binder, 1);

	b->locator = l;
	b->run = run;
	b->diag = diag;
	return b;
}

void bind_spell(struct binder *b, enum demangling how)
{
	b->demangling = how;
}

void bind_force(struct binder *b, int32_t pid, struct item *map)
{
	b->forced = arena_grow(b->run, b->forced, &b->forced_cap, b->nforced + 1,
	                       sizeof(*b->forced));
	b->forced[b->nforced++] = (struct forced_map){ pid, map };
}

void bind_namespace_pid(struct binder *b, int32_t pid, int32_t nspid)
{
	uint32_t *at = table_at(&b->ns, b->run, (uint32_t)pid, 0);

	if (!*at)
		*at = (uint32_t)nspid + 1;
}

static void push(struct noted **list, size_t *n, size_t *cap, struct arena *run,
                 struct noted what)
{
	*list = arena_grow(run, *list, cap, *n + 1, sizeof(**list));
	(*list)[(*n)++] = what;
}

void bind_note(struct binder *b, const struct mapping *m, int32_t pid, uint64_t ip,
               bool caller, bool jit)
{
	struct noted what = { m, m ? m->pid : pid, ip, caller, 0 };
	uint64_t who = m ? m->id : (uint64_t)(uint32_t)pid << 32;
	uint32_t *at;

	if (m ? m->kind == MAPPED_KERNEL : !jit)
		return;
	if (table_get(&b->seen, who, ip << 1 | caller))
		return;
	*table_at(&b->seen, b->run, who, ip << 1 | caller) = 1;
	if (m && (m->kind == MAPPED_IMAGE || m->assumed)) {
		at = table_at(&b->code_of, b->run, m->id, 0);
		what.next = *at;
		push(&b->code, &b->ncode, &b->code_cap, b->run, what);
		*at = (uint32_t)b->ncode;
		return;
	}
	at = table_at(&b->njit_of, b->run, (uint32_t)what.pid, 0);
	if ((*at)++ >= JIT_NOTED)
		return;
	at = table_at(&b->jit_of, b->run, (uint32_t)what.pid, 0);
	what.next = *at;
	push(&b->jit, &b->njit, &b->jit_cap, b->run, what);
	*at = (uint32_t)b->njit;
}

void bind_clock_agrees(struct binder *b)
{
	b->monotonic = true;
}

size_t bind_noted(const struct binder *b)
{
	return b->njit;
}

static bool find_in(const struct symtab *t, uint64_t addr, bool caller,
                    struct bound_name *out)
{
	const struct symbol *s = symtab_find(t, bind_look(addr, caller));

	if (!s)
		return false;
	out->func = s->name;
	out->off = addr - s->base;
	return true;
}

bool bound_rva(const struct bound_image *im, uint64_t ip, uint64_t *rva)
{
	*rva = ip - im->base;
	return !im->pe || pe_rva(im->pe, ip - im->m->bias - im->file_base, rva);
}

bool bound_ip(const struct bound_image *im, uint64_t rva, uint64_t *ip)
{
	uint64_t file_off;

	*ip = im->base + rva;
	if (!im->pe)
		return true;
	if (!pe_file_off(im->pe, rva, &file_off))
		return false;
	*ip = file_off + im->file_base + im->m->bias;
	return true;
}

struct r2r *bind_methods(const struct binder *b, const struct bound_image *im)
{
	return im->image ? locate_r2r(b->locator, im->image) : NULL;
}

/* A map knows the assemblies that were there when it was written. */
struct str bind_method_name(const struct bound_image *im, struct r2r *r, size_t index,
                            struct arena *a)
{
	size_t lacking = r2r_lacking(r);
	struct str name = r2r_name(r, index, a, R2R_AS_JIT);
	const struct symbol *s = NULL;

	if (r2r_lacking(r) > lacking && im->map && !im->offsets)
		s = symtab_find(&im->map->symbols, r2r_range(r, index).begin);
	return s ? s->name : name;
}

static bool find_method(struct binder *b, const struct bound_image *im, uint64_t rva,
                        bool caller, struct bound_name *out)
{
	struct r2r *r = bind_methods(b, im);
	size_t index;
	uint32_t *at;

	if (!r || !r2r_find(r, bind_look(rva, caller), &index))
		return false;
	at = table_at(&b->name_of, b->run, (uintptr_t)im->image, index);
	if (!*at) {
		b->name = arena_grow(b->run, b->name, &b->names_cap, b->nnames + 1,
		                     sizeof(*b->name));
		b->name[b->nnames++] = bind_method_name(im, r, index, b->run);
		*at = (uint32_t)b->nnames;
	}
	out->func = b->name[*at - 1];
	out->off = rva - r2r_range(r, index).begin;
	return true;
}

static bool find_image(struct binder *b, const struct mapping *m, uint64_t ip,
                       bool caller, struct bound_name *out)
{
	uint32_t at = table_get(&b->image_of, m->id, 0);
	const struct bound_image *im;
	struct bound_image other;
	uint64_t rva;

	if (!at && table_get(&b->later, m->id, 0) == 1) {
		bind_place_late(b, m);
		at = table_get(&b->image_of, m->id, 0);
	}
	if (!at)
		return false;
	im = &b->image[at - 1];
	/* The byte before a return address is in the section even where ip is not. */
	ip = bind_look(ip, caller);
	if (bind_neighbour(b, im, ip, &other))
		im = &other;
	if (!bound_rva(im, ip, &rva))
		return false;
	rva += caller;
	out->by = im->image ? im->image : im->item;
	out->how = !im->pe ? VERIFIED_MVID : im->beside ? VERIFIED_BESIDE : VERIFIED_CODE;
	/* The image's own names are spelled as the runtime does; a map's are not. */
	if (find_method(b, im, rva, caller, out))
		return true;
	if (!im->map ||
	    !find_in(&im->map->symbols,
	             im->offsets ? ip + caller - m->bias - im->file_base : rva, caller,
	             out))
		return false;
	out->func = bind_respell(b, im, out->func);
	return true;
}

/* Nothing tells more than which image it is. */
static bool find_whole(struct binder *b, const struct mapping *m, uint64_t ip,
                       struct bound_name *out)
{
	uint32_t at = table_get(&b->image_of, m->id, 0);
	const struct bound_image *im = at ? &b->image[at - 1] : NULL;

	if (!im || !im->whole.n || !bound_rva(im, ip, &out->off))
		return false;
	out->by = im->item;
	out->how = VERIFIED_CODE;
	out->jit = false;
	out->func = im->whole;
	return true;
}

static bool find_dumped(struct binder *b, const struct bound_map *bm,
                        const struct bind_query *q, struct bound_name *out)
{
	uint64_t when = bm->by_time ? q->time_ns : UINT64_MAX;
	size_t i;

	if (!jitdump_find(bm->dump, bind_look(q->ip, q->caller), when, &i))
		return false;
	out->func = bind_plain_name(b, jitdump_name(bm->dump, i, b->run));
	out->off = q->ip - bm->dump->code[i].start;
	out->dump = bm->dump;
	out->code = i;
	return true;
}

/* The dump of the process's JIT code, if its times can be compared. */
static const struct jitdump *timed_dump(const struct binder *b,
                                        const struct bind_query *q)
{
	int32_t pid = q->m ? q->m->pid : q->pid;
	uint32_t i = table_get(&b->map_of, (uint32_t)pid, 0);

	if (q->m && !mapping_is_jit(q->m))
		return NULL;
	return i && b->map[i - 1].by_time ? b->map[i - 1].dump : NULL;
}

bool bind_varies(const struct binder *b, const struct bind_query *q)
{
	const struct jitdump *d = timed_dump(b, q);
	uint64_t at = bind_look(q->ip, q->caller);
	size_t first, last;

	return d && jitdump_find(d, at, 0, &first) &&
	       jitdump_find(d, at, UINT64_MAX, &last) && first != last;
}

uint32_t bind_generation(const struct binder *b, const struct bind_query *q)
{
	const struct jitdump *d = timed_dump(b, q);
	size_t i;

	if (!d || !jitdump_find(d, bind_look(q->ip, q->caller), q->time_ns, &i))
		return 0;
	return (uint32_t)i + 1;
}

/* What was made at run time, or merged into one map. */
static bool find_mapped(struct binder *b, const struct bind_query *q,
                        struct bound_name *out)
{
	bool kernel = q->m && q->m->kind == MAPPED_KERNEL;
	int32_t pid = q->m && !kernel ? q->m->pid : q->pid;
	uint32_t i = table_get(&b->map_of, (uint32_t)pid, 0);

	for (; i; i = b->map[i - 1].next) {
		const struct bound_map *bm = &b->map[i - 1];
		bool whole = bm->map && bm->map->whole;

		if (kernel && !whole)
			continue;
		out->by = bm->item;
		out->how = bm->forced ? VERIFIED_FORCED : VERIFIED_COVERS;
		out->jit = !whole || !q->m || mapping_is_jit(q->m);
		if (bm->dump ? find_dumped(b, bm, q, out)
		             : find_in(&bm->map->symbols, q->ip, q->caller, out))
			return true;
	}
	return false;
}

static bool find_native(struct binder *b, const struct bind_query *q,
                        struct bound_name *out)
{
	out->native = bind_find_native(b, q->m, q->ip, q->caller, out);
	return out->native;
}

bool bind_find(struct binder *b, const struct bind_query *q, struct bound_name *out)
{
	const struct mapping *m = q->m;

	out->jit = out->native = false;
	out->dump = NULL;
	if (m && m->kind == MAPPED_KERNEL)
		return bind_find_kernel(b, m, q->ip, q->caller, out) ||
		       find_mapped(b, q, out);
	if (m && find_image(b, m, q->ip, q->caller, out))
		return true;
	if (m && m->kind == MAPPED_IMAGE && find_native(b, q, out))
		return true;
	if (m && m->assumed && m->kind == MAPPED_INJECTED)
		return bind_find_injected(b, m, q->ip - m->bias, q->caller, out) ||
		       find_native(b, q, out);
	if (find_mapped(b, q, out) || (m && find_whole(b, m, q->ip, out)))
		return true;
	out->jit = true;
	return m && m->kind == MAPPED_INJECTED && find_native(b, q, out);
}

const struct mapping *bind_mapping(const struct binder *b, int32_t pid, uint64_t ip)
{
	return process_find(b->ps, pid, ip, MODE_USER);
}

size_t bind_maps(const struct binder *b, const struct bound_map **out)
{
	*out = b->map;
	return b->nmaps;
}

size_t bind_images(const struct binder *b, const struct bound_image **out)
{
	*out = b->image;
	return b->nimages;
}
