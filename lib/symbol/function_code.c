#include "symbol/function_code.h"

#include "bind/bound_code.h"
#include "symbol/profile_private.h"

/* Converts an address that perf prints to a run-time address. */
static uint64_t ip_of(const struct profile *p, const struct mapping *m, uint64_t addr)
{
	if (p->session.opts.absolute || m->kind == MAPPED_KERNEL ||
	    m->kind == MAPPED_ANON)
		return addr;
	return addr + m->bias;
}

static struct bind_query query_of(const struct mapping *m, uint64_t ip)
{
	return (struct bind_query){
		.m = m, .pid = m->pid, .ip = ip, .inlined = true, .time_ns = UINT64_MAX
	};
}

/*
 * Returns true if the frame still has that name.  A runtime may have put other code at the
 * address.
 */
static bool is_name_of(const struct profile *p, frame_id id,
                       const struct bound_name *name)
{
	const struct resolved *r = profile_frame(p, id);

	return !name->jit || str_eq(profile_str(p, r->names[r->n - 1].func), name->func);
}

bool function_code_find(struct profile *p, frame_id id, uint64_t addr,
                        struct function_code *out)
{
	const struct resolved *r = profile_frame(p, id);
	const struct mapping *m = r->m;
	struct binder *b = p->session.binder;
	struct bound_code found;
	struct bound_name name;
	struct bind_query q;

	if (!m || r->names[r->n - 1].flags & NAMED_UNKNOWN)
		return false;
	q = query_of(m, ip_of(p, m, addr));
	if (!bind_find(b, &q, &name) || !is_name_of(p, id, &name) ||
	    !bound_code_find(b, &q, &name, &found))
		return false;
	*out = (struct function_code){
		.start = found.range.start,
		.end = found.range.end,
		.shift = q.ip + found.shift - addr,
		.item = found.item,
		.name = name,
		.has_places = name.dump || bind_has_places(b, m),
		.m = m,
		.from_ip = found.shift,
	};
	out->name.func = arena_str(&p->session.run, name.func);
	if (!code_bytes(found.item, &found.range, &out->code, &p->session.run))
		out->code.bytes = (struct str){ 0 };
	return true;
}

size_t function_code_places(struct profile *p, const struct function_code *c,
                            uint64_t addr, struct dwarf_place *out, size_t max)
{
	struct bind_query q = query_of(c->m, addr - c->from_ip);
	struct bound_name name = c->name;

	if (!c->has_places)
		return 0;
	name.off = addr - c->start;
	return bind_places(p->session.binder, &q, &name, out, max);
}

struct str function_code_target(struct profile *p, const struct function_code *c,
                                uint64_t addr, uint64_t *off)
{
	struct bind_query q = query_of(c->m, addr - c->from_ip);
	struct bound_name name;

	if (!bind_find(p->session.binder, &q, &name))
		return (struct str){ 0 };
	*off = name.off;
	return name.func;
}

struct locator *function_code_sources(struct profile *p)
{
	return &p->session.locator;
}
