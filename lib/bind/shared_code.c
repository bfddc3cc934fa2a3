#include "bind/shared_code.h"

#include "bind/binder.h"
#include "bind/bound_map.h"
#include "bind/dotnet/bound_image.h"
#include "bind/dotnet/match_images.h"
#include "bind/native/native.h"

bool shared_code_find(const struct binder *b, const struct mapping *m,
                      struct shared_code *out)
{
	if (match_images_of(b, m))
		return false;
	/*
	 * Mappings without an ELF file have no names, so they share one result.  Exceptions: a perf
	 * map may name the code of a mapping, or a file was refused for m and must be reported.
	 */
	return native_code(b, m, out) ||
	       (!b->maps->n && !native_get_files(b, m)->refused);
}

bool shared_code_is_alone(const struct binder *b, const struct bind_query *q)
{
	return !bound_map_first(b, q->pid) &&
	       (!q->m || (!bound_image_get(b, q->m) && !bound_map_first(b, q->m->pid)));
}

bool shared_code_has_no_maps(const struct binder *b)
{
	return !b->maps->n;
}

struct shared_code_form shared_code_form(const struct binder *b, const struct mapping *m)
{
	return native_form(b, m);
}
