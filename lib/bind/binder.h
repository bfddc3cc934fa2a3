/*
 * binder - the private state of bind/bind.h.  Shared inside bind/.
 *
 * Each member is a struct of one file in bind/.  A user of a struct includes the header of that
 * file.  After bind_decide, members do not change, so lookups take a const binder.  A lookup may
 * open files, and stores its results in the tables of these structs.
 */
#ifndef BIND_BINDER_H
#define BIND_BINDER_H

#include "bind/bind.h"

struct binder {
	struct locator *locator;
	struct processes *ps; /* NULL before bind_decide */
	struct arena *run;
	struct diag *diag;
	struct sampled *sampled;
	struct forced_maps *forced;
	struct bound_maps *maps;
	struct bound_images *images;
	struct image_matches *image_matches;
	struct bundled *bundled;
	struct loaded *loaded;
	struct managed_lines *managed_lines;
	struct demangled *demangled;
	struct natives *natives;
	struct kernel_places *kernel;
	struct text_kallsyms *text_kallsyms;
	struct guard_state *guard; /* of base/guard.h */
};

#endif
