#include "bind/dotnet/image_names.h"

#include "bind/binder.h"
#include "bind/dotnet/bound_image.h"
#include "bind/dotnet/match_bundled.h"
#include "bind/dotnet/match_images.h"
#include "bind/dotnet/r2rmap_names.h"
#include "bind/sampled.h"

/* Finds the symbol of im's map at off.  Depending on the map, off is an RVA or a file offset. */
static bool find_in_map(const struct binder *b, const struct bound_image *im,
                        uint64_t off, bool caller, struct bound_name *out)
{
	const struct symbol *s =
	        im->map ? symtab_find(&im->map->symbols, sampled_byte(off, caller))
	                : NULL;

	if (!s)
		return false;
	out->func = r2rmap_names_frame(b, im, s->name);
	out->off = off - s->base;
	return true;
}

/*
 * Returns the image that contains ip, and sets *rva to the RVA of ip.  If several images share
 * the mapping, the returned image may be in the buffer `other`.  Returns NULL if no section of an
 * image contains ip.
 */
static const struct bound_image *find_image(const struct binder *b,
                                            const struct mapping *m, uint64_t ip,
                                            struct bound_image *other, uint64_t *rva)
{
	const struct bound_image *im = match_images_of(b, m);

	if (im && match_bundled_neighbour(b, im, ip, other))
		im = other;
	return im && bound_image_rva(im, ip, rva) ? im : NULL;
}

/*
 * If a section ends with a call, the return address is after the end of the section.  Therefore the
 * byte before a return address is looked up.
 */
bool image_names_find(const struct binder *b, const struct mapping *m, uint64_t ip,
                      bool caller, struct bound_name *out)
{
	struct bound_image other;
	uint64_t rva, at = sampled_byte(ip, caller);
	const struct bound_image *im = find_image(b, m, at, &other, &rva);

	if (!im)
		return false;
	rva += caller;
	out->by = im->image ? im->image : im->item;
	out->how = !im->pe      ? VERIFIED_MVID
	           : im->mapped ? VERIFIED_INODE
	           : im->beside ? VERIFIED_BESIDE
	                        : VERIFIED_CODE;
	if (bound_image_method(b, im, rva, caller, out))
		return true;
	return find_in_map(b, im,
	                   im->offsets ? at + caller - m->bias - im->file_base : rva,
	                   caller, out);
}

bool image_names_code(const struct binder *b, const struct mapping *m, uint64_t ip,
                      bool caller, struct image_code *out)
{
	struct bound_image other;
	const struct bound_image *im =
	        find_image(b, m, sampled_byte(ip, caller), &other, &out->rva);

	if (!im || !im->image)
		return false;
	out->image = im->image;
	out->methods = bound_image_methods(b, im);
	return out->methods && r2r_find(out->methods, out->rva, &out->index);
}

bool image_names_whole(const struct binder *b, const struct mapping *m, uint64_t ip,
                       struct bound_name *out)
{
	const struct bound_image *im = bound_image_get(b, m);

	if (!im || !im->whole.n || !bound_image_rva(im, ip, &out->off))
		return false;
	out->by = im->item;
	out->how = VERIFIED_CODE;
	out->jit = false;
	out->func = im->whole;
	return true;
}
