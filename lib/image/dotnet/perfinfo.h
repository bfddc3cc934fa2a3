/*
 * perfinfo - perfinfo-PID.map, the images that CoreCLR loaded, as .NET Core 1 to .NET 8
 * write it.
 *
 * Source: dotnet/runtime src/coreclr/vm/perfinfo.cpp.  A path may contain any character
 * except a semicolon.  The oldest form has no base.  8.0 prints "(nil)" if there is no
 * base.  In old archives, lines of native images, NAME.ni.dll, begin with NILoad.
 */
#ifndef IMAGE_DOTNET_PERFINFO_H
#define IMAGE_DOTNET_PERFINFO_H

#include "base/arena.h"
#include "image/jit/perfmap.h"

struct image_load {
	struct str path;
	unsigned char mvid[MVID_BYTES];
	/*
	 * run-time address of the image, or 0 if it has only IL or if the address is
	 * missing
	 */
	uint64_t base;
};

struct perfinfo {
	struct image_load *load;
	size_t n, cap;
};

bool perfinfo_bid(struct str head);

/*
 * Returns the pid in the last part of a path: "perfinfo-7679.map" -> 7679.  Returns -1
 * for other names.
 */
int32_t perfinfo_pid(struct str name);

/* Paths point into bytes. */
void perfinfo_read(struct perfinfo *pi, struct str bytes, struct arena *a);

#endif
