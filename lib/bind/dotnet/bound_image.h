/*
 * bound_image - the .NET images that are bound to mappings, and their methods.  Private to bind/.
 */
#ifndef BIND_DOTNET_BOUND_IMAGE_H
#define BIND_DOTNET_BOUND_IMAGE_H

#include "base/table.h"
#include "bind/bind.h"

struct bound_images {
	struct bound_image *image;
	size_t n, cap;
	struct table of_mapping; /* mapping id -> index of image + 1 */
	struct table name_of;    /* (image, method) -> index of name + 1 */
	struct str *name;        /* names of methods */
	size_t nnames, names_cap;
	struct r2rmap_names *r2rmap_names; /* a linked list: the names of each process */
};

/* Binds im to its mapping. */
void bound_image_add(struct binder *b, const struct bound_image *im);

/* Returns the image that is bound to m, or NULL. */
const struct bound_image *bound_image_get(const struct binder *b,
                                          const struct mapping *m);

/* Sets the RVA of ip.  Returns false if no section of the image holds that byte. */
bool bound_image_rva(const struct bound_image *im, uint64_t ip, uint64_t *rva);
bool bound_image_ip(const struct bound_image *im, uint64_t rva, uint64_t *ip);

/* Returns the methods of an image, read on first use, or NULL if only a map names it. */
struct r2r *bound_image_methods(const struct binder *b, const struct bound_image *im);

/* Returns the name of method `index` of r.  The name is in `a` or in the map. */
struct str bound_image_method_name(const struct bound_image *im, struct r2r *r,
                                   size_t index, struct arena *a);

/*
 * Finds the method of im at rva, and forms its name on first use.  Returns false if there is no
 * method.
 */
bool bound_image_method(struct binder *b, const struct bound_image *im, uint64_t rva,
                        bool caller, struct bound_name *out);

#endif
