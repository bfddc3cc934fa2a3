/*
 * binder - the state behind bind/bind.h; shared inside bind/.
 *
 * The state of each file is a struct that its header defines.
 */
#ifndef BIND_BINDER_H
#define BIND_BINDER_H

#include "bind/bind.h"
#include "bind/bound_map.h"
#include "bind/dotnet/bound_image.h"
#include "bind/dotnet/loaded.h"
#include "bind/dotnet/match_bundled.h"
#include "bind/dotnet/match_images.h"
#include "bind/match_maps.h"
#include "bind/native/demangle.h"
#include "bind/native/kernel.h"
#include "bind/native/native.h"
#include "bind/native/text_kernel.h"
#include "bind/sampled.h"

struct binder {
	struct locator *locator;
	struct processes *ps; /* NULL before bind_decide */
	struct arena *run;
	struct diag *diag;
	struct sampled sampled;
	struct forced_maps forced;
	struct table ns; /* pid -> its pid in the innermost namespace + 1 */
	struct table unused; /* mapping id or pid -> 1: bind_find has reported its files */
	struct bound_maps maps;
	struct bound_images images;
	struct image_matches image_matches;
	struct bundled bundled;
	struct loaded loaded;
	struct r2rmap_names *r2rmap_names; /* a list, one for each process */
	struct demangled demangled;
	struct natives natives;
	struct jitted_sos *jitted_sos; /* NULL before jitted_so_match */
	struct kernel_places kernel;
	struct text_kernel text_kernel;
};

#endif
