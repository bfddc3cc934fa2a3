/*
 * jitted_so - names of frames in the files that perf inject -j makes from JIT code, in a text
 * without mappings.  Private to bind/.
 *
 * For each piece of code that jit-PID.dump loads, perf writes jitted-PID-N.so, where N is the
 * number of the piece in the dump.  So the module's name identifies the piece.  The text has its
 * run-time address.  A text of perf 5.16 to 6.3 has the offset in that file instead, where the
 * code follows the headers.  Source: tools/perf/util/{jitdump.c,genelf.h}.
 */
#ifndef BIND_NATIVE_JITTED_SO_H
#define BIND_NATIVE_JITTED_SO_H

#include "bind/bind.h"

struct jitted_sos;

/*
 * Selects a jitdump for all such files with frames, and reports it.  A dump is right if its
 * pieces with the numbers of the files contain the sampled addresses, and these follow calls.
 */
void jitted_so_match(struct binder *b);

/*
 * Finds the dump's name of the code at addr, an address as it is printed, in m, an assumed
 * mapping.
 */
bool jitted_so_find(struct binder *b, const struct mapping *m, uint64_t addr, bool caller,
                    struct bound_name *out);

/*
 * Compares the files themselves, which have one function each, if they are among the sources.
 * Returns true if the return addresses in all files of m's dump together show that these files
 * ran.
 */
bool jitted_so_files_agree(struct binder *b, const struct mapping *m);

#endif
