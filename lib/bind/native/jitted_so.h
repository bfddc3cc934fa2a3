/*
 * jitted_so - names frames in the files that perf inject -j makes from JIT code, for texts
 * without mappings.  Private to bind/.
 *
 * For each piece of code that jit-PID.dump loads, perf writes jitted-PID-N.so, where N is the
 * number of the piece in the dump.  So the name of the module identifies the code.  The text
 * contains run-time addresses.  perf 5.16 to 6.3 prints offsets in jitted-PID-N.so instead.  In
 * jitted-PID-N.so, the code follows the ELF headers.  Source:
 * tools/perf/util/{jitdump.c,genelf.h}.
 */
#ifndef BIND_NATIVE_JITTED_SO_H
#define BIND_NATIVE_JITTED_SO_H

#include "bind/bind.h"

struct jitted_sos;

/*
 * Chooses a jitdump for the jitted-PID-N.so files that have frames, and reports the choice.  N is
 * the number of a piece of code in the dump.  In the right dump, the pieces with these numbers
 * contain the sampled addresses, and return addresses follow calls.
 */
void jitted_so_match(struct binder *b);

/*
 * Finds the name of addr in the dump.  addr is an address that the text prints for the assumed
 * mapping m.
 */
bool jitted_so_find(const struct binder *b, const struct mapping *m, uint64_t addr,
                    bool caller, struct bound_name *out);

/*
 * Examines the input files that are .so files made from m's dump.  Each file contains only one
 * function.  Returns true if the return addresses in all files together prove that the files ran.
 */
bool jitted_so_files_agree(const struct binder *b, const struct mapping *m);

#endif
