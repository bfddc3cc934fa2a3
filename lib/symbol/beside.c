/*
 * A framework is installed as one: shared/Microsoft.NETCore.App/10.0.12 holds one build.
 * A text of offsets tells no lengths, and in most of its images too few return addresses
 * are sampled to tell the version: where one image of such a directory was shown to
 * be what ran, those beside it are, too.
 */
#include "symbol/binder.h"

/* ".../Microsoft.NETCore.App/10.0.12/" */
static bool is_framework(struct str folder)
{
	struct str path = str_head(folder, folder.n ? folder.n - 1 : 0);
	struct str version = str_base(path);

	return version.n && *version.p >= '0' && *version.p <= '9' &&
	       str_ends(str_dir(path), STR(".App/"));
}

bool bind_is_beside(const struct binder *b, const struct mapping *m,
                    const struct item *image)
{
	struct str here = str_dir(intern_str(b->locator->names, m->path));

	if (!is_framework(here))
		return false;
	for (size_t i = 0; i < b->nimages; i++) {
		const struct bound_image *other = &b->image[i];
		struct str path = intern_str(b->locator->names, other->m->path);

		if (other->image && other->image->source == image->source &&
		    !other->beside && str_eq(str_dir(path), here) &&
		    str_eq(str_dir(other->image->name), str_dir(image->name)))
			return true;
	}
	return false;
}
