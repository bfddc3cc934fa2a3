/*
 * jitted_so - names of frames in the files that perf inject -j makes of JIT code, in a text
 * where no mapping says at which address the code ran; private to bind/.
 *
 * For each piece of code that jit-PID.dump loads, perf writes jitted-PID-N.so, N being the
 * number of the piece in the dump.  So the module's name says which piece it is.  The text
 * has the run-time address or, by perf 5.16 to 6.3, the offset in that file, where the code
 * stands behind the headers.  Source: tools/perf/util/{jitdump.c,genelf.h}.
 */
#ifndef BIND_NATIVE_JITTED_SO_H
#define BIND_NATIVE_JITTED_SO_H

#include "bind/bind.h"

struct jitted_sos;

/*
 * Chooses a jitdump for all such files that frames lie in, and reports it.  The dump is
 * theirs when the addresses lie in its pieces of those numbers, behind calls.
 */
void jitted_so_match(struct binder *b);

/* The dump's name of the code at addr, as it is printed, in m, an assumed mapping. */
bool jitted_so_find(struct binder *b, const struct mapping *m, uint64_t addr, bool caller,
                    struct bound_name *out);

/*
 * The files themselves are among the sources, one function each: do the return addresses
 * in all files of the dump that m is of show together that they are what ran?
 */
bool jitted_so_files_agree(struct binder *b, const struct mapping *m);

#endif
