/*
 * perfinfo - the images that CoreCLR loaded: perfinfo-PID.map, .NET Core 1 to 8.
 *
 * Source: dotnet/runtime src/coreclr/vm/perfinfo.cpp.  A path may contain anything except a
 * semicolon.  The oldest form has no base, and 8.0 prints "(nil)" if there is no base.  Old
 * archives have lines of native images, NAME.ni.dll, that begin with NILoad.
 */
#ifndef IMAGE_DOTNET_PERFINFO_H
#define IMAGE_DOTNET_PERFINFO_H

#include "base/arena.h"
#include "image/jit/perfmap.h"

struct image_load {
	struct str path;
	unsigned char mvid[MVID_BYTES];
	/* run-time address of the image, or 0 for IL only or if it is missing */
	uint64_t base;
};

struct perfinfo {
	struct image_load *load;
	size_t n, cap;
};

bool perfinfo_bid(struct str head);

/*
 * "perfinfo-7679.map" -> 7679, -1 for other names.  Only the last part of name is used.
 */
int32_t perfinfo_pid(struct str name);

/* Paths point into bytes. */
void perfinfo_read(struct perfinfo *pi, struct str bytes, struct arena *a);

#endif
