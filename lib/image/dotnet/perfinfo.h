/*
 * perfinfo - reads perfinfo-PID.map, in which .NET Core 1 to .NET 8 list the images that they
 * loaded.
 *
 * Source: dotnet/runtime src/coreclr/vm/perfinfo.cpp.  A path may contain any character except a
 * semicolon.  The oldest format has no base address.  .NET 8 prints "(nil)" if there is no base
 * address.  In old archives, lines for native images (NAME.ni.dll) begin with NILoad.
 */
#ifndef IMAGE_DOTNET_PERFINFO_H
#define IMAGE_DOTNET_PERFINFO_H

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
 * Returns the pid in the file name of a path: 7679 for "perfinfo-7679.map".  Returns -1 for other
 * names.
 */
int32_t perfinfo_pid(struct str name);

/* Reads the lines of a perfinfo.  Paths point into bytes. */
void perfinfo_read(struct perfinfo *pi, struct str bytes, struct arena *a);

#endif
