/*
 * A framework is installed as one: shared/Microsoft.NETCore.App/10.0.12 holds one build.
 * A text tells no lengths, and in most of its images too few return addresses are
 * sampled to tell the version: where one image of such a directory was shown to be
 * what ran, those beside it are, too.  A self-contained program has the framework among its
 * own files, which may be newer: there the file version, which counts builds, must be
 * that of the core library.
 */
#include "bind/binder.h"

/* ".../Microsoft.NETCore.App/10.0.12/" */
static bool is_framework(struct str folder)
{
	struct str path = str_head(folder, folder.n ? folder.n - 1 : 0);
	struct str version = str_base(path);

	return version.n && *version.p >= '0' && *version.p <= '9' &&
	       str_ends(str_dir(path), STR(".App/"));
}

/* 10.0.1226.42308: official builds alone have all four numbers, and no two the same. */
static bool same_build(struct locator *l, struct item *core, struct item *image)
{
	const struct pe *a = locate_pe(l, core), *b = locate_pe(l, image);
	uint64_t version = a ? pe_file_version(a) : 0;

	return str_eq(str_base(core->name), STR("System.Private.CoreLib.dll")) && b &&
	       version >> 16 & 0xffff && version & 0xffff &&
	       pe_file_version(b) == version;
}

bool bind_is_beside(const struct binder *b, const struct mapping *m, struct item *image)
{
	struct str here = str_dir(intern_str(b->locator->names, m->path));

	for (size_t i = 0; i < b->nimages; i++) {
		const struct bound_image *other = &b->image[i];
		struct str path = intern_str(b->locator->names, other->m->path);

		if (other->image && other->image->source == image->source &&
		    !other->beside && str_eq(str_dir(path), here) &&
		    str_eq(str_dir(other->image->name), str_dir(image->name)) &&
		    (is_framework(here) || same_build(b->locator, other->image, image)))
			return true;
	}
	return false;
}
