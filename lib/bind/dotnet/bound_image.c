#include "bind/dotnet/bound_image.h"

#include "bind/binder.h"
#include "bind/sampled.h"
#include "image/dotnet/assembly.h"
#include "image/dotnet/r2r_name.h"

void bound_image_add(const struct binder *b, const struct bound_image *im)
{
	struct bound_images *images = b->images;

	*arena_push(b->run, images->image, images->n, images->cap) = *im;
	*table_at(&images->of_mapping, b->run, im->m->id, 0) = (uint32_t)images->n;
	if (im->item)
		im->item->placed = true;
	if (im->image)
		im->image->placed = true;
}

const struct bound_image *bound_image_get(const struct binder *b, const struct mapping *m)
{
	uint32_t at = table_get(&b->images->of_mapping, m->id, 0);

	return at ? &b->images->image[at - 1] : NULL;
}

bool bound_image_rva(const struct bound_image *im, uint64_t ip, uint64_t *rva)
{
	*rva = ip - im->base;
	return !im->pe || pe_rva(im->pe, ip - im->m->bias - im->file_base, rva);
}

bool bound_image_ip(const struct bound_image *im, uint64_t rva, uint64_t *ip)
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

struct r2r *bound_image_methods(const struct binder *b, const struct bound_image *im)
{
	return im->image ? assembly_code(b->locator, im->image) : NULL;
}

/*
 * Takes the name of a method from the image.  If the name needs a missing assembly, takes the
 * name from the map.  The map was written when all assemblies were present.
 */
struct str bound_image_method_name(const struct bound_image *im, struct r2r *r,
                                   size_t index, struct arena *a)
{
	size_t lacking = r2r_lacking(r);
	struct str name = r2r_name(r, index, a, R2R_AS_JIT);
	const struct symbol *s = NULL;

	if (r2r_lacking(r) > lacking && im->map && !im->offsets)
		s = symtab_find(&im->map->symbols, r2r_range(r, index).begin);
	return s ? s->name : name;
}

bool bound_image_method(const struct binder *b, const struct bound_image *im,
                        uint64_t rva, bool caller, struct bound_name *out)
{
	struct bound_images *images = b->images;
	struct r2r *r = bound_image_methods(b, im);
	size_t index;
	uint32_t *at;

	if (!r || !r2r_find(r, sampled_byte(rva, caller), &index))
		return false;
	at = table_at(&images->name_of, b->run, (uintptr_t)im->image, index);
	out->func =
	        *table_item(at, b->run, images->name, images->nnames, images->names_cap,
	                    bound_image_method_name(im, r, index, b->run));
	out->off = rva - r2r_range(r, index).begin;
	return true;
}
