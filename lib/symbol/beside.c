/*
 * A framework is installed as one: shared/Microsoft.NETCore.App/10.0.12 holds one build.
 * A text of offsets tells no lengths, and in most of its images too few return addresses
 * are sampled to tell the version: where one image of such a directory was shown to
 * be what ran, those beside it are, too.
 */
#include "symbol/binder.h"

static struct str folder_of(struct str path)
{
	struct str base = str_base(path);

	return str_head(path, path.n > base.n ? path.n - base.n - 1 : 0);
}

/* ".../Microsoft.NETCore.App/10.0.12" */
static bool is_framework(struct str folder)
{
	struct str version = str_base(folder);

	return version.n && *version.p >= '0' && *version.p <= '9' &&
	       str_ends(folder_of(folder), STR(".App"));
}

bool bind_is_beside(const struct binder *b, const struct mapping *m,
                    const struct item *image)
{
	struct str here = folder_of(intern_str(b->locator->names, m->path));

	if (!is_framework(here))
		return false;
	for (size_t i = 0; i < b->nimages; i++) {
		const struct bound_image *other = &b->image[i];
		struct str path = intern_str(b->locator->names, other->m->path);

		if (other->image && other->image->source == image->source &&
		    !other->beside && str_eq(folder_of(path), here) &&
		    str_eq(folder_of(other->image->name), folder_of(image->name)))
			return true;
	}
	return false;
}
