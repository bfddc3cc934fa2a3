#include "bind/native/shared_code.h"

#include "bind/binder.h"

bool shared_code_of(struct binder *b, const struct mapping *m, struct shared_code *out)
{
	return !match_images_of(b, m) && native_code(b, m, out);
}

bool shared_code_alone(const struct binder *b, const struct bind_query *q)
{
	return !bound_map_first(b, q->pid) &&
	       (!q->m || (!bound_image_of(b, q->m) && !bound_map_first(b, q->m->pid)));
}
