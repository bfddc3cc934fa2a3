#include "bind/bound_code.h"

#include "bind/binder.h"
#include "bind/dotnet/bound_image.h"
#include "bind/native/kernel.h"
#include "bind/native/native.h"

enum { LONGEST = 16 << 20 }; /* maximum number of bytes of a function */

static bool of_files(const struct binder *b, const struct bind_query *q,
                     struct bound_code *out)
{
	const struct native *n;

	if (q->m->kind == MAPPED_KERNEL) {
		n = kernel_native(b, q->m, &out->shift);
	} else {
		n = native_open(b, q->m, &out->shift);
		out->shift -= q->m->bias;
	}
	if (!n)
		return false;
	out->item = n->image ? n->image : n->debug;
	out->range.space = CODE_VA;
	return true;
}

static bool of_dump(const struct bind_query *q, const struct bound_name *name,
                    struct bound_code *out)
{
	const struct jit_code *code = &name->dump->code[name->code];

	out->item = (struct item *)(uintptr_t)name->by;
	out->shift = code->start + name->off - q->ip;
	out->range.space = CODE_IP;
	out->range.piece = name->code;
	return true;
}

static bool of_image(const struct binder *b, const struct bind_query *q,
                     struct bound_code *out)
{
	const struct bound_image *im = bound_image_get(b, q->m);
	uint64_t rva;

	if (!im || !im->image || !bound_image_rva(im, q->ip, &rva))
		return false;
	out->item = im->image;
	out->shift = rva - q->ip;
	out->range.space = CODE_RVA;
	return true;
}

/* Returns true if the byte at ip still belongs to the function that begins at `begin`. */
static bool is_in(const struct binder *b, const struct bind_query *q, uint64_t begin,
                  uint64_t ip, struct str func)
{
	struct bind_query at = *q;
	struct bound_name name;

	at.ip = ip;
	at.caller = false;
	return bind_find(b, &at, &name) && ip - name.off == begin &&
	       str_eq(name.func, func);
}

/* Returns the end of the function that begins at `begin` and contains `ip`. */
static uint64_t end_of(const struct binder *b, const struct bind_query *q, uint64_t begin,
                       uint64_t ip, struct str func)
{
	uint64_t step = 1, half;

	while (step < LONGEST && is_in(b, q, begin, ip + step, func))
		step *= 2;
	half = step / 2;
	return ip + half + 1 +
	       bisect(step - half - 1, i, is_in(b, q, begin, ip + half + 1 + i, func));
}

bool bound_code_find(const struct binder *b, const struct bind_query *q,
                     const struct bound_name *name, struct bound_code *out)
{
	struct str func = arena_str(b->run, name->func);
	uint64_t begin = q->ip - name->off;
	bool found;

	*out = (struct bound_code){ 0 };
	found = name->dump                                    ? of_dump(q, name, out)
	        : !q->m                                       ? false
	        : name->native || q->m->kind == MAPPED_KERNEL ? of_files(b, q, out)
	                                                      : of_image(b, q, out);
	if (!found || name->off > LONGEST)
		return false;
	out->range.start = begin + out->shift;
	out->range.end = name->dump ? out->range.start + name->dump->code[name->code].size
	                            : end_of(b, q, begin, q->ip, func) + out->shift;
	return true;
}
