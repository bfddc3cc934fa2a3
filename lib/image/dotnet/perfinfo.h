/*
 * perfinfo - where CoreCLR loaded its images: perfinfo-PID.map, .NET Core 2 to 8.
 *
 * Source: dotnet/runtime src/coreclr/vm/perfinfo.cpp.  A path may hold anything but
 * a semicolon; the oldest form has no base, and 8.0 prints "(nil)" for none.
 */
#ifndef IMAGE_DOTNET_PERFINFO_H
#define IMAGE_DOTNET_PERFINFO_H

#include "base/arena.h"
#include "image/jit/perfmap.h"

struct image_load {
	struct str path;
	unsigned char mvid[MVID_BYTES];
	uint64_t base; /* run-time address of the image; 0: IL only, or not said */
};

struct perfinfo {
	struct image_load *load;
	size_t n, cap;
};

bool perfinfo_bid(struct str head);

/* Paths point into bytes. */
void perfinfo_read(struct perfinfo *pi, struct str bytes, struct arena *a);

#endif
