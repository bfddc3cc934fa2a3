/*
 * crossgen2 signs a map with the MD5 of the MVIDs of its inputs, in the order of their
 * assemblies' names, and of the three numbers that say what it compiled for.  Source:
 * dotnet/runtime src/coreclr/tools/aot/ILCompiler.ReadyToRun, PerfMapWriter.
 */
#include <stdlib.h>

#include "base/md5.h"
#include "image/dotnet/r2rstate.h"

enum { ABI_DEFAULT = 1 };

struct r2r_target r2r_target(const struct r2r *r)
{
	static const uint16_t machines[] = { 0, PE_ARM, PE_ARM64, PE_X64, PE_X86 };
	struct r2r_target t = { r->pe->os, 0, ABI_DEFAULT };

	for (unsigned i = 1; i < sizeof(machines) / sizeof(*machines); i++)
		if (machines[i] == r->pe->machine)
			t.arch = i;
	return t;
}

struct input {
	struct str name;
	const unsigned char *mvid;
};

/* Ordinal, letters of either case being the same. */
static int by_name(const void *pa, const void *pb)
{
	const struct input *a = pa, *b = pb;
	size_t n = a->name.n < b->name.n ? a->name.n : b->name.n;

	for (size_t i = 0; i < n; i++) {
		unsigned x = (unsigned char)a->name.p[i], y = (unsigned char)b->name.p[i];

		x -= x >= 'a' && x <= 'z' ? 32 : 0;
		y -= y >= 'a' && y <= 'z' ? 32 : 0;
		if (x != y)
			return x < y ? -1 : 1;
	}
	return (a->name.n > b->name.n) - (a->name.n < b->name.n);
}

/* The MVID that stands in the image, else that of the component's own file. */
static const unsigned char *component_mvid(struct r2r *r, uint32_t slot)
{
	struct clr_module m;

	if (slot >= r->nslots)
		return NULL;
	if (r->slot[slot].mvid)
		return r->slot[slot].mvid;
	return r2r_module(r, slot, &m) && m.md ? m.md->mvid : NULL;
}

static size_t list_inputs(struct r2r *r, struct input *input)
{
	if (!r->composite) {
		input[0] = (struct input){ r->slot[0].module.name,
			                   r->pe->has_mvid ? r->pe->mvid : NULL };
		return 1;
	}
	for (size_t i = 0; i < r->ncomponents; i++) {
		uint32_t slot = (uint32_t)i + 2;

		input[i].mvid = component_mvid(r, slot);
		if (slot < r->nslots)
			input[i].name = r->slot[slot].module.name;
	}
	qsort(input, r->ncomponents, sizeof(*input), by_name);
	return r->ncomponents;
}

bool r2r_signature(struct r2r *r, unsigned char out[16])
{
	const struct r2r_target t = r2r_target(r);
	const uint32_t numbers[] = { t.os, t.arch, t.abi };
	struct arena scratch = { 0 };
	struct input *input = arena_new(&scratch, struct input, r->ncomponents + 1);
	size_t n = list_inputs(r, input);
	char *p = arena_new(&scratch, char, n * 16 + sizeof(numbers));
	bool known = true;

	for (size_t i = 0; i < n; i++)
		if (input[i].mvid)
			memcpy(p + i * 16, input[i].mvid, 16);
		else
			known = false;
	memcpy(p + n * 16, numbers, sizeof(numbers));
	if (r->pe->has_signature)
		memcpy(out, r->pe->signature, 16);
	else
		md5((struct str){ p, n * 16 + sizeof(numbers) }, &scratch, out);
	arena_release(&scratch);
	return known || r->pe->has_signature;
}
