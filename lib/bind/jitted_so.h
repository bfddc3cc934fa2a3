/*
 * injected - frames of a text in the files that perf inject -j makes of JIT code, where
 * no mapping says at which address that ran; private to symbol/.
 *
 * Of each piece of code that jit-PID.dump loads, perf writes jitted-PID-N.so, N being the
 * piece's number in the dump.  So the module says which piece it is; what is printed is
 * the address it ran at or, by perf 5.16 to 6.3, its offset in that file, where the code
 * stands behind the headers.  Source: tools/perf/util/{jitdump.c,genelf.h}.
 */
#ifndef BIND_JITTED_SO_H
#define BIND_JITTED_SO_H

#include "bind/binder.h"

/*
 * Chooses a dump for all such files that were noted, and says which.  That it is theirs
 * the addresses show: they lie in the pieces of these numbers, behind calls.
 */
void bind_place_injected(struct binder *b);

/* What the dump calls the code at addr, as it is printed, in m, an assumed mapping. */
bool bind_find_injected(struct binder *b, const struct mapping *m, uint64_t addr,
                        bool caller, struct bound_name *out);

/* Do the files themselves, which hold one function each, show together by their calls
 * that they are what ran? */
bool bind_injected_files(struct binder *b, const struct mapping *m);

#endif
