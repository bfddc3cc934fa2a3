/*
 * bound_image - the .NET images that are bound to mappings, and their methods.  Private to bind/.
 */
#ifndef BIND_DOTNET_BOUND_IMAGE_H
#define BIND_DOTNET_BOUND_IMAGE_H

#include "bind/bind.h"

struct bound_images {
	struct bound_image *image;
	size_t n, cap;
	struct table of_mapping; /* mapping id -> index of its image + 1 */
	struct table name_of;    /* (image, method) -> index of its name + 1 */
	struct str *name;        /* names of methods */
	size_t nnames, names_cap;
	/* linked list with an element for each process */
	struct r2rmap_names *r2rmap_names;
};

/* Binds im to the mapping im->m. */
void bound_image_add(const struct binder *b, const struct bound_image *im);

/* Returns the image that is bound to m, or NULL. */
const struct bound_image *bound_image_get(const struct binder *b,
                                          const struct mapping *m);

/* Sets *rva to the RVA of ip.  Returns false if no section of the image contains ip. */
bool bound_image_rva(const struct bound_image *im, uint64_t ip, uint64_t *rva);
bool bound_image_ip(const struct bound_image *im, uint64_t rva, uint64_t *ip);

/*
 * Returns the methods of an image, which are read on first use.  Returns NULL if im has only a
 * map.
 */
struct r2r *bound_image_methods(const struct binder *b, const struct bound_image *im);

/* Returns the name of method `index` of r.  The name is in `a` or in the map. */
struct str bound_image_method_name(const struct bound_image *im, struct r2r *r,
                                   size_t index, struct arena *a);

/*
 * Finds the method of im at rva.  Its name is made on first use.  Returns false if there is no
 * method.
 */
bool bound_image_method(const struct binder *b, const struct bound_image *im,
                        uint64_t rva, bool caller, struct bound_name *out);

#endif
